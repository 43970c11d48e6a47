import * as assert from 'uvu/assert';
import { NO_MESSAGE, TEXT } from '../../../assembly/layout.ts';
import type { Kernel, Memory } from '../../../src/core/kernel/kernel.ts';
import { KERNEL_NAMES, openKernel } from '../../../src/core/kernel/open.ts';

/** Both: each suite that hashes runs on either. */
export const KERNELS = KERNEL_NAMES.map((name) => openKernel(name));

/** Puts lines into a kernel's memory, as rows, and returns the address after their text. */
export function putLines(kernel: Kernel, lines: readonly (string | Uint8Array)[]): number {
  const text = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.of(0x0a)]));
  kernel.memory.bytes.set(text, TEXT);
  assert.is(kernel.findLines(TEXT, TEXT + text.length, 0x0a), lines.length);
  return TEXT + text.length;
}

/** Returns the message of a row, or undefined. */
export function messageOf({ bytes, spans }: Memory, row: number): string | undefined {
  const [at, byteLength] = [spans[2 * row]!, spans[2 * row + 1]!];
  return byteLength === NO_MESSAGE ? undefined : Buffer.from(bytes.buffer, at, byteLength).toString('latin1');
}

/** Returns the message of each row, or undefined where the parser is asked. */
export function messagesOf({ memory }: Kernel, rowCount: number): (string | undefined)[] {
  const pending = new Set(memory.pending.subarray(0, memory.pendingCount));
  return Array.from({ length: rowCount }, (_, row) => (pending.has(row) ? undefined : messageOf(memory, row)));
}
