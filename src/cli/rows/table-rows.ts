import { CARRIAGE_RETURN, LINE_FEED } from '../../bytes/code-points.ts';
import { textEncoder } from '../../bytes/utf8.ts';
import type { HashColumn } from '../../digest/column.ts';
import type { Problem, Rows } from './framing.ts';
import type { TableRecord } from './table.ts';

/** A block's records beside the hashes of one of their columns. */
export class TableRows implements Rows {
  readonly bytes: Uint8Array;
  readonly #ends: number[] = [];
  readonly #problems = new Map<number, string>();
  #column: HashColumn | undefined;
  #urls: readonly string[] = [];

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get column(): HashColumn {
    return this.#column!;
  }

  add({ end }: TableRecord, problem: string | undefined): void {
    if (problem !== undefined) this.#problems.set(this.#ends.length, problem);
    this.#ends.push(end);
  }

  hashed(column: HashColumn, urls: readonly string[]): this {
    this.#column = column;
    this.#urls = urls;
    return this;
  }

  eachLine(visit: (start: number, end: number, row: number) => boolean | void): void {
    let start = 0;
    for (const [row, next] of this.#ends.entries()) {
      if (visit(start, this.#withoutLineEnd(start, next), row) === false) return;
      start = next;
    }
  }

  given(row: number, start: number, end: number): Uint8Array {
    return this.#problems.has(row) ? this.bytes.subarray(start, end) : textEncoder().encode(this.#urls[row]);
  }

  problem(row: number): Problem {
    const message = this.#problems.get(row);
    return message === undefined ? this.column.errorAt(row)! : { reason: 'malformed-record', message };
  }

  #withoutLineEnd(start: number, end: number): number {
    if (end === start || this.bytes[end - 1] !== LINE_FEED) return end;
    return end - 1 > start && this.bytes[end - 2] === CARRIAGE_RETURN ? end - 2 : end - 1;
  }
}
