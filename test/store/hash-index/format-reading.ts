import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// A second reading of docs/index-format.md: nothing here is taken from src/store/hash-index.

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** The hashes of an index at a path, in hex: of one file, or of the segments that a manifest names. */
export function hashesOfIndex(path: string): string[] {
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 8).toString('latin1') === 'urlsumIX') return hashesOfFile(bytes);
  const text = bytes.toString('latin1');
  const lines = text.split('\n').slice(0, -1);
  const end = text.lastIndexOf('sha256 ');
  const [, id, generation] =
    /^urlsum index 4\nid ([0-9a-f]{16})\ngeneration (\d+)\nafter [0-9a-f]{64}\n/.exec(text) ?? [];
  if (id === undefined) throw new Error('another version');
  if (lines.at(-1) !== `sha256 ${sha256(bytes.subarray(0, end)).toString('hex')}`) throw new Error('a wrong checksum');
  return lines
    .filter((line) => line.startsWith('segment '))
    .flatMap((line) => {
      const [, name, byteLength, size, sum] = line.split(' ');
      const segment = readFileSync(join(`${path}.d`, name!));
      const hashes = hashesOfFile(segment);
      if (segment.length !== Number(byteLength) || hashes.length !== Number(size)) throw new Error('another segment');
      const isOwn = segment[22] === 12 && segment.subarray(4080, 4088).toString('hex') === id;
      if (!isOwn) throw new Error('a segment of another index');
      if (segment.readUInt32LE(4076) > Number(generation)) throw new Error('a segment of a later generation');
      if (sha256(segment).toString('hex') !== sum) throw new Error('a damaged segment');
      return hashes;
    });
}

function hashesOfFile(bytes: Buffer): string[] {
  const pages = Array.from({ length: bytes.length / 4096 }, (_, page) =>
    bytes.subarray(4096 * page, 4096 * (page + 1)),
  );
  for (const [number, page] of pages.entries()) {
    const numbered = Buffer.from(page);
    numbered.writeBigUInt64LE(BigInt(number), 4088);
    if (!sha256(numbered).subarray(0, 8).equals(page.subarray(4088))) throw new Error(`page ${number} is damaged`);
  }
  const [header, footer] = [pages[0]!, pages.at(-1)!];
  const width = header.readUInt32LE(12);
  const hashCount = Number(footer.readBigUInt64LE(0));
  const dataPageCount = Number(footer.readBigUInt64LE(8));
  const perPage = Math.floor(4088 / width);
  return Array.from({ length: hashCount }, (_, index) => {
    const page = pages[1 + Math.floor(index / perPage)]!;
    const at = width * (index % perPage);
    if (1 + Math.floor(index / perPage) > dataPageCount) throw new Error('more hashes than pages have');
    return page.subarray(at, at + width).toString('hex');
  });
}
