import { expressionsModule } from '#expressions-module';
import type { Kernel, KernelName } from '../../kernel/kernel.ts';
import { JsScanner } from './js.ts';
import type { Scanner } from './scanner.ts';
import { WasmScanner } from './wasm.ts';

const opened = new Map<KernelName, Scanner>();

/** One per kernel and thread, opened when first asked for: a host that runs the SIMD kernel runs this too. */
export function openScanner({ name, memory }: Kernel): Scanner {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const scanner = name === 'simd' ? new WasmScanner(expressionsModule()) : new JsScanner(memory);
  opened.set(name, scanner);
  return scanner;
}
