import { ROW_CAPACITY, TEXT } from '../../../assembly/layout.ts';
import { BATCH_BYTES, copyLines } from '../../core/bulk/hash-rows.ts';
import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB } from '../../core/bytes/code-points.ts';
import { type Bounds, cutterAfter, endOfLines, type Spans, withoutReturn } from '../../core/bytes/lines.ts';
import { asciiText } from '../../core/bytes/text.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { OMITTED, plainBatch, VALUE } from './batch.ts';
import { type Remedy, WrongKind } from './file-kind.ts';
import type { Framing } from './framing.ts';
import { isUrlLike, mustNotBeWhole, remedyOfLines } from './json-shape.ts';

export const NUL = 0x00;

export interface LineOptions {
  /** Line feed, NUL, or any other byte. */
  readonly lineEnd: number;
  readonly skipsBlank: boolean;
  /** The kernel that finds lines, in its memory: it takes some 5 ns per line, `indexOf` 60. */
  readonly kernel: Kernel;
  /** Whether the stage works in that memory. Otherwise rows are lines of the block, and the stage may write over it. */
  readonly isInMemory: boolean;
}

/** Rows are lines ending in LF or CR LF, or texts ending in NUL that may contain LF. Each row is its own value. */
export function linesEndingIn(options: LineOptions): Framing {
  const { lineEnd, skipsBlank } = options;
  const finder = new LineFinder(options);
  return {
    cutter: () => cutterAfter(lineEnd),
    *batches(block) {
      let firstNumber = 0;
      for (let at = 0; at < block.length; at = finder.next) {
        const { lines, length } = finder.find(block, at);
        yield plainBatch(firstNumber, length, lines, skipsBlank ? blankKinds(lines, length) : undefined);
        firstNumber += length;
      }
    },
  };
}

/** Finds the lines of a block from `start` on, as many as make a batch, up to the place `next`. */
class LineFinder {
  next = 0;
  readonly #kernel: Kernel;
  readonly #lineEnd: number;
  /** Bounds of the lines in the block, unless the stage works in the kernel's memory. */
  readonly #bounds: Bounds | undefined;

  constructor({ kernel, lineEnd, isInMemory }: LineOptions) {
    this.#kernel = kernel;
    this.#lineEnd = lineEnd;
    if (!isInMemory) this.#bounds = { starts: new Uint32Array(ROW_CAPACITY), ends: new Uint32Array(ROW_CAPACITY) };
  }

  find(block: Uint8Array, start: number): { readonly lines: Spans; readonly length: number } {
    const { memory } = this.#kernel;
    const length = copyLines(this.#kernel, block, start, this.#lineEnd);
    if (length === 0) return this.#longLine(block, start);
    this.next = Math.min(block.length, start + memory.scannedEnd - TEXT);
    const { bytes, rowStarts, rowEnds } = memory;
    if (this.#bounds === undefined) return { lines: { bytes, starts: rowStarts, ends: rowEnds }, length };
    const { starts, ends } = this.#bounds;
    for (let row = 0; row < length; row++) {
      starts[row] = rowStarts[row]! - TEXT + start;
      ends[row] = rowEnds[row]! - TEXT + start;
    }
    return { lines: { bytes: block, starts, ends }, length };
  }

  /** Finds a line that is longer than a batch, which stays in the block. */
  #longLine(block: Uint8Array, start: number) {
    this.next = endOfLines(block, start, BATCH_BYTES, this.#lineEnd);
    const isEnded = block[this.next - 1] === this.#lineEnd;
    const end = isEnded ? withoutReturn(block, start, this.next - 1, this.#lineEnd) : this.next;
    return { lines: { bytes: block, starts: Uint32Array.of(start), ends: Uint32Array.of(end) }, length: 1 };
  }
}

function blankKinds({ bytes, starts, ends }: Spans, length: number): Uint8Array {
  const kinds = new Uint8Array(length);
  for (let row = 0; row < length; row++) kinds[row] = isBlank(bytes, starts[row]!, ends[row]!) ? OMITTED : VALUE;
  return kinds;
}

/** Whether bytes [start, end) are all spaces, tabs and carriage returns. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === CARRIAGE_RETURN)) at++;
  return at === end;
}

/** At most this many bytes of a text are examined. */
const START_BYTES = 1 << 16;

/** The start of an object with a first name, or of an empty one. No scheme begins with a brace. */
const OBJECT_START = /^[ \t]*\{[ \t]*(?:"(?:[^"\\]|\\.)*"[ \t]*:|\})/;
const POSSIBLE_START = /^[ \t]*(?:\{|$)/;

/** Lines of URLs. JSON, and lines that end in another way, are refused before any row is written. */
export function urlLines(lines: Framing, lineEnd: number): Framing {
  return withKnownStart(lines, (start) => {
    const isKnown = lineEnd !== LINE_FEED || (isNoJson(start) && isNoTable(start));
    mustEndIn(lineEnd, start);
    const hasFirstLine = start.length >= START_BYTES || start.includes(lineEnd);
    return isKnown && hasFirstLine ? true : undefined;
  });
}

/** Returns false if it takes more of the text to tell. @throws where it is JSON */
function isNoJson(start: Uint8Array): boolean {
  if (mustNotBeWhole(start) === undefined) return false;
  const isJson = isJsonLines(start);
  if (isJson === true) {
    const remedy = remedyOfLines(start);
    const advice = remedy === undefined ? '; --json FIELD reads a field of them' : '';
    throw new WrongKind(`it is JSON lines, not one URL per line${advice}`, remedy);
  }
  return isJson === false;
}

/** Separators of tables, and the options that read them. */
const TABLE_OPTIONS = [
  [',', ['--csv']],
  ['\t', ['--tsv']],
  [';', ['--csv', '--delimiter', ';']],
  ['|', ['--csv', '--delimiter', '|']],
] as const;

/** The names that columns of URLs have. */
const URL_COLUMN = /^[\w -]*(?:url|uri|link|href|address|page)[\w -]*$/i;

/**
 * Returns false if it takes more of the text to tell whether it is a table: its first line has the name of a column in
 * whose place the second has a URL. @throws where it is one
 */
function isNoTable(start: Uint8Array): boolean {
  const [first, second, ...others] = startText(start).split(/\r?\n/, 3) as [string, ...string[]];
  const fieldsOf = (line: string, separator: string) => line.split(separator).map((field) => field.replaceAll('"', ''));
  for (const [separator, options] of TABLE_OPTIONS) {
    const names = fieldsOf(first, separator);
    if (names.length < 2 || !names.some((name) => URL_COLUMN.test(name))) continue;
    if (second === undefined || (others.length === 0 && start.length < START_BYTES)) return false;
    const values = fieldsOf(second, separator);
    const name = names.find((each, at) => URL_COLUMN.test(each) && isUrlLike(values[at] ?? ''));
    if (name === undefined) continue;
    throw new WrongKind('it is a table, not one URL per line', { options: [...options, '-f', name] });
  }
  return true;
}

/** Ends that lines may have in place of those that an option says, and what reads such lines. */
const OTHER_ENDS: readonly (readonly [end: string, name: string, remedy: Remedy])[] = [
  ['\n', 'LF', { without: ['zero'] }],
  ['\0', 'NUL', { options: ['-z'], without: [] }],
  ['\r', 'CR', { program: "tr '\\r' '\\n' < FILE" }],
];

/**
 * Looks at the first line, or at what is there of it: several URLs would become one, as the URL Standard removes CR and
 * LF. A line with a quotation mark may be a record with such a field.
 *
 * @throws where other ends are between several URLs
 */
export function mustEndIn(lineEnd: number, start: Uint8Array): void {
  const [first] = startText(start).split(String.fromCharCode(lineEnd), 1) as [string];
  const other = OTHER_ENDS.find(([each]) => first.split(each).filter((part) => part.includes('://')).length > 1);
  if (other === undefined || first.includes('"')) return;
  throw new WrongKind(`its lines end in ${other[1]}, not in ${lineEnd === NUL ? 'NUL' : 'LF'}`, other[2]);
}

/** Cuts nothing off an input until `isKnown` has seen enough of its start to accept it; it throws what it refuses. */
export function withKnownStart(lines: Framing, isKnown: (start: Uint8Array) => true | undefined): Framing {
  return {
    ...lines,
    cutter() {
      const endOf = lines.cutter();
      let isChecked = false;
      return (bytes, from) => {
        if (isChecked) return endOf(bytes, from);
        isChecked = isKnown(bytes) === true;
        return isChecked ? endOf(bytes, 0) : 0;
      };
    },
  };
}

/**
 * Whether the first two lines of a text both begin a JSON object: one could be the first line of a list of URLs.
 * Undefined if it takes more of the text to tell.
 */
export function isJsonLines(start: Uint8Array): boolean | undefined {
  const text = startText(start);
  const lines = text.split('\n', 3);
  const isFirstWhole = lines.length > 1 || text.length === START_BYTES;
  if (!(isFirstWhole ? OBJECT_START : POSSIBLE_START).test(lines[0]!)) return false;
  if (lines.length < 3 && text.length < START_BYTES) return undefined;
  return lines.slice(0, 2).every((line) => OBJECT_START.test(line));
}

function startText(bytes: Uint8Array): string {
  return asciiText(bytes.subarray(0, START_BYTES));
}
