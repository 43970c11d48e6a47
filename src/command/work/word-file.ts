import { closeSync, fstatSync } from 'node:fs';
import { MAGIC } from '../../store/hash-index/layout.ts';
import { isManifest } from '../../store/hash-index/manifest.ts';
import { type PageReader, SortedPages } from '../../store/hash-index/sorted-pages.ts';
import { readToEnd, readWhole } from '../../store/whole.ts';
import { FileError, tried } from '../read/system-error.ts';

// A bare file of ascending little-endian unsigned 64-bit words, each the first of a hash: an index without its header,
// checksums and fences. The fences are found when it is opened.

const WORD_BYTES = 8;

/** Bytes read at a time in a search: a page of most disks. */
const PAGE_BYTES = 4096;

/** Bytes of whole pages that are read at a time. */
const CHUNK_BYTES = 1 << 20;

/** Whether these bytes begin an index: one file, or a manifest. */
export function isMagic(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, MAGIC.length)).toString('latin1') === MAGIC || isManifest(start);
}

/**
 * Reads a file once from end to end, to check that it ascends. Up to `memoryBytes` it stays in memory; of a larger file
 * only each page's first word does, a 512th of it. A pipe cannot be read at a position, and files of /proc claim to be
 * empty, so a file that is not plain is read whole.
 *
 * @param file its descriptor
 * @throws {FileError} where the file cannot be read, is too long or does not ascend
 */
export function openWordFile(path: string, memoryBytes: number, file: number): SortedPages {
  return sortedIn(path, wordsIn(path, file, memoryBytes));
}

/** The same of bytes that have been read. */
export function wordsOf(path: string, memoryBytes: number, bytes: Uint8Array): SortedPages {
  return sortedIn(path, receivedWords(path, memoryBytes, bytes));
}

function sortedIn(path: string, words: Words): SortedPages {
  const size = words.byteLength / WORD_BYTES;
  return new SortedPages(WORD_BYTES, size, PAGE_BYTES / WORD_BYTES, fencesOf(path, words), words);
}

interface Words extends PageReader {
  readonly byteLength: number;
  /** Returns up to CHUNK_BYTES from a position on; valid until the next call. @throws {FileError} */
  chunk(position: number): Uint32Array;
}

function keptWords(units: Uint32Array): Words {
  return {
    units,
    byteLength: units.byteLength,
    chunk: (position) => units.subarray(position / 4, (position + CHUNK_BYTES) / 4),
    load: (page) => (page * PAGE_BYTES) / 4,
  };
}

/** Pages are cached only by the system: a page in its cache takes 2 µs. */
function wordsInFile(path: string, file: number, byteLength: number): Words {
  const units = new Uint32Array(PAGE_BYTES / 4);
  const chunk = new Uint32Array(CHUNK_BYTES / 4);
  const read = (into: Uint32Array, position: number) => {
    const wanted = into.subarray(0, (byteLength - position) / 4);
    readUnits(path, file, wanted, position);
    return wanted;
  };
  return {
    units,
    byteLength,
    chunk: (position) => read(chunk, position),
    load(page) {
      read(units, page * PAGE_BYTES);
      return 0;
    },
  };
}

function wordsIn(path: string, file: number, memoryBytes: number): Words {
  const found = fstatSync(file);
  if (!found.isFile() || found.size === 0) return receivedWords(path, memoryBytes, receive(path, file, memoryBytes));
  mustBeWords(path, found.size);
  if (found.size > memoryBytes) return wordsInFile(path, file, found.size);
  const units = new Uint32Array(found.size / 4);
  readUnits(path, file, units, 0);
  closeSync(file);
  return keptWords(units);
}

function receivedWords(path: string, limitBytes: number, bytes: Uint8Array): Words {
  mustNotExceed(path, limitBytes, bytes.length);
  if (isMagic(bytes)) throw new FileError(path, 'an index must be a plain file');
  mustBeWords(path, bytes.length);
  return keptWords(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
}

/** Reads a file that is not plain to its end. */
function receive(path: string, file: number, limitBytes: number): Uint8Array {
  const bytes = tried(path, () => readToEnd(file, (byteLength) => mustNotExceed(path, limitBytes, byteLength)));
  closeSync(file);
  return bytes;
}

function mustNotExceed(path: string, limitBytes: number, byteLength: number): void {
  if (byteLength <= limitBytes) return;
  throw new FileError(path, `only a plain file may have more than ${limitBytes} bytes`);
}

function mustBeWords(path: string, byteLength: number): void {
  if (byteLength % WORD_BYTES === 0) return;
  throw new FileError(
    path,
    `${byteLength} bytes are not a whole number of 8-byte words, and it is not an index; urlsum index makes one`,
  );
}

function readUnits(path: string, file: number, units: Uint32Array, position: number): void {
  const bytes = new Uint8Array(units.buffer, units.byteOffset, units.byteLength);
  if (tried(path, () => readWhole(file, bytes, position)) < bytes.length)
    throw new FileError(path, 'it became shorter while it was read');
}

/** Returns the first word of each page, low half before high half. @throws {FileError} where they do not ascend */
function fencesOf(path: string, words: Words): Uint32Array {
  const fences = new Uint32Array(2 * Math.ceil(words.byteLength / PAGE_BYTES));
  let [low, high, fence] = [0, 0, 0];
  for (let position = 0; position < words.byteLength; position += CHUNK_BYTES) {
    const chunk = words.chunk(position);
    for (let at = 0; at < chunk.length; at += 2) {
      const [lowBefore, highBefore] = [low, high];
      low = chunk[at]!;
      high = chunk[at + 1]!;
      if (high < highBefore || (high === highBefore && low < lowBefore))
        throw new FileError(
          path,
          `word ${position / WORD_BYTES + at / 2} is less than the one before it: they must ascend as unsigned little-endian words`,
        );
      if (at % (PAGE_BYTES / 4) !== 0) continue;
      fences[fence++] = low;
      fences[fence++] = high;
    }
  }
  return fences;
}
