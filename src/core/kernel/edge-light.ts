import expressions from '../../../build/expressions.wasm?module';
import simd from '../../../build/simd.wasm?module';

/** Vercel's edge compiles what is imported with `?module` at build time, and nothing later. */
export function kernelModule(): WebAssembly.Module {
  return simd;
}

export function expressionsModule(): WebAssembly.Module {
  return expressions;
}
