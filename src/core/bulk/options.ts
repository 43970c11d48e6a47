import { mustBeBoolean, mustBeOptions } from '../argument.ts';
import { mustBeWidth } from '../digest/hash.ts';
import type { KernelName, Width } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { parseBase } from '../url/compiled-options.ts';
import { formOf, OPTION_NAMES, type Options } from '../url/options.ts';
import type { Hashing } from './url-batch.ts';

/** What `UrlHasher` takes, and but for `rowBounds` `hashStream` as well. */
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

/** Those with their defaults. */
export interface CheckedOptions<W extends Width> extends Hashing<W> {
  readonly rowBounds: boolean;
}

const KEYS = ['width', 'kernel', ...OPTION_NAMES];

/**
 * @param known the names of the other options that exist
 * @throws {UrlError} where the base is not a URL
 * @throws {KernelError} on a kernel that this host cannot run
 * @throws {RangeError} on a width or kernel other than those above, or an option that does not exist
 * @throws {TypeError} on an option of the wrong kind
 */
export function checkedOptions<W extends Width>(
  options: UrlHasherOptions<W>,
  known: readonly string[] = [],
): CheckedOptions<W> {
  const own = mustBeOptions('options', options, [...KEYS, ...known]);
  const { width = 32 as W, kernel, base, rowBounds = false } = own;
  const form = formOf(own);
  return {
    width: mustBeWidth(width),
    kernel: openKernel(kernel),
    form,
    base: parseBase(base, form),
    rowBounds: mustBeBoolean('rowBounds', rowBounds),
  };
}
