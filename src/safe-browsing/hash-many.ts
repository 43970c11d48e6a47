import { DIGESTS } from '../../assembly/layout.ts';
import { isBytes, mustBeList } from '../argument.ts';
import { concatBytes } from '../bytes/concat.ts';
import type { Kernel, KernelName } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { ExpressionBatch } from './batch.ts';
import { ExpressionColumn, type RejectedRow } from './column.ts';
import { failure, type SafeBrowsingFailure } from './failure.ts';
import { checkWidth, HASH_BYTES } from './hashes.ts';
import { InputBytes, type UrlInput } from './input.ts';
import { EXPRESSION_OPTIONS, type ExpressionOptions, type Settings, settingsOf } from './settings.ts';
import { addStrings, STRINGS_LIMIT, UNITS_LIMIT } from './strings.ts';

/** What `hashManyExpressions` takes. */
export interface HashManyOptions extends ExpressionOptions {
  /** Bytes of each hash that are kept: 4 to 32 (default). */
  readonly width?: number;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName;
}

/**
 * The hashes of all expressions of many URLs. A URL without a host costs nothing but its own row.
 *
 * @param urls strings and bytes; not one of them alone
 * @param options those of `expressions`, the width in bytes, and the kernel
 * @returns one row per URL, in order; rows without a host have no hashes
 * @throws {TypeError} on one string or bytes in place of a list, and on options that are not an object; never on a URL
 * @throws {RangeError} on a width outside of 4 to 32, and on an option, or a value of one, that does not exist
 * @example
 * const column = hashManyExpressions(['http://a.example.com/b', 'http://example.com/'], { width: 4 });
 * column.offsets; //=> Uint32Array(3) [0, 4, 5]
 */
export function hashManyExpressions(urls: Iterable<UrlInput>, options: HashManyOptions = {}): ExpressionColumn {
  const settings = settingsOf(options, HASH_MANY_OPTIONS);
  const { width = HASH_BYTES, kernel } = options;
  checkWidth('width', width);
  const column = new ColumnBuilder(openKernel(kernel), width, settings);
  for (const url of mustBeList('urls', urls)) column.add(url);
  return column.build();
}

const HASH_MANY_OPTIONS = [...EXPRESSION_OPTIONS, 'width', 'kernel'];

class ColumnBuilder {
  readonly #width: number;
  readonly #batch: ExpressionBatch;
  readonly #input = new InputBytes();
  #strings: string[] = [];
  #unitCount = 0;
  readonly #pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #offsets = [0];
  #hashCount = 0;
  readonly #rejected: RejectedRow[] = [];

  constructor(kernel: Kernel, width: number, settings: Settings) {
    this.#width = width;
    this.#batch = new ExpressionBatch(kernel, width, settings, ({ count }) => {
      this.#pieces.push(packed(kernel.memory.bytes, count, this.#batch.kernelWidth, width));
    });
  }

  add(input: UrlInput): void {
    if (typeof input === 'string' && input.length <= UNITS_LIMIT) return this.#gather(input);
    this.#addGathered();
    const isInput = this.#input.set(input);
    this.#record(
      isInput ? this.#batch.add(this.#input.bytes, this.#input.start, this.#input.end) : failure('input-type'),
      input,
    );
  }

  build(): ExpressionColumn {
    this.#addGathered();
    this.#batch.flush();
    return new ExpressionColumn(
      concatBytes(this.#pieces),
      this.#width,
      this.#offsets,
      this.#rejected,
      this.#batch.provenCount,
    );
  }

  #gather(url: string): void {
    if (this.#strings.length === STRINGS_LIMIT || this.#unitCount + url.length + 1 > UNITS_LIMIT) this.#addGathered();
    this.#strings.push(url);
    this.#unitCount += url.length + 1;
  }

  #addGathered(): void {
    if (this.#strings.length > 0) addStrings(this.#batch, this.#strings, (added, url) => this.#record(added, url));
    this.#strings = [];
    this.#unitCount = 0;
  }

  #record(added: number | SafeBrowsingFailure, input: UrlInput): void {
    if (typeof added === 'number') this.#hashCount += added;
    else this.#rejected.push({ row: this.#offsets.length - 1, input: ownCopy(input), failure: added });
    this.#offsets.push(this.#hashCount);
  }
}

/** The caller may write over the bytes it passed. */
function ownCopy(input: UrlInput): UrlInput {
  return isBytes(input) ? Uint8Array.from(input) : input; // a Buffer's slice is not a copy
}

/** A copy of the first `width` of `kernelWidth` bytes of each digest. */
function packed(memory: Uint8Array, count: number, kernelWidth: number, width: number): Uint8Array<ArrayBuffer> {
  if (kernelWidth === width) return new Uint8Array(memory.subarray(DIGESTS, DIGESTS + count * width));
  const bytes = new Uint8Array(count * width);
  for (let row = 0, to = 0; row < count; row++) {
    const digest = DIGESTS + row * kernelWidth;
    for (let at = 0; at < width; at++) bytes[to++] = memory[digest + at]!;
  }
  return bytes;
}
