import { mustBeOptions } from '../argument.ts';
import type { KernelName, Width } from '../kernel/kernel.ts';

export interface UrlHasherOptions {
  /** Bytes of each SHA-256 that are kept: 8, 16 or 32 (default). */
  readonly width?: Width;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName;
}

/** @throws {RangeError} on a width that is none of 8, 16 and 32, or an option there is not */
export function checkedOptions(options: UrlHasherOptions): { readonly width: Width; readonly kernel: KernelName | undefined } {
  mustBeOptions('options', options, ['width', 'kernel']);
  const { width = 32, kernel } = options;
  return { width: mustBeWidth(width), kernel };
}

export function mustBeWidth(width: Width): Width {
  if (width === 8 || width === 16 || width === 32) return width;
  throw new RangeError(`width must be 8, 16 or 32, got ${String(width)}`);
}
