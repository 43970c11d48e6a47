import {
  BACKSLASH,
  COLON,
  codeAt,
  isAsciiDigit,
  LEFT_BRACKET,
  NUMBER_SIGN,
  QUESTION_MARK,
  RIGHT_BRACKET,
  SLASH,
} from '../bytes/code-points.ts';
import { Failure, failure } from './failure.ts';
import { parseHost } from './host.ts';
import { percentEncode, USERINFO } from './percent.ts';
import type { UrlRecord } from './record.ts';
import { isDefaultPort } from './scheme.ts';

// The ends of a URL's components, at a position of the input: https://url.spec.whatwg.org/#url-parsing

/** Whether the input has `/` at `at`, or `\` if the scheme is special. */
export function isSlash(input: string, at: number, isSpecial: boolean): boolean {
  const code = codeAt(input, at);
  return code === SLASH || (isSpecial && code === BACKSLASH);
}

/** Whether the input ends at `at`, or has `?` or `#` there. */
export function isPathEnd(input: string, at: number): boolean {
  const code = codeAt(input, at);
  return code === -1 || code === QUESTION_MARK || code === NUMBER_SIGN;
}

/** Whether a slash or the end of a path is at `at`. */
export function isAuthorityEnd(input: string, at: number, isSpecial: boolean): boolean {
  return isSlash(input, at, isSpecial) || isPathEnd(input, at);
}

/** Returns the end of an authority, or of a file host, that begins at `start`. */
export function authorityEnd(input: string, start: number, isSpecial: boolean): number {
  let at = start;
  while (!isAuthorityEnd(input, at, isSpecial)) at++;
  return at;
}

/**
 * Reads credentials, host and port into `url`; returns the failure, if any.
 * https://url.spec.whatwg.org/#authority-state, #host-state and #port-state
 */
export function parseAuthority(authority: string, url: UrlRecord): Failure | undefined {
  const at = authority.lastIndexOf('@');
  if (at !== -1) setCredentials(authority.slice(0, at), url);
  const hostAndPort = authority.slice(at + 1);
  if (hostAndPort === '' && (url.isSpecial || at !== -1)) return failure('host-missing');
  const colon = portColon(hostAndPort);
  if (colon === 0) return failure('host-missing');
  const host = parseHost(colon === -1 ? hostAndPort : hostAndPort.slice(0, colon), url);
  if (host instanceof Failure) return host;
  url.host = host;
  return colon === -1 ? undefined : parsePort(hostAndPort.slice(colon + 1), url);
}

function setCredentials(userinfo: string, url: UrlRecord): void {
  const colon = userinfo.indexOf(':');
  url.username = percentEncode(colon === -1 ? userinfo : userinfo.slice(0, colon), USERINFO);
  url.password = colon === -1 ? '' : percentEncode(userinfo.slice(colon + 1), USERINFO);
}

/** Returns the position of the first colon outside brackets, or -1. */
export function portColon(hostAndPort: string): number {
  let isInsideBrackets = false;
  for (let at = 0; at < hostAndPort.length; at++) {
    const code = hostAndPort.charCodeAt(at);
    if (code === LEFT_BRACKET) isInsideBrackets = true;
    else if (code === RIGHT_BRACKET) isInsideBrackets = false;
    else if (code === COLON && !isInsideBrackets) return at;
  }
  return -1;
}

function parsePort(digits: string, url: UrlRecord): Failure | undefined {
  let port = 0;
  for (let at = 0; at < digits.length; at++) {
    if (!isAsciiDigit(digits.charCodeAt(at))) return failure('port-invalid');
    port = Math.min(0x10000, port * 10 + digits.charCodeAt(at) - 0x30);
  }
  if (port > 0xffff) return failure('port-out-of-range');
  url.port = digits === '' || isDefaultPort(url.scheme, port) ? null : port;
  return undefined;
}
