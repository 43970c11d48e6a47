import { mustBeBoolean, mustBeBytes, mustBeList, mustBeOffsets, mustBeOptions, mustBeUrl } from '../argument.ts';
import { LineBlocks } from '../bytes/lines.ts';
import { withoutByteOrderMark } from '../bytes/text.ts';
import type { HashColumn } from '../digest/column.ts';
import { hexOfUrl } from '../digest/digest.ts';
import { type HashOfWidth, hashOfWidth, mustBeWidth } from '../digest/hash.ts';
import type { KernelName, Width } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { parseBase } from '../url/canonicalize.ts';
import { type Failure, UrlError } from '../url/failure.ts';
import { formOf, OPTION_NAMES, type Options } from '../url/options.ts';
import { type Hashing, hashLines, hashRows, hashStrings } from './hash-rows.ts';

/**
 * Hashes many URLs at a time. An invalid row never affects the others.
 *
 * @example
 * const hasher = new UrlHasher({ width: 16 });
 * hasher.hashMany(['https://example.com/', 'https://example.org/']).bytes.length; //=> 32
 */
export class UrlHasher<W extends Width = 32> {
  /** @internal */
  static readonly name = 'UrlHasher';
  readonly #options: CheckedOptions<W>;

  /**
   * @param options the width in bytes, which canonical form, the base of relative URLs, whether columns say
   *   where their rows are, and the kernel
   * @throws {UrlError} where the base is not a URL
   * @throws {KernelError} on a kernel that this host cannot run
   * @throws {TypeError} on options of the wrong kind
   * @throws {RangeError} on a width or kernel that does not exist, and on an option that does not
   */
  constructor(options: UrlHasherOptions<W> = {}) {
    this.#options = checkedOptions(options, ['rowBounds']);
  }

  /**
   * The hash of one URL, in the class of the hasher's width: UrlHash, UrlShortHash or UrlVeryShortHash.
   *
   * @param url a string or a `URL`
   * @throws {UrlError} where it is not a URL
   * @throws {TypeError} where it is neither a string nor a `URL`
   * @example
   * new UrlHasher({ width: 8 }).hash('https://example.com').hex; //=> '0f115db062b7c0dd'
   */
  hash(url: string | URL): HashOfWidth<W> {
    const input = mustBeUrl('url', url);
    const hex = this.#hexOf(input);
    if (typeof hex !== 'string') throw UrlError.from(input, hex);
    return hashOfWidth(hex, this.#options.width);
  }

  /**
   * The hash of one URL, or null where `hash` throws a UrlError.
   *
   * @param url a string or a `URL`
   * @returns null where it is not a URL
   * @throws {TypeError} where it is neither a string nor a `URL`
   * @example
   * new UrlHasher().tryHash('not a url'); //=> null
   */
  tryHash(url: string | URL): HashOfWidth<W> | null {
    const hex = this.#hexOf(mustBeUrl('url', url));
    return typeof hex === 'string' ? hashOfWidth(hex, this.#options.width) : null;
  }

  /**
   * One row per URL, in order, valid or not.
   *
   * @param urls strings or `URL`s; not one alone
   * @throws {TypeError} on what cannot be iterated over, on one string or bytes alone, and on an item that is neither a
   *   string nor a `URL`
   * @example
   * new UrlHasher().hashMany(new Set(['http://a', 'http://b'])).length; //=> 2
   */
  hashMany(urls: Iterable<string | URL>): HashColumn<W> {
    return hashStrings(this.#options, mustBeList('urls', urls));
  }

  /**
   * One row per line of UTF-8 text: LF or CR LF ends a line, and a last line without either counts. A byte order mark
   * at the start is skipped and what is not UTF-8 becomes U+FFFD, as a TextDecoder does.
   *
   * @param text any number of bytes
   * @throws {TypeError} on anything but a Uint8Array, and on one whose memory was transferred
   * @example
   * new UrlHasher().hashLines(new TextEncoder().encode('http://a\nhttp://b')).length; //=> 2
   */
  hashLines(text: Uint8Array): HashColumn<W> {
    const start = mustBeBytes('text', text).length - withoutByteOrderMark(text).length;
    return hashLines(this.#options, text, start, this.#options.rowBounds);
  }

  /**
   * One row per URL of a packed column, in the layout of an Arrow string column: row r is the UTF-8 text
   * bytes[offsets[r], offsets[r + 1]). It may hold any bytes, line feeds and byte order marks too: its hash is that of
   * the decoded text, as `hashMany` would hash it.
   *
   * @param bytes the text of all rows; what lies before the first offset and after the last is not read
   * @param offsets `length + 1` ascending byte offsets; none at all are no rows
   * @throws {TypeError} on anything but a Uint8Array and a Uint32Array, and where the memory of either was transferred
   * @throws {RangeError} on an offset that is less than the one before it, or outside of `bytes`
   * @see https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-layout
   * @example
   * const bytes = new TextEncoder().encode('http://a/http://b/');
   * new UrlHasher().hashRows(bytes, Uint32Array.of(0, 9, 18)).length; //=> 2
   */
  hashRows(bytes: Uint8Array, offsets: Uint32Array): HashColumn<W> {
    mustBeOffsets('offsets', offsets, mustBeBytes('bytes', bytes).length);
    return hashRows(this.#options, bytes, offsets, this.#options.rowBounds);
  }

  /** The kernel that hashes, as `kernelName` names it. */
  get kernel(): KernelName {
    return this.#options.kernel.name;
  }

  #hexOf(url: string): string | Failure {
    const { kernel, width } = this.#options;
    return hexOfUrl(kernel, url, width, this.#options);
  }
}

/** Options of `UrlHasher`, and but for `rowBounds` of `hashStream`. */
export interface UrlHasherOptions<W extends Width = Width> extends Options {
  /** Bytes of each SHA-256 that are kept: 8, 16 or 32 (default). */
  readonly width?: W | undefined;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName | undefined;
  /**
   * Whether the columns of `hashLines` and `hashRows` say where each row is in the bytes given. It takes 3 to 5 % of the
   * time of `hashLines`, to copy the numbers. Default: false.
   */
  readonly rowBounds?: boolean | undefined;
}

/** The options, with defaults filled in. */
export interface CheckedOptions<W extends Width> extends Hashing<W> {
  readonly rowBounds: boolean;
}

const KEYS = ['width', 'kernel', ...OPTION_NAMES];

/**
 * @param known the names of the other options that exist
 * @throws {UrlError} where the base is not a URL
 * @throws {KernelError} on a kernel that this host cannot run
 * @throws {RangeError} on a width, kernel or option that does not exist
 * @throws {TypeError} on an option of the wrong kind
 */
export function checkedOptions<W extends Width>(
  options: UrlHasherOptions<W>,
  known: readonly string[] = [],
): CheckedOptions<W> {
  const own = mustBeOptions('options', options, [...KEYS, ...known]);
  const { width = 32 as W, kernel, rowBounds = false } = own;
  const form = formOf(own);
  return {
    width: mustBeWidth(width),
    kernel: openKernel(kernel),
    form,
    base: parseBase(own, form),
    rowBounds: mustBeBoolean('rowBounds', rowBounds),
  };
}

/**
 * Turns a stream of UTF-8 text into columns: the rows of all columns together are the lines of the text, as
 * `UrlHasher.hashLines` reads them, wherever the chunks were cut. A column comes for each chunk that ends a
 * line; its rows are counted from 0. The stream asks for one chunk before a column is wanted, and for no more.
 *
 * @param options those of UrlHasher, without `rowBounds`: the blocks of a stream are not the caller's
 * @returns a stream from Uint8Arrays, cut anywhere, to columns; it fails with a TypeError on a chunk of another kind
 * @throws {UrlError} where the base is not a URL
 * @throws {KernelError} on a kernel that this host cannot run
 * @throws {TypeError} on options of the wrong kind
 * @throws {RangeError} on a width or kernel that does not exist, and on an option that does not
 * @see https://streams.spec.whatwg.org/#transformstream
 * @example
 * const { body } = new Response('https://example.com/\nhttps://example.org/\n');
 * let rowCount = 0;
 * for await (const column of body!.pipeThrough(hashStream())) rowCount += column.length;
 * rowCount; //=> 2
 */
export function hashStream<W extends Width = 32>(
  options: Omit<UrlHasherOptions<W>, 'rowBounds'> = {},
): TransformStream<Uint8Array, HashColumn<W>> {
  const hashing = checkedOptions<W>(options);
  const lines = new LineBlocks();

  function enqueue(block: Uint8Array, controller: TransformStreamDefaultController<HashColumn<W>>): void {
    if (block.length > 0) controller.enqueue(hashLines(hashing, block));
  }

  return new TransformStream({
    transform(chunk, controller) {
      enqueue(lines.push(mustBeBytes('a chunk', chunk)), controller);
    },
    flush(controller) {
      enqueue(lines.end(), controller);
    },
  });
}
