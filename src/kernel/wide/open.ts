import wide from '../../../build/wide.hex';
import { builtinModule } from '../../builtin-module.ts';
import { bytesOfHex } from '../../bytes/hex.ts';
import type { Kernel, KernelModule } from '../kernel.ts';
import { type WideHash, wideHash, wideKernel } from './kernel.ts';
import { MODULE_KEY, openWide as openReceived, type WorkerThreads, WRONG_DIGESTS } from './received.ts';

interface Process {
  readonly release: { readonly name: string };
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly arch: string;
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface V8 {
  setFlagsFromString(flag: string): void;
}

/** V8 of Node 26, which is known to pack the module, and to pack it correctly. That of Node 24 miscompiles others. */
const PROVEN_V8 = /^14\.6\./;
/** Hosts that claim to be Node, and programs that Node is a part of. */
const NOT_NODE = ['bun', 'deno', 'electron', 'nw'];
/**
 * A process that chose how V8 compiles keeps its choice: there is no way to read a flag, and the code below sets the
 * defaults again. Where flags are frozen, V8 ends the process on any change.
 */
const CHOSEN_FLAG = /--\S*(?:liftoff|wasm|jitless|freeze|predictable|single[-_]threaded|v8[-_]pool)\S*/;

/**
 * Returns the SIMD kernel with eight messages at a time, where V8 packs two vectors of 128 bits into one of 256; or why
 * there is none. The flags are the process's: any other WebAssembly that is compiled meanwhile, in any thread, is
 * compiled with them too. The caller must know that there is none, or accept it.
 *
 * @param program the module's bytes
 */
export function openWide(kernelModule: KernelModule, program = bytesOfHex(wide)): Kernel | string {
  const threads = builtinModule<WorkerThreads>('node:worker_threads');
  const v8 = builtinModule<V8>('node:v8');
  const refused = refusal((globalThis as { process?: Process }).process);
  if (refused !== undefined) return refused;
  if (threads === undefined || v8 === undefined) return 'the modules of Node are absent';
  if (!threads.isMainThread) return openReceived(kernelModule);
  return openCompiled(kernelModule, program, threads, v8);
}

function refusal(host: Process | undefined): string | undefined {
  if (host?.release.name !== 'node') return 'this host is not Node';
  const { versions, arch, execArgv, env } = host;
  const other = NOT_NODE.find((name) => versions[name] !== undefined);
  if (other !== undefined) return `this host is ${other}, not Node`;
  if (arch !== 'x64') return `the processor is ${arch}, not x64`;
  if (!PROVEN_V8.test(versions['v8'] ?? '')) return `V8 ${versions['v8']} is not one of those tested (14.6)`;
  const [flag] = CHOSEN_FLAG.exec([...execArgv, env['NODE_OPTIONS'] ?? ''].join(' ')) ?? [];
  return flag === undefined ? undefined : `the process was started with ${flag}`;
}

function openCompiled(
  kernelModule: KernelModule,
  program: Uint8Array<ArrayBuffer>,
  threads: WorkerThreads,
  v8: V8,
): Kernel | string {
  let module: WebAssembly.Module | undefined;
  try {
    const kernel = wideKernel(kernelModule('simd'), (memory) =>
      withPacking(v8, () => {
        module = new WebAssembly.Module(program);
        return wideHash(module, memory);
      }),
    );
    if (kernel === undefined) return WRONG_DIGESTS;
    threads.setEnvironmentData(MODULE_KEY, module);
    return kernel;
  } catch (error) {
    return (error as Error).message; // from compiling or instantiating: the module is not ours
  }
}

/**
 * Does the work while V8 packs vectors and compiles with its optimizing compiler only. The work must not compile
 * anything else: V8 14.6 ends the process if functions of such a module call each other.
 */
function withPacking(v8: V8, work: () => WideHash): WideHash {
  v8.setFlagsFromString('--experimental-wasm-revectorize');
  v8.setFlagsFromString('--no-liftoff');
  try {
    return work();
  } finally {
    v8.setFlagsFromString('--no-experimental-wasm-revectorize');
    v8.setFlagsFromString('--liftoff');
  }
}
