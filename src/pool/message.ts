import { HashColumn } from '../digest/column.ts';
import type { Width } from '../kernel/kernel.ts';
import { type FailureReason, failure } from '../url/failure.ts';

/** A column on its way between threads; its bytes are transferred. */
export interface ColumnMessage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: Width;
  readonly provenCount: number;
  readonly rewrittenCount: number;
  readonly invalidRows: readonly { readonly row: number; readonly input: string; readonly reason: FailureReason }[];
}

export function messageOfColumn({ bytes, width, provenCount, rewrittenCount, invalidRows }: HashColumn): ColumnMessage {
  const rows = invalidRows.map(({ row, input, failure: { reason } }) => ({ row, input, reason }));
  return { bytes, width, provenCount, rewrittenCount, invalidRows: rows };
}

export function columnOfMessage({ bytes, width, provenCount, rewrittenCount, invalidRows }: ColumnMessage): HashColumn {
  const rows = invalidRows.map(({ row, input, reason }) => ({ row, input, failure: failure(reason) }));
  return new HashColumn(bytes, width, rows, provenCount, rewrittenCount);
}
