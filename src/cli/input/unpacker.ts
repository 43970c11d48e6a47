/** Takes packed bytes in pieces and gives what they unpack to. */
export interface Unpacker {
  /** Settles when `piece` is unpacked and no longer needed. @throws where it is damaged */
  push(piece: Uint8Array): Promise<void>;
  /** @throws where the data end too early */
  end(): Promise<void>;
  /** What was unpacked since the last take. */
  take(): Uint8Array[];
}

/** How much text is passed on at a time, where there is that much. Larger pieces are not faster. */
const PASSED_BYTES = 1 << 18;

/**
 * Where a piece is damaged, what was unpacked from its beginning is lost, so pieces are small: 2 KiB, and 128 bytes in
 * the first 32 KiB of an input. Larger ones are no faster.
 */
const PIECE_BYTES = 2048;
const FIRST_PIECE_BYTES = 128;
const FIRST_BYTES = 1 << 15;

/** The unpacked text of `chunks`; where they are damaged, what lies before the damage comes out first. */
export async function* unpacked(chunks: AsyncIterable<Uint8Array>, unpacker: Unpacker): AsyncGenerator<Uint8Array> {
  const text: Uint8Array[] = [];
  let damage: unknown;
  try {
    for await (const piece of piecesOf(chunks)) {
      await unpacker.push(piece);
      text.push(...unpacker.take());
      if (byteLengthOf(text) >= PASSED_BYTES) yield Buffer.concat(text.splice(0));
    }
    await unpacker.end();
  } catch (error) {
    damage = error;
  }
  yield Buffer.concat([...text, ...unpacker.take()]);
  if (damage !== undefined) throw damage;
}

function byteLengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

async function* piecesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const end = at + (total < FIRST_BYTES ? FIRST_PIECE_BYTES : PIECE_BYTES);
      yield chunk.subarray(at, end);
      total += Math.min(end, chunk.length) - at;
      at = end;
    }
  }
}
