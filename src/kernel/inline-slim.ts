import simd from '../../build/simd.hex';
import { bytesOfHex } from '../bytes/hex.ts';

/** For `urlsum/slim`: hosts without SIMD are few, and get the JavaScript kernel. */
export function kernelModule(name: 'simd' | 'scalar'): WebAssembly.Module {
  if (name === 'scalar') throw new RangeError('slim has no scalar kernel');
  return new WebAssembly.Module(bytesOfHex(simd));
}
