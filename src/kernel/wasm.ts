import type { Kernel, KernelName } from './kernel.ts';
import { Memory } from './memory.ts';

type Exports = Omit<Kernel, 'name' | 'memory'> & { readonly memory: WebAssembly.Memory };

/** Throws where the host has no WebAssembly, forbids compiling, or has no room for an instance. */
export function wasmKernel(name: KernelName, module: WebAssembly.Module): Kernel {
  const { memory, ...verbs } = new WebAssembly.Instance(module).exports as unknown as Exports;
  return { name, memory: new Memory(memory.buffer as ArrayBuffer), ...verbs };
}
