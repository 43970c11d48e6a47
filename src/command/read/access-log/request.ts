import { canonicalForm } from '../../../core/url/canonicalize.ts';
import { usageFault } from '../../fault.ts';

// Texts of a log are read as ISO 8859-1: each unit is a byte, as the server got it.

/** The flags that say what a log does not. */
export interface LogFlags {
  readonly base?: string | undefined;
  readonly defaultScheme?: string | undefined;
  /** Whether a request needs no scheme, since the entries of lists have none. */
  readonly needsNoScheme?: boolean;
  /** The format of the lines, as a server's configuration has it, or its name. */
  readonly logFormat?: string | undefined;
}

/** The parts of a URL that a log may lack. */
export interface Origin {
  /** Scheme, host and port of requests without a host, as `https://example.com:8080`. */
  readonly base: string | undefined;
  /** The scheme of hosts that are logged without one. */
  readonly scheme: string | undefined;
  /** Called where no scheme is known and none is needed; returns one that stands for any. */
  anyScheme?(): string;
}

/** @throws {Fault} where the base has no host */
export function originOf({ base, defaultScheme: scheme }: LogFlags): Omit<Origin, 'anyScheme'> {
  if (base === undefined) return { base, scheme };
  const form = canonicalForm(base);
  const [, baseScheme, host] = /^(https?):\/\/(?:[^/@]*@)?([^/]+)/.exec(typeof form === 'string' ? form : '') ?? [];
  if (host === undefined) throw usageFault(`--base of a log must be a URL of http or https, not '${base}'`);
  return { base: `${baseScheme}://${host}`, scheme };
}

/** The parts of a request that a line of a log has, with the escapes of its format undone. */
export interface LoggedRequest {
  readonly method: string;
  /** The target of RFC 9112, 3.2: a path with its query, a URL, the authority of CONNECT, or `*`. */
  readonly target: string;
  readonly scheme?: string | undefined;
  /** The scheme where no flag names another: TLS may end in front of the server. */
  readonly usualScheme?: string | undefined;
  /** The authority that the client asked for: Host, or `:authority`. */
  readonly authority?: string | undefined;
  /** A name of the server, with `port` after it. */
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly status?: string | undefined;
}

/** Stands for a request that never came: `-`, nothing, or the bytes of a handshake that failed. */
export const NO_REQUEST = 'no request';

/** The reason why a line has no URL although it should. */
export class Problem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const NOT_A_REQUEST = new Problem('the request has no method and target, as in GET /x HTTP/1.1');
const NOT_A_TARGET = new Problem('the target of the request is neither a path nor a URL');
const NO_HOST = new Problem('the log names no host: --base URL does');
const NOT_A_HOST = new Problem('the host of the request is not one');
const NO_SCHEME = new Problem('the log names no scheme: --default-scheme https does');

/** A method, which is a token (RFC 9110, 5.6.2), and the target. */
const METHOD_AND_TARGET = /^([!#$%&'*+.^_`|~\w-]+) +([^ ](?:.*[^ ])?) *$/s;
const VERSION = / HTTP\/\d+(?:\.\d+)?$/;

/**
 * A record of TLS or another protocol begins with a control character or a byte beyond ASCII, which no method has; SSH
 * with its version (RFC 4253, 4.2).
 */
const HANDSHAKE = /^(?:[\0-\x08\x0e-\x1f\x7f-\xff]|SSH-\d)/;

/**
 * Reads a request line. Its target is what lies between the method and the version, which HTTP/0.9 does not have; more
 * spaces than one may stand between them (RFC 9112, 3).
 */
export function requestOf(line: string): Pick<LoggedRequest, 'method' | 'target'> | typeof NO_REQUEST | Problem {
  const [, method, target] = METHOD_AND_TARGET.exec(line.replace(VERSION, '')) ?? [];
  if (method !== undefined) return { method, target: target! };
  return line === '' || line === '-' || HANDSHAKE.test(line) ? NO_REQUEST : NOT_A_REQUEST;
}

/** Methods whose target `*` is not a page but the whole server, or the preface of HTTP/2 (RFC 9113, 3.4). */
const WITHOUT_URL = new Set(['OPTIONS', 'PRI']);

const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:\/\/|urn:)/i;

/**
 * Returns the URL of a request: RFC 9112, 3.3. Origin and path are joined as text: a path that begins with two slashes
 * would be a host to whoever resolves it. Spaces, control characters and bytes beyond ASCII are parts of the path, as
 * the server took them; they are to be escaped, since the URL parser would remove some of them.
 *
 * @returns undefined for a request that asks for no URL
 */
export function urlOf(request: LoggedRequest, origin: Origin): string | Problem | undefined {
  const { method, target, status } = request;
  if (!target.startsWith('/')) {
    if (method === 'CONNECT') return tunnelled(target, status);
    if (ABSOLUTE.test(target)) return target;
    return target === '*' && WITHOUT_URL.has(method) ? undefined : NOT_A_TARGET;
  }
  const authority = request.authority ?? (request.host && authorityOf(request.host, request.port));
  if (authority === undefined) return origin.base === undefined ? NO_HOST : `${origin.base}${target}`;
  const known = request.scheme ?? schemeOf(request.port ?? portOf(authority)) ?? origin.scheme ?? request.usualScheme;
  const scheme = known ?? origin.anyScheme?.();
  if (scheme === undefined) return NO_SCHEME;
  return IS_AUTHORITY.test(authority) ? `${scheme}://${authority}${target}` : NOT_A_HOST;
}

/** Returns the URL of a host that a client had a tunnel to; undefined where it was refused, or never came about. */
function tunnelled(authority: string, status: string | undefined): string | Problem | undefined {
  if (status !== undefined && !/^2\d\d$/.test(status)) return undefined;
  if (!IS_AUTHORITY.test(authority)) return NOT_A_TARGET;
  return `${authority.endsWith(':80') ? 'http' : 'https'}://${authority}/`;
}

/** A URL would end its host before these, or begin it after the @. */
const IS_AUTHORITY = /^[^\0- \x7f/?#\\@]+$/;

function schemeOf(port: string | undefined): string | undefined {
  return port === '443' ? 'https' : port === '80' ? 'http' : undefined;
}

function portOf(authority: string): string | undefined {
  return /:(\d+)$/.exec(authority)?.[1];
}

/** Returns host and port, as a URL has them; a host may have its port. */
export function authorityOf(host: string, port: string | undefined): string {
  const bracketed = /^[^[:]*:[^:]*:/.test(host) ? `[${host}]` : host;
  return port === undefined || /:\d*$/.test(bracketed) ? bracketed : `${bracketed}:${port}`;
}

/** Returns a text of characters as one of bytes, in UTF-8. */
export function bytesOf(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text;
}
