import { TEXT } from '../../assembly/layout.ts';
import { concatBytes } from '../bytes/concat.ts';
import { type Bounds, HashColumn, type InvalidRow } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { profileOfForm } from '../url/profile.ts';
import { Batch, type Hashing } from './batch.ts';
import { longRow } from './long-row.ts';
import type { FormSink, RowSink } from './row-sink.ts';

/** Some 32 000 digests. */
const SCRATCH_BYTES = 1 << 20;

/**
 * Memory in which digests are collected, used again and again: touching fresh memory takes longer than copying. A
 * builder takes it and gives it back, since the strings of one column may come from a generator that makes another.
 */
let spareScratch: Uint8Array<ArrayBuffer> | undefined;

function takeScratch(): Uint8Array<ArrayBuffer> {
  const scratch = spareScratch ?? new Uint8Array(SCRATCH_BYTES);
  spareScratch = undefined;
  return scratch;
}

/** Collects the packed digests of batches into one column. */
export class ColumnBuilder<W extends Width = Width> implements RowSink {
  readonly #hashing: Hashing<W>;
  readonly #forms: FormSink | undefined;
  readonly #isCounted: boolean;
  /** The column's own memory where the number of rows is known in advance, otherwise the scratch. */
  readonly #room: Uint8Array<ArrayBuffer>;
  /** What did not fit in it. */
  readonly #pieces: Uint8Array[] = [];
  #roomLength = 0;
  #byteLength = 0;
  readonly #invalidRows: InvalidRow[] = [];
  #provenCount = 0;
  #rewrittenCount = 0;
  #strippedCount = 0;

  /**
   * `rowCount`: how many rows will come, where it is known: they are then copied once. `forms` is given each row's
   * canonical form.
   */
  constructor(hashing: Hashing<W>, rowCount = 0, forms?: FormSink) {
    this.#hashing = hashing;
    this.#forms = forms;
    this.#isCounted = rowCount > 0;
    this.#room = this.#isCounted ? new Uint8Array(rowCount * hashing.width) : takeScratch();
  }

  get rowCount(): number {
    return this.#byteLength / this.#hashing.width;
  }

  addScanned(rowCount: number, inputOf: (row: number) => string): void {
    const { pending, pendingCount, rewrittenCount, strippedCount, roomEnd } = this.#hashing.kernel.memory;
    const batch = new Batch(this.#hashing, roomEnd, this.#forms);
    for (let index = 0; index < pendingCount; index++) {
      const row = pending[index]!;
      batch.resolve(row, this.rowCount + row, inputOf(row));
    }
    this.#provenCount += rowCount - pendingCount - rewrittenCount;
    this.#rewrittenCount += rewrittenCount;
    this.#strippedCount += strippedCount;
    this.#add(batch, rowCount);
  }

  /** Adds rows that are not in the kernel's memory: all of them go through the parser. */
  addParsed(inputs: readonly string[]): void {
    const batch = new Batch(this.#hashing, TEXT, this.#forms);
    for (const [row, input] of inputs.entries()) batch.resolve(row, this.rowCount + row, input);
    this.#add(batch, inputs.length);
  }

  addLong(bytes: Uint8Array): void {
    const { input, failure } = longRow(bytes);
    if (failure === undefined) return this.addParsed([input]);
    const batch = new Batch(this.#hashing, TEXT, this.#forms);
    batch.reject(0, this.rowCount, input, failure);
    this.#add(batch, 1);
  }

  /** `bounds`: where the rows are, if that is asked for. */
  build(bounds?: Bounds): HashColumn<W> {
    const { width, form } = this.#hashing;
    return HashColumn.from({
      bytes: this.#bytes(),
      width,
      profile: profileOfForm(form),
      bounds: bounds && { starts: bounds.starts, ends: bounds.ends },
      invalidRows: this.#invalidRows,
      provenCount: this.#provenCount,
      rewrittenCount: this.#rewrittenCount,
      strippedCount: this.#strippedCount,
    });
  }

  /** Copies the digests, which lie in the kernel's memory. */
  #add(batch: Batch, rowCount: number): void {
    const digests = batch.digests(rowCount);
    const end = this.#byteLength + digests.length;
    if (this.#pieces.length === 0 && end <= this.#room.length) {
      this.#room.set(digests, this.#byteLength);
      this.#roomLength = end;
    } else {
      this.#pieces.push(digests.slice());
    }
    this.#byteLength = end;
    this.#strippedCount += batch.strippedCount;
    for (const invalid of batch.invalidRows) this.#invalidRows.push(invalid);
  }

  #bytes(): Uint8Array<ArrayBuffer> {
    if (this.#isCounted && this.#byteLength === this.#room.length) return this.#room;
    const bytes = concatBytes([this.#room.subarray(0, this.#roomLength), ...this.#pieces]);
    if (!this.#isCounted) spareScratch = this.#room;
    return bytes;
  }
}
