import { kernelModule } from '#kernel';
import { openWide } from '#wide';
import { mustBeOneOf } from '../argument.ts';
import { withHostSha256 } from './host-sha256.ts';
import { jsKernel } from './js.ts';
import type { Kernel, KernelName } from './kernel.ts';
import { wasmKernel } from './wasm.ts';

export const KERNEL_NAMES: readonly KernelName[] = ['simd', 'scalar', 'js', 'wide'];
const opened = new Map<KernelName, Kernel>();
let preferred: Kernel | undefined;

/**
 * The kernel in use: the best this host has, or the one that the environment variable URLSUM_KERNEL names (but under
 * Deno, which would ask for a permission).
 *
 * @throws {RangeError} where URLSUM_KERNEL names none
 * @throws {Error} where this host cannot run the one that it names
 * @example
 * kernelName(); //=> 'simd'
 */
export function kernelName(): KernelName {
  return openKernel().name;
}

/**
 * Returns the one instance of a kernel in this thread, opened when first asked for. In place of 'wide' it may be
 * another, which says why.
 *
 * @throws {RangeError} where there is no such kernel
 * @throws {Error} where this host cannot run the kernel asked for by name
 */
export function openKernel(name?: KernelName): Kernel {
  if (name === undefined) return (preferred ??= openPreferred());
  const known = opened.get(name);
  if (known !== undefined) return known;
  const kernel = newKernel(mustBeOneOf('kernel', name, KERNEL_NAMES));
  opened.set(name, kernel);
  return kernel;
}

/**
 * Makes a kernel the one in use, in this thread, as the owner of the process asks.
 *
 * @throws {Error} where this host cannot run it
 * @internal
 */
export function preferKernel(name: KernelName): void {
  preferred = openKernel(name);
}

/** Lets threads that start from now on run 'wide', if the owner of the process has named it. */
export function shareKernel(): void {
  if (forcedName() === 'wide') openKernel();
}

/**
 * @throws {RangeError} where there is no such kernel, and on 'wide' unless the owner of the process has named it: it
 *   sets flags of V8, which hold for the whole process
 */
export function mustBeKernelName(name: KernelName): KernelName {
  if (name === 'wide' && forcedName() !== name)
    throw new RangeError("kernel 'wide' needs a process started with URLSUM_KERNEL=wide");
  return mustBeOneOf('kernel', name, KERNEL_NAMES);
}

function newKernel(name: KernelName): Kernel {
  if (name === 'js') return jsKernel();
  if (name !== 'wide') return wasmKernel(name, new WebAssembly.Instance(kernelModule(name)));
  const wide = openWide(kernelModule);
  return typeof wide === 'string' ? { ...withHostSha256(openBest()), reason: wide } : wide;
}

function openPreferred(): Kernel {
  const forced = forcedName() as KernelName | undefined;
  if (!forced) return withHostSha256(openBest());
  return openKernel(mustBeOneOf('URLSUM_KERNEL', forced, KERNEL_NAMES));
}

/**
 * Tries each kernel, since only that tells whether it runs: validation succeeds where compiling is forbidden. The
 * kernel's name says which one it is.
 */
function openBest(): Kernel {
  for (const name of ['simd', 'scalar'] as const) {
    try {
      return openKernel(name);
    } catch {
      // no SIMD, no WebAssembly, a content security policy, or no address space: the next one
    }
  }
  return openKernel('js');
}

/** Does not read the environment under Deno, which asks for a permission each time. An empty text forces none. */
function forcedName(): string | undefined {
  const { Deno, process } = globalThis as { process?: { env?: Record<string, string | undefined> }; Deno?: unknown };
  return Deno === undefined ? process?.env?.['URLSUM_KERNEL'] : undefined;
}
