import scalar from '../../build/scalar.wasm';
import simd from '../../build/simd.wasm';

/** The kernels carried in this file: Node, Deno, Bun, browsers and bundlers, without files or permissions. */
export function kernelModule(name: 'simd' | 'scalar'): WebAssembly.Module {
  return new WebAssembly.Module(bytesOfBase64(name === 'simd' ? simd : scalar));
}

// A plain loop: Uint8Array.from with a callback takes five times as long on a first call.
function bytesOfBase64(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
