import { DIGESTS, ROW_CAPACITY, TEXT, TEXT_END } from '../../assembly/layout.ts';
import { absorbBytes } from '../digest/digest.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import type { CanonicalUrl } from './canonical-url.ts';
import type { SafeBrowsingFailure } from './failure.ts';
import type { InputBytes } from './input.ts';
import { Lookup } from './lookup.ts';
import type { Settings } from './settings.ts';
import type { ExpressionSpans } from './spans.ts';

/**
 * Gets the expressions of a batch, [starts, ends) of `text`, with their digests in the kernel's memory from
 * DIGESTS on, `kernelWidth` bytes each. All of it holds until the call returns.
 */
export type ExpressionSink = (text: Uint8Array, starts: Uint32Array, ends: Uint32Array, count: number) => void;

// A URL up to here is copied by a loop, which beats set and the view it needs.
const LOOPED_LENGTH = 128;

/**
 * Gathers canonical URLs, host to query, and the expressions in them, and hashes them 2048 at a time in one
 * kernel call. They are gathered outside of the kernel's memory: between two URLs comes the caller's code,
 * which may hash as well.
 */
export class ExpressionBatch {
  readonly kernelWidth: Width;
  provenCount = 0;
  readonly #kernel: Kernel;
  readonly #settings: Settings;
  readonly #sink: ExpressionSink;
  readonly #lookup = new Lookup();
  readonly #text = new Uint8Array(TEXT_END - TEXT);
  #textLength = 0;
  readonly #starts = new Uint32Array(ROW_CAPACITY);
  readonly #ends = new Uint32Array(ROW_CAPACITY);
  #count = 0;

  /** Keeps at least `width` bytes of each digest. */
  constructor(kernel: Kernel, width: number, settings: Settings, sink: ExpressionSink) {
    this.#kernel = kernel;
    this.kernelWidth = width <= 8 ? 8 : width <= 16 ? 16 : 32;
    this.#settings = settings;
    this.#sink = sink;
  }

  /** The number of the input's expressions, or why it has none. Their turn may come only with `flush`. */
  add({ bytes, start, end }: InputBytes): number | SafeBrowsingFailure {
    const lookup = this.#lookup;
    const failed = lookup.run(bytes, start, end, this.#settings);
    if (failed !== undefined) return failed;
    if (lookup.urls[0].isProven) this.provenCount++;
    this.#place(lookup.urls[0], lookup.spans[0]);
    if (lookup.count === 1) return lookup.spans[0].count;
    this.#place(lookup.urls[1], lookup.spans[1]);
    return lookup.spans[0].count + lookup.spans[1].count;
  }

  /** Hashes what is gathered and hands it on. */
  flush(): void {
    if (this.#count === 0) return;
    const { memory } = this.#kernel;
    memory.bytes.set(this.#text.subarray(0, this.#textLength), TEXT);
    for (let row = 0; row < this.#count; row++) {
      memory.setSpan(row, TEXT + this.#starts[row]!, this.#ends[row]! - this.#starts[row]!);
    }
    this.#kernel.hash(0, this.#count, this.kernelWidth);
    this.#sink(this.#text, this.#starts, this.#ends, this.#count);
    this.#count = this.#textLength = 0;
  }

  #place(url: CanonicalUrl, spans: ExpressionSpans): void {
    const length = url.end - url.hostStart;
    const isFull = this.#count + spans.count > ROW_CAPACITY || this.#textLength + length > this.#text.length;
    if (isFull) this.flush();
    if (length > this.#text.length) return this.#hashLong(url, spans);
    const shift = this.#textLength - url.hostStart;
    for (let index = 0; index < spans.count; index++) {
      this.#starts[this.#count] = spans.starts[index]! + shift;
      this.#ends[this.#count++] = spans.ends[index]! + shift;
    }
    this.#copy(url.bytes, url.hostStart, url.end);
  }

  #copy(bytes: Uint8Array, start: number, end: number): void {
    if (end - start > LOOPED_LENGTH) this.#text.set(bytes.subarray(start, end), this.#textLength);
    else for (let at = start, to = this.#textLength; at < end; at++, to++) this.#text[to] = bytes[at]!;
    this.#textLength += end - start;
  }

  /** For a URL that does not fit in the kernel's memory. */
  #hashLong(url: CanonicalUrl, { starts, ends, count }: ExpressionSpans): void {
    for (let row = 0; row < count; row++) {
      const expression = url.bytes.subarray(starts[row], ends[row]);
      absorbBytes(this.#kernel, expression, TEXT, DIGESTS + row * this.kernelWidth, this.kernelWidth);
    }
    this.#sink(url.bytes, starts, ends, count);
  }
}
