import type { Kernel, KernelName } from './kernel.ts';
import { Memory } from './memory.ts';

type Exports = Omit<Kernel, 'name' | 'memory'> & { readonly memory: WebAssembly.Memory };

export function wasmKernel(name: KernelName, instance: WebAssembly.Instance): Kernel {
  const { memory, ...verbs } = instance.exports as unknown as Exports;
  return { name, memory: new Memory(memory.buffer as ArrayBuffer, memory), ...verbs };
}
