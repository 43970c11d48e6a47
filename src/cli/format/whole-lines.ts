import {
  DIGESTS,
  FORMS,
  FORMS_BYTES,
  LINES,
  LINES_BYTES,
  ROW_CAPACITY,
  STOPPED,
  TEMPLATE,
  WRITTEN,
} from '../../../assembly/text-lines/layout.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import type { OnError } from '../rows/on-error.ts';
import { ByteWriter } from '../stage/byte-writer.ts';
import type { HashedRows } from '../stage/hashes.ts';
import { RowByRow, type RowFormat } from './format.ts';
import { hasForms, type LineFormatName } from './line-template.ts';
import { openTextLines, type TextLinesModule } from './text-lines-module.ts';
import { Window } from './window.ts';

const NO_ROWS: readonly number[] = [];

/** In place of the canonical forms, for a format that writes none: it stays at the first. */
const NO_FORMS = Uint8Array.of(LINE_FEED);

export interface WholeLinesOptions {
  readonly lineEnd: number;
  readonly template: Uint8Array;
  /** The same format, for rows that the module leaves. */
  readonly rowFormat: RowFormat<HashedRows>;
}

/** The next row of a block, and where its line and its canonical form begin. */
interface Position {
  row: number;
  line: number;
  form: number;
}

/**
 * The formats of one line per row, written by WebAssembly a block at a time: text takes 100 ns per line, where row by
 * row it took 360. What is invalid, too long, or holds something to escape is written row by row.
 */
export class WholeLines extends RowByRow<HashedRows> {
  readonly #write: TextLinesModule['write'];
  readonly #memory: Uint8Array;
  /** Where the module stopped: at which line, with how many rows left, at which form. */
  readonly #stopped: Uint32Array;
  readonly #digests: Window;
  readonly #lines: Window;
  readonly #forms: Window;
  readonly #options: WholeLinesOptions;
  readonly #hasForms: boolean;
  readonly #writer = new ByteWriter();

  /** @throws where the host has no SIMD */
  constructor(format: LineFormatName, options: WholeLinesOptions) {
    super(options.rowFormat, options.lineEnd);
    const { memory, write } = openTextLines();
    this.#write = write;
    this.#memory = new Uint8Array(memory.buffer);
    this.#memory.set(options.template, TEMPLATE);
    this.#stopped = new Uint32Array(memory.buffer, STOPPED, 3);
    this.#digests = new Window(this.#memory, DIGESTS, 32 * ROW_CAPACITY);
    this.#lines = new Window(this.#memory, LINES, LINES_BYTES, options.lineEnd);
    this.#forms = new Window(this.#memory, FORMS, FORMS_BYTES, LINE_FEED);
    this.#options = options;
    this.#hasForms = hasForms(format);
  }

  /** Undefined where the last line ends in a CR that is part of it, and where canonical forms are missing. */
  block(hashed: HashedRows, onError: OnError): Uint8Array | undefined {
    const { rows, column, forms } = hashed;
    if (this.#hasForms && forms === undefined) return undefined;
    if (this.#options.lineEnd === LINE_FEED && rows.bytes.at(-1) === CARRIAGE_RETURN) return undefined;
    this.#open(hashed);
    const invalid = onError === 'keep' && !this.#hasForms ? NO_ROWS : column.invalid;
    const next: Position = { row: 0, line: 0, form: 0 };
    for (let nextInvalid = 0; next.row < column.length; ) {
      const isInvalid = invalid[nextInvalid] === next.row;
      if (isInvalid && onError === 'fail') break;
      if (isInvalid) nextInvalid++;
      else if (this.#writeRows(next, invalid[nextInvalid] ?? column.length, column.width) > 0) continue;
      this.#passRow(hashed, next, isInvalid, onError);
    }
    return this.#writer.take();
  }

  #open({ rows, column, forms = NO_FORMS }: HashedRows): void {
    this.#digests.open(column.bytes);
    this.#lines.open(rows.bytes);
    this.#forms.open(forms);
  }

  /** Writes rows up to `endRow`, as many as the module's memory has and up to one that it leaves; returns how many. */
  #writeRows(next: Position, endRow: number, width: number): number {
    const line = this.#lines.addressOf(next.line);
    const form = this.#forms.addressOf(next.form);
    if (line === undefined || form === undefined) return 0;
    const digest = this.#digests.addressOf(next.row * width)!;
    const count = Math.min(endRow - next.row, (this.#digests.endAddress - digest) / width, ROW_CAPACITY);
    const { lineEnd } = this.#options;
    const [linesEnd, formsEnd] = [this.#lines.endAddress, this.#forms.endAddress];
    const end = this.#write(count, digest, width, line, linesEnd, lineEnd, form, formsEnd, WRITTEN);
    this.#writer.bytes(this.#memory, WRITTEN, end);
    const [nextLine, rowsLeft, nextForm] = this.#stopped as unknown as [number, number, number];
    next.row += count - rowsLeft;
    next.line = this.#lines.offsetOf(nextLine);
    next.form = this.#forms.offsetOf(nextForm);
    return count - rowsLeft;
  }

  /** Writes one row that the module leaves, or leaves it out. */
  #passRow(hashed: HashedRows, next: Position, isInvalid: boolean, onError: OnError): void {
    const { lineEnd, rowFormat } = this.#options;
    const { bytes } = hashed.rows;
    const found = bytes.indexOf(lineEnd, next.line);
    const end = found === -1 ? bytes.length : found;
    const hasReturn = lineEnd === LINE_FEED && end > next.line && bytes[end - 1] === CARRIAGE_RETURN;
    const row = { row: next.row, start: next.line, end: hasReturn ? end - 1 : end, isInvalid, isCaption: false };
    if (!isInvalid || onError !== 'skip')
      rowFormat(this.#writer, hashed, row, !isInvalid || onError === 'keep', lineEnd);
    next.row++;
    next.line = end + 1;
    if (this.#hasForms) next.form = hashed.forms!.indexOf(LINE_FEED, next.form) + 1;
  }
}
