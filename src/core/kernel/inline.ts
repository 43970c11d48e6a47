import simd from '../../../build/simd.hex';
import { bytesOfProgram } from '../bytes/hex.ts';

/** Embedded in this file: Node, Deno, Bun, browsers and bundlers need neither files nor permissions. */
export function kernelModule(): WebAssembly.Module {
  return new WebAssembly.Module(bytesOfProgram(simd));
}
