/** For hosts without WebAssembly (Fastly): only the JavaScript kernel. */
export function kernelModule(name: 'simd' | 'scalar'): WebAssembly.Module {
  throw new Error(`this build of urlsum carries no WebAssembly: there is no kernel '${name}', only 'js'`);
}

export function expressionsModule(): WebAssembly.Module {
  throw new Error('this build of urlsum carries no WebAssembly');
}
