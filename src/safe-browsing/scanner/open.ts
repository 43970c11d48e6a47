import { expressionsModule } from '#kernel';
import { hasSimd, type Kernel, type KernelName } from '../../kernel/kernel.ts';
import { JsScanner } from './js.ts';
import type { Scanner } from './scanner.ts';
import { WasmScanner } from './wasm.ts';

const opened = new Map<KernelName, Scanner>();

/** One per kernel and thread, opened when first asked for. */
export function openScanner(kernel: Kernel): Scanner {
  const known = opened.get(kernel.name);
  if (known !== undefined) return known;
  const scanner = openBest(kernel);
  opened.set(kernel.name, scanner);
  return scanner;
}

/** A Worker compiles while it starts and not while it answers: its kernel may run where this cannot. */
function openBest({ name, memory }: Kernel): Scanner {
  if (!hasSimd(name)) return new JsScanner(memory);
  try {
    return new WasmScanner(expressionsModule());
  } catch {
    return new JsScanner(memory);
  }
}
