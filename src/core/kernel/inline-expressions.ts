import expressions from '../../../build/expressions.hex';
import { bytesOfProgram } from '../bytes/hex.ts';

/** Opens the module of expressions, in a file of its own: a program that hashes URLs does not load it. */
export function expressionsModule(): WebAssembly.Module {
  return new WebAssembly.Module(bytesOfProgram(expressions));
}
