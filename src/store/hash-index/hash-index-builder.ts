import { mustBeNumber, mustBeOneOf, mustBeOptions, mustBeString } from '../../core/argument.ts';
import { type HashColumn, mustBeColumn } from '../../core/digest/column.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { disposeByClosing } from '../../core/lifetime.ts';
import { jointOrigin, type KeyOrigin } from '../../core/url/key-origin.ts';
import { ReplacementFile, SpillFile, writeWhole } from '../files.ts';
import { mustBePath, nodeModule } from '../node-module.ts';
import { mustHaveNoSegments, segmentsToMerge } from './folder.ts';
import { eachHash, type HashIndex, mustMeet, type SortedHashes, unionOf } from './hash-index.ts';
import { HashTable } from './hash-table.ts';
import {
  CONTENT_BYTES,
  encodeFooter,
  encodeHeader,
  type HashAt,
  HashIndexError,
  type HashIndexHeader,
  mustFitHeader,
  PAGE_BYTES,
  type SegmentOwner,
  seal,
} from './layout.ts';
import { openSegment, pagesOfDescriptor, type Segment } from './segment.ts';

/** The memory that `urlsum index` takes without `--memory`, too. */
const DEFAULT_SORT_BYTES = 2 ** 28;

/** Options of `HashIndexBuilder`. */
export interface HashIndexBuilderOptions {
  /** Bytes of each hash: 8, 16 or 32. Default: those of the first column. */
  readonly width?: Width | undefined;
  /** The canonical form that is hashed, as `profileOf` names it. Default: that of the first column. */
  readonly profile?: string | undefined;
  /** Bytes of memory for hashes: what does not fit goes to temporary files, sorted. Default: 268,435,456. */
  readonly memoryBytes?: number | undefined;
}

/**
 * Makes an index of any number of hashes in bounded memory, as `urlsum index` does. For Node, Deno and Bun.
 *
 * @example
 * const builder = new HashIndexBuilder();
 * builder.add(new UrlHasher({ width: 8 }).hashMany(['https://example.com/', 'https://example.org/']));
 * builder.write('seen.idx');
 */
export class HashIndexBuilder {
  /** @internal */
  static readonly name = 'HashIndexBuilder';
  /** Closes the builder: `using` removes the temporary files. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #memoryBytes: number;
  #width: Width | undefined;
  /** The origin of the hashes so far; undefined before the first column says it. */
  #origin: KeyOrigin | undefined;
  /** Made when the first hashes come. */
  #table: HashTable | undefined;
  /** Sorted runs of the hashes that did not fit in memory, and the folder that they are spilled to. */
  #runs: readonly Segment[] = [];
  #folder: string | undefined;
  #isClosed = false;

  /**
   * @param options width and profile of the hashes, and the memory for them
   * @throws {TypeError} on options of the wrong kind
   * @throws {RangeError} on a width other than 8, 16 and 32, on a profile of more than 4000 bytes, on memory that is
   *   not a positive number, and on an option that does not exist
   */
  constructor(options: HashIndexBuilderOptions = {}) {
    disposeByClosing(HashIndexBuilder.prototype);
    const own = mustBeOptions('options', options, ['width', 'profile', 'memoryBytes']);
    const { width, profile, memoryBytes = DEFAULT_SORT_BYTES } = own;
    this.#width = width === undefined ? width : mustBeOneOf<Width>('width', width, [8, 16, 32]);
    if (profile !== undefined) this.#origin = originOf(mustFitHeader(mustBeString('profile', profile)));
    if (!(mustBeNumber('memoryBytes', memoryBytes) > 0))
      throw new RangeError(`memoryBytes must be a positive number, got ${memoryBytes}`);
    this.#memoryBytes = memoryBytes;
  }

  /** @internal A builder that spills hashes to a folder. */
  static in(folder: string, settings: Required<HashIndexBuilderOptions>): HashIndexBuilder {
    const builder = new HashIndexBuilder(settings);
    builder.#folder = folder;
    builder.#begin();
    return builder;
  }

  /**
   * Adds the valid rows of a column, or all hashes of an index, as of what was seen before; a hash that was added
   * before is not added again.
   *
   * @param hashes a column or an open index, of the width of the index that is made and a profile compatible with its
   *   own
   * @throws {HashIndexError} 'other-width' or 'other-profile' where it has others, 'unwritable' where hashes do not fit
   *   in memory and no temporary file can be written; where the index that is added is damaged or closed
   * @throws {RangeError} where the profile of the first column has more than 4000 bytes
   * @throws {TypeError} on anything but a HashColumn or a HashIndex, and where the runtime has no files
   * @throws {Error} where the builder is closed
   */
  add(hashes: HashColumn | HashIndex): void {
    this.#mustBeOpen();
    const index = isIndex(hashes) ? hashes : undefined;
    const { width, profile } =
      index ?? mustBeColumn('hashes', hashes as HashColumn, 'a HashColumn or a HashIndex', 'invalid');
    const source = index === undefined ? 'the column' : 'the index that is added';
    const indexWidth = this.#width ?? width;
    if (width !== indexWidth) {
      const message = `it has hashes of ${width} bytes, the index ${indexWidth}`;
      throw new HashIndexError(source, 'other-width', message);
    }
    this.#origin ??= originOf(mustFitHeader(profile));
    this.#width = width;
    this.#begin();
    mustMeet(hashes, this.#origin, source);
    this.#origin = jointOrigin([this.#origin, hashes]);
    if (index === undefined) eachHash(hashes as HashColumn, (units, at) => this.addAt(units, at));
    else for (const { units, at } of index) this.addAt(units, at);
  }

  /**
   * Writes the index: sorted, each hash once, pages with a checksum each. The file appears under its name when it is
   * whole. Closes the builder, unless no file can be created there: the builder then keeps its hashes, to be written
   * elsewhere.
   *
   * @param path of the index, or its `file:` URL; what is there before is replaced
   * @throws {HashIndexError} 'unwritable' where it cannot be written, and where the index there has segments
   * @throws {RangeError} where there was no column, and no option says which width and profile the index has
   * @throws {TypeError} where the runtime has no files
   * @throws {Error} where the builder is closed
   */
  write(path: string | URL): void {
    this.#mustBeOpen();
    const file = mustBePath('path', path);
    mustHaveNoSegments(file);
    if (this.#width === undefined || this.#origin === undefined)
      throw new RangeError('an index without a column needs the options width and profile');
    this.#begin();
    let isTaken = false; // the hashes leave the builder when the first page is asked for
    const pages = () => {
      isTaken = true;
      return this.pages();
    };
    try {
      writeIndexFile(file, { [Symbol.iterator]: pages });
    } finally {
      if (isTaken) this.close();
    }
  }

  /** Frees the memory and removes the temporary files, if any. It may be called more than once. */
  close(): void {
    for (const run of this.#runs) run.close();
    this.#runs = [];
    this.#table = undefined;
    this.#isClosed = true;
  }

  /** @internal Adds the hash whose 32-bit units begin at `at`; returns false if it is in memory already. */
  addAt(units: Uint32Array, at: number): boolean {
    if (this.#table!.isFull) this.#spill();
    return this.#table!.add(units, at);
  }

  /** @internal Whether the hash was added before; each spilled run takes a look-up. */
  hasAt(units: Uint32Array, at: number): boolean {
    return this.#table!.has(units, at) || this.#runs.some((run) => run.hasAt(units, at));
  }

  /** @internal Says that some of the hashes come from hosts beyond ASCII. */
  addUnicodeHosts(): void {
    this.#origin = { ...this.#origin!, hasUnicodeHosts: true };
  }

  /** @internal Where the hashes came from, so far. */
  get origin(): KeyOrigin {
    return this.#origin!;
  }

  /** @internal The number of runs that are on the disk. */
  get runCount(): number {
    return this.#runs.length;
  }

  /**
   * Yields the pages of the index, with the hashes of `others` in it; a segment has an `owner`.
   *
   * @internal
   */
  pages(others: readonly (KeyOrigin & SortedHashes)[] = [], owner?: SegmentOwner): Generator<Uint8Array> {
    const header = { width: this.#width!, ...jointOrigin([this.#origin!, ...others]), owner };
    return mergedIndex(header, [this.#takeSorted(), ...this.#runs, ...others]);
  }

  /** Makes the table, when width and profile are known. @throws {TypeError} where there are no files */
  #begin(): void {
    this.#folder ??= nodeModule('node:os').tmpdir();
    this.#table ??= new HashTable(this.#width!, this.#memoryBytes);
  }

  /** Writes a run, with the hashes of smaller runs: so there are few of them, however many hashes are added. */
  #spill(): void {
    const merged = segmentsToMerge(this.#runs, this.#table!.size);
    const hashes = [this.#takeSorted(), ...merged];
    const run = spilledRun(this.#folder!, mergedIndex({ width: this.#width!, ...this.#origin! }, hashes));
    this.#runs = [...this.#runs.filter((each) => !merged.includes(each)), run];
    for (const each of merged) each.close();
  }

  /** Takes the hashes out of the table, in order. */
  #takeSorted(): Generator<HashAt> {
    return hashesIn(this.#table!.takeSorted(), this.#width! / 4);
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new Error('the builder is closed');
  }
}

function originOf(profile: string): KeyOrigin {
  return { profile, hasUnicodeHosts: false };
}

function* hashesIn(units: Uint32Array, unitCount: number): Generator<HashAt> {
  const current = { units, at: 0 };
  for (; current.at < units.length; current.at += unitCount) yield current;
}

/** Tells it by a member, as another copy of this package has a class of its own. */
function isIndex(hashes: HashColumn | HashIndex): hashes is HashIndex {
  return typeof (Object(hashes) as HashIndex).mustBeIntact === 'function';
}

/**
 * Writes an index to a temporary file in the same folder, and renames it when it is whole and on the disk. A link
 * stays, and its target is replaced.
 *
 * @throws {HashIndexError} 'unwritable', or why its pages could not be made; then there is no file, or the one before
 */
function writeIndexFile(path: string, pages: Iterable<Uint8Array>): void {
  const { existsSync, realpathSync } = nodeModule('node:fs');
  let file: ReplacementFile | undefined;
  try {
    file = new ReplacementFile(existsSync(path) ? realpathSync(path) : path);
    for (const piece of pages) writeWhole(file.descriptor, piece);
    file.commitSync();
  } catch (error) {
    if (error instanceof HashIndexError) throw error;
    throw new HashIndexError(path, 'unwritable', `it cannot be written: ${(error as Error).message}`, error);
  } finally {
    file?.discard();
  }
}

/**
 * Writes a sorted run to a temporary file in a folder.
 *
 * @throws {HashIndexError} where the disk has no room for hashes that do not fit in memory, or cannot be written to
 */
function spilledRun(folder: string, pages: Iterable<Uint8Array>): Segment {
  try {
    const file = new SpillFile(folder);
    for (const piece of pages) file.append(piece);
    return openSegment(
      pagesOfDescriptor(`a run in ${folder}`, file.descriptor, () => file.close()),
      0,
    );
  } catch (error) {
    const message = `hashes cannot be spilled there: ${(error as Error).message}`;
    throw new HashIndexError(folder, 'unwritable', message, error);
  }
}

/**
 * Yields the pages of an index of the union of ascending hashes, each once. Takes a page of memory per source, and
 * log2(sources) steps per hash.
 */
export function* mergedIndex(header: HashIndexHeader, sources: readonly SortedHashes[]): Generator<Uint8Array> {
  const unitCount = header.width / 4;
  const pages = new SealedPages(encodeHeader(header));
  const firstWords: number[] = [];
  let hashCount = 0;
  for (const union = unionOf(header.width, sources); union.current !== undefined; union.advance()) {
    const { units, at } = union.current;
    if (pages.isAtStart) firstWords.push(units[at]!, units[at + 1]!);
    if (pages.areFull) yield pages.take();
    pages.add(units, at, unitCount);
    hashCount++;
  }
  pages.endPage();
  const fences = Uint32Array.from(firstWords);
  for (let at = 0; at < fences.length; at += 2) {
    if (pages.areFull) yield pages.take();
    pages.add(fences, at, 2);
  }
  pages.endPage();
  yield pages.take();
  yield encodeFooter({ hashCount, dataPageCount: fences.length / 2 }, pages.count);
}

/** Pages handed over at once: 256 KiB. */
const BUFFERED_PAGES = 64;

/** Pages of hashes, or of fences, each with its checksum. */
class SealedPages {
  /** The number of pages that were taken. */
  count = 0;
  readonly #bytes = new Uint8Array(BUFFERED_PAGES * PAGE_BYTES);
  readonly #units = new Uint32Array(this.#bytes.buffer);
  /** Whole pages in memory, and the units of the page being filled. */
  #pageCount = 1;
  #filled = 0;

  constructor(header: Uint8Array) {
    this.#bytes.set(header);
  }

  /** Whether a page would begin with what is added. */
  get isAtStart(): boolean {
    return this.#filled === 0;
  }

  /** Whether `take` must be called before more is added. */
  get areFull(): boolean {
    return this.#pageCount === BUFFERED_PAGES;
  }

  /** Adds `unitCount` units from `at` on, which are not parted by the end of a page. */
  add(units: Uint32Array, at: number, unitCount: number): void {
    const start = (this.#pageCount * PAGE_BYTES) / 4 + this.#filled;
    for (let unit = 0; unit < unitCount; unit++) this.#units[start + unit] = units[at + unit]!;
    this.#filled += unitCount;
    if (this.#filled + unitCount > CONTENT_BYTES / 4) this.endPage();
  }

  /** Ends a page that was begun. */
  endPage(): void {
    if (this.#filled === 0) return;
    const start = this.#pageCount * PAGE_BYTES;
    seal(this.#bytes.subarray(start, start + PAGE_BYTES), this.count + this.#pageCount);
    this.#filled = 0;
    this.#pageCount++;
  }

  /** Returns the whole pages so far, in their own memory. */
  take(): Uint8Array {
    const pages = this.#bytes.slice(0, this.#pageCount * PAGE_BYTES);
    this.count += this.#pageCount;
    this.#pageCount = 0;
    this.#bytes.fill(0);
    return pages;
  }
}
