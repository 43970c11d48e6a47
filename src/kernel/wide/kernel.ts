import { DIGESTS, SCHEDULE8, TEXT } from '../../../assembly/layout.ts';
import type { Kernel } from '../kernel.ts';
import type { Memory } from '../memory.ts';
import { wasmKernel } from '../wasm.ts';

/** `hash` of assembly/wide/index.ts */
export type WideHash = (firstRow: number, endRow: number, width: number, base: number) => number;

/** Rows of 0 to 200 bytes: each length of one, two and three blocks. */
const KNOWN_ROW_COUNT = 201;

/**
 * Returns the SIMD kernel with eight messages at a time, or undefined if these do not give the digests of the SIMD
 * kernel's own path for one message.
 *
 * @param open returns a `wideHash` of the memory
 */
export function wideKernel(
  simd: WebAssembly.Module,
  open: (memory: WebAssembly.Memory) => WideHash,
): Kernel | undefined {
  const instance = new WebAssembly.Instance(simd);
  const kernel = wasmKernel('wide', instance);
  writeKnownRows(kernel.memory);
  const hash = open(instance.exports['memory'] as WebAssembly.Memory);
  if (!areKnownDigests(kernel)) return undefined;
  const { spans } = kernel.memory;
  return {
    ...kernel,
    hash(firstRow, endRow, width) {
      for (let row = firstRow; (row = hash(row, endRow, width, SCHEDULE8)) < endRow; row++)
        kernel.sha256(spans[2 * row]!, spans[2 * row + 1]!, DIGESTS + row * width, width);
    },
  };
}

/** Returns an instance's function after it has hashed the known rows: V8 compiles it in its first call only. */
export function wideHash(module: WebAssembly.Module, memory: WebAssembly.Memory): WideHash {
  const { hash } = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as { hash: WideHash };
  hash(0, KNOWN_ROW_COUNT, 32, SCHEDULE8);
  return hash;
}

function writeKnownRows(memory: Memory): void {
  for (let at = 0; at < 2 * KNOWN_ROW_COUNT; at++) memory.bytes[TEXT + at] = (at * 167 + 13) ^ (at >> 8);
  for (let row = 0; row < KNOWN_ROW_COUNT; row++) memory.setSpan(row, TEXT + row, row);
}

function areKnownDigests({ memory, sha256 }: Kernel): boolean {
  const { bytes, spans } = memory;
  const expected = DIGESTS + 32 * KNOWN_ROW_COUNT;
  for (let row = 0; row < KNOWN_ROW_COUNT; row++) {
    sha256(spans[2 * row]!, spans[2 * row + 1]!, expected, 32);
    for (let at = 0; at < 32; at++) if (bytes[DIGESTS + 32 * row + at] !== bytes[expected + at]) return false;
  }
  return true;
}
