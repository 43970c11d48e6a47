import {
  kindOf,
  mustBeArray,
  mustBeNumber,
  mustBeOneOf,
  mustBeOptions,
  mustBeString,
  mustBeUrl,
  shownNumber,
  wrongKind,
} from '../../core/argument.ts';
import { quote } from '../../core/quote.ts';
import {
  EXPRESSION_OPTIONS,
  type ExpressionOptions,
  type Settings,
  settingsOf,
} from '../../specs/safe-browsing/settings.ts';
import { MAX_PREFIXES } from '../lists/messages/message-format.ts';
import { USUAL_PREFIXES } from './hash-search.ts';
import type { ListStore, LocalListsSettings } from './local-lists.ts';
import { PROCEDURES, type Procedure } from './procedures.ts';
import { BackOff, type BackOffTimes, type Connection, DAY, type Fetch } from './remote-method.ts';
import { SteadyClock } from './steady-clock.ts';

/** Options of `SafeBrowsingChecker`. */
export interface CheckerOptions {
  /**
   * The URL below which the v5 methods lie: `https://safebrowsing.googleapis.com/v5/`, or a server of your own. Of http
   * or https, without credentials, query and fragment; whether it ends in a slash does not matter.
   */
  readonly server: string | URL;
  /** The procedure of Safe Browsing v5, one of three, that checks URLs. */
  readonly procedure: Procedure;
  /** Whether to allow a URL (fail open) or block it (fail closed) if there is no answer. There is no default. */
  readonly whenUnsure: 'allow' | 'block';
  /** The threat lists to hold, such as `mw-4b`: for all procedures but `no-storage`, which holds none. */
  readonly lists?: readonly string[] | undefined;
  /**
   * The list of likely safe sites to hold, such as `gc-32b`: for `real-time`, which asks the server without one too.
   */
  readonly globalCache?: string | undefined;
  /**
   * The names of `lists` of which a prefix is enough to call a URL unsafe where the server has no answer, such as lists
   * of your own; a whole hash of 32 bytes always is. Default: none.
   */
  readonly trustedLists?: readonly string[] | undefined;
  /** Keeps the lists from one run to the next. Default: none, they live as long as the checker. */
  readonly store?: ListStore | undefined;
  /** Sent with each request, such as `{ 'X-Goog-Api-Key': KEY }`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: Fetch | undefined;
  /** The time in milliseconds since 1970, in place of the clocks of the platform. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Spreads the back-off, from 0 to 1. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** The readings of a URL that are looked up, and the suffixes. The default of its `mode` is `union`. */
  readonly expressions?: ExpressionOptions | undefined;
  /**
   * The time that a request and its whole answer may take, and the store to give a list; a whole number. Default: 5000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The time that an update of lists may take, which may have many megabytes, and the store to keep one. Default:
   * `timeoutMs`.
   */
  readonly updateTimeoutMs?: number | undefined;
  /**
   * The most prefixes of a request, up to 1000. Default: 300, whose request line fits in the 8 KB that most proxies
   * take.
   */
  readonly prefixesPerRequest?: number | undefined;
  /** The time after the last good update in which lists may say that a URL is safe. Default: 24 hours. */
  readonly maxListAgeMs?: number | undefined;
  /** The time without requests after the server failed. */
  readonly backOff?:
    | {
        /**
         * After a first answer other than 200. Default: 15 minutes, as the Safe Browsing request frequency rules ask.
         */
        readonly refusedMs?: number | undefined;
        /** After a first request without an answer, or with one that is damaged. Default: 1 second. */
        readonly unansweredMs?: number | undefined;
        /** The longest wait, after any number of failures: 24 hours (default) or less. */
        readonly maxDelayMs?: number | undefined;
      }
    | undefined;
}

const KNOWN: readonly (keyof CheckerOptions)[] = [
  'server',
  'procedure',
  'whenUnsure',
  'lists',
  'globalCache',
  'trustedLists',
  'store',
  'headers',
  'fetch',
  'now',
  'random',
  'expressions',
  'timeoutMs',
  'updateTimeoutMs',
  'prefixesPerRequest',
  'maxListAgeMs',
  'backOff',
];
const BACK_OFF = ['refusedMs', 'unansweredMs', 'maxDelayMs'];

/** Options with their defaults. */
export interface CheckerSettings extends LocalListsSettings {
  readonly procedure: Procedure;
  readonly whenUnsure: CheckerOptions['whenUnsure'];
  readonly expressions: Settings;
  readonly prefixesPerRequest: number;
  /** Makes the back-off of one method of the server. */
  readonly backOff: () => BackOff;
}

/** Checks what the constructor takes, and throws what that does. */
export function checkerSettings(options: CheckerOptions): CheckerSettings {
  const own = mustBeOptions('options', options, KNOWN);
  const { random = Math.random, store, globalCache, maxListAgeMs = DAY, backOff: times = {} } = own;
  const { expressions: readings = {} } = own;
  const expressions = settingsOf({ mode: 'union', ...mustBeOptions('expressions', readings, EXPRESSION_OPTIONS) });
  const backOff = backOffTimes(times);
  const connection = connectionOf(own);
  const { updateTimeoutMs = connection.timeoutMs, prefixesPerRequest = USUAL_PREFIXES } = own;
  return {
    procedure: mustBeOneOf('procedure', own.procedure, PROCEDURES),
    whenUnsure: mustBeOneOf('whenUnsure', own.whenUnsure, ['allow', 'block']),
    ...heldLists(own),
    store: store === undefined ? store : mustBeStore(store),
    connection,
    updates: {
      ...connection,
      timeoutMs: mustBeTimeout('updateTimeoutMs', updateTimeoutMs),
    },
    expressions,
    prefixesPerRequest: mustBePrefixCount(prefixesPerRequest),
    maxListAgeMs: mustBeMilliseconds('maxListAgeMs', maxListAgeMs),
    backOff: () => new BackOff(backOff, mustBeFunction('random', random)),
    globalCache,
  };
}

function backOffTimes(given: object): Partial<BackOffTimes> {
  const times: Partial<BackOffTimes> = mustBeOptions('backOff', given, BACK_OFF);
  for (const [name, value] of Object.entries(times)) mustBeMilliseconds(`backOff.${name}`, value);
  const { maxDelayMs = DAY } = times;
  if (maxDelayMs <= DAY) return times;
  throw new RangeError(`backOff.maxDelayMs must be ${DAY} milliseconds, a day, or less, got ${maxDelayMs}`);
}

function connectionOf(options: CheckerOptions): Connection {
  // the platform's fetch refuses to be called on any object but its own
  const platformFetch: Fetch = (url, init) => globalThis.fetch(url, init);
  const { headers = {}, fetch = platformFetch, now, timeoutMs = 5000 } = options;
  return {
    base: serverBase(options.server),
    headers: mustBeHeaders(headers),
    fetch: mustBeFunction('fetch', fetch),
    clock: now === undefined ? systemClock() : new SteadyClock(mustBeFunction('now', now)),
    timeoutMs: mustBeTimeout('timeoutMs', timeoutMs),
  };
}

/** The functions are those of the moment: a test may replace them. */
function systemClock(): SteadyClock {
  return new SteadyClock(
    () => Date.now(),
    () => performance.now(),
  );
}

/** `local-list` without lists would find nothing and call every URL safe. */
function heldLists({ procedure, lists = [], globalCache, trustedLists = [] }: CheckerOptions) {
  const names = mustBeArray('lists', lists).map((name) => mustBeString('each of lists', name));
  if ((procedure === 'no-storage') !== (names.length === 0)) {
    throw new RangeError(`lists must ${names.length === 0 ? 'name a list' : 'be empty'} for ${procedure}`);
  }
  if (globalCache !== undefined && procedure !== 'real-time') {
    throw new RangeError(`globalCache is for real-time, not for ${procedure}`);
  }
  if (globalCache !== undefined) mustBeString('globalCache', globalCache);
  if (new Set([...names, globalCache]).size !== names.length + 1) throw new RangeError('a list is named twice');
  const trusted = mustBeArray('trustedLists', trustedLists).map((name) => mustBeString('each of trustedLists', name));
  const other = trusted.find((name) => !names.includes(name));
  if (other !== undefined) throw new RangeError(`trustedLists must be some of lists, got ${quote(other)}`);
  return { lists: names, trustedLists: trusted };
}

/** The limits are those of every host's timers. */
function mustBeTimeout(name: string, milliseconds: number): number {
  if (Number.isInteger(milliseconds) && milliseconds >= 0 && milliseconds < 2 ** 31) return milliseconds;
  throw new RangeError(
    `${name} must be a whole number of milliseconds from 0 to 2^31 - 1, got ${shownNumber(milliseconds)}`,
  );
}

function mustBePrefixCount(count: number): number {
  if (Number.isInteger(count) && count >= 1 && count <= MAX_PREFIXES) return count;
  throw new RangeError(
    `prefixesPerRequest must be a whole number from 1 to ${MAX_PREFIXES}, got ${shownNumber(count)}`,
  );
}

function mustBeMilliseconds(name: string, value: number): number {
  if (mustBeNumber(name, value) >= 0) return value;
  throw new RangeError(`${name} must be 0 milliseconds or more, got ${value}`);
}

function mustBeStore(store: ListStore): ListStore {
  const { get, set } = Object(store) as Partial<ListStore>;
  if (typeof get === 'function' && typeof set === 'function') return store;
  throw wrongKind('store', 'an object with the functions get and set', store);
}

export function mustBeFunction<T>(name: string, value: T): T {
  if (typeof value === 'function') return value;
  throw wrongKind(name, 'a function', value);
}

// A fetch that cannot work fails each time, which looks like a network that is down, and its error may quote the URL or
// the header that it was given, with the key. So all of it is checked once, and no error here quotes a value.

/** RFC 9110, 5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, 5.5; each character is a byte. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers of the connection (RFC 9110, 7.6.1), which fetch sets itself: Node's refuses a request that has one. */
const CONNECTION_HEADERS = ['connection', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** Returns the server's URL with a slash at its end. */
function serverBase(server: string | URL): string {
  const text = mustBeUrl('server', server);
  const { protocol, username, password, search, hash, origin, pathname } = new URL(URL.canParse(text) ? text : 'x:');
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RangeError('server must be an absolute URL of http or https');
  if (username !== '' || password !== '')
    throw new RangeError('server must not have credentials: fetch refuses them; headers has room for a key');
  if (search !== '' || hash !== '') throw new RangeError('server must not have a query or a fragment');
  return `${origin}${pathname}${pathname.endsWith('/') ? '' : '/'}`;
}

/** Returns a copy of valid headers. */
function mustBeHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  // an instance of Headers has no keys, so its headers would not be sent
  if (kindOf(headers) !== 'Object') throw wrongKind('headers', 'an object of strings by their names', headers);
  for (const [name, value] of Object.entries(headers)) mustBeHeader(name, value);
  return { ...headers };
}

function mustBeHeader(name: string, value: string): void {
  if (!TOKEN.test(name)) throw new RangeError('headers has a name that is not a token of HTTP');
  if (CONNECTION_HEADERS.includes(name.toLowerCase()))
    throw new RangeError(`headers must not have ${name}, which belongs to the connection`);
  mustBeString(`headers[${quote(name)}]`, value);
  if (FIELD_VALUE.test(value)) return;
  throw new RangeError(`headers[${quote(name)}] has a character that no header can have`);
}
