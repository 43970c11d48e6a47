import expressions from '../../build/expressions.wasm?module';
import scalar from '../../build/scalar.wasm?module';
import simd from '../../build/simd.wasm?module';

/** Vercel's edge compiles what is imported with `?module` at build time, and nothing later. */
export function kernelModule(name: 'simd' | 'scalar'): WebAssembly.Module {
  return name === 'simd' ? simd : scalar;
}

export function expressionsModule(): WebAssembly.Module {
  return expressions;
}
