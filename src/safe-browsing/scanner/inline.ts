import expressions from '../../../build/expressions.hex';
import { bytesOfHex } from '../../bytes/hex.ts';

/** Carried in this file: Node, Deno, Bun, browsers and bundlers. */
export function expressionsModule(): WebAssembly.Module {
  return new WebAssembly.Module(bytesOfHex(expressions));
}
