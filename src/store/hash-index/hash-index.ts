import { isBytes, mustBeBytes, mustBeNumber, mustBeOptions, wrongKind } from '../../core/argument.ts';
import { type Cursor, Merge } from '../../core/bytes/order.ts';
import { type HashColumn, mustBeColumn } from '../../core/digest/column.ts';
import type { Hash } from '../../core/digest/hash.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { disposeByClosing } from '../../core/lifetime.ts';
import { type KeyOrigin, mayMeet } from '../../core/url/key-origin.ts';
import { mustBePath } from '../node-module.ts';
import { type IndexParts, isManifest, type Manifest, openIndexParts, sha256Of } from './folder.ts';
import { compareHashes, type HashAt, HashIndexError, PAGE_BYTES } from './layout.ts';
import { closed, openSegment, pagesOfBytes, type Segment } from './segment.ts';

/** An index up to this size is read into memory when it is opened. */
const IN_MEMORY_BYTES = 2 ** 30;

/**
 * An index of hashes that were seen, as `urlsum index` and `--unseen` write it: sorted, with a checksum per page, in
 * one file or in segments in a folder beside it. Up to 1 GiB is kept in memory; of what is larger the first word of
 * each page (8 bytes for 511, 255 or 127 hashes), and a look-up reads one page per segment.
 *
 * @example
 * const index = HashIndex.open('seen.idx');
 * index.has(UrlHash.of('https://example.com/')); // true where it was seen
 * index.close();
 */
export class HashIndex {
  /** @internal */
  static readonly name = 'HashIndex';
  /** Bytes per hash: 8, 16 or 32. */
  readonly width: Width;
  /** Hashes in the index. */
  readonly size: number;
  /**
   * The canonical form that was hashed, as `profileOf` names it. Where the hashes came from several versions of
   * Unicode, it names each: `url/1+unicode17+unicode18`. `compatible` says which other profiles the index can be used
   * with.
   */
  readonly profile: string;
  /** Whether some hash came from a host beyond ASCII. Without one, all are right under every version of Unicode. */
  readonly hasUnicodeHosts: boolean;
  /** Closes the index: `using` closes the file. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #source: string;
  readonly #segments: readonly Segment[];
  readonly #manifest: Manifest | undefined;
  #isClosed = false;

  private constructor(source: string, { segments, manifest }: IndexParts) {
    disposeByClosing(HashIndex.prototype);
    const { width, profile, hasUnicodeHosts } = manifest ?? segments[0]!;
    this.width = width;
    this.size = segments.reduce((sum, { size }) => sum + size, 0);
    this.profile = profile;
    this.hasUnicodeHosts = hasUnicodeHosts;
    this.#source = source;
    this.#segments = segments;
    this.#manifest = manifest;
  }

  /**
   * Opens an index. Its size, header and fences are checked now, each other page when it is read. A run of `--unseen`
   * may end meanwhile: what is open stays as it was.
   *
   * @param source a path or a URL of a file (Node, Deno, Bun), or all bytes of an index in one file, which must not
   *   change
   * @param options `memoryBytes`: up to which size the index is read into memory at once; 1 GiB by default
   * @throws {HashIndexError} where it cannot be read, is cut, damaged or not an index
   * @throws {TypeError} where `source` is none of these, or the runtime opens no files
   * @throws {RangeError} where it is a URL of no file
   */
  static open(
    source: string | URL | Uint8Array,
    options: {
      /** Up to which size the index is read into memory at once. Default: 1 GiB. */
      readonly memoryBytes?: number | undefined;
    } = {},
  ): HashIndex {
    const { memoryBytes = IN_MEMORY_BYTES } = mustBeOptions('options', options, ['memoryBytes']);
    mustBeNumber('memoryBytes', memoryBytes);
    if (!isBytes(source)) {
      const path = mustBePath('source', source, 'a path, a file: URL or a Uint8Array');
      return new HashIndex(path, openIndexParts(path, memoryBytes));
    }
    if (isManifest(mustBeBytes('source', source)))
      throw new HashIndexError('bytes', 'wrong-segment', 'it only names the files of an index: open it by its path');
    return new HashIndex('bytes', { segments: [openSegment(pagesOfBytes(source), memoryBytes)] });
  }

  /**
   * Says whether a hash is in the index. Of a longer hash its first `width` bytes count. A hash does not say which
   * canonical form it is of: that it was made under the index's `profile` is for the caller to know, where `matches`
   * checks the column's.
   *
   * @param hash a hash value, or its bytes: at least `width` of them
   * @throws {TypeError} where `hash` is neither
   * @throws {RangeError} where the hash is shorter than those of the index
   * @throws {HashIndexError} where the page that would answer is cut or damaged, or the index is closed
   */
  has(hash: Hash | Uint8Array): boolean {
    const bytes = bytesOf(hash);
    this.#mustBeOpen();
    this.#mustBeWide(bytes.length);
    return this.hasAt(new Uint32Array(Uint8Array.from(bytes).buffer, 0, this.width / 4), 0);
  }

  /**
   * The rows of a column whose hashes are in the index. Invalid rows are left out.
   *
   * @param column hashes of the index's width, or longer ones, of which the first `width` bytes count
   * @returns the rows, ascending
   * @throws {TypeError} on anything but a HashColumn
   * @throws {RangeError} where the column's hashes are shorter than those of the index
   * @throws {HashIndexError} 'other-profile' where the column's is not compatible with that of the index; where a page
   *   that would answer is cut or damaged, or the index is closed
   */
  matches(column: HashColumn): Uint32Array<ArrayBuffer> {
    mustBeColumn('column', column, 'a HashColumn', 'invalid');
    this.#mustBeOpen();
    this.#mustBeWide(column.width);
    mustMeet(column, this);
    const rows = new Uint32Array(column.length);
    let count = 0;
    eachHash(column, (units, at, row) => {
      if (this.hasAt(units, at)) rows[count++] = row;
    });
    return rows.slice(0, count);
  }

  /** @internal The number of pages of 4096 bytes, including those that hold no hashes. */
  get pageCount(): number {
    return this.#segments.reduce((sum, { byteLength }) => sum + byteLength / PAGE_BYTES, 0);
  }

  /** @internal One, or as many as the manifest names. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** @internal What names the segments; undefined for an index in one file. */
  get manifest(): Manifest | undefined {
    return this.#manifest;
  }

  /**
   * Reads the whole index: a look-up checks no more than the pages that it reads.
   *
   * @throws {HashIndexError} where a page is cut or damaged, a hash does not come after the one before, a segment is
   *   not the one that was written, or the index is closed
   */
  mustBeIntact(): void {
    this.#mustBeOpen();
    for (const [index, segment] of this.#segments.entries()) {
      segment.mustBeIntact();
      const wanted = this.#manifest?.segments[index]?.sha256;
      if (wanted !== undefined && sha256Of(segment.bytes()) !== wanted)
        throw new HashIndexError(segment.source, 'wrong-checksum', 'it is not the segment that the index names');
    }
  }

  /**
   * Yields the hashes in ascending order: `units` holds one at `at` until the next is asked for.
   *
   * @throws {HashIndexError} where a page is cut or damaged, or the index is closed
   * @internal
   */
  [Symbol.iterator](): Generator<HashAt> {
    this.#mustBeOpen();
    if (this.#segments.length === 1) return this.#segments[0]![Symbol.iterator]();
    return mergedHashes(this.width, this.#segments);
  }

  /** Closes the files: the index answers nothing more. It may be called more than once. */
  close(): void {
    this.#isClosed = true;
    for (const segment of this.#segments) segment.close();
  }

  /**
   * Whether the hash whose 32-bit units begin at `at` is in the index.
   *
   * @internal
   */
  hasAt(units: Uint32Array, at: number): boolean {
    for (const segment of this.#segments) if (segment.hasAt(units, at)) return true;
    return false;
  }

  /** Throws after `close`, for an index in memory, too. */
  #mustBeOpen(): void {
    if (this.#isClosed) throw closed(this.#source);
  }

  #mustBeWide(byteLength: number): void {
    if (byteLength >= this.width) return;
    throw new RangeError(
      `the index has hashes of ${this.width} bytes, which ${byteLength} bytes cannot be looked up in`,
    );
  }
}

function bytesOf(hash: Hash | Uint8Array): Uint8Array {
  const bytes = isBytes(hash) ? hash : (hash as Partial<Hash> | undefined)?.bytes;
  if (isBytes(bytes)) return bytes;
  throw wrongKind('hash', 'a hash or a Uint8Array', hash);
}

/** @throws {HashIndexError} where the hashes of `source` may not be looked up in the index, or added to it */
export function mustMeet(hashes: KeyOrigin, index: KeyOrigin, source = 'the column'): void {
  if (mayMeet(hashes, index)) return;
  const message = `its profile is ${hashes.profile}, that of the index ${index.profile}`;
  throw new HashIndexError(source, 'other-profile', message);
}

/** Calls `visit` with the hash of each valid row of a column. */
export function eachHash(column: HashColumn, visit: (units: Uint32Array, at: number, row: number) => void): void {
  const { bytes, length, width, invalid } = column;
  const units = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  let nextInvalid = 0;
  for (let row = 0; row < length; row++) {
    if (invalid[nextInvalid] === row) nextInvalid++;
    else visit(units, (row * width) / 4, row);
  }
}

/** Ascending hashes, one at a time: `units` holds one at `at` until the next is asked for. */
export type SortedHashes = Iterable<HashAt>;

/** Yields the union of ascending hashes, ascending, each once. */
function* mergedHashes(width: Width, sources: readonly SortedHashes[]): Generator<HashAt> {
  for (const union = unionOf(width, sources); union.current !== undefined; union.advance()) yield union.current;
}

export function unionOf(width: Width, sources: readonly SortedHashes[]): Merge<HashCursor> {
  const unitCount = width / 4;
  return new Merge(
    sources.map((source) => new HashCursor(source)),
    (one, other) => compareHashes(one.units, one.at, other.units, other.at, unitCount),
  );
}

class HashCursor implements Cursor, HashAt {
  units = new Uint32Array(0);
  at = 0;
  readonly #rest: Iterator<HashAt>;

  constructor(source: SortedHashes) {
    this.#rest = source[Symbol.iterator]();
  }

  next(): boolean {
    const { done, value } = this.#rest.next();
    if (done === true) return false;
    this.units = value.units as Uint32Array<ArrayBuffer>;
    this.at = value.at;
    return true;
  }
}
