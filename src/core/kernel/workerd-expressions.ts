import expressions from '../../../build/expressions.wasm';

/**
 * Opens the module of expressions, in a file of its own: wrangler deploys each `.wasm` that an import leads to, used or
 * not.
 */
export function expressionsModule(): WebAssembly.Module {
  return expressions;
}
