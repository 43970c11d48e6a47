import { HashColumn } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { failure, type UrlReason } from '../url/failure.ts';

/** A column on its way between threads; its bytes are transferred. */
export interface ColumnMessage<W extends Width = Width> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: W;
  readonly profile: string;
  readonly provenCount: number;
  readonly rewrittenCount: number;
  readonly strippedCount: number;
  readonly invalidRows: readonly { readonly row: number; readonly input: string; readonly reason: UrlReason }[];
}

export function messageOfColumn<W extends Width>(column: HashColumn<W>): ColumnMessage<W> {
  const { bytes, width, profile, provenCount, rewrittenCount, strippedCount } = column;
  const rows = column.invalidRows.map(({ row, input, reason }) => ({ row, input, reason }));
  return { bytes, width, profile, provenCount, rewrittenCount, strippedCount, invalidRows: rows };
}

export function columnOfMessage<W extends Width>({ invalidRows, ...parts }: ColumnMessage<W>): HashColumn<W> {
  const rows = invalidRows.map(({ row, input, reason }) => ({ row, input, failure: failure(reason), reason }));
  return HashColumn.from({ ...parts, invalidRows: rows });
}
