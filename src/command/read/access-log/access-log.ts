import { LEFT_BRACE, LINE_FEED, RIGHT_BRACE } from '../../../core/bytes/code-points.ts';
import { cutterAfter, withoutLineEnd } from '../../../core/bytes/lines.ts';
import type { Kernel } from '../../../core/kernel/kernel.ts';
import { BatchBuilder, HEADING, NO_BRACE, NULL } from '../batch.ts';
import { directiveLines, extendedNames } from '../directives.ts';
import { type AddedName, bufferOf, type Framing } from '../framing.ts';
import { lastOfText, objectIn, takenIn } from '../json-lines.ts';
import { isBlank } from '../lines.ts';
import { beginsWithServer, type Columns, extendedGrammar } from './extended.ts';
import type { Grammar, Reading } from './grammar.ts';
import { knownFormats } from './known-formats.ts';
import { logFormat } from './log-format.ts';
import { type LogFlags, NO_REQUEST, type Origin, originOf, Problem, urlOf } from './request.ts';

interface LogOptions {
  readonly kernel: Kernel;
  readonly skipsBlank: boolean;
  readonly added?: readonly AddedName[];
}

/** The format of an input as far as its lines have told it: plain data, for threads that have not seen them. */
interface Known {
  /** Whether no record has come yet. */
  readonly isHead: boolean;
  /** The columns that `#Fields:` names, or none, if the input begins with a directive. */
  readonly columns: Columns | undefined;
  /** The place of the format among those that are known. */
  readonly format: number | undefined;
}

const NOTHING: Known = { isHead: true, columns: undefined, format: undefined };

/** The formats where a block begins and ends. */
interface LogState {
  readonly before: Known;
  readonly after: Known;
}

/** The longest line that is read: no server takes a request of that length. */
const LINE_LIMIT_BYTES = 1 << 20;

const TOO_LONG = 'a line of an access log is not longer than 1 MiB';
const UNKNOWN = new Problem(
  'not of a format that --log knows: --log-format takes the format that the configuration of the server has',
);
const OTHER_FORMAT = new Problem('not of the format that the records before it have');
const OTHER_THAN_GIVEN = new Problem('not of the format that --log-format names');
const OTHER_COLUMNS = new Problem('not a record of the columns that #Fields: names');
const NO_COLUMNS = new Problem('its log does not name its columns: #Fields: comes before records');
const TWO_FORMATS = new Problem('it is of two formats, with a URL in each');

/**
 * Lines of access logs, each of which has the URL of its request as its value, and is null without one. An input has
 * one format, so that no client chooses it: that of `--log-format`, or of the first record that is of a known one.
 *
 * @throws {Fault} where the base has no host, and on a format that does not tell the URL for certain
 */
export function accessLog(flags: LogFlags, { kernel, skipsBlank, added = [] }: LogOptions): Framing {
  const builder = new BatchBuilder(kernel);
  const origin: Origin = {
    ...originOf(flags),
    ...(flags.needsNoScheme === true && {
      anyScheme() {
        builder.withoutScheme++;
        return 'http';
      },
    }),
  };
  const given = flags.logFormat === undefined ? undefined : logFormat(flags.logFormat);
  const originBytes = ORIGIN_BYTES + (origin.base?.length ?? 0);
  return {
    cutter: () => cutterAfter(LINE_FEED),
    stateOf(block, state): LogState {
      const before = (state as LogState | undefined)?.after ?? NOTHING;
      return { before, after: given === undefined ? knownAfter(block, before, origin, skipsBlank) : before };
    },
    *batches(block, state) {
      const reader = new LogReader(origin, given, (state as LogState).before);
      builder.begin(block);
      for (const { start, end, text } of linesOf(block)) {
        if (!builder.hasRoom(1, ESCAPED_BYTES * (end - start) + originBytes)) yield builder.take();
        if (skipsBlank && isBlank(block, start, end)) builder.addOther(start, end, 'blank');
        else if (text === undefined) builder.addMalformed(start, end, TOO_LONG);
        else addLine(builder, block, start, end, reader.next(text), added);
      }
      if (builder.length > 0) yield builder.take();
    },
  };
}

/** A byte of a line is at most three of its URL, which may begin with a scheme and brackets that the line has not. */
const ESCAPED_BYTES = 3;
const ORIGIN_BYTES = 16;

/** Adds the line [start, end) of a block, as what it was read. */
function addLine(
  builder: BatchBuilder,
  block: Uint8Array,
  start: number,
  end: number,
  found: ReadLine,
  added: readonly AddedName[],
): void {
  if (found === 'comment') return builder.addOther(start, end, found);
  if (found === 'columns') return builder.addOther(start, end, 'header', HEADING);
  const closingBrace = block[start] === LEFT_BRACE ? closingBraceIn(block, start, end) : NO_BRACE;
  const taken = closingBrace === NO_BRACE ? undefined : takenBy(block.subarray(start, end), added);
  const url = taken ?? found;
  if (url === undefined) builder.addOther(start, end, 'null', NULL, closingBrace);
  else if (typeof url === 'string') builder.addEscaped(start, end, url, closingBrace);
  else builder.addMalformed(start, end, url.message, closingBrace);
}

/** Returns the place of the last byte of a line that is an object. */
function closingBraceIn(block: Uint8Array, start: number, end: number): number {
  const last = start + lastOfText(block.subarray(start, end));
  return block[last] === RIGHT_BRACE ? last : NO_BRACE;
}

/** Returns the problem of an object that has a member which it is to gain. */
function takenBy(json: Uint8Array, added: readonly AddedName[]): Problem | undefined {
  const text = bufferOf(json);
  if (!added.some(({ member }) => text.includes(member))) return undefined;
  const taken = takenIn(objectIn(json) ?? {}, added);
  return taken === undefined ? undefined : new Problem(taken);
}

/** Yields the lines of a block. The text has a unit for each byte; a line that is too long has none. */
function* linesOf(block: Uint8Array) {
  const bytes = bufferOf(block);
  for (let start = 0, next: number; start < block.length; start = next) {
    next = bytes.indexOf(LINE_FEED, start) + 1 || block.length;
    const end = withoutLineEnd(block, start, next);
    yield { start, end, text: end - start > LINE_LIMIT_BYTES ? undefined : bytes.toString('latin1', start, end) };
  }
}

/** A directive that may begin a log in the extended format of the W3C. */
const DIRECTIVE = /^#(?:Version|Fields|Software|Date|Start-Date|End-Date|Remark):/i;

/** The URL of a line, or undefined where its request has none; the reason why it is bad; or the kind of a directive. */
type ReadLine = string | Problem | 'comment' | 'columns' | undefined;

/** Reads the lines of an input one after another. */
class LogReader {
  readonly #origin: Origin;
  readonly #given: Grammar | undefined;
  known: Known;
  #grammar: Grammar | undefined;

  constructor(origin: Origin, given: Grammar | undefined, known: Known) {
    this.#origin = origin;
    this.#given = given;
    this.known = known;
    this.#grammar = given ?? grammarOfKnown(known);
  }

  next(line: string): ReadLine {
    if (this.#given === undefined && line.startsWith('#')) {
      const found = this.#directive(line);
      if (found !== undefined) return found;
    }
    if (this.known.isHead) this.known = { ...this.known, isHead: false };
    if (this.#grammar === undefined) return this.known.columns !== undefined ? NO_COLUMNS : this.#first(line);
    return this.#urlOf(this.#grammar.read(line));
  }

  #urlOf(reading: Reading): string | Problem | undefined {
    if (typeof reading === 'object') return reading instanceof Problem ? reading : urlOf(reading, this.#origin);
    if (reading === NO_REQUEST) return undefined;
    if (this.#given !== undefined) return OTHER_THAN_GIVEN;
    return this.known.columns === undefined ? OTHER_FORMAT : OTHER_COLUMNS;
  }

  /** Reads what may be the first record of a known format, which then is that of the input. */
  #first(line: string): string | Problem | undefined {
    const readings = knownFormats().map((grammar) => grammar.read(line));
    const format = readings.findIndex((reading) => reading !== undefined);
    if (format === -1) return UNKNOWN;
    const [url, ...others] = readings.flatMap((reading) => (reading === undefined ? [] : [this.#urlOf(reading)]));
    if (others.some((other) => other !== url)) return TWO_FORMATS;
    this.known = { ...this.known, format };
    this.#grammar = knownFormats()[format];
    return url;
  }

  /** IIS writes a space as a plus sign; where a log does not say what has written it, the same is assumed. */
  #directive(line: string): 'comment' | 'columns' | undefined {
    const { isHead, columns } = this.known;
    const isOfServer = isHead || (columns !== undefined && beginsWithServer(columns));
    if (!isOfServer || !DIRECTIVE.test(line)) return undefined;
    const names = extendedNames(line) ?? columns?.names ?? [];
    const isIis = /^#Software:/i.test(line) ? /microsoft/i.test(line) : (columns?.isIis ?? true);
    this.known = { ...this.known, columns: { names, isIis } };
    this.#grammar = grammarOfKnown(this.known);
    return extendedNames(line) === undefined ? 'comment' : 'columns';
  }
}

function grammarOfKnown({ columns, format }: Known): Grammar | undefined {
  if (columns !== undefined) return columns.names.length === 0 ? undefined : extendedGrammar(columns);
  return format === undefined ? undefined : knownFormats()[format];
}

/** Reads as many lines of a block as it takes to know the format, and the directives after them. */
function knownAfter(block: Uint8Array, before: Known, origin: Origin, skipsBlank: boolean): Known {
  const reader = new LogReader(origin, undefined, before);
  if (isOpen(before))
    for (const { start, end, text } of linesOf(block)) {
      if (text !== undefined && !(skipsBlank && isBlank(block, start, end))) reader.next(text);
      if (!isOpen(reader.known)) break;
    }
  if (reader.known.columns !== undefined) for (const line of directiveLines(block)) reader.next(line);
  return reader.known;
}

function isOpen({ isHead, columns, format }: Known): boolean {
  return isHead || (columns === undefined && format === undefined);
}
