import { GrowingBytes } from '../../../core/bytes/growing-bytes.ts';
import type { Part } from './data-page.ts';
import type { Cells } from './page-cells.ts';
import type { Leaf } from './schema.ts';
import { Sentence } from './sentence.ts';

/** Bytes of a row that does not end in its part, and what objects of its entries take. */
const ROW_LIMIT = 1 << 27;
const NUMBER_BYTES = 32;
const TEXT_BYTES = 128;

const NO_PART: Part = { cells: [], definitions: undefined, repetitions: undefined };

/** Reads the entries of a leaf in sequence, of which whole rows are in memory. */
export class LeafCursor {
  readonly leaf: Leaf;
  /** Rows from the next entry on that are in memory. */
  rows = 0;
  #parts: AsyncGenerator<Part> | undefined;
  #part = NO_PART;
  /** The next entry of the part. */
  #at = 0;
  /** The beginning of a row that goes on in the next part, in memory of its own. */
  #held: unknown[] = [];
  #heldBytes = 0;
  readonly #definitions = new GrowingBytes(0);
  readonly #repetitions = new GrowingBytes(0);

  constructor(leaf: Leaf) {
    this.leaf = leaf;
  }

  /** Goes to the first entry of a row group. */
  open(parts: AsyncGenerator<Part>): void {
    this.#parts = parts;
    this.#part = NO_PART;
    this.#at = this.rows = 0;
  }

  /** Gets a row at least. What was read before is valid until then. */
  async load(): Promise<void> {
    while (this.rows === 0) {
      this.#hold();
      const { done, value } = await this.#parts!.next();
      if (done === true && this.#held.length === 0) throw new Error('a column has fewer rows than the file');
      this.#part = done === true ? this.#joined(NO_PART) : this.#held.length > 0 ? this.#joined(value) : value;
      this.rows = done === true ? 1 : this.#wholeRowsIn(value);
      this.#at = 0;
    }
  }

  /** @throws where there is more than was read */
  async end(): Promise<void> {
    if (this.#at !== this.#part.cells.length || (await this.#parts!.next()).done !== true)
      throw new Error('a column has another number of rows than the file says');
  }

  async close(): Promise<void> {
    await this.#parts?.return(undefined);
  }

  /** Of the next entry. */
  get definition(): number {
    return this.#part.definitions?.[this.#at] ?? 0;
  }

  /** Of the next entry: 0 where a row begins, or there is none. */
  get repetition(): number {
    return this.#part.repetitions?.[this.#at] ?? 0;
  }

  /** Of the next entry: null for a null. @throws where the entry is missing */
  get value(): unknown {
    const { cells } = this.#part;
    const value = this.#at < cells.length ? cells.at(this.#at) : undefined;
    if (value === undefined) throw new Error('it is damaged: a value is not in its column, or in its dictionary');
    return value;
  }

  pass(): void {
    this.#at++;
  }

  /** Holds the entries that were not read. */
  #hold(): void {
    const { cells, definitions, repetitions } = this.#part;
    const isHeld = this.#at === 0 && cells instanceof JoinedCells;
    if (!isHeld) {
      this.#held = [];
      this.#heldBytes = this.#definitions.length = this.#repetitions.length = 0;
      if (definitions !== undefined) this.#definitions.bytes(definitions, this.#at);
      if (repetitions !== undefined) this.#repetitions.bytes(repetitions, this.#at);
    }
    for (let entry = this.#at + this.#held.length; entry < cells.length; entry++) {
      const value = cells.at(entry);
      this.#heldBytes += value instanceof Uint8Array ? TEXT_BYTES + value.length : NUMBER_BYTES;
      if (this.#heldBytes > ROW_LIMIT)
        throw new Sentence(`a row of its column ${JSON.stringify(this.leaf.path[0])} has more than 128 MiB`);
      this.#held.push(value instanceof Uint8Array ? Uint8Array.from(value) : value);
    }
  }

  #joined({ cells, definitions, repetitions }: Part): Part {
    if (definitions !== undefined) this.#definitions.bytes(definitions);
    if (repetitions !== undefined) this.#repetitions.bytes(repetitions);
    return {
      cells: new JoinedCells(this.#held, cells),
      definitions: this.#definitions.written,
      repetitions: this.#repetitions.written,
    };
  }

  /** Counts the rows of which the next begins in `next`, too: the last row of lists may go on after it. */
  #wholeRowsIn({ cells, repetitions }: Part): number {
    if (repetitions === undefined) return cells.length;
    if (this.#held.length === 0 && repetitions[0] !== 0) throw new Error('a column begins within a row');
    let count = this.#held.length === 0 ? -1 : 0;
    for (const level of repetitions) if (level === 0) count++;
    return count;
  }
}

/** Entries that are held, and those after them. */
class JoinedCells implements Cells {
  readonly length: number;
  readonly #held: readonly unknown[];
  readonly #heldCount: number;
  readonly #next: Cells;

  constructor(held: readonly unknown[], next: Cells) {
    this.length = held.length + next.length;
    this.#held = held;
    this.#heldCount = held.length;
    this.#next = next;
  }

  at(entry: number): unknown {
    return entry < this.#heldCount ? this.#held[entry] : this.#next.at(entry - this.#heldCount);
  }
}
