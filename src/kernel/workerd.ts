import expressions from '../../build/expressions.wasm';
import scalar from '../../build/scalar.wasm';
import simd from '../../build/simd.wasm';

/** Cloudflare compiles `.wasm` files when a Worker is deployed; in a request nothing may be compiled. */
export function kernelModule(name: 'simd' | 'scalar'): WebAssembly.Module {
  return name === 'simd' ? simd : scalar;
}

export function expressionsModule(): WebAssembly.Module {
  return expressions;
}
