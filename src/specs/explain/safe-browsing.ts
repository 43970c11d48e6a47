import { isBytes, ownProperties } from '../../core/argument.ts';
import { CARRIAGE_RETURN, LINE_FEED, TAB } from '../../core/bytes/code-points.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { asciiBytes, asciiText, decodeLine } from '../../core/bytes/text.ts';
import { Canonicalizer, schemeColon } from '../safe-browsing/canonicalize.ts';
import { expressionList } from '../safe-browsing/expressions.ts';
import type { SafeBrowsingFailure, Trace, TracedStep } from '../safe-browsing/failure.ts';
import type { Profile } from '../safe-browsing/host.ts';
import { READINGS, type Reading, type Settings } from '../safe-browsing/settings.ts';
import { CanonicalUrl, InputBytes, type UrlInput } from '../safe-browsing/url-bytes.ts';
import { type Clause, type ExplainedExpression, type Explanation, type Span, Steps, standard } from './explanation.ts';
import { explainUrl, sha256Hex } from './url.ts';

/** Explains what `canonicalize`, `expressions` and `hashes` of `urlsum/safe-browsing` do in one reading. */
export function explainSafeBrowsing(url: UrlInput, settings: Settings & Pick<Reading, 'mode'>): Explanation {
  const { profile, mode } = settings;
  const input = new InputBytes();
  input.set(url);
  const bytes = input.bytes.slice(input.start, input.end);
  const shown = isBytes(url) ? shownText(url) : String(url);
  const steps = new Steps(shown);
  steps.add(shownText(bytes), 'read as UTF-8, without a byte order mark', { name: 'RFC 3629', address: undefined });
  const traced = new TracedUrl(steps, profile);
  const canonicalUrl = new CanonicalUrl();
  const failed = new Canonicalizer(traced.onStep).run(bytes, 0, bytes.length, settings, canonicalUrl);
  const explained = {
    specification: profile,
    profile: `${profile}/${mode}`,
    input: shown,
    steps: steps.list,
    parts: [],
  };
  if (failed !== undefined) {
    const span = mode === 'browser' ? browserSpan(shown, failed) : specSpan(shown, bytes, failed, traced);
    return { ...explained, failure: { reason: failed.reason, sentence: failed.sentence, place: failed.place, span } };
  }
  const { bytes: canonicalBytes, start, end } = canonicalUrl;
  return {
    ...explained,
    canonical: decodeLine(canonicalBytes.subarray(start, end)),
    hash: undefined,
    expressions: explainedExpressions(url, settings),
  };
}

function explainedExpressions(url: UrlInput, settings: Settings): ExplainedExpression[] {
  const list = expressionList(url, settings);
  if (!Array.isArray(list)) return [];
  const readings = readingsOfExpressions(url, settings);
  return list.map((expression) => ({
    expression,
    hash: sha256Hex(expression),
    readings: readings.get(expression) ?? [],
  }));
}

/** Returns where the page's steps fail: in the host that they found, or in what they read as a scheme. */
function specSpan(input: string, bytes: Uint8Array, { place }: SafeBrowsingFailure, url: TracedUrl): Span | undefined {
  const { escaped, unescaped, start, hostSpan } = url;
  const colon = start + schemeColon(unescaped, 0, unescaped.length);
  const [from, to] = place === 'host' && hostSpan !== undefined ? hostSpan : [start, colon];
  const unchanged = start + commonLength(escaped, unescaped);
  if (to > unchanged) return undefined; // only the removal of escapes made it
  const kept = keptOffsets(bytes);
  const first = kept[from] ?? bytes.length;
  const last = to > from ? kept[to - 1]! + 1 : first;
  const markLength = input.startsWith('\ufeff') ? 1 : 0;
  return [first, last].map((offset) => markLength + shownText(bytes.subarray(0, offset)).length) as unknown as Span;
}

function commonLength(one: Uint8Array, other: Uint8Array): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** Returns the positions of the bytes that the first step does not remove. */
function keptOffsets(bytes: Uint8Array): number[] {
  return Array.from(bytes.keys()).filter((at) => ![TAB, LINE_FEED, CARRIAGE_RETURN].includes(bytes[at]!));
}

const ADDED_SCHEME = 'http://';

/** Returns where the URL Standard fails, on the input or, as in a browser, with `http://` before it. */
function browserSpan(input: string, { reason, place }: SafeBrowsingFailure): Span | undefined {
  const given = explainUrl(input, {});
  if (given.failure?.reason === reason) return given.failure.span;
  if (place === 'scheme') return given.parts.find(({ name }) => name === 'scheme')?.given;
  const start = input.search(/[^\0- ]/);
  const { failure } = explainUrl(`${input.slice(0, start)}${ADDED_SCHEME}${input.slice(start)}`, {});
  if (failure?.reason !== reason || failure.span === undefined) return undefined;
  const [from, to] = failure.span;
  return [from - ADDED_SCHEME.length, to - ADDED_SCHEME.length];
}

/** Returns each expression that any reading looks up, with the readings that do. */
function readingsOfExpressions(url: UrlInput, settings: Settings): Map<string, Reading[]> {
  const readings = new Map<string, Reading[]>();
  for (const reading of READINGS) {
    const list = expressionList(url, { ...settings, ...reading });
    if (!Array.isArray(list)) continue;
    for (const expression of list) readings.set(expression, [...(readings.get(expression) ?? []), reading]);
  }
  return readings;
}

type StepPart = 'scheme' | 'host' | 'path';

interface Rule {
  /** The part that changes; undefined for the whole URL. */
  readonly part?: StepPart;
  readonly change: string;
  /** The place on the page, by profile where the pages differ. */
  readonly clause: string | Readonly<Record<Profile, string>>;
}

const HOST = 'to canonicalize the hostname';
const PATH = 'to canonicalize the path';
/** A clause of the URL Standard, not of a page. */
const AS_A_BROWSER = 'as a browser does';

/** The rules of traced steps; those that only find a part have none. */
const RULES: Readonly<Partial<Record<TracedStep, Rule>>> = {
  'tabs and line ends removed': { change: 'tabs, carriage returns and line feeds removed', clause: 'first' },
  'fragment removed': { change: 'fragment left out', clause: 'second' },
  'visited by a browser': {
    change: 'as a browser visits it, without user, password, port and fragment',
    clause: AS_A_BROWSER,
  },
  'spaces around removed': { change: 'spaces and control characters around it removed', clause: 'examples' },
  unescaped: { change: 'percent-unescaped until no escape is left', clause: 'third' },
  'host in Punycode': { part: 'host', change: 'internationalized name in Punycode', clause: 'to begin' },
  'host without surplus dots': {
    part: 'host',
    change: 'leading, trailing and repeated dots removed',
    clause: `${HOST} (1), (2)`,
  },
  'host as an address': {
    part: 'host',
    change: 'IP address in its one form',
    clause: `${HOST} (3), (4)`,
  },
  'host lower-cased': {
    part: 'host',
    change: 'lower-cased',
    clause: { 'web-risk': `${HOST} (4)`, v5: `${HOST} (5)` },
  },
  'host canonicalized': { part: 'host', change: 'percent-escaped', clause: 'percent-escape' },
  'path without dot segments': { part: 'path', change: 'dot segments resolved', clause: `${PATH} (1)` },
  'path canonicalized': { part: 'path', change: 'runs of slashes replaced by one', clause: `${PATH} (2)` },
  'path of an empty path': { part: 'path', change: 'an empty path written as a slash', clause: 'to begin' },
  canonical: { change: 'percent-escaped', clause: 'percent-escape' },
};

const PAGES: Readonly<Record<Profile, Clause>> = {
  'web-risk': {
    name: 'Web Risk, Hashing URLs, canonicalization',
    address: 'https://cloud.google.com/web-risk/docs/urls-hashing#canonicalization',
  },
  v5: {
    name: 'Safe Browsing v5, URLs and Hashing, canonicalization',
    address: 'https://developers.google.com/safe-browsing/reference/URLs.and.Hashing',
  },
};

/** Puts the URL together, step by step, from what the canonicalizer reports about it and its parts. */
class TracedUrl {
  /** The bytes before and after escapes are removed, and where they begin for the canonicalizer. */
  escaped = new Uint8Array(0);
  unescaped = new Uint8Array(0);
  start = 0;
  /** The place where the canonicalizer finds the host. */
  hostSpan: Span | undefined;
  readonly #steps: Steps;
  readonly #profile: Profile;
  #scheme = '';
  #host = '';
  #path = '';
  #rest = '';
  #pathStart = 0;

  constructor(steps: Steps, profile: Profile) {
    this.#steps = steps;
    this.#profile = profile;
  }

  readonly onStep: Trace = (step, bytes, start, end) => {
    const text = shownText(bytes.subarray(start, end));
    if (step === 'spaces around removed') this.escaped = bytes.slice(start, end);
    if (step === 'unescaped') {
      this.unescaped = bytes.slice(start, end);
      this.start = start;
    }
    if (step === 'scheme') this.#scheme = text;
    else if (step === 'authority') this.#foundAuthority(start, end);
    else if (step === 'host') this.#foundHost(text, [start, end]);
    else if (step === 'path') this.#foundPath(text, end);
    else this.#apply(step, text);
  };

  #foundAuthority(start: number, end: number): void {
    const isMissing = start === this.start;
    this.#rest = this.#unescapedFrom(start);
    this.#pathStart = end;
    this.#add(isMissing ? 'http:// written before it' : 'lower-cased', 'examples', 'scheme');
  }

  #foundHost(text: string, span: Span): void {
    this.hostSpan = span;
    this.#host = text;
    this.#rest = this.#unescapedFrom(this.#pathStart);
    this.#add('user, password and port left out', HOST);
  }

  #foundPath(text: string, end: number): void {
    this.#path = text;
    this.#rest = this.#unescapedFrom(end);
  }

  #apply(step: TracedStep, text: string): void {
    const { part, change, clause } = ownProperties(RULES[step]!);
    if (part === 'host') this.#host = text;
    else if (part === 'path') this.#path = text;
    else [this.#scheme, this.#host, this.#path, this.#rest] = ['', '', '', text];
    this.#add(change, typeof clause === 'string' ? clause : clause[this.#profile], part);
  }

  #unescapedFrom(position: number): string {
    return shownText(this.unescaped.subarray(position - this.start));
  }

  #add(change: string, place: string, part?: StepPart): void {
    const pieces = [this.#scheme, this.#host, this.#path, this.#rest];
    const { name, address } = PAGES[this.#profile];
    const clause =
      place === AS_A_BROWSER ? standard('concept-basic-url-parser') : { name: `${name}: ${place}`, address };
    this.#steps.add(pieces.join(''), change, clause, part, this.#spanOf(part));
  }

  #spanOf(part: StepPart | undefined): Span | undefined {
    const hostStart = this.#scheme.length;
    const pathStart = hostStart + this.#host.length;
    if (part === 'scheme') return [0, hostStart];
    if (part === 'host') return [hostStart, pathStart];
    return part === 'path' ? [pathStart, pathStart + this.#path.length] : undefined;
  }
}

/** A character beyond ASCII in UTF-8, with a unit for each byte: RFC 3629, section 4. */
const UTF8_CHARACTER =
  '[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|' +
  '\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}';

/** Decodes bytes as text; those that are not UTF-8 become `\xHH`. */
export function shownText(bytes: Uint8Array): string {
  const text = decodeLine(bytes);
  if (!text.includes('\ufffd')) return text; // most are UTF-8
  // in runs of up to 999, as a match takes a stack of its length
  const runs = `((?:${UTF8_CHARACTER}){1,999})|(?:(?!${UTF8_CHARACTER})[\x80-\xff]){1,999}`;
  const shown = asciiText(bytes).replace(
    new RegExp(runs, 'g'),
    (run, characters?: string) => characters ?? hexOfBytes(asciiBytes(run)).replace(/../g, '\\x$&'),
  );
  return decodeLine(asciiBytes(shown));
}
