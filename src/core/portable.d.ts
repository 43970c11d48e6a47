// What AssemblyScript has beside JavaScript, for the files that both compile: those that assembly/module imports of src/.
// Numbers have types there, and `bool` is one of them. These files do without what AssemblyScript does not have: closures,
// `for … of`, exceptions, patterns, unions, spreads and destructuring. So a function that fails returns '', null or -1,
// or sets the reason of the record; and a loop stands where a pattern would, under the name of its clause.

declare type bool = boolean;
declare type u8 = number;
declare type u16 = number;
declare type i32 = number;
declare type u32 = number;
declare type f64 = number;

/** 0 where JavaScript is built, as every bundle defines it; 1 in WebAssembly. */
declare const ASC_TARGET: i32;

interface StringConstructor {
  /** Decodes UTF-16 units in WebAssembly memory. */
  readonly UTF16: { decodeUnsafe(address: number, byteLength: number): string };
}
interface Uint16Array {
  /** The address of the first unit in WebAssembly memory. */
  readonly dataStart: number;
}
interface Int32ArrayConstructor {
  /** Returns a view of a buffer, which `new` does in JavaScript. */
  wrap(buffer: ArrayBufferLike): Int32Array;
}
