import { TEXT_END } from '../../../assembly/expressions/layout.ts';
import { DIGESTS, ROW_CAPACITY, SCRATCH, TEXT } from '../../../assembly/layout.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../../core/bytes/code-points.ts';
import { rowIn, type Spans } from '../../core/bytes/lines.ts';
import { hashBytesInto } from '../../core/digest/digest.ts';
import type { Kernel, Width } from '../../core/kernel/kernel.ts';
import type { TextSource } from './doubt.ts';
import { Lookup, ROW_LIMIT } from './expressions.ts';
import type { SafeBrowsingFailure } from './failure.ts';
import { openScanner, type Scanner } from './scanner.ts';
import type { Settings } from './settings.ts';
import { afterByteOrderMark, type UrlInput } from './url-bytes.ts';

/** A row that has nothing to look up, or is in doubt. */
export interface RejectedRow<Input extends UrlInput = UrlInput> {
  readonly row: number;
  readonly input: Input;
  readonly failure: SafeBrowsingFailure;
}

/**
 * Rows with their expressions, row by row, whose digests start at DIGESTS in the kernel's memory. Valid until the next
 * batch is asked for, or something else uses the kernel.
 */
export interface ExpressionBatch<Input extends UrlInput = Uint8Array> {
  /** The number of given rows before these. */
  readonly firstRow: number;
  readonly rowCount: number;
  /** The number of the batch's expressions up to the end of each row. */
  readonly spanEnds: Uint32Array;
  /** The number of expressions. */
  readonly count: number;
  /** The bytes with the expressions, up to `textEnd`. `spans` has the start and byte length of each. */
  readonly bytes: Uint8Array;
  readonly textEnd: number;
  readonly spans: Uint32Array;
  /** Rows of the batch with nothing to look up, ascending by their number among all given rows. */
  readonly rejected: readonly RejectedRow<Input>[];
  /** Rows with expressions that were not looked up where none of these is listed, ascending like those. */
  readonly doubtful: readonly RejectedRow<Input>[];
}

/** The bytes of rows that are copied to memory at a time: some 400 lines, followed by twelve times as much room. */
const CHUNK_BYTES = 1 << 15;

/** The limit of a batch: with more expressions in it, a row in all its readings may not fit. */
const FULL = ROW_CAPACITY - ROW_LIMIT;

/**
 * Finds the expressions of many rows and hashes them, up to 2048 in one kernel call. Rows are copied to the scanner; one
 * that it leaves takes the steps where it was given, and its expressions go to the room after the rows. Kernel and
 * scanner are shared: all batches of a call must be taken before anything else uses them.
 */
export class ExpressionReader {
  /** Bytes of each digest in the kernel's memory. */
  readonly kernelWidth: Width | 0;
  /** The number of rows that took none of the steps. */
  provenCount = 0;
  readonly #kernel: Kernel;
  readonly #settings: Settings;
  readonly #keepsInvalid: boolean;
  readonly #source: TextSource | undefined;
  readonly #scanner: Scanner;
  readonly #lookup = new Lookup();
  /** The failure of the row that was looked up last. */
  #failure: SafeBrowsingFailure | undefined;
  #rows!: Spans;
  #kinds: Uint8Array | undefined;
  /** The number of rows in earlier batches. */
  #rowsBefore = 0;
  /** The end of the rows in memory. */
  #rowsEnd: number = TEXT;
  #rejected: RejectedRow<Uint8Array>[] = [];
  #doubtful: RejectedRow<Uint8Array>[] = [];

  /**
   * @param width the bytes of each digest that are needed; 0 for no digests
   * @param source where the rows come from, if they are to be looked up
   * @param keepsInvalid whether the bytes of a row without a host count as its one expression
   */
  constructor(kernel: Kernel, width: number, settings: Settings, source?: TextSource, keepsInvalid = false) {
    this.#kernel = kernel;
    this.kernelWidth = width === 0 ? 0 : width <= 8 ? 8 : width <= 16 ? 16 : 32;
    this.#settings = settings;
    this.#keepsInvalid = keepsInvalid;
    this.#source = source;
    this.#scanner = openScanner(kernel);
  }

  /** Yields the first `rowCount` rows. Rows of a kind other than 0 are not read: they have no expressions. */
  *rows(rows: Spans, rowCount: number, kinds?: Uint8Array): Generator<ExpressionBatch, void, void> {
    this.#rows = rows;
    this.#kinds = kinds;
    this.#rowsBefore = 0;
    this.#scanner.use(this.#settings);
    while (this.#rowsBefore < rowCount) {
      const copied = this.#copyRows(this.#rowsBefore, Math.min(rowCount, this.#rowsBefore + ROW_CAPACITY));
      if (copied > 0) yield* this.#batchesOf(copied);
      else yield this.#alone();
    }
  }

  /** Copies rows from `first` to `last`, each with a line feed. Returns their number, or 0 if the first is too long. */
  #copyRows(first: number, last: number): number {
    const { bytes, starts, ends } = this.#rows;
    const { bytes: memory, rowBounds } = this.#scanner;
    const start = starts[first]!;
    let row = first;
    let to: number = TEXT;
    let areLines = true;
    rowBounds[0] = TEXT - 1;
    for (; row < last; row++) {
      const end = this.#isValue(row) ? ends[row]! : starts[row]!;
      const hasReturn = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED; // the scanner leaves it out
      const feed = to + end - starts[row]! + Number(hasReturn);
      if (feed >= TEXT + CHUNK_BYTES) break;
      areLines &&= starts[row]! - start === to - TEXT && bytes[start + feed - TEXT] === LINE_FEED;
      rowBounds[row - first + 1] = feed;
      to = feed + 1;
    }
    this.#rowsEnd = to;
    if (areLines) memory.set(bytes.subarray(start, start + to - TEXT), TEXT);
    else this.#copyEach(bytes, starts.subarray(first, row));
    return row - first;
  }

  /** Copies rows byte by byte: most are short, so that `set` and the view that it needs would take longer. */
  #copyEach(bytes: Uint8Array, starts: Uint32Array): void {
    const { bytes: memory, rowBounds } = this.#scanner;
    let to: number = TEXT;
    for (let row = 0; row < starts.length; row++) {
      const feed = rowBounds[row + 1]!;
      for (let at = starts[row]!; to < feed; ) memory[to++] = bytes[at++]!;
      memory[to++] = LINE_FEED;
    }
  }

  #isValue(row: number): boolean {
    return this.#kinds === undefined || this.#kinds[row] === 0;
  }

  /** Yields the rows in memory, as many at a time as a kernel call takes and as fit. */
  *#batchesOf(rowCount: number): Generator<ExpressionBatch, void, void> {
    for (let row = 0; row < rowCount; ) {
      const end = this.#expand(row, rowCount);
      yield end > row ? this.#hashed(row, end) : this.#alone();
      row = Math.max(end, row + 1);
    }
  }

  /** Adds the expressions of rows from `first` on. Returns the first row that does not fit. */
  #expand(first: number, rowCount: number): number {
    const scanner = this.#scanner;
    this.#rejected = [];
    this.#doubtful = [];
    scanner.spanCount = 0;
    scanner.room = this.#rowsEnd;
    for (let row = first; ; row++) {
      const left = scanner.expand(row, rowCount);
      this.provenCount += left - row;
      row = left;
      if (row === rowCount || scanner.spanCount > FULL) return row;
      const number = this.#rowsBefore + row - first;
      if (this.#isValue(number)) {
        if (scanner.room + this.#find(number) > TEXT_END) return row;
        this.#place(number, scanner);
      }
      scanner.spanEnds[row] = scanner.spanCount;
    }
  }

  /** Takes the steps for a row where it was given. Returns the bytes that its expressions take. */
  #find(row: number): number {
    const { bytes, starts, ends } = this.#rows;
    const end = ends[row]!;
    const start = afterByteOrderMark(bytes, starts[row]!, end);
    this.#failure = this.#lookup.run(bytes, start, end, this.#settings, this.#source);
    if (this.#failure === undefined) return this.#lookup.byteLength;
    return this.#keepsInvalid ? end - starts[row]! : 0;
  }

  /** Adds the expressions that were found for a row to the room of `target`. */
  #place(row: number, target: Target): void {
    const input = rowIn(this.#rows, row);
    const { found, count, doubt } = this.#lookup;
    if (this.#failure !== undefined) {
      this.#rejected.push({ row, input, failure: this.#failure });
      if (this.#keepsInvalid) addSpan(target, copyTo(target, input), input.length);
      return;
    }
    if (doubt !== undefined) this.#doubtful.push({ row, input, failure: doubt });
    if (found[0].url.isProven) this.provenCount++;
    for (let index = 0; index < count; index++) {
      const { url, starts, ends, count: spanCount } = found[index]!;
      const shift = copyTo(target, url.bytes.subarray(url.hostStart, url.end)) - url.hostStart;
      for (let at = 0; at < spanCount; at++) addSpan(target, starts[at]! + shift, ends[at]! - starts[at]!);
    }
  }

  /** Hashes the rows [row, end) in SCRATCH: the rows of a batch may be in the kernel's memory, too. */
  #hashed(row: number, end: number): ExpressionBatch {
    const scanner = this.#scanner;
    const { bytes, spans, spanCount, room } = scanner;
    const { memory } = this.#kernel;
    if (spanCount > 0 && this.kernelWidth > 0) {
      memory.bytes.set(bytes.subarray(TEXT, room), SCRATCH);
      for (let span = 0; span < spanCount; span++)
        memory.setSpan(span, spans[2 * span]! + SCRATCH - TEXT, spans[2 * span + 1]!);
      this.#kernel.hash(0, spanCount, this.kernelWidth as Width);
    }
    return this.#batch(scanner.spanEnds.subarray(row, end), scanner);
  }

  /** Hashes the expressions of the next row, of any length, piece by piece, and leaves those in memory as they are. */
  #alone(): ExpressionBatch {
    const width = this.kernelWidth;
    this.#rejected = [];
    this.#doubtful = [];
    const bytes = new Uint8Array(this.#find(this.#rowsBefore));
    const own: Target = { bytes, spans: new Uint32Array(2 * ROW_LIMIT), spanCount: 0, room: 0 };
    this.#place(this.#rowsBefore, own);
    for (let span = 0; span < own.spanCount && width > 0; span++) {
      const from = own.spans[2 * span]!;
      const expression = bytes.subarray(from, from + own.spans[2 * span + 1]!);
      hashBytesInto(this.#kernel, expression, DIGESTS + span * width, width as Width);
    }
    return this.#batch(Uint32Array.of(own.spanCount), own);
  }

  #batch(spanEnds: Uint32Array, { bytes, spans, spanCount, room }: Target): ExpressionBatch {
    const firstRow = this.#rowsBefore;
    this.#rowsBefore += spanEnds.length;
    return {
      firstRow,
      rowCount: spanEnds.length,
      spanEnds,
      count: spanCount,
      bytes,
      textEnd: room,
      spans,
      rejected: this.#rejected,
      doubtful: this.#doubtful,
    };
  }
}

/** The place that expressions are added to: a scanner, or the memory of a single row. */
type Target = Pick<Scanner, 'bytes' | 'spans' | 'spanCount' | 'room'>;

/** Copies bytes to the room of `target`, and returns where they are. */
function copyTo(target: Target, bytes: Uint8Array): number {
  const start = target.room;
  target.bytes.set(bytes, start);
  target.room = start + bytes.length;
  return start;
}

function addSpan(target: Target, start: number, byteLength: number): void {
  const { spans, spanCount } = target;
  spans[2 * spanCount] = start;
  spans[2 * spanCount + 1] = byteLength;
  target.spanCount = spanCount + 1;
}
