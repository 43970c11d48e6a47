/** AssemblyScript's names for the numbers of assembly/layout.ts, which both languages read. */
declare type usize = number;
declare type u32 = number;

/** The kernel's bytes in base64: the bundler's `base64` loader. */
declare module '*.wasm' {
  const base64: string;
  export default base64;
}
