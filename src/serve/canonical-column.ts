import { longRow } from '../bulk/long-row.ts';
import type { Canonicalizing, RowSink } from '../bulk/row-sink.ts';
import { addRows } from '../bulk/rows.ts';
import { openKernel } from '../kernel/open.ts';
import { canonicalForm } from '../url/canonicalize.ts';
import type { UrlForm } from '../url/options.ts';
import { memoryView } from './copy-words.ts';
import type { Column, Rows } from './rows.ts';
import { TextColumnBuilder } from './text-column.ts';

/** What canonical forms may add to their rows before memory for them is made anew. */
const SPARE_BYTES = 1 << 16;

/**
 * The canonical forms of rows. Those that the kernel proves canonical, or rewrites, are copied from its memory: 0.5 s
 * of processor time per million rows, where the parser alone takes 1.7.
 */
export function canonicalColumn({ bytes, offsets }: Rows, form: UrlForm): Column {
  const canonicalizing = { kernel: openKernel(), form };
  const column = new TextColumnBuilder(offsets.length - 1, bytes.length + SPARE_BYTES);
  addRows(canonicalizing, bytes, offsets, new CanonicalRows(canonicalizing, column));
  return column.build();
}

class CanonicalRows implements RowSink {
  readonly #canonicalizing: Canonicalizing;
  readonly #column: TextColumnBuilder;

  constructor(canonicalizing: Canonicalizing, column: TextColumnBuilder) {
    this.#canonicalizing = canonicalizing;
    this.#column = column;
  }

  get rowCount(): number {
    return this.#column.rowCount;
  }

  addScanned(rowCount: number, inputOf: (row: number) => string): void {
    const { bytes, spans, pending, pendingCount } = this.#canonicalizing.kernel.memory;
    const view = memoryView(bytes);
    let nextPending = 0;
    for (let row = 0; row < rowCount; row++) {
      if (nextPending < pendingCount && pending[nextPending] === row) {
        nextPending++;
        this.#addParsed(inputOf(row));
      } else {
        this.#column.addBytes(view, spans[2 * row]!, spans[2 * row + 1]!);
      }
    }
  }

  addLong(bytes: Uint8Array): void {
    const { input, failure } = longRow(bytes);
    if (failure === undefined) this.#addParsed(input);
    else this.#column.addInvalid();
  }

  #addParsed(input: string): void {
    addForm(this.#column, canonicalForm(input, undefined, this.#canonicalizing.form));
  }
}

/** A form that is not a text is the failure to make one. */
export function addForm(column: TextColumnBuilder, form: unknown): void {
  if (typeof form === 'string') column.addText(form);
  else column.addInvalid();
}
