import { LEFT_BRACE } from '../../core/bytes/code-points.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import { usageFault } from '../fault.ts';
import { type BatchBuilder, NO_BRACE } from './batch.ts';
import { type AddedName, bufferOf, columnNames, directiveLines, type Framing } from './framing.ts';
import { addString, lastOfText, objectIn, recordLines, takenIn } from './json-lines.ts';
import { isUrlLike } from './text-kind.ts';

/** The flags that say what a log does not. */
export interface LogFlags {
  readonly base?: string | undefined;
  readonly defaultScheme?: string | undefined;
}

export interface LogOptions {
  readonly skipsBlank: boolean;
  /** The byte that directives begin with, and other comments. */
  readonly comment?: number | undefined;
  readonly added?: readonly AddedName[];
}

/** What is joined to a path where the log does not say it. */
interface Origin {
  /** Scheme, host and port, as `https://example.com:8080`. */
  readonly base: string | undefined;
  /** The scheme of hosts that are logged without one. */
  readonly scheme: string | undefined;
}

/** @throws {Fault} where the base has no host */
function originOf({ base, defaultScheme }: LogFlags): Origin {
  if (base === undefined) return { base, scheme: defaultScheme };
  const form = canonicalForm(base);
  const [, scheme, host] = /^(https?):\/\/(?:[^/@]*@)?([^/]+)/.exec(typeof form === 'string' ? form : '') ?? [];
  if (host === undefined) throw usageFault(`--base of a log must be a URL of http or https, not '${base}'`);
  return { base: `${scheme}://${host}`, scheme: defaultScheme ?? scheme };
}

/** What directives before a line say: `#Fields` what columns it has, and `#Software` what has written it. */
interface Directives {
  readonly columns: LogColumns | undefined;
  readonly isForeign: boolean;
}

const NO_DIRECTIVES: Directives = { columns: undefined, isForeign: false };

/** The directives that hold where a block begins and ends. */
interface LogState {
  readonly before: Directives;
  readonly after: Directives;
}

/**
 * Lines of access logs, each of which has the URL of its request as its value, and is null without one. The shape of a
 * line tells its format, since files are joined.
 *
 * @throws {Fault} where the base has no host
 */
export function accessLog(flags: LogFlags, { skipsBlank, comment, added = [] }: LogOptions): Framing {
  const origin = originOf(flags);
  let directives = NO_DIRECTIVES;
  let text: Buffer = Buffer.alloc(0);
  const addLine = (builder: BatchBuilder, block: Uint8Array, start: number, end: number) => {
    if (block[start] === comment) {
      const before = directives;
      directives = directivesWith(before, text.toString('utf8', start, end));
      if (directives.columns === before.columns) builder.addComment(start, end);
      else builder.addHeader(start, end, true);
    } else if (block[start] === LEFT_BRACE) {
      addEntry(builder, block, start, end, { origin, added });
    } else {
      const request = requestInLine(text.toString('utf8', start, end), directives.columns);
      addUrl(builder, start, end, urlOf(request, origin));
    }
  };
  const valueBytesOf = (lineBytes: number) => ESCAPED_BYTES * lineBytes + ORIGIN_BYTES + (origin.base?.length ?? 0);
  const lines = recordLines(undefined, skipsBlank, addLine, valueBytesOf);
  return {
    ...lines,
    stateOf(block, before): LogState {
      const first = (before as LogState | undefined)?.after ?? NO_DIRECTIVES;
      const all = comment === undefined ? [] : Array.from(directiveLines(block));
      return { before: first, after: all.reduce(directivesWith, first) };
    },
    *batches(block, state) {
      directives = (state as LogState).before;
      text = bufferOf(block);
      yield* lines.batches(block, undefined);
    },
  };
}

/** A byte of a line is at most three of its URL, which may begin with a scheme and brackets that the line has not. */
const ESCAPED_BYTES = 3;
const ORIGIN_BYTES = 16;

/** Adds a JSON object, which gains names. */
function addEntry(
  builder: BatchBuilder,
  block: Uint8Array,
  start: number,
  end: number,
  { origin, added }: { readonly origin: Origin; readonly added: readonly AddedName[] },
): void {
  const json = block.subarray(start, end);
  const entry = objectIn(json);
  if (entry === undefined) return addUrl(builder, start, end, UNKNOWN);
  const taken = takenIn(entry, added);
  const closingBrace = start + lastOfText(json);
  const url = taken === undefined ? urlOf(requestInEntry(entry, origin.scheme), origin) : { problem: taken };
  if (typeof url === 'string') addString(builder, { start, end, text: json, closingBrace }, url);
  else addUrl(builder, start, end, url, closingBrace);
}

function addUrl(builder: BatchBuilder, start: number, end: number, url: LoggedUrl, closingBrace = NO_BRACE): void {
  if (url === undefined) return builder.addNull(start, end, closingBrace);
  if (typeof url === 'string') return builder.addText(start, end, url, closingBrace);
  builder.addMalformed(start, end, url.problem, closingBrace);
}

/** Undefined for a request that has none. */
type LoggedUrl = string | Missing | undefined;

/** Why a line has no URL although it should. */
interface Missing {
  readonly problem: string;
}

const UNKNOWN: Missing = { problem: 'not a line of an access log of a known format' };
const NO_HOST: Missing = { problem: 'the log names no host: --base URL does' };
const NO_SCHEME: Missing = { problem: 'the log names no scheme: --default-scheme https does' };
const WRONG_HOST: Missing = { problem: 'the host of the request is not one' };

/**
 * Joins the origin and the path as text: a path that begins with two slashes would be a host to whoever resolves it.
 * The server took spaces and control characters for parts of the path, some of which the URL parser would remove.
 */
function urlOf(request: Read, origin: Origin): LoggedUrl {
  if (request === undefined) return UNKNOWN;
  if (request === NO_REQUEST) return undefined;
  const { method, status, ...from } = request;
  if (method === 'CONNECT') return tunnelled(from.target, status);
  const target = from.target.replace(/[\0- \x7f]/g, encodeURIComponent);
  if (isUrlLike(target)) return target;
  if (!target.startsWith('/')) return undefined; // OPTIONS * asks for no page, and error:invalid-request for nothing
  if (from.host === undefined) return origin.base === undefined ? NO_HOST : `${origin.base}${target}`;
  const scheme = from.scheme ?? origin.scheme;
  if (scheme === undefined) return NO_SCHEME;
  const authority = authorityOf(from.host, from.port);
  return isAuthority(authority) ? `${scheme}://${authority}${target}` : WRONG_HOST;
}

/** The URL of a host that a client had a tunnel to; undefined where it was refused, or never came about. */
function tunnelled(authority: string, status: string | undefined): string | undefined {
  if (!isAuthority(authority) || (status !== undefined && !/^2\d\d$/.test(status))) return undefined;
  return `${authority.endsWith(':80') ? 'http' : 'https'}://${authority}/`;
}

/** A URL would end its host before these, or begin it after the @. */
function isAuthority(authority: string): boolean {
  return /^[^\s/?#\\@]+$/.test(authority);
}

/** IIS writes a space as a plus sign; of an excerpt that does not say what has written it, the same is assumed. */
function directivesWith(before: Directives, line: string): Directives {
  if (/^#Software:/i.test(line)) return { ...before, isForeign: !/microsoft/i.test(line) };
  const names = columnNames(line);
  return names === undefined ? before : { ...before, columns: logColumns(names, !before.isForeign) };
}

/** What a line of an access log says of a request. A field that the log does not have is undefined. */
export interface LoggedRequest {
  readonly method: string;
  /** A URL, a path with its query, or the authority of CONNECT, with the format's escapes undone. */
  readonly target: string;
  readonly scheme?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly status?: string | undefined;
}

/** In the place of a request: the client sent none that names a URL, as where a handshake failed. */
export const NO_REQUEST = 'no request';

type Read = LoggedRequest | typeof NO_REQUEST | undefined;

/** Returns the request in a line that is not JSON; undefined if the line has no known shape. */
export function requestInLine(line: string, columns: LogColumns | undefined): Read {
  return (
    (columns && extendedRequest(line, columns)) ?? squidRequest(line) ?? quotedRequest(line) ?? cloudFrontRequest(line)
  );
}

/** A bracketed time before the request, or that of AWS, which has ISO 8601 in the first or second field. */
const BEFORE_REQUEST = /\[[^[]*\] $|^(?:[a-z0-9]+ )?\d{4}-\d\d-\d\dT[\d:.]+Z /;

/**
 * The virtual host in front of the client, the identity, which is `-`, the user and the time. Without it, the identity
 * is the second field.
 */
const VIRTUAL_HOST = /^(\S+) +(?!- )\S+ +- +\S.* \[[^[]*\] $/;

/**
 * The Common Log Format, with what others put in front of it or behind, and the logs of AWS's load balancers: the first
 * field in quotes is the request.
 *
 * @see https://httpd.apache.org/docs/current/mod/mod_log_config.html
 * @see https://nginx.org/en/docs/http/ngx_http_log_module.html
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
 */
function quotedRequest(line: string): Read {
  const start = quoteIn(line, 0);
  if (start === -1) return undefined;
  const front = line.slice(0, start);
  if (!BEFORE_REQUEST.test(front)) return undefined;
  let end = quoteIn(line, start + 1);
  while (end !== -1 && end + 1 < line.length && line[end + 1] !== ' ') end = quoteIn(line, end + 1);
  if (end === -1) return undefined;
  const [, method, rest] = /^([A-Za-z][\w-]*) (.*)$/s.exec(line.slice(start + 1, end)) ?? [];
  if (rest === undefined) return NO_REQUEST; // "-", an empty line, or bytes of another protocol
  const version = rest.lastIndexOf(' HTTP/');
  return {
    method: method!,
    target: withoutBackslashEscapes((version === -1 ? rest : rest.slice(0, version)).trimStart()),
    host: VIRTUAL_HOST.exec(front)?.[1],
    status: line.slice(end + 2, end + 5),
  };
}

/** Returns the place of the next quotation mark that no backslash escapes, or -1. */
function quoteIn(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    let first = at;
    while (first > from && line[first - 1] === '\\') first--;
    if ((at - first) % 2 === 0) return at;
  }
  return -1;
}

const BACKSLASH_ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};

/** Undoes the escapes of Apache and nginx. A byte beyond ASCII, which need not be of UTF-8, is escaped as in URLs. */
function withoutBackslashEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|([bfnrtv"\\]))/g, (_, hex: string | undefined, letter: string) => {
    if (hex === undefined) return BACKSLASH_ESCAPES[letter]!;
    return hex < '8' ? String.fromCharCode(Number.parseInt(hex, 16)) : `%${hex.toUpperCase()}`;
  });
}

/** Time, duration, client, result and status, size and method. The URL comes after them. */
const SQUID = /^ *\d+\.\d{3} +-?\d+ \S+ \S+\/(\d{3}) \d+ (\S+) /;

/** The user, the peer and the type come after the URL, which may have spaces in it. */
const SQUID_FIELDS_AFTER_URL = 3;

/** @see https://wiki.squid-cache.org/Features/LogFormat */
function squidRequest(line: string): Read {
  const [front, status, method] = SQUID.exec(line) ?? [];
  if (front === undefined) return undefined;
  let end = line.length;
  while (line[end - 1] === ']') end = line.lastIndexOf(' [', end - 1); // headers, if they are logged
  for (let field = 0; field < SQUID_FIELDS_AFTER_URL; field++) end = line.lastIndexOf(' ', end - 1);
  return end < front.length ? undefined : { method: method!, target: line.slice(front.length, end), status };
}

/** Returns host and port, as a URL has them; a host may have its port. */
export function authorityOf(host: string, port: string | undefined): string {
  const bracketed = /^[^[]*:[^[]*:/.test(host) ? `[${host}]` : host;
  return port === undefined || /:\d*$/.test(bracketed) ? bracketed : `${bracketed}:${port}`;
}

/** Columns of the extended format that have a part of the URL: the first that is there counts. */
const PARTS = {
  method: ['cs-method'],
  url: ['cs-uri'],
  scheme: ['cs-uri-scheme', 'cs-protocol'],
  host: ['x-host-header', 'cs-host', 'cs(Host)'],
  port: ['cs-uri-port', 's-port'],
  path: ['cs-uri-stem', 'cs-uri-path'],
  query: ['cs-uri-query'],
  status: ['sc-status'],
} as const;

/** Which column of a log in the W3C's extended format has which part, and how they are escaped: plain data. */
export interface LogColumns {
  readonly count: number;
  readonly places: Readonly<Partial<Record<keyof typeof PARTS, number>>>;
  readonly escaping: 'cloudfront' | 'iis' | undefined;
}

/** @param isIis whether a program of Microsoft's, or one that is not known, has written the log */
export function logColumns(names: readonly string[], isIis: boolean): LogColumns {
  const places = Object.entries(PARTS).flatMap(([part, all]) => {
    const name = all.find((each) => names.includes(each));
    return name === undefined ? [] : [[part, names.indexOf(name)]];
  });
  const escaping = names.includes('x-edge-location') ? 'cloudfront' : isIis ? 'iis' : undefined;
  return { count: names.length, places: Object.fromEntries(places), escaping };
}

/**
 * @see https://www.w3.org/TR/WD-logfile.html
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
function extendedRequest(line: string, { count, places, escaping }: LogColumns): Read {
  const fields = fieldsOf(line, count);
  if (fields === undefined) return undefined;
  const valueOf = (part: keyof typeof PARTS) => {
    const value = fields[places[part] ?? count] ?? '-';
    return value === '-' ? undefined : value;
  };
  const [method = '', status, port] = [valueOf('method'), valueOf('status'), valueOf('port')];
  const [scheme, host, path] = [valueOf('scheme'), valueOf('host'), valueOf('path')];
  if (method === 'CONNECT') return { method, target: authorityOf(host ?? '', port), status };
  const url = valueOf('url');
  if (url === undefined && path === undefined) return NO_REQUEST;
  const query = (valueOf('query') ?? '').replace(/^\?/, '');
  return {
    method,
    target:
      url ?? `${withoutEscapes(path!, escaping)}${query && `?${withoutEscapes(query, escaping && 'cloudfront')}`}`,
    scheme: scheme === 'grpcs' ? 'https' : scheme,
    host,
    port,
    status,
  };
}

/** Returns the fields of a line, between tabs or spaces, some of them perhaps in quotes; undefined for another number. */
function fieldsOf(line: string, count: number): readonly string[] | undefined {
  const fields = line.split(line.includes('\t') ? '\t' : ' ');
  if (fields.length === count) return fields;
  const quoted = line.match(/"(?:[^"]|"")*"|[^ \t]+/g) ?? [];
  return quoted.length === count
    ? quoted.map((field) => field.replace(/^"(.*)"$/s, '$1').replaceAll('""', '"'))
    : undefined;
}

/** Characters that CloudFront escapes, the percent sign among them. The others are escaped in URLs, too: they stay so. */
const CLOUDFRONT_ESCAPE = /%(2[02357]|3[CE]|5[BCDE]|60|7[BCDE])/gi;

function withoutEscapes(text: string, escaping: LogColumns['escaping']): string {
  if (escaping === 'iis') return text.replaceAll('+', ' ');
  if (escaping === undefined) return text;
  return text.replace(CLOUDFRONT_ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** What CloudFront's columns have always begun with, for lines without the directive that names them. */
const CLOUDFRONT_NAMES = (
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) ' +
  'cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol'
).split(' ');
const CLOUDFRONT_COLUMNS = logColumns(CLOUDFRONT_NAMES, false);

function cloudFrontRequest(line: string): Read {
  if (!/^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t/.test(line)) return undefined;
  return extendedRequest(line.split('\t', CLOUDFRONT_NAMES.length).join('\t'), CLOUDFRONT_COLUMNS);
}

/**
 * Returns the request in an entry of Caddy or Traefik; undefined for other objects. Caddy names TLS where it was used.
 *
 * @see https://caddyserver.com/docs/logging
 * @see https://doc.traefik.io/traefik/observability/access-logs/
 */
export function requestInEntry(entry: object, defaultScheme: string | undefined): LoggedRequest | undefined {
  const all = entry as Readonly<Record<string, unknown>>;
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '-' && value !== '' ? value : undefined);
  const { request } = all;
  if (typeof request === 'object' && request !== null) {
    const { method, uri, host, tls } = request as Readonly<Record<string, unknown>>;
    if (typeof method !== 'string' || typeof uri !== 'string') return undefined;
    const scheme = tls === undefined ? (defaultScheme ?? 'http') : 'https';
    return { method, target: uri, scheme, host: textOf(host), status: String(all['status']) };
  }
  const { RequestMethod: method, RequestPath: path } = all;
  if (typeof method !== 'string' || typeof path !== 'string') return undefined;
  const address = textOf(all['RequestAddr']);
  return {
    method,
    target: path,
    scheme: textOf(all['RequestScheme']),
    host: address ?? textOf(all['RequestHost']),
    port: address === undefined ? textOf(all['RequestPort']) : undefined,
    status: String(all['DownstreamStatus']),
  };
}
