import { ownProperties } from '../../core/argument.ts';
import { asciiLowercase, CARRIAGE_RETURN, codeAt, LINE_FEED, SPACE, TAB } from '../../core/bytes/code-points.ts';
import { authorityEnd, portColon } from '../../core/url/authority.ts';
import { isSpecialScheme, schemeEnd } from '../../core/url/record.ts';
import { UrlTrace } from '../../core/url/trace.ts';
import { type Clause, type Span, type Steps, standard } from './explanation.ts';

export const PART_NAMES = [
  'scheme',
  'slashes',
  'username',
  'password',
  'host',
  'port',
  'path',
  'query',
  'fragment',
] as const;
export type PartName = (typeof PART_NAMES)[number];

/** The text of each part that is present. */
export type Pieces = { [Name in PartName]?: string | undefined };

/** The span of each part that is present. */
export type PartSpans = ReadonlyMap<PartName, Span>;

const DELIMITERS: Readonly<Partial<Record<PartName, string>>> = { password: ':', port: ':', query: '?', fragment: '#' };

/** Joins pieces to a URL and returns the span of each in it. https://url.spec.whatwg.org/#concept-url-serializer */
export function joined(pieces: Pieces): { readonly text: string; readonly spans: PartSpans } {
  const spans = new Map<PartName, Span>();
  let text = '';
  for (const name of PART_NAMES) {
    const piece = pieces[name];
    if (name === 'host' && pieces.username !== undefined) text += '@';
    if (piece === undefined) continue;
    if (Object.hasOwn(DELIMITERS, name)) text += DELIMITERS[name];
    spans.set(name, [text.length, text.length + piece.length]);
    text += name === 'scheme' ? `${piece}:` : piece;
  }
  return { text, spans };
}

/** The reports of the parser; undefined where the parser did not get to the step. */
export class Reported extends UrlTrace {
  authorityStart: number | undefined;
  decodedDomain: string | undefined;
  asciiDomain: string | undefined;
  writtenPath: readonly [base: string, slashed: string, encoded: string] | undefined;
  pathEndAt: number | undefined;

  override authority(start: number): void {
    this.authorityStart = start;
  }

  override decoded(domain: string): void {
    this.decodedDomain = domain;
  }

  override ascii(domain: string): void {
    this.asciiDomain = domain;
  }

  override path(base: string, slashed: string, encoded: string): void {
    this.writtenPath = [base, slashed, encoded];
  }

  override pathEnd(end: number): void {
    this.pathEndAt = end;
  }
}

/** Returns the spans of the parts in a text that the parser read, up to where it gave up; `scheme` is the record's. */
export function spansOf(text: string, scheme: string, { authorityStart, pathEndAt }: Reported): PartSpans {
  const spans = new Map<PartName, Span>();
  const colon = schemeEnd(text);
  if (colon !== -1) spans.set('scheme', [0, colon]);
  const end =
    authorityStart === undefined
      ? withoutAuthority(text, colon + 1, scheme, spans)
      : addAuthority(text, colon + 1, authorityStart, scheme, spans);
  if (pathEndAt !== undefined) addTail(text, end, pathEndAt, spans);
  return spans;
}

/** A drive letter as a file's host is not a host: `file://C|/`. https://url.spec.whatwg.org/#file-host-state */
function withoutAuthority(text: string, start: number, scheme: string, to: Map<PartName, Span>): number {
  if (scheme !== 'file' || !/^[/\\]{2}/.test(text.slice(start, start + 2))) return start;
  to.set('slashes', [start, start + 2]);
  return start + 2;
}

/** Adds slashes, credentials, host and port, and returns where the path begins. */
function addAuthority(text: string, slashes: number, start: number, scheme: string, to: Map<PartName, Span>): number {
  const end = authorityEnd(text, start, isSpecialScheme(scheme));
  to.set('slashes', [slashes, start]);
  if (scheme === 'file') to.set('host', [start, end]);
  else addHost(text, start, end, to);
  return end;
}

function addHost(text: string, start: number, end: number, to: Map<PartName, Span>): void {
  const hostStart = start + text.slice(start, end).lastIndexOf('@') + 1;
  if (hostStart > start) addCredentials(text, start, hostStart - 1, to);
  const colon = portColon(text.slice(hostStart, end));
  const hostEnd = colon === -1 ? end : hostStart + colon;
  to.set('host', [hostStart, hostEnd]);
  if (colon !== -1) to.set('port', [hostEnd + 1, end]);
}

function addCredentials(text: string, start: number, end: number, to: Map<PartName, Span>): void {
  const colon = text.slice(start, end).indexOf(':');
  to.set('username', [start, colon === -1 ? end : start + colon]);
  if (colon !== -1) to.set('password', [start + colon + 1, end]);
}

function addTail(text: string, start: number, pathEnd: number, to: Map<PartName, Span>): void {
  const hash = text.indexOf('#', pathEnd);
  const queryEnd = hash === -1 ? text.length : hash;
  to.set('path', [start, pathEnd]);
  if (pathEnd < queryEnd) to.set('query', [pathEnd + 1, queryEnd]);
  if (hash !== -1) to.set('fragment', [hash + 1, text.length]);
}

/** Returns the scheme that a text is read under: its own, or the base's. */
export function schemeIn(text: string, baseScheme: string | undefined): string {
  const colon = schemeEnd(text);
  return colon === -1 ? (baseScheme ?? '') : asciiLowercase(text.slice(0, colon));
}

/**
 * Returns where the parts of what was read lie in the input. A default scheme of this length, which was written before
 * the input, is not a part of it.
 */
export function spansInInput(input: string, spans: PartSpans, schemeLength: number): PartSpans {
  const positions = readPositions(input);
  const given = Array.from(
    spans,
    ([name, [start, end]]) => [name, [start - schemeLength, end - schemeLength]] as const,
  );
  const own = given.filter(([, [, end]]) => end > 0);
  return new Map(own.map(([name, [start, end]]) => [name, spanAt(positions, [Math.max(0, start), end])]));
}

/** Returns the position in `input` of each unit that the URL Standard's parser reads, and last the end after them. */
function readPositions(input: string): number[] {
  const positions: number[] = [];
  let end = input.length;
  while (end > 0 && codeAt(input, end - 1) <= SPACE) end--;
  for (let at = 0; at < end; at++) {
    const code = codeAt(input, at);
    const isRead =
      positions.length === 0 ? code > SPACE : code !== TAB && code !== LINE_FEED && code !== CARRIAGE_RETURN;
    if (isRead) positions.push(at);
  }
  positions.push(end);
  return positions;
}

/** Maps a span of what is read to one of the input. */
function spanAt(positions: readonly number[], [start, end]: Span): Span {
  const first = positions[start]!;
  return [first, end > start ? positions[end - 1]! + 1 : first];
}

/** The steps of a URL whose parts change one after the other; `pieces` are the parts as they are now. */
export class PartSteps {
  readonly pieces: Pieces;
  readonly #steps: Steps;
  /** The text that the parser did not get to. */
  readonly #rest: string;

  constructor(steps: Steps, pieces: Pieces, rest: string) {
    this.#steps = steps;
    this.pieces = ownProperties<Pieces>(pieces);
    this.#rest = rest;
  }

  /** Makes `text` the text of the part; undefined leaves it out. */
  change(part: PartName, text: string | undefined, change: string, clause: string | Clause): void {
    this.changeAll({ [part]: text }, change, clause, part);
  }

  /** Changes several parts at once. `clause` is the fragment of an address in the URL Standard, or another clause. */
  changeAll(pieces: Pieces, change: string, clause: string | Clause, part?: PartName): void {
    Object.assign(this.pieces, pieces);
    const { text, spans } = joined(this.pieces);
    const span = part === undefined ? undefined : spans.get(part);
    this.#steps.add(text + this.#rest, change, typeof clause === 'string' ? standard(clause) : clause, part, span);
  }
}
