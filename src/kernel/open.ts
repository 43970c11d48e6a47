import { kernelModule } from '#kernel';
import { mustBeOneOf } from '../argument.ts';
import { withHostSha256 } from './host-sha256.ts';
import { jsKernel } from './js.ts';
import type { Kernel, KernelName } from './kernel.ts';
import { wasmKernel } from './wasm.ts';

const NAMES: readonly KernelName[] = ['simd', 'scalar', 'js'];
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
 * One instance of each kernel per thread, opened when first asked for.
 *
 * @throws {RangeError} where `name` is none of 'simd', 'scalar' and 'js'
 * @throws {Error} where this host cannot run the kernel asked for by name
 */
export function openKernel(name?: KernelName): Kernel {
  if (name === undefined) return (preferred ??= openPreferred());
  const known = opened.get(mustBeKernelName(name));
  if (known !== undefined) return known;
  const kernel = name === 'js' ? jsKernel() : wasmKernel(name, kernelModule(name));
  opened.set(name, kernel);
  return kernel;
}

/**
 * Makes a kernel the one in use, in this thread. @throws {Error} where this host cannot run it
 *
 * @internal
 */
export function preferKernel(name: KernelName): void {
  preferred = openKernel(name);
}

export function mustBeKernelName(name: KernelName): KernelName {
  return mustBeOneOf('kernel', name, NAMES);
}

function openPreferred(): Kernel {
  const forced = forcedName();
  return forced === undefined ? withHostSha256(openBest()) : openKernel(forced as KernelName);
}

/**
 * Only trying tells whether a kernel may run: validation succeeds where compiling is forbidden. The name says what
 * became of it.
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

/** Deno asks for a permission each time the environment is read, so it is not read there. */
function forcedName(): string | undefined {
  const host = globalThis as { process?: { env?: Record<string, string | undefined> }; Deno?: unknown };
  if (host.Deno !== undefined) return undefined;
  return host.process?.env?.['URLSUM_KERNEL'] || undefined;
}
