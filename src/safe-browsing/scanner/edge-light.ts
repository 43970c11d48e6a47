import expressions from '../../../build/expressions.wasm?module';

/** Compiled at build time. */
export function expressionsModule(): WebAssembly.Module {
  return expressions;
}
