// Appendix A once more, slowly and by another way: on strings, with RFC 2396's own regular expression of
// appendix B and its step 5.2 (6) as the rewriting of a buffer. It shares no code with src/, and is the oracle
// of the tests beside it. It reads the draft as the defaults do.

const APPENDIX_B = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$/s;
const PORTS: Record<string, number> = {
  http: 80,
  https: 443,
  ftp: 21,
  gopher: 70,
  telnet: 23,
  nntp: 119,
  wais: 210,
  ldap: 389,
  rtsp: 554,
  ssh: 22,
  ws: 80,
  wss: 443,
  pop: 110,
  imap: 143,
  snews: 563,
  ipp: 631,
  ldaps: 636,
  prospero: 1525,
  nfs: 2049,
};
const UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()";

/** RFC 2396 section 5.2 step 6 c to g, as it is written there. */
export function rewriteBuffer(buffer: string): string {
  let text = buffer.slice(1);
  const replaceFirst = (pattern: RegExp, by: string): boolean => {
    const before = text;
    text = text.replace(pattern, by);
    return text !== before;
  };
  while (replaceFirst(/(^|\/)\.\//, '$1'));
  replaceFirst(/(^|\/)\.$/, '$1');
  while (replaceFirst(/(^|\/)(?!\.\.\/)[^/]*\/\.\.\//, '$1'));
  replaceFirst(/(^|\/)(?!\.\.\/)[^/]*\/\.\.$/, '$1');
  return `/${text}`;
}

export function resolveLiterally(reference: string, base: string): string {
  const [, , scheme, , authority, path = '', query, , , fragment] = APPENDIX_B.exec(reference)!;
  const tail = (query ?? '') + (fragment === undefined ? '' : `#${fragment}`);
  if (scheme !== undefined) return reference;
  const [, , baseScheme, baseNet = '', , basePath = '', baseQuery = ''] = APPENDIX_B.exec(base)!;
  if (path === '' && authority === undefined && query === undefined)
    return `${baseScheme}:${baseNet}${basePath}${baseQuery}${tail}`;
  if (authority !== undefined) return `${baseScheme}:${reference}`;
  if (path.startsWith('/')) return `${baseScheme}:${baseNet}${path}${tail}`;
  const merged = (basePath === '' && path !== '' ? '/' : basePath.replace(/[^/]*$/, '')) + path;
  return `${baseScheme}:${baseNet}${merged === '' ? '' : rewriteBuffer(merged)}${tail}`;
}

function decodeOnce(text: string): string {
  let decoded = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] === '%' ? String.fromCharCode(parseInt(text.slice(at + 1, at + 3), 16)) : '';
    const isDecoded = character !== '' && UNRESERVED.includes(character);
    decoded += isDecoded ? character : text[at]!;
    if (isDecoded) at += 2;
  }
  return decoded;
}

const plain = (number: string): string => number.replace(/^0+(?=.)/, '');

function canonicalAuthority(scheme: string, text: string, isP: boolean): string {
  const lowered = isP ? text.toLowerCase() : text;
  const at = text.indexOf('@');
  if (at !== text.lastIndexOf('@')) return lowered;
  const hostport = text.slice(at + 1);
  const port = /^(?:\[[^\]]*\]|[^:]+):([0-9]*)$/.exec(hostport)?.[1];
  const host = port === undefined ? hostport : hostport.slice(0, hostport.length - port.length - 1);
  const isV6 = host.startsWith('[');
  if (host === '' || (!isV6 && host.includes(':'))) return lowered;
  const user = at === -1 ? '' : /^https?$/.test(scheme) ? decodeOnce(text.slice(0, at)) : text.slice(0, at);
  const isV4 = host.split('.').length === 4 && host.split('.').every((part) => /^[0-9]+$/.test(part));
  const newHost = isV6
    ? host
        .slice(1, -1)
        .split(':')
        .map((group) => group.split('.').map(plain).join('.'))
        .join(':')
    : isV4
      ? host.split('.').map(plain).join('.')
      : host.toLowerCase();
  const wrapped = isV6 ? `[${isP ? newHost.toLowerCase() : newHost}]` : newHost;
  const keepsPort = port && Number(port) !== PORTS[scheme];
  return (user ? `${isP ? user.toLowerCase() : user}@` : '') + wrapped + (keepsPort ? `:${plain(port)}` : '');
}

export function canonicalizeLiterally(uri: string, variant: string, keep: readonly string[]): string {
  const isP = variant === 'P';
  const scheme = uri.slice(0, uri.indexOf(':')).toLowerCase();
  const rest = uri.slice(scheme.length + 1);
  const hash = rest.indexOf('#');
  const address = hash === -1 ? rest : rest.slice(0, hash);
  const marked = hash !== -1 && keep.includes('frag') ? rest.slice(hash) : '';
  if (address !== '' && address[0] !== '/') return `${scheme}:${address}${marked}`;
  const fragment = marked === '#' ? '' : marked;
  const [, , , net, authority = '', rawPath = '', query = ''] = APPENDIX_B.exec(address)!;
  const keptQuery = keep.includes('query') && query !== '?' ? query : '';
  let path = /^https?$/.test(scheme) ? decodeOnce(rawPath) : rawPath;
  if (isP) path = path.toLowerCase().replace(/\/+/g, '/').replace(/\/$/, '');
  if (isP)
    path = path
      .replace(/\.html$/, '.htm')
      .replace(/\.jpeg$/, '.jpg')
      .replace(/\.text$/, '.txt')
      .replace(/\.ram$/, '.ra');
  if (scheme === 'http') path = path.replace(/\/index\.html?$/, '/');
  const newNet = net === undefined || authority === '' ? '' : `//${canonicalAuthority(scheme, authority, isP)}`;
  const tail = keptQuery + fragment;
  return `${scheme}:${newNet}${path}${isP ? tail.toLowerCase() : tail}`;
}
