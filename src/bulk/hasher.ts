import { mustBeBytes } from '../argument.ts';
import { withoutByteOrderMark } from '../bytes/byte-order-mark.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Kernel, KernelName, Width } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { hashLines } from './lines.ts';
import { checkedOptions, type UrlHasherOptions } from './options.ts';
import { hashStrings } from './strings.ts';

/** Hashes many URLs at a time. A row that is no URL costs nothing but its own hash. */
export class UrlHasher {
  readonly #width: Width;
  readonly #kernelName: KernelName | undefined;

  /** @throws {RangeError} on a width that is none of 8, 16 and 32, or an option there is not */
  constructor(options: UrlHasherOptions = {}) {
    const { width, kernel } = checkedOptions(options);
    this.#width = width;
    this.#kernelName = kernel;
  }

  /**
   * One row a string, in order, whatever it is: what is no string is made one, as `new URL` does.
   *
   * @throws {TypeError} on what cannot be iterated over, and on one string alone
   */
  hashMany(urls: Iterable<string>): HashColumn {
    if (typeof urls === 'string') throw new TypeError('urls must be strings, got one string');
    return hashStrings(this.#kernel, urls, this.#width);
  }

  /**
   * One row a line of UTF-8 text: LF or CR LF ends a line, and a last line without either counts. A byte
   * order mark at the start is skipped and what is not UTF-8 becomes U+FFFD, as a TextDecoder does.
   *
   * @throws {TypeError} on what is no Uint8Array
   */
  hashLines(text: Uint8Array): HashColumn {
    return hashLines(this.#kernel, withoutByteOrderMark(mustBeBytes('text', text)), this.#width);
  }

  get #kernel(): Kernel {
    return openKernel(this.#kernelName);
  }
}
