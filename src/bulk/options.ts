import { mustBeOneOf, mustBeOptions, type UrlObject } from '../argument.ts';
import type { KernelName, Width } from '../kernel/kernel.ts';
import { mustBeKernelName } from '../kernel/open.ts';
import { parseBase } from '../url/canonicalize.ts';
import { CANONICALIZE_OPTIONS, type CanonicalizeOptions, formOf, type UrlForm } from '../url/options.ts';
import type { UrlRecord } from '../url/record.ts';

/** What `UrlHasher` takes, and but for `rowBounds` `hashStream` as well. */
export interface UrlHasherOptions<W extends Width = Width> extends CanonicalizeOptions {
  /** Bytes of each SHA-256 that are kept: 8, 16 or 32 (default). */
  readonly width?: W;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName;
  /** What relative URLs are resolved against; without it, they are not URLs. */
  readonly base?: string | UrlObject;
  /**
   * Whether the columns of `hashLines` and `hashRows` say where each row is in the bytes given. It takes 3 to 5 % of the
   * time of `hashLines`, to copy the numbers. Default: false.
   */
  readonly rowBounds?: boolean;
}

const KEYS = ['width', 'kernel', 'base', ...CANONICALIZE_OPTIONS];

/**
 * @param known the names of the other options that exist
 * @throws {UrlError} where the base is not a URL
 * @throws {RangeError} on a width or kernel other than those above, or an option that does not exist
 * @throws {TypeError} on an option of the wrong kind
 */
export function checkedOptions<W extends Width>(
  options: Omit<UrlHasherOptions<W>, 'rowBounds'>,
  known: readonly string[] = [],
): {
  readonly width: W;
  readonly kernel: KernelName | undefined;
  readonly form: UrlForm;
  readonly base: UrlRecord | undefined;
} {
  mustBeOptions('options', options, [...KEYS, ...known]);
  const { width = 32 as W, kernel, base } = options;
  return {
    width: mustBeWidth(width),
    kernel: kernel === undefined ? kernel : mustBeKernelName(kernel),
    form: formOf(options),
    base: parseBase(base),
  };
}

const WIDTHS: readonly Width[] = [8, 16, 32];

export function mustBeWidth<W extends Width>(width: W): W {
  return mustBeOneOf('width', width, WIDTHS as readonly W[]);
}
