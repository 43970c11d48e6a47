import { nodeModule } from '../node-module.ts';
import { readWhole } from '../whole.ts';
import { HashIndexError } from './error.ts';
import { isSealed, PAGE_BYTES } from './layout.ts';
import type { PageReader } from './sorted-pages.ts';

/** A source of an index's pages. */
export interface Pages {
  /** A path, or 'bytes', for messages. */
  readonly source: string;
  readonly byteLength: number;
  /** Copies bytes from `position` on to `into`, and returns how many there were. */
  read(into: Uint8Array, position: number): number;
  close(): void;
}

export function pagesOfBytes(bytes: Uint8Array): Pages {
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

/** @throws {HashIndexError} where the file cannot be opened */
export function pagesOfFile(path: string): Pages {
  return pagesOfDescriptor(
    path,
    wrapErrors(path, () => nodeModule('node:fs', ': give bytes').openSync(path, 'r')),
  );
}

/** @param file a descriptor, which `close` closes */
export function pagesOfDescriptor(
  path: string,
  file: number,
  close = (): void => nodeModule('node:fs').closeSync(file),
): Pages {
  let isOpen = true;
  return {
    source: path,
    byteLength: wrapErrors(path, () => nodeModule('node:fs').fstatSync(file).size),
    read(page, position) {
      if (!isOpen) throw closed(path); // the number may be another file's now
      return wrapErrors(path, () => readWhole(file, page, position));
    },
    close() {
      if (isOpen) close();
      isOpen = false;
    },
  };
}

export function closed(source: string): HashIndexError {
  return new HashIndexError(source, 'unreadable', 'it is closed');
}

function wrapErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new HashIndexError(path, 'unreadable', (error as Error).message, error);
  }
}

/** Reads a page by its number. @throws {HashIndexError} where it is not whole or was changed */
export function readPage(pages: Pages, number: number, page: Uint8Array): void {
  const length = pages.read(page, number * PAGE_BYTES);
  if (length < PAGE_BYTES) throw new HashIndexError(pages.source, 'truncated', `it ends in page ${number}`);
  mustBeSealed(pages, number, page);
}

function mustBeSealed({ source }: Pages, number: number, page: Uint8Array): void {
  if (isSealed(page, number)) return;
  throw new HashIndexError(source, 'wrong-checksum', `page ${number} is damaged: its checksum differs`);
}

/** Opens the data pages of an index, which are checked; up to `memoryBytes` they are kept in memory. */
export function openReader(pages: Pages, memoryBytes: number): PageReader {
  return pages.byteLength <= memoryBytes ? memoryReader(pages) : singlePageReader(pages);
}

/** Keeps all pages in memory, each checked when it is first loaded: bytes in our own memory do not change. */
function memoryReader(pages: Pages): PageReader {
  const units = new Uint32Array(pages.byteLength / 4);
  const isChecked = new Uint8Array(pages.byteLength / PAGE_BYTES);
  pages.read(new Uint8Array(units.buffer), 0);
  return {
    units,
    load(page) {
      const at = (page + 1) * PAGE_BYTES;
      if (isChecked[page] === 0) mustBeSealed(pages, page + 1, new Uint8Array(units.buffer, at, PAGE_BYTES));
      isChecked[page] = 1;
      return at / 4;
    },
  };
}

/** Reads one page at a time. The system caches the file; a page is checked each time it is read. */
function singlePageReader(pages: Pages): PageReader {
  const units = new Uint32Array(PAGE_BYTES / 4);
  let loaded = -1;
  return {
    units,
    load(page) {
      if (page === loaded) return 0;
      loaded = -1;
      readPage(pages, page + 1, new Uint8Array(units.buffer));
      loaded = page;
      return 0;
    },
  };
}
