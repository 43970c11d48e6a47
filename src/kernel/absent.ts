/** For hosts without WebAssembly (Fastly): only the JavaScript kernel. */
export function kernelModule(): WebAssembly.Module {
  throw new Error("this build of urlsum carries no WebAssembly: there is no kernel 'simd', only 'js'");
}

export function expressionsModule(): WebAssembly.Module {
  throw new Error('this build of urlsum carries no WebAssembly');
}
