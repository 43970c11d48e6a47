import { type LineOptions, linesEndingIn, urlLines } from './lines.ts';
import type { AddedName } from './names.ts';
import type { Framing } from './row-batch.ts';

/** The form of rows that are records. They pass through and gain the results. */
export interface Records {
  readonly kind: 'csv' | 'delimited' | 'json' | 'cdx';
  readonly delimiter: string;
  /** The column of a table, by number from 1 or by name; or the dotted path of a JSON field. */
  readonly column: string;
}

/** The form of rows, in the input and in the output. */
export interface RowForm {
  /** Line feed or NUL. */
  readonly lineEnd: number;
  /** The form of rows that are records, which pass through; undefined if each line is a value. */
  readonly records: Records | undefined;
  /** What records gain, and so must not have. */
  readonly added: readonly AddedName[];
}

export interface FramingOptions extends LineOptions {
  readonly records: RowForm['records'];
  readonly added?: RowForm['added'];
  /** Whether lines are any text, not one URL each. */
  readonly isText?: boolean;
  /** Whether a record of a table that begins with # is a comment: a row whose value is all of it. */
  readonly hasComments?: boolean;
}

/** Opens the framing that cuts a command's inputs into rows. Each kind is loaded on demand. */
export async function openFraming(options: FramingOptions): Promise<Framing> {
  const { lineEnd, records, skipsBlank, isText = false, hasComments = false, added = [] } = options;
  if (records === undefined) {
    const lines = linesEndingIn(options);
    return isText ? lines : urlLines(lines, lineEnd);
  }
  const { kind, delimiter, column } = records;
  if (kind === 'json') return (await import('./json-lines.ts')).jsonLines(column, skipsBlank, added);
  if (kind === 'cdx') return (await import('./cdx.ts')).cdxRecords(skipsBlank, added);
  const { TableFraming } = await import('./table.ts');
  return new TableFraming(await openTable(kind, delimiter), column, { skipsBlank, hasComments, added });
}

/** Returns the rules by which records and fields of a table are told apart. */
export async function openTable(kind: 'csv' | 'delimited', delimiter: string) {
  return kind === 'csv' ? (await import('./csv.ts')).CSV : (await import('./delimited.ts')).delimitedBy(delimiter);
}
