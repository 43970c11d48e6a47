import { kernelModule } from '#kernel';
import { mustBeOneOf } from '../argument.ts';
import { UrlsumError } from '../error.ts';
import { withHostSha256 } from './host-sha256.ts';
import { jsKernel } from './js.ts';
import { type Kernel, type KernelName, Memory } from './kernel.ts';

export const KERNEL_NAMES: readonly KernelName[] = ['simd', 'js'];
const opened: { [name in KernelName]?: Kernel } = {};
let preferred: Kernel | undefined;

/**
 * A kernel that this host cannot run, asked for by its name: the host has no WebAssembly, or cannot start the module, as
 * without SIMD; `cause` is what was thrown.
 */
export class KernelError extends UrlsumError<
  'ERR_UNAVAILABLE_KERNEL',
  'no-webassembly' | 'not-started',
  KernelName,
  undefined
> {
  /** @internal */
  static override readonly name = 'KernelError';

  /** @internal */
  constructor(input: KernelName, cause: unknown) {
    const isAbsent = typeof WebAssembly === 'undefined';
    const problem = cause instanceof Error ? cause.message : 'this host does not start it';
    const sentence = isAbsent ? 'this host has no WebAssembly' : problem;
    const reason = isAbsent ? 'no-webassembly' : 'not-started';
    super(
      'ERR_UNAVAILABLE_KERNEL',
      `cannot hash with the kernel ${input}: ${sentence} (${reason})`,
      { input, reason },
      cause,
    );
  }
}

/**
 * The kernel in use: the best this host has, or the one that the environment variable URLSUM_KERNEL names (but under
 * Deno, which would ask for a permission).
 *
 * @throws {RangeError} where URLSUM_KERNEL names none
 * @throws {KernelError} where this host cannot run the one that it names
 * @example
 * kernelName(); //=> 'simd'
 */
export function kernelName(): KernelName {
  return openKernel().name;
}

/**
 * Returns the one instance of a kernel in this thread, opened when first asked for.
 *
 * @throws {RangeError} where there is no such kernel
 * @throws {KernelError} where this host cannot run the kernel asked for by name
 */
export function openKernel(name?: KernelName, argument = 'kernel'): Kernel {
  if (name === undefined) return (preferred ??= openPreferred());
  mustBeOneOf(argument, name, KERNEL_NAMES);
  return (opened[name] ??= name === 'js' ? jsKernel() : startedKernel(name));
}

/**
 * Makes a kernel the one in use, in this thread, as the owner of the process asks.
 *
 * @throws {KernelError} where this host cannot run it
 * @internal
 */
export function preferKernel(name: KernelName): void {
  preferred = openKernel(name);
}

function startedKernel(name: KernelName): Kernel {
  try {
    return simdKernel(kernelModule());
  } catch (cause) {
    throw new KernelError(name, cause);
  }
}

function openPreferred(): Kernel {
  const forced = forcedName() as KernelName | undefined;
  return forced ? openKernel(forced, 'URLSUM_KERNEL') : withHostSha256(openBest());
}

/** Tries, since only that tells whether SIMD runs: validation succeeds where compiling is forbidden. */
function openBest(): Kernel {
  try {
    return openKernel('simd');
  } catch {
    return openKernel('js'); // no SIMD, no WebAssembly, a content security policy, or no address space
  }
}

/** Does not read the environment under Deno, which asks for a permission each time. An empty text forces none. */
function forcedName(): string | undefined {
  const { Deno, process } = globalThis as { process?: { env?: Record<string, string | undefined> }; Deno?: unknown };
  return Deno === undefined ? process?.env?.['URLSUM_KERNEL'] : undefined;
}

/** The exports of assembly/index.ts. */
type Exports = Omit<Kernel, 'name' | 'memory'> & { readonly memory: WebAssembly.Memory };

export function simdKernel(module: WebAssembly.Module): Kernel {
  const { memory, ...verbs } = new WebAssembly.Instance(module).exports as unknown as Exports;
  const views = new Memory(memory.buffer as ArrayBuffer, memory);
  return { ...verbs, name: 'simd', memory: views, hostHex: () => undefined };
}
