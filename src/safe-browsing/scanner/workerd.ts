import expressions from '../../../build/expressions.wasm';

/** Compiled when a Worker is deployed. */
export function expressionsModule(): WebAssembly.Module {
  return expressions;
}
