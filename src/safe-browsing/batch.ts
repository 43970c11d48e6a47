import { DIGESTS, ROW_CAPACITY, TEXT, TEXT_END } from '../../assembly/layout.ts';
import { textEncoder } from '../bytes/utf8.ts';
import { hashBytesInto } from '../digest/digest.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import type { CanonicalUrl } from './canonical-url.ts';
import type { SafeBrowsingFailure } from './failure.ts';
import { Lookup } from './lookup.ts';
import type { Settings } from './settings.ts';
import type { ExpressionSpans } from './spans.ts';

/**
 * Expressions in the order of their inputs, each [start, end) of `text`, and their digests in the kernel's
 * memory from DIGESTS on, `kernelWidth` bytes each. It holds until the sink returns.
 */
export interface ExpressionRows {
  readonly count: number;
  readonly text: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The number that each expression's input was added under. */
  readonly inputs: Uint32Array;
}

type ExpressionSink = (rows: ExpressionRows) => void;

/** Bytes of text per batch: what fits in the kernel's memory. */
const TEXT_LIMIT = TEXT_END - TEXT;

// A URL up to here is copied by a loop, which beats set and the view it needs.
const LOOPED_LENGTH = 128;

/**
 * Gathers canonical URLs and the expressions in them, and hashes up to 2048 expressions in one kernel call.
 * They are gathered outside of the kernel's memory: between two URLs comes the caller's code, which may hash
 * as well.
 */
export class ExpressionBatch {
  readonly kernelWidth: Width | 0;
  provenCount = 0;
  readonly #kernel: Kernel;
  readonly #settings: Settings;
  readonly #sink: ExpressionSink;
  readonly #lookup = new Lookup();
  #text = new Uint8Array(1 << 14);
  #textLength = 0;
  /** Text before it is input that is still being read. */
  #inputEnd = 0;
  readonly #starts = new Uint32Array(ROW_CAPACITY);
  readonly #ends = new Uint32Array(ROW_CAPACITY);
  readonly #inputs = new Uint32Array(ROW_CAPACITY);
  #count = 0;

  /** Keeps at least `width` bytes of each digest; computes none where `width` is 0. */
  constructor(kernel: Kernel, width: number, settings: Settings, sink: ExpressionSink) {
    this.#kernel = kernel;
    this.kernelWidth = width === 0 ? 0 : width <= 8 ? 8 : width <= 16 ? 16 : 32;
    this.#settings = settings;
    this.#sink = sink;
  }

  /**
   * Brings in a text of at most TEXT_LIMIT / 3 units in which inputs lie, and lets `read` add them from where
   * they lie: what is canonical there is hashed without being moved.
   */
  addFrom(text: string, read: (bytes: Uint8Array, start: number, end: number) => void): void {
    if (this.#textLength + 3 * text.length > TEXT_LIMIT) this.flush();
    this.#reserve(3 * text.length);
    const start = this.#textLength;
    const { written } = textEncoder().encodeInto(text, this.#text.subarray(start));
    this.#textLength = this.#inputEnd = start + written;
    read(this.#text, start, this.#inputEnd);
    this.#inputEnd = 0;
  }

  /**
   * The number of expressions of the input at bytes [start, end), or why it has none. They may be hashed
   * only with `flush`, under the number `input`.
   */
  add(bytes: Uint8Array, start: number, end: number, input = 0): number | SafeBrowsingFailure {
    const lookup = this.#lookup;
    const failed = lookup.run(bytes, start, end, this.#settings);
    if (failed !== undefined) return failed;
    if (lookup.urls[0].isProven) this.provenCount++;
    this.#place(lookup.urls[0], lookup.spans[0], input);
    if (lookup.count === 1) return lookup.spans[0].count;
    this.#place(lookup.urls[1], lookup.spans[1], input);
    return lookup.spans[0].count + lookup.spans[1].count;
  }

  /** Hashes what is gathered and hands it on. */
  flush(): void {
    if (this.#count > 0 && this.kernelWidth > 0) this.#hash();
    if (this.#count > 0)
      this.#sink({
        count: this.#count,
        text: this.#text,
        starts: this.#starts,
        ends: this.#ends,
        inputs: this.#inputs,
      });
    this.#count = 0;
    this.#textLength = this.#inputEnd;
  }

  #hash(): void {
    const { memory } = this.#kernel;
    memory.bytes.set(this.#text.subarray(0, this.#textLength), TEXT);
    for (let row = 0; row < this.#count; row++) {
      memory.setSpan(row, TEXT + this.#starts[row]!, this.#ends[row]! - this.#starts[row]!);
    }
    this.#kernel.hash(0, this.#count, this.kernelWidth as Width);
  }

  #place(url: CanonicalUrl, spans: ExpressionSpans, input: number): void {
    if (this.#count + spans.count > ROW_CAPACITY) this.flush();
    if (url.bytes === this.#text) return this.#addSpans(spans, 0, input);
    const length = url.end - url.hostStart;
    if (this.#textLength + length > TEXT_LIMIT) this.flush();
    if (this.#textLength + length > TEXT_LIMIT) return this.#addLong(url, spans, input);
    this.#addSpans(spans, this.#textLength - url.hostStart, input);
    this.#copy(url.bytes, url.hostStart, url.end);
  }

  #addSpans({ starts, ends, count }: ExpressionSpans, shift: number, input: number): void {
    for (let index = 0; index < count; index++) {
      this.#starts[this.#count] = starts[index]! + shift;
      this.#ends[this.#count] = ends[index]! + shift;
      this.#inputs[this.#count++] = input;
    }
  }

  #copy(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    if (end - start > LOOPED_LENGTH) this.#text.set(bytes.subarray(start, end), this.#textLength);
    else for (let at = start, to = this.#textLength; at < end; at++, to++) this.#text[to] = bytes[at]!;
    this.#textLength += end - start;
  }

  #reserve(byteLength: number): void {
    if (this.#textLength + byteLength <= this.#text.length) return;
    const grown = new Uint8Array(Math.min(TEXT_LIMIT, 4 * (this.#textLength + byteLength)));
    grown.set(this.#text.subarray(0, this.#textLength));
    this.#text = grown;
  }

  /** For a URL that does not fit in the kernel's memory, in a batch of its own. */
  #addLong(url: CanonicalUrl, { starts, ends, count }: ExpressionSpans, input: number): void {
    this.flush();
    for (let row = 0; row < count && this.kernelWidth > 0; row++) {
      const expression = url.bytes.subarray(starts[row], ends[row]);
      hashBytesInto(this.#kernel, expression, TEXT, DIGESTS + row * this.kernelWidth, this.kernelWidth as Width);
    }
    this.#inputs.fill(input, 0, count);
    if (count > 0) this.#sink({ count, text: url.bytes, starts, ends, inputs: this.#inputs });
  }
}
