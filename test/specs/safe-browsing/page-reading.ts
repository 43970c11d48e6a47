import { getDomain } from 'tldts';
import type { Profile } from '../../../src/specs/safe-browsing/host.ts';
import { oracleOf } from '../../core/url/unicode-oracles.ts';

// The pages' steps once more, as plainly as strings and regular expressions can put them, a character a
// byte. It shares no line with src/ and is as slow as it looks: the oracle of the differential tests.

export interface Reading {
  readonly canonical: string;
  readonly host: string;
  readonly path: string;
  readonly query: string | undefined;
  readonly isAddress: boolean;
}

/** `isSlashed`: a backslash in the path, which was an escape, counts as a slash. */
export function readPage(binary: string, profile: Profile, isSlashed = false): Reading | undefined {
  let url = binary.startsWith('\xef\xbb\xbf') ? binary.slice(3) : binary;
  url = url.replace(/[\t\r\n]/g, '').split('#')[0]!;
  url = url.replace(/^[\0-\x20]+/, '').replace(/[\0-\x20]+$/, '');
  for (let before = ''; before !== url; ) {
    before = url;
    url = url.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  const scheme = schemeOf(url);
  if (scheme !== null && !url.slice(scheme[0].length).startsWith('://')) return undefined;
  const rest = scheme === null ? url : url.slice(scheme[0].length + 3);
  const [, authority, path, query] = /^([^/?]*)([^?]*)(\?[\s\S]*)?$/.exec(rest)!;
  const host = readHost(authority!.split('@').at(-1)!, profile);
  if (host === undefined) return undefined;
  const canonicalPath = escape(readPath(isSlashed ? path!.replaceAll('\\', '/') : path!));
  const canonicalQuery = query === undefined ? undefined : escape(query.slice(1));
  const canonical = `${(scheme?.[0] ?? 'http').toLowerCase()}://${host.text}${canonicalPath}`;
  return {
    canonical: canonicalQuery === undefined ? canonical : `${canonical}?${canonicalQuery}`,
    host: host.text,
    path: canonicalPath,
    query: canonicalQuery,
    isAddress: host.isAddress,
  };
}

export function schemeOf(url: string): RegExpExecArray | null {
  const isBareHostAndPort = /^(?:[a-z][a-z0-9+-]*\.[a-z0-9+.-]*|localhost):[0-9]+(?:[/?#\\]|$)/i.test(url);
  return isBareHostAndPort ? null : /^[a-z][a-z0-9+.-]*(?=:)/i.exec(url);
}

function readHost(hostAndPort: string, profile: Profile): { text: string; isAddress: boolean } | undefined {
  let host = hostAndPort.replace(/:[0-9]*$/, '');
  if (/[\x80-\xff]/.test(host)) host = punycode(host) ?? host;
  host = host.replace(/\.+/g, '.').replace(/^\./, '').replace(/\.$/, '');
  if (host === '' || (host.startsWith('[') && !host.includes(']'))) return undefined;
  const address = ipv4(host);
  if (address !== undefined) return { text: address, isAddress: true };
  const address6 = ipv6(host);
  if (address6 !== undefined) return { text: profile === 'v5' ? address6 : host.toLowerCase(), isAddress: true };
  return { text: escape(host.replace(/[A-Z]/g, (letter) => letter.toLowerCase())), isAddress: false };
}

function punycode(binary: string): string | undefined {
  const bytes = Buffer.from(binary, 'latin1');
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) return undefined;
  const ascii = oracleOf(17).tr46.toASCII(text, {
    checkBidi: true,
    checkJoiners: true,
    useSTD3ASCIIRules: false,
    transitionalProcessing: false,
  });
  return ascii === null || ascii === '' || /[#%/:?@[\]\\]/.test(ascii) ? undefined : ascii;
}

/** With bigints and the octets written out. */
function ipv4(host: string): string | undefined {
  const parts = host.split('.');
  if (parts.length > 4 || !parts.every((part) => /^(?:0x[0-9a-f]+|0[0-7]*|[1-9][0-9]*)$/i.test(part))) return undefined;
  const numbers = parts.map((part) => BigInt(/^0[0-7]/.test(part) ? `0o${part.slice(1)}` : part));
  const last = numbers.pop()!;
  if (numbers.some((number) => number > 255n) || last >= 256n ** BigInt(4 - numbers.length)) return undefined;
  const octets = [...numbers];
  for (let shift = 8 * (3 - numbers.length); shift >= 0; shift -= 8) octets.push((last >> BigInt(shift)) & 255n);
  return octets.join('.');
}

/** The host's own URL parser reads the address: it agrees with RFC 5952, and no release of it has changed that. */
function ipv6(host: string): string | undefined {
  if (!/^\[[0-9a-f:.]+\]$/i.test(host) || !URL.canParse(`http://${host}/`)) return undefined;
  const text = new URL(`http://${host}/`).hostname;
  const carried = /^\[(?:::ffff:([0-9a-f]+):([0-9a-f]+)|64:ff9b::(?:([0-9a-f]+):)?([0-9a-f]*))\]$/.exec(text);
  if (carried === null) return text;
  const high = Number.parseInt(carried[1] ?? carried[3] ?? '0', 16);
  const low = Number.parseInt(carried[2] ?? (carried[4] || '0'), 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function readPath(path: string): string {
  const components: string[] = [];
  for (const component of path.split('/').slice(1)) {
    if (component === '..') components.pop();
    else if (component !== '.') components.push(component);
  }
  return `/${components.join('/')}`.replace(/\/+/g, '/');
}

function escape(binary: string): string {
  return binary.replace(/[\0-\x20\x7f-\xff#%]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** The page's table of strings to try, for a host cut down to `hosts`. */
export function tries({ host, path, query }: Reading, hosts: readonly string[]): string[] {
  const components = path.split('/').slice(1, -1);
  const prefixes = [0, 1, 2, 3]
    .filter((count) => count <= components.length)
    .map(
      (count) =>
        `/${components
          .slice(0, count)
          .map((each) => `${each}/`)
          .join('')}`,
    );
  const paths = [...(query ? [`${path}?${query}`] : []), path, ...prefixes];
  return [...new Set([host, ...hosts].flatMap((each) => paths.map((end) => each + end)))];
}

export function lastComponents({ host, isAddress }: Reading): string[] {
  const components = host.split('.');
  return isAddress
    ? []
    : [5, 4, 3, 2].filter((count) => count < components.length).map((count) => components.slice(-count).join('.'));
}

/** Asks the list's own package, as a user would call it. */
export function registrableHosts({ host, isAddress }: Reading, allowPrivateDomains = true): string[] {
  const domain = isAddress
    ? null
    : getDomain(host, { allowPrivateDomains, validateHostname: false, extractHostname: false, detectIp: false });
  if (domain === null) return [];
  const components = host.split('.');
  const first = domain.split('.').length;
  return [3, 2, 1, 0]
    .map((more) => first + more)
    .filter((count) => count < components.length)
    .map((count) => components.slice(-count).join('.'));
}
