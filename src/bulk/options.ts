import { mustBeOneOf, mustBeOptions } from '../argument.ts';
import type { KernelName, Width } from '../kernel/kernel.ts';
import { mustBeKernelName } from '../kernel/open.ts';

export interface UrlHasherOptions {
  /** Bytes of each SHA-256 that are kept: 8, 16 or 32 (default). */
  readonly width?: Width;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName;
}

/** @throws {RangeError} on a width or kernel that is none of those above, or an option there is not */
export function checkedOptions(options: UrlHasherOptions): {
  readonly width: Width;
  readonly kernel: KernelName | undefined;
} {
  mustBeOptions('options', options, ['width', 'kernel']);
  const { width = 32, kernel } = options;
  return { width: mustBeWidth(width), kernel: kernel === undefined ? kernel : mustBeKernelName(kernel) };
}

export function mustBeWidth(width: Width): Width {
  return mustBeOneOf('width', width, [8, 16, 32]);
}
