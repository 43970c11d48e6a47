import { isAsciiDigit, RIGHT_BRACKET } from '../bytes/code-points.ts';
import { Failure as UrlFailure } from '../url/failure.ts';
import { parseIpv6 } from '../url/ipv6.ts';
import { Failure } from './failure.ts';

/** A user/host/port triple, '' for a part that is not there, or another naming authority as it stands. */
export type Authority =
  | { readonly isTriple: true; readonly user: string; readonly host: string; readonly port: string }
  | { readonly isTriple: false; text: string };

/** RFC 2396 section 3.2.2 with RFC 2732's brackets. The user is all that stands before '@', a password included. */
const TRIPLE = /^(?:([^@]*)@)?(\[[^@[\]]*\]|[^@:[\]]+)(?::([0-9]*))?$/;

export function parseAuthority(text: string): Authority | Failure {
  const [triple, user = '', host = '', port = ''] = TRIPLE.exec(text) ?? [];
  if (triple === undefined) return /[[\]]/.test(text) ? new Failure('ipv6-malformed') : { isTriple: false, text };
  if (host.startsWith('[') && parseIpv6(host.slice(1, -1)) instanceof UrlFailure) return new Failure('ipv6-malformed');
  return { isTriple: true, user, host, port };
}

/** RFC 2396's IPv4address, in a dotted form of any range: what appendix A calls an IP address, and RFC 2732's. */
const IP_ADDRESS = /^(?:[0-9]+(?:\.[0-9]+){3}|\[.*)$/;

export function isIpAddress(host: string): boolean {
  const last = host.charCodeAt(host.length - 1);
  return (isAsciiDigit(last) || last === RIGHT_BRACKET) && IP_ADDRESS.test(host);
}

/** Each number of an address keeps its last digit: `0.0.0.0` stays itself. */
export function withoutLeadingZeroes(numbers: string): string {
  return numbers.replace(/[0-9A-Fa-f]+/g, (number) => number.replace(/^0+(?=.)/, ''));
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  ftp: '21',
  telnet: '23',
  gopher: '70',
  http: '80',
  nntp: '119',
  wais: '210',
  ldap: '389',
  https: '443',
  rtsp: '554',
};

export function isDefaultPort(scheme: string, port: string): boolean {
  return Object.hasOwn(DEFAULT_PORTS, scheme) && DEFAULT_PORTS[scheme] === port;
}

export function formatAuthority(authority: Authority): string {
  if (!authority.isTriple) return authority.text;
  const { user, host, port } = authority;
  return `${user === '' ? '' : `${user}@`}${host}${port === '' ? '' : `:${port}`}`;
}
