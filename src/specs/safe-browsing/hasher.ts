import { mustBeBytes, mustBeList, mustBeOffsets, mustBeOptions } from '../../core/argument.ts';
import type { KernelName } from '../../core/kernel/kernel.ts';
import { openKernel } from '../../core/kernel/open.ts';
import type { ExpressionReader } from './batch.ts';
import type { ExpressionColumn } from './column.ts';
import { expressionColumn } from './expression-column.ts';
import { type AddBatch, addUrls } from './given-urls.ts';
import { HASH_BYTES, mustBePrefixWidth } from './hashes.ts';
import type { UrlInput } from './input.ts';
import { EXPRESSION_OPTIONS, type ExpressionOptions, type Settings, settingsOf } from './settings.ts';

/** What `ExpressionHasher` takes. */
export interface ExpressionHasherOptions extends ExpressionOptions {
  /** Bytes of each hash that are kept: 4 to 32 (default). */
  readonly width?: number | undefined;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName | undefined;
}

const HASHER_OPTIONS = [...EXPRESSION_OPTIONS, 'width', 'kernel'];

/** Rough figures for real URLs: they have 5.6 to 5.9 expressions, and 64 bytes with the line feed. */
const HASHES_PER_URL = 6;
const BYTES_PER_HASH = 10;
/** 64 MiB of hashes. More memory is reserved only when it is needed. */
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
    return this.#column(expectedCount, (reader, add) => addUrls(reader, urls, add));
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
    return this.#column(expectedCount, (reader, add) => {
      for (const batch of reader.lines(text)) add(batch);
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
    return this.#column(HASHES_PER_URL * ends.length, (reader, add) => {
      for (const batch of reader.rows(rows, ends.length)) add(batch);
    });
  }

  /** The kernel that hashes, as `kernelName` names it. */
  get kernel(): KernelName {
    return openKernel(this.#kernelName).name;
  }

  #column(count: number, addAll: (reader: ExpressionReader, add: AddBatch) => void) {
    const expectedCount = Math.min(MAX_EXPECTED, Math.ceil(count));
    return expressionColumn(openKernel(this.#kernelName), this.#width, this.#settings, expectedCount, addAll);
  }
}
