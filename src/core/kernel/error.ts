import { UrlsumError } from '../error.ts';
import type { KernelName } from './kernel.ts';

/** A kernel that this host cannot run, asked for by its name. */
export class KernelError extends UrlsumError {
  /** @internal */
  static override readonly name = 'KernelError';
  /** @internal */
  static readonly code = 'ERR_UNAVAILABLE_KERNEL';
  /** Names the class. */
  declare readonly code: 'ERR_UNAVAILABLE_KERNEL';
  /** The kernel. */
  declare readonly input: KernelName;
  /** Why: the host has no WebAssembly, or cannot start the module, as without SIMD; `cause` is what was thrown. */
  declare readonly reason: 'no-webassembly' | 'not-started';

  /** @internal */
  constructor(input: KernelName, cause: unknown) {
    const isAbsent = typeof WebAssembly === 'undefined';
    const problem = cause instanceof Error ? cause.message : 'this host does not start it';
    const sentence = isAbsent ? 'this host has no WebAssembly' : problem;
    const reason = isAbsent ? 'no-webassembly' : 'not-started';
    super(`cannot hash with the kernel ${input}: ${sentence} (${reason})`, { input, reason }, cause);
  }
}
