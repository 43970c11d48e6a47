/** The JavaScript kernel alone, for hosts without WebAssembly (Fastly). */
export function kernelModule(): WebAssembly.Module {
  throw new Error('this build of urlsum carries no WebAssembly');
}

export function expressionsModule(): WebAssembly.Module {
  throw new Error('this build of urlsum carries no WebAssembly');
}
