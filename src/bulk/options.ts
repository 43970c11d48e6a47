import { mustBeBoolean, mustBeOneOf, mustBeOptions } from '../argument.ts';
import type { KernelName, Width } from '../kernel/kernel.ts';
import { mustBeKernelName } from '../kernel/open.ts';

export interface UrlHasherOptions {
  /** Bytes of each SHA-256 that are kept: 8, 16 or 32 (default). */
  readonly width?: Width;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName;
  /** Leaves out the fragment and its `#`, as the "exclude fragment" flag of the URL serializer does. Default: false. */
  readonly excludeFragment?: boolean;
}

/**
 * @throws {RangeError} on a width or kernel that is none of those above, or an option that does not exist
 * @throws {TypeError} on an option of the wrong kind
 */
export function checkedOptions(options: UrlHasherOptions): {
  readonly width: Width;
  readonly kernel: KernelName | undefined;
  readonly excludeFragment: boolean;
} {
  mustBeOptions('options', options, ['width', 'kernel', 'excludeFragment']);
  const { width = 32, kernel, excludeFragment = false } = options;
  return {
    width: mustBeWidth(width),
    kernel: kernel === undefined ? kernel : mustBeKernelName(kernel),
    excludeFragment: mustBeBoolean('excludeFragment', excludeFragment),
  };
}

export function mustBeWidth(width: Width): Width {
  return mustBeOneOf('width', width, [8, 16, 32]);
}
