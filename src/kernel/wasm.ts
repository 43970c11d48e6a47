import type { Kernel, KernelName } from './kernel.ts';
import { Memory } from './memory.ts';
import { leaveRows } from './row-by-row.ts';

type Verbs = Omit<Kernel, 'name' | 'memory' | 'classifyRows'>;
type Exports = Verbs & Partial<Pick<Kernel, 'classifyRows'>> & { readonly memory: WebAssembly.Memory };

export function wasmKernel(name: KernelName, instance: WebAssembly.Instance): Kernel {
  const { memory: wasm, classifyRows, ...verbs } = instance.exports as unknown as Exports;
  const memory = new Memory(wasm.buffer as ArrayBuffer, wasm);
  return { name, memory, classifyRows: classifyRows ?? leaveRows(memory), ...verbs };
}
