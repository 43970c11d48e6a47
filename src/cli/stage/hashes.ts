import type { Hashing } from '../../bulk/batch.ts';
import { hashLines } from '../../bulk/lines.ts';
import { hashRows } from '../../bulk/rows.ts';
import { CARRIAGE_RETURN } from '../../bytes/code-points.ts';
import type { HashColumn } from '../../digest/column.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import { type ColumnMessage, columnOfMessage, messageOfColumn } from '../../pool/message.ts';
import type { Rows } from '../rows/framing.ts';
import type { OnError } from '../rows/on-error.ts';
import { givenIn } from '../rows/values.ts';
import { type Counts, eachResult, type Results, type RowProblem, type Stage, withMalformed } from './stage.ts';
import type { Transfer } from './transfer.ts';
import { UrlProblem } from './url-problem.ts';

/** The hashes of URLs. */
export class HashStage implements Stage<HashedRows> {
  readonly #hashing: Hashing;
  readonly #onError: OnError;

  constructor(hashing: Hashing, onError: OnError) {
    this.#hashing = hashing;
    this.#onError = onError;
  }

  run(rows: Rows): HashedRows {
    const { values } = rows;
    const hashed = new HashedRows(
      rows,
      'lines' in values
        ? hashLines(this.#hashing, values.lines)
        : hashRows(this.#hashing, values.bytes, values.offsets),
    );
    if (this.#onError === 'keep') keepInvalid(this.#hashing, hashed);
    return hashed;
  }
}

/** A block's rows beside the column of their hashes. */
export class HashedRows implements Results {
  readonly rows: Rows;
  readonly column: HashColumn;
  readonly problems: readonly RowProblem[];

  constructor(rows: Rows, column: HashColumn) {
    this.rows = rows;
    this.column = column;
    this.problems = withMalformed(
      rows,
      column.invalidRows.map((invalid) => new UrlProblem(invalid)),
    );
  }

  get length(): number {
    return this.column.length;
  }

  get counts(): Counts {
    const { length, provenCount: proven, rewrittenCount: rewritten } = this.column;
    return { proven, rewritten, parsed: length - proven - rewritten };
  }
}

/**
 * Gives the invalid rows the hash of what is in place of their URL, as it stands: `--on-error keep`. A carriage return
 * that ends the whole text is left out, as one before a line feed is: the text format writes a line feed after it, and
 * `--check` reads the line without both.
 */
function keepInvalid({ kernel }: Hashing, hashed: HashedRows): void {
  const { rows, column } = hashed;
  if (hashed.problems.length === 0) return;
  eachResult(hashed, ({ row, start, end, isInvalid }) => {
    if (!isInvalid) return;
    const hasReturn =
      'lines' in rows.values && end > start && rows.bytes[end - 1] === CARRIAGE_RETURN && end === rows.bytes.length;
    const given = givenIn(rows, row, start, hasReturn ? end - 1 : end);
    column.bytes.set(digestOfBytes(kernel, given, column.width), row * column.width);
  });
}

/** The rows are framed again where they arrive. */
export const HASHES_TRANSFER: Transfer<HashedRows, ColumnMessage> = {
  messageOf: ({ column }) => messageOfColumn(column),
  buffersOf: ({ bytes }) => [bytes.buffer],
  resultsOf: (rows, message) => new HashedRows(rows, columnOfMessage(message)),
};
