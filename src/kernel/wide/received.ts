import { builtinModule } from '../../builtin-module.ts';
import type { Kernel, KernelModule } from '../kernel.ts';
import { wideHash, wideKernel } from './kernel.ts';

export interface WorkerThreads {
  readonly isMainThread: boolean;
  getEnvironmentData(key: string): unknown;
  setEnvironmentData(key: string, value: unknown): void;
}

/** The key under which the main thread leaves the compiled module for all threads that start later. */
export const MODULE_KEY = 'urlsum: the module wide';

/** Returns, in a thread, the kernel on the code that the main thread has compiled, or why there is none. */
export function openWide(kernelModule: KernelModule): Kernel | string {
  const module = builtinModule<WorkerThreads>('node:worker_threads')?.getEnvironmentData(MODULE_KEY);
  if (!(module instanceof WebAssembly.Module)) return 'the main thread has not opened it before this thread started';
  return wideKernel(kernelModule('simd'), (memory) => wideHash(module, memory)) ?? WRONG_DIGESTS;
}

export const WRONG_DIGESTS = 'its digests of known rows are wrong';
