import type { HashColumn } from '../digest/column.ts';
import type { Kernel, KernelName, Width } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { hashLines } from './lines.ts';
import { hashStrings } from './strings.ts';
import { withoutByteOrderMark } from './text.ts';

export interface UrlHasherOptions {
  /** Bytes of each SHA-256 that are kept: 8, 16 or 32 (default). */
  readonly width?: Width;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName;
}

/** Hashes many URLs at a time. A row that is no URL costs nothing but its own hash. */
export class UrlHasher {
  readonly #width: Width;
  readonly #kernelName: KernelName | undefined;

  /** @throws {RangeError} on a width that is none of 8, 16 and 32, or an option there is not */
  constructor(options: UrlHasherOptions = {}) {
    const { width = 32, kernel, ...unknown } = options;
    if (width !== 8 && width !== 16 && width !== 32) throw new RangeError(`width must be 8, 16 or 32, got ${String(width)}`);
    const [unknownName] = Object.keys(unknown);
    if (unknownName !== undefined) throw new RangeError(`UrlHasher has no option ${JSON.stringify(unknownName)}`);
    this.#width = width;
    this.#kernelName = kernel;
  }

  /** One row a string, in order. */
  hashMany(urls: Iterable<string>): HashColumn {
    return hashStrings(this.#kernel, urls, this.#width);
  }

  /**
   * One row a line of UTF-8 text: LF or CR LF ends a line, and a last line without either counts. A byte
   * order mark at the start is skipped and what is not UTF-8 becomes U+FFFD, as a TextDecoder does.
   */
  hashLines(text: Uint8Array): HashColumn {
    return hashLines(this.#kernel, withoutByteOrderMark(text), this.#width);
  }

  get #kernel(): Kernel {
    return openKernel(this.#kernelName);
  }
}
