import type { Kernel } from './kernel.ts';
import { Memory } from './memory.ts';

/** The exports of assembly/index.ts. */
type Exports = Omit<Kernel, 'name' | 'memory'> & { readonly memory: WebAssembly.Memory };

export function simdKernel(module: WebAssembly.Module): Kernel {
  const { memory, ...verbs } = new WebAssembly.Instance(module).exports as unknown as Exports;
  return { name: 'simd', memory: new Memory(memory.buffer as ArrayBuffer, memory), ...verbs };
}
