import { LINE_FEED } from '../../bytes/code-points.ts';
import type { Framing } from './framing.ts';
import { linesEndingIn } from './lines.ts';
import { urlLines } from './url-lines.ts';

/** Rows that are records: they pass through and gain what was computed. */
export interface Records {
  readonly kind: 'csv' | 'delimited' | 'json' | 'cdx';
  /** Between two fields. */
  readonly delimiter: string;
  /** The column of a table, by number from 1 or by name; or the dotted path of a JSON field. */
  readonly column: string;
}

export interface FramingOptions {
  /** Line feed or NUL. */
  readonly lineEnd: number;
  /** undefined: each line is a value. */
  readonly records: Records | undefined;
  readonly skipsBlank: boolean;
  /** Are lines any text, and not one URL each? */
  readonly isText: boolean;
  /** Is a record of a table that begins with # a comment? It is a row, and all of it its value. */
  readonly hasComments?: boolean;
}

/** How the inputs of a command are cut into rows. Each kind is loaded when it is asked for. */
export async function openFraming(options: FramingOptions): Promise<Framing> {
  const { lineEnd, records, skipsBlank, isText, hasComments } = options;
  if (records === undefined) {
    const lines = linesEndingIn(lineEnd, skipsBlank);
    return isText || lineEnd !== LINE_FEED ? lines : urlLines(lines);
  }
  const { kind, delimiter, column } = records;
  if (kind === 'json') return (await import('./json-lines.ts')).jsonLines(column, skipsBlank);
  if (kind === 'cdx') return (await import('./cdx.ts')).cdxRecords(skipsBlank);
  const { TableFraming } = await import('./table-framing.ts');
  const table =
    kind === 'csv' ? (await import('./csv.ts')).CSV : (await import('./delimited.ts')).delimitedBy(delimiter);
  return new TableFraming(table, column, skipsBlank, hasComments);
}
