import type { Hashing } from '../../bulk/batch.ts';
import { CanonicalLines } from '../../bulk/canonical-lines.ts';
import { hashLines } from '../../bulk/lines.ts';
import { hashRows } from '../../bulk/rows.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import type { HashColumn } from '../../digest/column.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import { type ColumnMessage, columnOfMessage, messageOfColumn } from '../../pool/message.ts';
import { withoutReturns } from '../rows/content-end.ts';
import type { Rows } from '../rows/framing.ts';
import type { OnError } from '../rows/on-error.ts';
import { givenIn } from '../rows/values.ts';
import { type Counts, eachResult, type Results, type RowProblem, type Stage, withMalformed } from './stage.ts';
import type { Transfer } from './transfer.ts';
import { UrlProblem } from './url-problem.ts';

/** The hashes of URLs, and their canonical forms where the output has them. */
export class HashStage implements Stage<HashedRows> {
  readonly #hashing: Hashing;
  readonly #onError: OnError;
  readonly #forms: CanonicalLines | undefined;

  constructor(hashing: Hashing, onError: OnError, { keepsForms = false } = {}) {
    this.#hashing = hashing;
    this.#onError = onError;
    this.#forms = keepsForms ? new CanonicalLines(hashing, LINE_FEED) : undefined;
  }

  run(rows: Rows): HashedRows {
    const { values } = rows;
    this.#forms?.clear();
    const column =
      'lines' in values
        ? hashLines(this.#hashing, values.lines, this.#forms)
        : hashRows(this.#hashing, values.bytes, values.offsets, this.#forms);
    const hashed = new HashedRows(rows, column, this.#forms?.bytes);
    if (this.#onError === 'keep') keepInvalid(this.#hashing, hashed);
    return hashed;
  }
}

/** A block's rows beside the column of their hashes. */
export class HashedRows implements Results {
  readonly rows: Rows;
  readonly column: HashColumn;
  /** The canonical form of each row and a line feed, where they were kept; valid until the stage runs again. */
  readonly forms: Uint8Array | undefined;
  readonly problems: readonly RowProblem[];

  constructor(rows: Rows, column: HashColumn, forms?: Uint8Array) {
    this.rows = rows;
    this.column = column;
    this.forms = forms;
    this.problems = withMalformed(
      rows,
      column.invalidRows.map((invalid) => new UrlProblem(invalid)),
    );
  }

  get length(): number {
    return this.column.length;
  }

  get counts(): Counts {
    return countsOf(this.column.length, this.column);
  }
}

/** Where rows came to their canonical form, and how many lost a parameter, if any did. */
export function countsOf(
  length: number,
  { provenCount: proven, rewrittenCount: rewritten, strippedCount: stripped }: RowCounts,
): Counts {
  return { proven, rewritten, parsed: length - proven - rewritten, ...(stripped > 0 && { stripped }) };
}

type RowCounts = Pick<HashColumn, 'provenCount' | 'rewrittenCount' | 'strippedCount'>;

/**
 * Gives the invalid rows the hash of what is in place of their URL, as it stands: `--on-error keep`. Carriage returns at
 * its end are left out, here and where `--check` hashes what it reads.
 */
function keepInvalid({ kernel }: Hashing, hashed: HashedRows): void {
  const { rows, column } = hashed;
  if (hashed.problems.length === 0) return;
  eachResult(hashed, ({ row, start, end, isInvalid }) => {
    if (!isInvalid) return;
    const given = withoutReturns(givenIn(rows, row, start, end));
    column.bytes.set(digestOfBytes(kernel, given, column.width), row * column.width);
  });
}

/** The rows are framed again where they arrive. */
export const HASHES_TRANSFER: Transfer<HashedRows, ColumnMessage> = {
  messageOf: ({ column }) => messageOfColumn(column),
  buffersOf: ({ bytes }) => [bytes.buffer],
  resultsOf: (rows, message) => new HashedRows(rows, columnOfMessage(message)),
};
