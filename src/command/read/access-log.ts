import { LEFT_BRACE, LINE_FEED } from '../../core/bytes/code-points.ts';
import { type Cutter, cutterAfter, withoutLineEnd } from '../../core/bytes/lines.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import { usageFault } from '../fault.ts';
import { type Batch, BatchBuilder, NO_BRACE } from './batch.ts';
import { type AddedName, bufferOf, columnNames, directiveLines, type Framing } from './framing.ts';
import { lastOfText, objectIn, takenIn } from './json-lines.ts';
import { isBlank } from './lines.ts';
import {
  authorityOf,
  type LogColumns,
  type LoggedRequest,
  logColumns,
  NO_REQUEST,
  requestInEntry,
  requestInLine,
} from './logged-request.ts';

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
 */
export class AccessLog implements Framing {
  readonly #origin: Origin;
  readonly #skipsBlank: boolean;
  readonly #comment: number | undefined;
  readonly #added: readonly AddedName[];
  readonly #builder = new BatchBuilder();

  /** @throws {Fault} where the base has no host */
  constructor(flags: LogFlags, { skipsBlank, comment, added = [] }: LogOptions) {
    this.#origin = originOf(flags);
    this.#skipsBlank = skipsBlank;
    this.#comment = comment;
    this.#added = added;
  }

  cutter(): Cutter {
    return cutterAfter(LINE_FEED);
  }

  stateOf(block: Uint8Array, before: unknown): LogState {
    const directives = (before as LogState | undefined)?.after ?? NO_DIRECTIVES;
    const lines = this.#comment === undefined ? [] : Array.from(directiveLines(block));
    const after = lines.reduce(directivesWith, directives);
    return { before: directives, after };
  }

  *batches(block: Uint8Array, state: unknown): Generator<Batch> {
    const builder = this.#builder;
    const text = bufferOf(block);
    let directives = (state as LogState).before;
    builder.begin(block);
    for (let start = 0, next = 0; start < block.length; start = next) {
      const feed = text.indexOf(LINE_FEED, start);
      next = feed === -1 ? block.length : feed + 1;
      const end = withoutLineEnd(block, start, next);
      if (!builder.hasRoom(1, 0)) yield builder.take();
      if (block[start] === this.#comment) {
        directives = this.#addDirective(text.toString('utf8', start, end), directives, start, end);
      } else if (this.#skipsBlank && isBlank(block, start, end)) {
        builder.addBlank(start, end);
      } else {
        const { url, closingBrace } =
          block[start] === LEFT_BRACE
            ? this.#entryOf(block.subarray(start, end), start)
            : { url: this.#urlOf(requestInLine(text.toString('utf8', start, end), directives.columns)) };
        if (typeof url === 'string' && !builder.hasRoom(1, Buffer.byteLength(url))) yield builder.take();
        this.#add(url, start, end, closingBrace);
      }
    }
    if (builder.length > 0) yield builder.take();
  }

  /** Adds a directive, of which the names of columns are a header. */
  #addDirective(line: string, before: Directives, start: number, end: number): Directives {
    const directives = directivesWith(before, line);
    if (directives.columns === before.columns) this.#builder.addComment(start, end);
    else this.#builder.addHeader(start, end, true);
    return directives;
  }

  #entryOf(json: Uint8Array, start: number): { readonly url: LoggedUrl; readonly closingBrace?: number } {
    const entry = objectIn(json);
    if (entry === undefined) return { url: UNKNOWN };
    const closingBrace = start + lastOfText(json);
    const taken = takenIn(entry, this.#added);
    if (taken !== undefined) return { url: { problem: taken, lack: taken }, closingBrace };
    return { url: this.#urlOf(requestInEntry(entry, this.#origin.scheme)), closingBrace };
  }

  #urlOf(request: LoggedRequest | typeof NO_REQUEST | undefined): LoggedUrl {
    if (request === undefined) return UNKNOWN;
    return request === NO_REQUEST ? undefined : urlOf(request, this.#origin);
  }

  #add(url: LoggedUrl, start: number, end: number, closingBrace = NO_BRACE): void {
    const builder = this.#builder;
    if (url === undefined) return builder.addNull(start, end, closingBrace);
    if (typeof url === 'string') return builder.addText(start, end, url, closingBrace);
    builder.addMalformed(start, end, url.problem, closingBrace, () => ({ sentence: url.lack, isOfRecord: true }));
  }
}

/** Undefined for a request that has none. */
type LoggedUrl = string | Missing | undefined;

/** Why a line has no URL although it should: what is said of it, and of an input in which no line has one. */
interface Missing {
  readonly problem: string;
  readonly lack: string;
}

const UNKNOWN: Missing = {
  problem: 'not a line of an access log of a known format',
  lack: 'no line is of an access log of a known format: --delimiter, --csv and --json read a field of others',
};
const NO_HOST: Missing = {
  problem: 'the log names no host: --base URL does',
  lack: 'no line names the host: --base URL does',
};
const NO_SCHEME: Missing = {
  problem: 'the log names no scheme: --default-scheme https does',
  lack: 'no line names the scheme: --default-scheme https does',
};
const WRONG_HOST: Missing = { problem: 'the host of the request is not one', lack: 'no line has a host' };

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Joins the origin and the path as text: a path that begins with two slashes would be a host to whoever resolves it.
 * The server took spaces and control characters for parts of the path, some of which the URL parser would remove.
 */
function urlOf({ method, status, ...from }: LoggedRequest, origin: Origin): LoggedUrl {
  if (method === 'CONNECT') return tunnelled(from.target, status);
  const target = from.target.replace(/[\0- \x7f]/g, encodeURIComponent);
  if (ABSOLUTE.test(target)) return target;
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
