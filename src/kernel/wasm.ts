import type { Kernel, KernelName } from './kernel.ts';
import { Memory } from './memory.ts';
import { rowsOneByOne } from './row-by-row.ts';

type RowVerb = 'findLines' | 'classifyRows';
/** The scalar kernel has no row functions. */
type Exports = Omit<Kernel, 'name' | 'memory' | RowVerb> &
  Partial<Pick<Kernel, RowVerb>> & { readonly memory: WebAssembly.Memory };

export function wasmKernel(name: KernelName, instance: WebAssembly.Instance): Kernel {
  const { memory: wasm, ...verbs } = instance.exports as unknown as Exports;
  const memory = new Memory(wasm.buffer as ArrayBuffer, wasm);
  return { name, memory, ...rowsOneByOne(memory), ...verbs } as Kernel;
}
