/** For hosts without WebAssembly (Fastly): only the JavaScript kernel. */
export function kernelModule(): WebAssembly.Module {
  throw new Error('this build of urlsum carries no WebAssembly');
}

export function expressionsModule(): WebAssembly.Module {
  throw new Error('this build of urlsum carries no WebAssembly');
}
