import { LINE_FEED } from '../../bytes/code-points.ts';
import { type LineOptions, linesEndingIn, urlLines } from './lines.ts';
import type { Framing } from './row-batch.ts';

/** Rows that are records: they pass through and gain what was computed. */
export interface Records {
  readonly kind: 'csv' | 'delimited' | 'json' | 'cdx';
  /** Between two fields. */
  readonly delimiter: string;
  /** The column of a table, by number from 1 or by name; or the dotted path of a JSON field. */
  readonly column: string;
}

export interface FramingOptions extends LineOptions {
  /** undefined: each line is a value. */
  readonly records: Records | undefined;
  /** Are lines any text, and not one URL each? */
  readonly isText: boolean;
  /** Is a record of a table that begins with # a comment? It is a row, and all of it its value. */
  readonly hasComments?: boolean;
}

/** How the inputs of a command are cut into rows. Each kind is loaded when it is asked for. */
export async function openFraming(options: FramingOptions): Promise<Framing> {
  const { lineEnd, records, skipsBlank, isText, hasComments = false } = options;
  if (records === undefined) {
    const lines = linesEndingIn(options);
    return isText || lineEnd !== LINE_FEED ? lines : urlLines(lines);
  }
  const { kind, delimiter, column } = records;
  if (kind === 'json') return (await import('./json-lines.ts')).jsonLines(column, skipsBlank);
  if (kind === 'cdx') return (await import('./cdx.ts')).cdxRecords(skipsBlank);
  const { TableFraming } = await import('./table.ts');
  return new TableFraming(await openTable(kind, delimiter), column, { skipsBlank, hasComments });
}

/** How the records and fields of a table are told apart. */
export async function openTable(kind: 'csv' | 'delimited', delimiter: string) {
  return kind === 'csv' ? (await import('./csv.ts')).CSV : (await import('./delimited.ts')).delimitedBy(delimiter);
}
