import expressions from '../../../build/expressions.wasm';

/** In a file of its own: wrangler deploys each `.wasm` that any import leads to, used or not. */
export function expressionsModule(): WebAssembly.Module {
  return expressions;
}
