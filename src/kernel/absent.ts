/** For hosts without WebAssembly (Fastly) and for those who want none of its bytes: the JavaScript kernel alone. */
export function kernelModule(name: 'simd' | 'scalar'): WebAssembly.Module {
  throw new Error(`this entry of urlsum carries no WebAssembly: there is no kernel '${name}', only 'js'`);
}
