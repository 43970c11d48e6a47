import { openOutput } from './open-output.ts';

/** Writes a file from its pieces: it appears under its name when it is whole, or not at all. @throws {OutputError} */
export async function writeWholeFile(
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const output = await openOutput(path);
  let isWhole = false;
  try {
    for await (const piece of pieces) await output.write(piece);
    isWhole = true;
  } finally {
    await output.end(isWhole);
  }
}
