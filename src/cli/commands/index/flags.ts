import type { HashIndex } from '../../../hash-index/hash-index.ts';
import { group, text } from '../../terminal/flag.ts';
import { UsageError } from '../../terminal/usage-error.ts';

export const OUT_FLAG = group('Output', {
  out: text('FILE', 'the index: it appears when it is whole, and not at all if the run fails', { isPath: true }),
});

export function mustHaveOut(out: string | undefined): string {
  if (out !== undefined) return out;
  throw new UsageError('index needs --out FILE');
}

const UNITS = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 } as const;

/** Bytes of `256M`. */
export function byteLengthOf(value: string, option: string): number {
  const found = /^([1-9][0-9]{0,8})([KMG])$/i.exec(value);
  const byteLength = found === null ? 0 : Number(found[1]) * UNITS[found[2]!.toUpperCase() as keyof typeof UNITS];
  if (byteLength >= UNITS.M) return byteLength;
  throw new UsageError(`${option} must be a size from 1M on, as 256M or 2G, not '${value}'`);
}

/** What an index says of itself. */
export function describe({ length, width, profile }: HashIndex): string {
  const rows = [
    ['hashes', String(length)],
    ['width', `${width} bytes`],
    ['profile', profile],
  ];
  return rows.map(([name, value]) => `${name!.padEnd(8)}${value}\n`).join('');
}
