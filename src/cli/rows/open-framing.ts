import type { Framing } from './framing.ts';
import { linesEndingIn } from './lines.ts';

export type TableName = 'csv' | 'tsv';

export interface FramingOptions {
  /** Line feed or NUL. */
  readonly lineEnd: number;
  /** The number from 1, or the name, of the column of a table that holds the values. */
  readonly column: string | undefined;
  readonly table: TableName | undefined;
  readonly skipsBlank: boolean;
}

/** How the inputs of a command are cut into rows. */
export async function openFraming({ lineEnd, column, table, skipsBlank }: FramingOptions): Promise<Framing> {
  if (column === undefined) return linesEndingIn(lineEnd, skipsBlank);
  const { TableFraming } = await import('./table-framing.ts');
  const kind = table === 'csv' ? (await import('./csv.ts')).CSV : (await import('./tsv.ts')).TSV;
  return new TableFraming(kind, column, skipsBlank);
}

/** Between the fields of a table. */
export function delimiterOf(table: TableName | undefined): string | undefined {
  return table && { csv: ',', tsv: '\t' }[table];
}
