import { builtinModule } from '../builtin-module.ts';
import { isSealed } from './checksum.ts';
import { HashIndexError } from './error.ts';
import { PAGE_BYTES } from './layout.ts';

/** Where the pages of an index lie. */
export interface Pages {
  /** For messages: a path, or 'bytes'. */
  readonly source: string;
  readonly byteLength: number;
  /** Copies bytes from `position` on into `into`, and returns how many there were. */
  read(into: Uint8Array, position: number): number;
  close(): void;
}

/** Node refuses reads of 2 GiB and more. */
const READ_LIMIT_BYTES = 2 ** 30;

/** What is used of node:fs. A browser has none, and gives bytes. */
interface FileSystem {
  openSync(path: string, flags: 'r'): number;
  fstatSync(file: number): { readonly size: number };
  readSync(file: number, into: Uint8Array, offset: number, length: number, position: number): number;
  closeSync(file: number): void;
}

/** @throws {HashIndexError} where the file cannot be opened */
export function pagesOf(source: string | Uint8Array): Pages {
  return typeof source === 'string' ? pagesOfFile(source) : pagesOfBytes(source);
}

function pagesOfBytes(bytes: Uint8Array): Pages {
  return {
    source: 'bytes',
    byteLength: bytes.length,
    read(page, position) {
      const part = bytes.subarray(position, position + page.length);
      page.set(part);
      return part.length;
    },
    close() {},
  };
}

function pagesOfFile(path: string): Pages {
  return pagesOfDescriptor(
    path,
    tried(path, () => fileSystem().openSync(path, 'r')),
  );
}

/** @param file a descriptor, which `close` closes */
export function pagesOfDescriptor(path: string, file: number): Pages {
  const fs = fileSystem();
  let isOpen = true;
  return {
    source: path,
    byteLength: tried(path, () => fs.fstatSync(file).size),
    read(page, position) {
      if (!isOpen) throw new HashIndexError(path, 'unreadable', 'it is closed'); // the number may be another file's now
      return tried(path, () => readWhole(fs, file, page, position));
    },
    close() {
      if (isOpen) fs.closeSync(file);
      isOpen = false;
    },
  };
}

function readWhole(fs: FileSystem, file: number, page: Uint8Array, position: number): number {
  let filled = 0;
  for (let length; filled < page.length; filled += length) {
    length = fs.readSync(file, page, filled, Math.min(page.length - filled, READ_LIMIT_BYTES), position + filled);
    if (length === 0) break;
  }
  return filled;
}

function fileSystem(): FileSystem {
  const fs = builtinModule<FileSystem>('node:fs');
  if (fs !== undefined) return fs;
  throw new TypeError('this runtime opens no files by path (Node does from 20.16 on): give bytes');
}

function tried<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new HashIndexError(path, 'unreadable', (error as Error).message, error);
  }
}

/** Reads the page of a number whole and unchanged. @throws {HashIndexError} where it is neither */
export function readPage(pages: Pages, number: number, page: Uint8Array): void {
  const length = pages.read(page, number * PAGE_BYTES);
  if (length < PAGE_BYTES) throw new HashIndexError(pages.source, 'truncated', `it ends in page ${number}`);
  if (!isSealed(page, number)) throw damaged(pages, number);
}

export function damaged({ source }: Pages, number: number): HashIndexError {
  return new HashIndexError(source, 'wrong-checksum', `page ${number} is damaged: its checksum differs`);
}
