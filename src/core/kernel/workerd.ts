import simd from '../../../build/simd.wasm';

/** Cloudflare compiles `.wasm` files when a Worker is deployed; in a request nothing may be compiled. */
export function kernelModule(): WebAssembly.Module {
  return simd;
}
