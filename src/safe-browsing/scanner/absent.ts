/** Where no WebAssembly is carried, there is no SIMD kernel to ask for this. */
export function expressionsModule(): WebAssembly.Module {
  throw new Error('this entry of urlsum carries no WebAssembly');
}
