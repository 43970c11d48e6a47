import expressions from '../../build/expressions.hex';
import simd from '../../build/simd.hex';
import { bytesOfHex } from '../bytes/hex.ts';

/** Embedded in this file: Node, Deno, Bun, browsers and bundlers need neither files nor permissions. */
export function kernelModule(): WebAssembly.Module {
  return new WebAssembly.Module(bytesOfHex(simd));
}

/** The module that finds the expressions of lines. */
export function expressionsModule(): WebAssembly.Module {
  return new WebAssembly.Module(bytesOfHex(expressions));
}
