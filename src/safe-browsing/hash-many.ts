import { DIGESTS } from '../../assembly/layout.ts';
import type { Kernel, KernelName } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { ExpressionBatch } from './batch.ts';
import { ExpressionColumn, type RejectedRow } from './column.ts';
import { failure } from './failure.ts';
import { checkWidth, HASH_BYTES } from './hashes.ts';
import { type Input, InputBytes } from './input.ts';
import { type ExpressionOptions, settingsOf } from './settings.ts';

export interface HashManyOptions extends ExpressionOptions {
  /** Bytes of each hash that are kept: 4 to 32 (default). */
  readonly width?: number;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName;
}

/**
 * The hashes of all expressions of many URLs. A URL without a host costs nothing but its own row.
 *
 * @throws {RangeError} on a width outside of 4 to 32, or an option there is not; never on a URL
 */
export function hashManyExpressions(urls: Iterable<Input>, options: HashManyOptions = {}): ExpressionColumn {
  const { width = HASH_BYTES, kernel, ...rest } = options;
  checkWidth('width', width);
  const settings = settingsOf(rest);
  const hashed = new HashedExpressions(openKernel(kernel), width);
  const batch = new ExpressionBatch(hashed.kernel, width, settings, (_text, _starts, _ends, count) => hashed.take(count, batch.kernelWidth));
  const offsets = [0];
  const rejected: RejectedRow[] = [];
  const bytes = new InputBytes();
  for (const input of urls) {
    const added = bytes.set(input) ? batch.add(bytes) : failure('input-type');
    const count = typeof added === 'number' ? added : 0;
    if (typeof added !== 'number') rejected.push({ row: offsets.length - 1, input: ownCopy(input), failure: added });
    offsets.push(offsets[offsets.length - 1]! + count);
  }
  batch.flush();
  return new ExpressionColumn(hashed.end(), width, offsets, rejected, batch.provenCount);
}

/** The caller may write over the bytes it passed. */
function ownCopy(input: Input): Input {
  return input instanceof Uint8Array ? input.slice() : input;
}

/** Packed hashes of `width` bytes, growing. */
class HashedExpressions {
  readonly kernel: Kernel;
  readonly #width: number;
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  constructor(kernel: Kernel, width: number) {
    this.kernel = kernel;
    this.#width = width;
  }

  take(count: number, kernelWidth: number): void {
    const digests = this.kernel.memory.bytes.subarray(DIGESTS, DIGESTS + count * kernelWidth);
    this.#reserve(count * this.#width);
    if (kernelWidth === this.#width) this.#bytes.set(digests, this.#length);
    else this.#narrow(digests, count, kernelWidth);
    this.#length += count * this.#width;
  }

  end(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #narrow(digests: Uint8Array, count: number, kernelWidth: number): void {
    let to = this.#length;
    for (let row = 0; row < count; row++) {
      for (let at = 0; at < this.#width; at++) this.#bytes[to++] = digests[row * kernelWidth + at]!;
    }
  }

  #reserve(byteLength: number): void {
    if (this.#length + byteLength <= this.#bytes.length) return;
    const grown = new Uint8Array(2 * (this.#length + byteLength));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
