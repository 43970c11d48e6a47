import { DIGESTS } from '../../../assembly/layout.ts';
import {
  isBytes,
  mustBeBytes,
  mustBeList,
  mustBeNumber,
  mustBeOffsets,
  mustBeOptions,
  mustBeUrlOrBytes,
} from '../../core/argument.ts';
import { foundLines } from '../../core/bulk/hash-rows.ts';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { indexOfSorted } from '../../core/bytes/order.ts';
import { ListColumn } from '../../core/digest/column.ts';
import type { Kernel, KernelName } from '../../core/kernel/kernel.ts';
import { openKernel } from '../../core/kernel/open.ts';
import { type ExpressionBatch, ExpressionReader, type RejectedRow } from './batch.ts';
import type { TextSource } from './doubt.ts';
import { SafeBrowsingUrlError } from './failure.ts';
import { HASH_BYTES, mustBePrefixWidth } from './hash-prefix.ts';
import { EXPRESSION_OPTIONS, type ExpressionOptions, type Settings, settingsOf } from './settings.ts';
import { profileName } from './suffix-list.ts';
import type { UrlInput } from './url-bytes.ts';

/** Options of `ExpressionHasher`. */
export interface ExpressionHasherOptions extends ExpressionOptions {
  /** Bytes of each hash that are kept: 4 to 32 (default). */
  readonly width?: number | undefined;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName | undefined;
}

const HASHER_OPTIONS = [...EXPRESSION_OPTIONS, 'width', 'kernel'];

/** Estimates for real URLs, which have 5.6 to 5.9 expressions, and 64 bytes with the line feed. */
const HASHES_PER_URL = 6;
const BYTES_PER_HASH = 10;
/** The most hashes that memory is reserved for at the start: 64 MiB of whole ones. */
const MAX_EXPECTED = 1 << 21;

/**
 * Hashes the expressions of many URLs at a time. A URL without a host never affects the others.
 *
 * @example
 * const hasher = new ExpressionHasher({ width: 4 });
 * hasher.hashMany(['http://a.example.com/b', 'http://example.com/']).offsets; //=> Uint32Array(3) [0, 4, 5]
 */
export class ExpressionHasher {
  /** @internal */
  static readonly name = 'ExpressionHasher';
  readonly #settings: Settings;
  readonly #width: number;
  readonly #kernelName: KernelName | undefined;

  /**
   * @param options those of `expressions`, the width in bytes, and the kernel
   * @throws {KernelError} on a kernel that this host cannot run
   * @throws {TypeError} on options that are not an object, and on a suffix list that is none
   * @throws {RangeError} on a width outside of 4 to 32, and on an option, or a value of one, that does not exist
   */
  constructor(options: ExpressionHasherOptions = {}) {
    const { width = HASH_BYTES, kernel, ...others } = mustBeOptions('options', options, HASHER_OPTIONS);
    this.#settings = settingsOf(others);
    this.#width = mustBePrefixWidth(width);
    this.#kernelName = kernel === undefined ? kernel : openKernel(kernel).name;
  }

  /**
   * One row per URL, in order; rows without a host have no hashes.
   *
   * @param urls strings, `URL`s and bytes; not one of them alone
   * @throws {TypeError} on one string or bytes in place of a list, and on an item of another kind
   * @example
   * new ExpressionHasher().hashMany(new Set(['http://a/', 'mailto:x'])).offsets; //=> Uint32Array(3) [0, 1, 1]
   */
  hashMany(urls: Iterable<UrlInput>): ExpressionColumn {
    const expectedCount = Array.isArray(urls) ? HASHES_PER_URL * urls.length : 0;
    mustBeList('urls', urls);
    return this.#column('value', expectedCount, (reader, add) => addUrls(reader, urls, add));
  }

  /**
   * One row per line of a text, in about 15 % less time than its lines take as strings. Each line is read as
   * `expressions` reads bytes; LF or CR LF ends it, and a last line without one counts.
   *
   * @param text one URL per line
   * @throws {TypeError} on anything but a Uint8Array; never on a line
   * @example
   * const lines = new TextEncoder().encode('http://a.example.com/b\nmailto:x\n');
   * new ExpressionHasher({ width: 4 }).hashLines(lines).offsets; //=> Uint32Array(3) [0, 4, 4]
   */
  hashLines(text: Uint8Array): ExpressionColumn {
    const expectedCount = mustBeBytes('text', text).length / BYTES_PER_HASH;
    return this.#column('line', expectedCount, (reader, add, kernel) => {
      for (let at = 0; at < text.length; ) {
        const { lines, rowCount, next } = foundLines(kernel, text, at);
        for (const batch of reader.rows(lines, rowCount)) add(batch);
        at = next;
      }
    });
  }

  /**
   * One row per URL of a packed column, in the layout of an Arrow string column: row r is bytes[offsets[r],
   * offsets[r + 1]), and is read as `expressions` reads bytes. It may hold any bytes, line feeds too.
   *
   * @param bytes all rows; what lies before the first offset and after the last is not read
   * @param offsets `length + 1` ascending byte offsets; none at all are no rows
   * @throws {TypeError} on anything but a Uint8Array and a Uint32Array; never on a row
   * @throws {RangeError} on an offset that is less than the one before it, or outside of `bytes`
   * @see https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-layout
   * @example
   * const bytes = new TextEncoder().encode('http://a/http://b.c/d');
   * new ExpressionHasher().hashRows(bytes, Uint32Array.of(0, 9, 21)).offsets; //=> Uint32Array(3) [0, 1, 3]
   */
  hashRows(bytes: Uint8Array, offsets: Uint32Array): ExpressionColumn {
    mustBeOffsets('offsets', offsets, mustBeBytes('bytes', bytes).length);
    const ends = offsets.subarray(1);
    const rows = { bytes, starts: offsets, ends };
    return this.#column('value', HASHES_PER_URL * ends.length, (reader, add) => {
      for (const batch of reader.rows(rows, ends.length)) add(batch);
    });
  }

  /** The kernel that hashes, as `kernelName` names it. */
  get kernel(): KernelName {
    return openKernel(this.#kernelName).name;
  }

  /**
   * Makes a column of the batches that `addAll` takes from a reader, each before the next. With the approximate number
   * of hashes nothing is copied twice.
   */
  #column(
    source: TextSource,
    expectedCount: number,
    addAll: (reader: ExpressionReader, add: AddBatch, kernel: Kernel) => void,
  ): ExpressionColumn {
    const width = this.#width;
    const settings = this.#settings;
    const kernel = openKernel(this.#kernelName);
    const reader = new ExpressionReader(kernel, width, settings, source);
    const column = new ListColumn(width, new GrowingBytes(width * Math.min(MAX_EXPECTED, Math.ceil(expectedCount))));
    const rejected: RejectedRow[] = [];
    const doubtful: RejectedRow[] = [];
    const add = (batch: ExpressionBatch<UrlInput>) => {
      const shift = column.length - batch.firstRow;
      for (const each of batch.rejected) rejected.push(ownRow(each, shift));
      for (const each of batch.doubtful) doubtful.push(ownRow(each, shift));
      column.endRows(batch.spanEnds);
      addHashes(column.values, kernel.memory.bytes, batch.count, width, reader.kernelWidth);
    };
    addAll(reader, add, kernel);
    const { bytes, offsets } = column.take();
    const profile = profileName(settings.profile, settings.suffixList);
    return new ExpressionColumn(fitting(bytes), width, offsets!.slice(), {
      rejected,
      doubtful,
      provenCount: reader.provenCount,
      profile,
    });
  }
}

type AddBatch = (batch: ExpressionBatch<UrlInput>) => void;

/** The limit for the UTF-8 of rows that wait: bytes are copied, as their caller may overwrite them. */
const WAITING_BYTES = 1 << 15;

/** Adds the batches of rows that are given one by one. Between two of these, the kernel may be used by others. */
function addUrls(reader: ExpressionReader, urls: Iterable<UrlInput>, add: AddBatch): void {
  const text = new GrowingBytes(1 << 10);
  const starts: number[] = [];
  const ends: number[] = [];
  const given: (string | Uint8Array)[] = [];
  const addWaiting = () => {
    const rows = { bytes: text.take(), starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
    for (const batch of reader.rows(rows, ends.length)) add(withStrings(batch, given));
    starts.length = ends.length = given.length = 0;
  };
  for (const each of urls) {
    const url = mustBeUrlOrBytes('each of urls', each);
    if (text.length + url.length >= WAITING_BYTES) addWaiting();
    starts.push(text.length);
    if (typeof url === 'string') text.text(url);
    else text.fewBytes(url);
    ends.push(text.length);
    given.push(url);
    text.byte(LINE_FEED); // rows that are lines are copied at once
  }
  addWaiting();
}

/** Puts the strings that were given in place of the bytes of rejected and doubtful rows. */
function withStrings(batch: ExpressionBatch, given: readonly (string | Uint8Array)[]): ExpressionBatch<UrlInput> {
  const { rejected, doubtful } = batch;
  if (rejected.length + doubtful.length === 0) return batch;
  const withString = ({ row, input, failure }: RejectedRow) => {
    const url = given[row]!;
    return { row, input: typeof url === 'string' ? url : input, failure };
  };
  return { ...batch, rejected: rejected.map(withString), doubtful: doubtful.map(withString) };
}

/** Returns a row of the column with bytes of its own: the slice of a Buffer is not a copy. */
function ownRow({ row, input, failure }: RejectedRow, shift: number): RejectedRow {
  return { row: row + shift, input: isBytes(input) ? Uint8Array.from(input) : input, failure };
}

/** Adds the first `width` bytes of `count` digests in the kernel's memory, which have `kernelWidth` bytes each. */
function addHashes(to: GrowingBytes, memory: Uint8Array, count: number, width: number, kernelWidth: number): void {
  if (kernelWidth === width) return to.bytes(memory, DIGESTS, DIGESTS + count * width);
  const hashes = to.room(count * width);
  if (width % 4 === 0) {
    const words = new Uint32Array(hashes.buffer, to.length, (count * width) / 4);
    copyHeads(new Uint32Array(memory.buffer, DIGESTS, (count * kernelWidth) / 4), kernelWidth / 4, words, width / 4);
  } else {
    copyHeads(memory.subarray(DIGESTS), kernelWidth, hashes.subarray(to.length, to.length + count * width), width);
  }
  to.length += count * width;
}

/** Copies the first `count` elements of each `step`. */
function copyHeads<T extends Uint8Array | Uint32Array>(from: T, step: number, to: T, count: number): void {
  for (let start = 0, at = 0; at < to.length; start += step) {
    for (let index = 0; index < count; index++) to[at++] = from[start + index]!;
  }
}

/** Returns the hashes in memory that is at most half as large again. */
function fitting(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return 1.5 * bytes.length < bytes.buffer.byteLength ? bytes.slice() : bytes;
}

/** The facts of a column about its rows, besides their hashes. */
type ColumnOrigin = Pick<ExpressionColumn, 'provenCount' | 'profile'> &
  Pick<ExpressionBatch<UrlInput>, 'rejected' | 'doubtful'>;

/**
 * The expression hashes of many URLs: one row per URL, in order, packed.
 *
 * @example
 * const column = new ExpressionHasher({ width: 4 }).hashMany(['http://example.com/a', 'mailto:x']);
 * column.offsets; //=> Uint32Array(3) [0, 2, 2]
 * column.bytes.length; //=> 8
 * column.invalid; //=> Uint32Array(1) [1]
 */
export class ExpressionColumn {
  /** @internal */
  static readonly name = 'ExpressionColumn';
  /** URLs, the invalid ones included. */
  readonly length: number;
  /** Bytes per hash. */
  readonly width: number;
  /** The hashes one after another, `width` bytes each, this column's own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `length + 1` numbers: row r has the hashes from offsets[r] to offsets[r + 1], in the order of `expressions`. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  /** Rows without a host to look up, ascending; they have no hashes. */
  readonly invalid: Uint32Array<ArrayBuffer>;
  /**
   * Rows, ascending, that are not an absolute URL and do not begin with a host, or, of lines, are more than a URL: they
   * have hashes, and where none of these is on a list, the row was not looked up.
   */
  readonly doubtful: Uint32Array<ArrayBuffer>;
  /** The profile of the expressions, as `urlsum serve` names it: `v5/1+tldts/7.5.4`, with the list's edition. */
  readonly profile: string;
  /** @internal Rows whose canonical form was proven, or made at once: they took none of the steps. */
  readonly provenCount: number;
  readonly #rejected: readonly RejectedRow[];
  readonly #doubtful: readonly RejectedRow[];

  /** @internal Keeps the arrays that it is given; rows must be ascending. */
  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    width: number,
    offsets: Uint32Array<ArrayBuffer>,
    { rejected, doubtful, provenCount, profile }: ColumnOrigin,
  ) {
    this.length = offsets.length - 1;
    this.width = width;
    this.bytes = bytes;
    this.offsets = offsets;
    this.invalid = Uint32Array.from(rejected, ({ row }) => row);
    this.doubtful = Uint32Array.from(doubtful, ({ row }) => row);
    this.provenCount = provenCount;
    this.profile = profile;
    this.#rejected = rejected;
    this.#doubtful = doubtful;
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns the hashes of that row, each in memory of its own; none for an invalid row, and where there is none
   * @throws {TypeError} where `row` is not a number
   */
  at(row: number): Uint8Array<ArrayBuffer>[] {
    return this.#mapRow(row, (start) => this.bytes.slice(start, start + this.width));
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns the same in lower-case hex
   * @throws {TypeError} where `row` is not a number
   */
  hex(row: number): string[] {
    return this.#mapRow(row, (start) => hexOfBytes(this.bytes, start, start + this.width));
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns why that row is invalid; undefined for a valid row, and where there is none
   * @throws {TypeError} where `row` is not a number
   */
  errorAt(row: number): SafeBrowsingUrlError | undefined {
    return errorOf(this.#rejected[indexOfSorted(this.invalid, mustBeNumber('row', row))]);
  }

  /**
   * @param row from 0 to `length - 1`
   * @returns why that row is doubtful; undefined for a row that is not, and where there is none
   * @throws {TypeError} where `row` is not a number
   */
  doubtAt(row: number): SafeBrowsingUrlError | undefined {
    return errorOf(this.#doubtful[indexOfSorted(this.doubtful, mustBeNumber('row', row))]);
  }

  #mapRow<T>(row: number, value: (start: number) => T): T[] {
    const first = this.offsets[mustBeNumber('row', row)] ?? 0;
    return Array.from({ length: (this.offsets[row + 1] ?? first) - first }, (_, index) =>
      value((first + index) * this.width),
    );
  }
}

function errorOf(row: RejectedRow | undefined): SafeBrowsingUrlError | undefined {
  return row && new SafeBrowsingUrlError(row.input, row.failure);
}
