import { DIGESTS } from '../../../assembly/layout.ts';
import { TAB } from '../../bytes/code-points.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { ExpressionBatch, type ExpressionRows } from '../../safe-browsing/batch.ts';
import { SafeBrowsingUrlError } from '../../safe-browsing/error.ts';
import type { SafeBrowsingFailure } from '../../safe-browsing/failure.ts';
import { InputBytes } from '../../safe-browsing/input.ts';
import type { Settings } from '../../safe-browsing/settings.ts';
import type { Rows } from '../rows/framing.ts';
import { numbersIn } from '../rows/row-numbers.ts';
import { eachValue } from '../rows/values.ts';
import { ByteWriter } from './byte-writer.ts';
import { type RowProblem, type Stage, withMalformed } from './stage.ts';
import type { Texts } from './texts.ts';

export interface ExpressionOptions {
  readonly settings: Settings;
  /** Bytes of the SHA-256 that are written after an expression, as hex: 0 for none. */
  readonly width: number;
  readonly lineEnd: number;
  /** Does a URL that has no expressions come out as it was given? */
  readonly keepsInvalid: boolean;
}

/** A line for each expression of each URL: the number of the URL's row, a tab, the expression, and its hash. */
export class ExpressionStage implements Stage<Texts> {
  readonly #kernel: Kernel;
  readonly #width: number;
  readonly #lineEnd: number;
  readonly #keepsInvalid: boolean;
  readonly #batch: ExpressionBatch;
  readonly #input = new InputBytes();
  readonly #writer = new ByteWriter();
  #ends: number[] = [];
  #numberOf: (row: number) => number = Number;

  constructor(kernel: Kernel, { settings, width, lineEnd, keepsInvalid }: ExpressionOptions) {
    this.#kernel = kernel;
    this.#width = width;
    this.#lineEnd = lineEnd;
    this.#keepsInvalid = keepsInvalid;
    this.#batch = new ExpressionBatch(kernel, width, settings, (expressions) => this.#write(expressions));
  }

  run(rows: Rows, rowsBefore: number): Texts {
    const problems: RowProblem[] = [];
    const numberInBlock = numbersIn(rows);
    let length = 0;
    let expressions = 0;
    this.#numberOf = (row) => rowsBefore + numberInBlock(row) + 1;
    this.#ends = [];
    eachValue(rows.values, (bytes, start, end, row) => {
      length++;
      if (rows.malformed.has(row)) return;
      this.#input.setBytes(bytes, start, end);
      const added = this.#batch.add(bytes, this.#input.start, end, row);
      if (typeof added === 'number') expressions += added;
      else problems.push(new UrlProblem(row, bytes.subarray(start, end), added));
      if (typeof added !== 'number' && this.#keepsInvalid) this.#keep(bytes.subarray(start, end), row);
    });
    this.#batch.flush();
    this.#endRowsBefore(length);
    const ends = this.#ends;
    return {
      rows,
      length,
      problems: withMalformed(rows, problems),
      counts: { expressions },
      ends,
      bytes: this.#writer.take(),
    };
  }

  /** In the order of their rows. */
  #write({ count, text, starts, ends, inputs }: ExpressionRows): void {
    for (let index = 0; index < count; index++) {
      const digest = DIGESTS + index * this.#batch.kernelWidth;
      this.#begin(inputs[index]!);
      this.#writer.bytes(text, starts[index]!, ends[index]!);
      if (this.#width > 0) this.#writer.byte(TAB);
      this.#writer.hex(this.#kernel.memory.bytes, digest, digest + this.#width);
      this.#writer.byte(this.#lineEnd);
    }
  }

  #keep(given: Uint8Array, row: number): void {
    this.#batch.flush();
    this.#begin(row);
    this.#writer.bytes(given, 0, given.length);
    if (this.#width > 0) this.#writer.byte(TAB);
    if (this.#width > 0) this.#writer.hex(digestOfBytes(this.#kernel, given, 32), 0, this.#width);
    this.#writer.byte(this.#lineEnd);
  }

  #begin(row: number): void {
    this.#endRowsBefore(row);
    this.#writer.text(String(this.#numberOf(row)));
    this.#writer.byte(TAB);
  }

  #endRowsBefore(row: number): void {
    while (this.#ends.length < row) this.#ends.push(this.#writer.length);
  }
}

/** More of a URL than a message shows. */
const SHOWN_BYTES = 1 << 10;

/** The message takes longer to make than the expressions of a line. */
class UrlProblem implements RowProblem {
  readonly row: number;
  readonly #input: Uint8Array;
  readonly #failure: SafeBrowsingFailure;

  constructor(row: number, input: Uint8Array, failure: SafeBrowsingFailure) {
    this.row = row;
    this.#input = input;
    this.#failure = failure;
  }

  get reason(): string {
    return this.#failure.reason;
  }

  get message(): string {
    return new SafeBrowsingUrlError(this.#input.subarray(0, SHOWN_BYTES), this.#failure).message;
  }
}
