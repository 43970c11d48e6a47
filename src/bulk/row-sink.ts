import type { Kernel } from '../kernel/kernel.ts';
import type { UrlForm } from '../url/options.ts';
import type { UrlRecord } from '../url/record.ts';

/** What rows are scanned with. */
export interface Scanning {
  readonly kernel: Kernel;
  /** Which canonical form. */
  readonly form: UrlForm;
}

/** What rows are made canonical with. */
export interface Canonicalizing extends Scanning {
  /** What relative URLs are resolved against. */
  readonly base?: UrlRecord | undefined;
}

/** Takes the canonical forms of rows, in order, before they are hashed. */
export interface FormSink {
  /** Adds rows [firstRow, endRow) of the kernel's spans, of which some may have no message. */
  addMessages(firstRow: number, endRow: number): void;
  /** Adds a form that does not fit in the kernel's memory. */
  addForm(form: string): void;
}

/** Takes the rows of a text batch by batch, in order, while they lie in the kernel's memory. */
export interface RowSink {
  /** Rows so far: the number of the next batch's first row. */
  readonly rowCount: number;
  /** Adds the rows that the kernel scanned last; `inputOf` gives the text of those that it leaves to the parser. */
  addScanned(rowCount: number, inputOf: (row: number) => string): void;
  /** Adds a row that is longer than a batch. */
  addLong(bytes: Uint8Array): void;
}
