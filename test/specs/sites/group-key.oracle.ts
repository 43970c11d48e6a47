import { getDomain } from 'tldts';
import { URL as IndependentUrl } from 'whatwg-url';

/** Host, site and SURT of a canonical form, by docs/sites.md, from parts that another parser found. */
export function groupKeysOf(canonical: string): readonly (string | null)[] {
  const { protocol, hostname: host, port, pathname, search, hash, href } = new IndependentUrl(canonical);
  const withoutFragment = href.slice(0, href.length - hash.length - Number(hash === '' && href.endsWith('#')));
  if (host === '') return [null, null, withoutFragment];
  const isNumber = host.startsWith('[') || /^\d+$/.test(host.split('.').at(-1)!);
  const labels = (host.length > 1 && host.endsWith('.') ? host.slice(0, -1) : host).split('.');
  const query = search === '' && /\?$/.test(withoutFragment) ? '?' : search;
  const surt = `${isNumber ? host : labels.reverse().join(',')}${port === '' ? '' : `:${port}`})${pathname}${query}`;
  return [host, isNumber || !SPECIAL.includes(protocol) ? null : registrable(host), surt];
}

const SPECIAL = ['http:', 'https:', 'ws:', 'wss:', 'ftp:', 'file:'];

/** Asks the other library, which knows no dot at the end. */
function registrable(host: string): string | null {
  const [dot] = /\.?$/.exec(host)!;
  const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };
  const domain = getDomain(host.slice(0, host.length - dot.length), options);
  return domain === null ? null : domain + dot;
}

/** The other library knows no labels that are empty. */
export function hasEmptyLabel(canonical: string): boolean {
  return /^\.|\.\./.test(new IndependentUrl(canonical).hostname);
}
