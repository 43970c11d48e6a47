/** What the first bytes of a file that is not text say it is. */
const KINDS: readonly (readonly [firstBytes: readonly number[], name: string])[] = [
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with zstd'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'compressed with xz'],
  [[0x42, 0x5a, 0x68], 'compressed with bzip2'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file'],
  [[0x41, 0x52, 0x52, 0x4f, 0x57, 0x31], 'an Arrow file'],
];

// RFC 1952, section 2.3.1
const GZIP = [0x1f, 0x8b, 0x08];

const LONGEST_MAGIC = 6;

/** Tells gzip from what this page cannot read. @throws {Error} on the latter, with a sentence that says what to do */
export async function isGzip(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(0, LONGEST_MAGIC).arrayBuffer());
  const beginsWith = (bytes: readonly number[]) => bytes.every((byte, index) => start[index] === byte);
  const kind = KINDS.find(([firstBytes]) => beginsWith(firstBytes));
  if (kind !== undefined)
    throw new Error(`${file.name} is ${kind[1]}, which this page does not read; make it a text file first`);
  return beginsWith(GZIP);
}

/** The bytes in gzip data, of one member. */
export function gunzip(): TransformStream<Uint8Array, Uint8Array> {
  return new DecompressionStream('gzip') as unknown as TransformStream<Uint8Array, Uint8Array>;
}

/** The name of the text in a file. */
export function unpackedName(name: string): string {
  return name.replace(/\.gz$/i, '');
}
