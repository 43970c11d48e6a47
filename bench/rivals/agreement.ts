const DIGEST_BYTES = 32;

/** What one way of one program makes of the lines. */
export interface Opinion {
  readonly name: string;
  /** 32 bytes per line, zeros for what it does not hash. */
  readonly digests: Uint8Array;
}

export interface Agreement {
  /** Rows on which all agree with the reference, in order. */
  readonly rows: readonly number[];
  /** How many rows each that differs has of its own. */
  readonly differing: ReadonlyMap<string, number>;
}

/** A way that agrees on no row hashes something else: it is named, and narrows nothing. */
export function agreementOf(reference: Uint8Array, opinions: readonly Opinion[]): Agreement {
  const rowCount = reference.length / DIGEST_BYTES;
  const isAgreed = new Uint8Array(rowCount).fill(1);
  const differing = new Map<string, number>();
  for (const { name, digests } of opinions) {
    const rows = differingRows(reference, digests);
    if (rows.length > 0) differing.set(name, rows.length);
    if (rows.length < rowCount) for (const row of rows) isAgreed[row] = 0;
  }
  return { rows: [...isAgreed.keys()].filter((row) => isAgreed[row] === 1), differing };
}

function differingRows(reference: Uint8Array, digests: Uint8Array): number[] {
  if (digests.length !== reference.length)
    throw new RangeError(`${digests.length} bytes of digests, expected ${reference.length}`);
  const rows: number[] = [];
  for (let row = 0; row < reference.length / DIGEST_BYTES; row++) {
    const [from, to] = [DIGEST_BYTES * row, DIGEST_BYTES * (row + 1)];
    if (Buffer.compare(reference.subarray(from, to), digests.subarray(from, to)) !== 0) rows.push(row);
  }
  return rows;
}
