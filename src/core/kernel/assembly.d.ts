/** AssemblyScript's names for the numbers of the layouts in assembly/, which both languages read. */
declare type usize = number;
declare type u32 = number;
declare type u8 = number;

/** A kernel's bytes as lower-case hex: the bundler's `text` loader. */
declare module '*.hex' {
  const hex: string;
  export default hex;
}

/** A kernel compiled by the host that deploys it. */
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}

declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}

/** A table, or the whole program of a thread: the bundler's `text` loader. */
declare module '*.txt' {
  const text: string;
  export default text;
}
