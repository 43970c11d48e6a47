import type { KernelName, Width } from '../kernel/kernel.ts';

export interface UrlHasherOptions {
  /** Bytes of each SHA-256 that are kept: 8, 16 or 32 (default). */
  readonly width?: Width;
  /** Forces a kernel; the default is the best that this host runs. */
  readonly kernel?: KernelName;
}

/** @throws {RangeError} on a width that is none of 8, 16 and 32, or an option there is not */
export function checkedOptions(options: UrlHasherOptions): { readonly width: Width; readonly kernel: KernelName | undefined } {
  const { width = 32, kernel, ...unknown } = options;
  if (width !== 8 && width !== 16 && width !== 32) throw new RangeError(`width must be 8, 16 or 32, got ${String(width)}`);
  rejectUnknown(unknown);
  return { width, kernel };
}

/** What is left of an options object when all that is known is taken out must be nothing. */
export function rejectUnknown(unknown: object): void {
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new RangeError(`there is no option ${JSON.stringify(name)}`);
}
