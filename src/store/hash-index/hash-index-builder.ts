import { mustBeNumber, mustBeOneOf, mustBeOptions, mustBeString } from '../../core/argument.ts';
import { mustBeColumn } from '../../core/bytes/column.ts';
import type { HashColumn } from '../../core/digest/column.ts';
import type { Width } from '../../core/kernel/kernel.ts';
import { disposeByClosing } from '../../core/lifetime.ts';
import { mustBePath, nodeModule } from '../node-module.ts';
import { HashIndexError } from './error.ts';
import type { HashIndex } from './hash-index.ts';
import { IndexBuilder } from './index-builder.ts';
import { writeIndexFile } from './index-file.ts';
import { mustFitHeader } from './layout.ts';
import { mustMeet } from './word-order.ts';

/** What `urlsum index` takes without `--memory`, too. */
const DEFAULT_SORT_BYTES = 2 ** 28;

/** What `HashIndexBuilder` takes. */
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
  /** What `close` does: `using` removes the temporary files. */
  declare readonly [Symbol.dispose]: () => void;
  readonly #memoryBytes: number;
  #width: Width | undefined;
  #profile: string | undefined;
  #builder: IndexBuilder | undefined;
  #isClosed = false;

  /**
   * @param options width and profile of the hashes, and the memory for them
   * @throws {TypeError} on options of the wrong kind
   * @throws {RangeError} on a width other than 8, 16 and 32, on a profile of more than 4000 bytes, on memory that is not
   *   a positive number, and on an option that does not exist
   */
  constructor(options: HashIndexBuilderOptions = {}) {
    disposeByClosing(HashIndexBuilder.prototype);
    const own = mustBeOptions('options', options, ['width', 'profile', 'memoryBytes']);
    const { width, profile, memoryBytes = DEFAULT_SORT_BYTES } = own;
    this.#width = width === undefined ? width : mustBeOneOf<Width>('width', width, [8, 16, 32]);
    this.#profile = profile === undefined ? profile : mustFitHeader(mustBeString('profile', profile));
    if (!(mustBeNumber('memoryBytes', memoryBytes) > 0))
      throw new RangeError(`memoryBytes must be a positive number, got ${memoryBytes}`);
    this.#memoryBytes = memoryBytes;
  }

  /**
   * Adds the valid rows of a column, or all hashes of an index, as of what was seen before; a hash that was added before
   * is not added again.
   *
   * @param hashes a column or an open index, of the width of the index that is made and a profile compatible with its own
   * @throws {HashIndexError} 'other-width' or 'other-profile' where it has others, 'unwritable' where hashes do not fit in
   *   memory and no temporary file can be written; where the index that is added is damaged or closed
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
    this.#profile ??= mustFitHeader(profile);
    this.#width = width;
    const builder = this.#opened(width, this.#profile);
    mustMeet(hashes, builder.origin, source);
    builder.join(hashes);
    if (index === undefined) builder.addColumn(hashes as HashColumn);
    else for (const { units, at } of index) builder.add(units, at);
  }

  /**
   * Writes the index: sorted, each hash once, pages with a checksum each. The file appears under its name when it is
   * whole. Closes the builder, unless no file can be created there: the builder then keeps its hashes, to be written
   * elsewhere.
   *
   * @param path of the index, or its `file:` URL; what is there before is replaced
   * @throws {HashIndexError} 'unwritable' where it cannot be written
   * @throws {RangeError} where there was no column, and no option says which width and profile the index has
   * @throws {TypeError} where the runtime has no files
   * @throws {Error} where the builder is closed
   */
  write(path: string | URL): void {
    this.#mustBeOpen();
    const file = mustBePath('path', path);
    if (this.#width === undefined || this.#profile === undefined)
      throw new RangeError('an index without a column needs the options width and profile');
    const builder = this.#opened(this.#width, this.#profile);
    let isTaken = false; // the hashes leave the builder when the first page is asked for
    const pages = () => {
      isTaken = true;
      return builder.pages();
    };
    try {
      writeIndexFile(file, { [Symbol.iterator]: pages });
    } finally {
      if (isTaken) this.close();
    }
  }

  /** Frees the memory and removes the temporary files, if any. It may be called more than once. */
  close(): void {
    this.#builder?.close();
    this.#builder = undefined;
    this.#isClosed = true;
  }

  #opened(width: Width, profile: string): IndexBuilder {
    if (this.#builder !== undefined) return this.#builder;
    const folder = nodeModule('node:os').tmpdir();
    return (this.#builder = new IndexBuilder({ width, profile, memoryBytes: this.#memoryBytes, folder }));
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new Error('the builder is closed');
  }
}

/** Tells it by a member, as another copy of this package has a class of its own. */
function isIndex(hashes: HashColumn | HashIndex): hashes is HashIndex {
  return typeof (Object(hashes) as HashIndex).mustBeIntact === 'function';
}
