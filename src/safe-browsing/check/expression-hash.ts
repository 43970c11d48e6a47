import type { ExpressionColumn } from '../column.ts';
import { headAt } from '../prefix-set/sorted-prefixes.ts';
import type { ListedHash } from './full-hash-cache.ts';
import type { HashThreat } from './threats.ts';

/** The hash of one of a URL's expressions. */
export interface ExpressionHash {
  /** 32 bytes. */
  readonly bytes: Uint8Array;
  /** The first four bytes as a big-endian number: all of the hash that may leave the machine. */
  readonly prefix: number;
  /** Which expression, in the order of `expressions`. */
  readonly position: number;
}

/** The hashes of a row; `column` is 32 bytes wide. */
export function hashesOf(column: ExpressionColumn, row: number): ExpressionHash[] {
  return column.at(row).map((bytes, position) => ({ bytes, prefix: headAt(bytes, 0), position }));
}

/** What this hash, whole, is listed for, each threat once; none where it is not listed. */
export function threatsUnder(listed: readonly ListedHash[], { bytes }: ExpressionHash): readonly HashThreat[] {
  const same = listed.filter(({ hash }) => hash.every((byte, at) => byte === bytes[at]));
  const threats = same.flatMap((each) => each.threats.map((threat) => [keyOf(threat), threat] as const));
  return [...new Map(threats).values()];
}

function keyOf({ type, isFrameOnly }: HashThreat): string {
  return isFrameOnly ? `${type} in frames` : type;
}
