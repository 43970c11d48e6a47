// How long does SHA-256 alone take, for many short messages? `npm run bench -- messages`.

import { createHash } from 'node:crypto';
import { DIGESTS, ROW_CAPACITY, TEXT } from '../assembly/layout.ts';
import type { KernelName } from '../src/core/kernel/kernel.ts';
import { openKernel } from '../src/core/kernel/open.ts';
import { isSmoke } from './corpus.ts';
import { byProcessor, type Turn, turn } from './measure.ts';
import { Report } from './report.ts';
import { builtNatives } from './rivals/natives.ts';
import { MESSAGE_RIVALS, PAIR_RIVALS } from './rivals/packages.ts';
import { joined, type Program, startAll } from './rivals/program.ts';
import { nodes } from './rivals/runtimes.ts';

const COUNT = isSmoke ? 2048 : 65_536;
/** The lengths of messages that fill whole blocks: SHA-256 adds nine bytes. */
const FULL_BYTES = [55, 119, 183, 247];
/**
 * The length of most URLs: one byte less would not be a second block's worth, one more is a pair of hashes.
 */
const URL_BYTES = 63;

/** Makes messages in printable ASCII, so that a program may read them as lines. */
function messagesOf(byteLength: number): Buffer[] {
  const filled = createHash('shake256', { outputLength: byteLength * COUNT })
    .update('messages')
    .digest();
  const text = filled.map((byte) => 0x21 + (byte % 0x5e));
  return Array.from({ length: COUNT }, (_, row) =>
    Buffer.from(text.subarray(row * byteLength, (row + 1) * byteLength)),
  );
}

/** Batches of the kernel: each is copied in, and its digests out. */
function kernelDigests(name: KernelName, messages: readonly Uint8Array[], byteLength: number): () => Uint8Array {
  const kernel = openKernel(name);
  const { memory } = kernel;
  const text = Buffer.concat(messages);
  const digests = new Uint8Array(32 * messages.length);
  return () => {
    for (let first = 0; first < messages.length; first += ROW_CAPACITY) {
      const count = Math.min(ROW_CAPACITY, messages.length - first);
      memory.bytes.set(text.subarray(first * byteLength, (first + count) * byteLength), TEXT);
      for (let row = 0; row < count; row++) memory.setSpan(row, TEXT + row * byteLength, byteLength);
      kernel.hash(0, count, 32);
      digests.set(memory.bytes.subarray(DIGESTS, DIGESTS + 32 * count), 32 * first);
    }
    return digests;
  };
}

async function turnsOf(byteLength: number, kernels: readonly KernelName[], group?: string): Promise<Turn[]> {
  const messages = messagesOf(byteLength);
  const expected = Buffer.concat(messages.map((message) => createHash('sha256').update(message).digest()));
  const check = (name: string, digests: Uint8Array, wanted: Uint8Array = expected) => {
    if (Buffer.compare(digests, wanted.subarray(0, digests.length)) !== 0) throw new Error(`${name}: other digests`);
  };
  const ours = kernels.map((name) => {
    const run = kernelDigests(name, messages, byteLength);
    check(name, run());
    return turn(`kernel ${name}`, COUNT, run, group);
  });
  const theirs = MESSAGE_RIVALS.map(({ name, share, digests }) => {
    const some = messages.slice(0, COUNT / share);
    const text = Buffer.concat(some);
    check(name, Buffer.concat(digests(some, text)));
    return turn(name, some.length, () => digests(some, text), group);
  });
  return [...ours, ...theirs, ...(await programTurns(messages, check, group))];
}

async function programTurns(
  messages: readonly Buffer[],
  check: (name: string, digests: Uint8Array) => void,
  group?: string,
): Promise<Turn[]> {
  const turns: Turn[] = [];
  const started = await startAll(starts, messages.map(String));
  programs.push(...started);
  for (const program of started) {
    for (const way of program.introduction.ways.message ?? []) {
      const name = `${way}, ${program.title}`;
      check(name, await program.digests(way));
      turns.push({ name, group, round: () => program.round(way) });
    }
  }
  return turns;
}

function pairTurns(): Turn[] {
  const pairs = messagesOf(64);
  const text = Buffer.concat(pairs);
  return PAIR_RIVALS.map(({ name, digests }) => turn(name, pairs.length, () => digests(pairs, text)));
}

/** Figures of rivals that no registry has, by their own word. */
const PUBLISHED = [
  'not measured, as published: @awasm/noble 553 MB/s for one message of 1 MB, 116 ns a block (Apple M4, its README)',
  'not measured, as published: isa-l_crypto by 16 lanes of AVX-512, 10 ns a block (AMD Zen 5, BENCHMARKS.md of tape-sha256 0.2.2)',
];

const { starts, absent } = joined([await builtNatives(), ...nodes('bench/rivals/messages.mjs')]);
const programs: Program[] = [];
const report = new Report('messages', [...absent, ...PUBLISHED]);
const rival = `crypto.hash to hex, Node ${process.versions.node}`;
const short = [...(await turnsOf(URL_BYTES, ['simd', 'js'])), ...pairTurns()];
await report.time('messages', `SHA-256 of ${URL_BYTES} bytes, ${COUNT} messages`, short.map(byProcessor), rival, {
  seconds: 15,
});
const long: Turn[] = [];
for (const [index, byteLength] of FULL_BYTES.entries())
  long.push(...(await turnsOf(byteLength, ['simd'], `${byteLength} bytes, blocks: ${index + 1}`)));
await report.time('blocks', 'SHA-256 by the length of the message', long.map(byProcessor), rival, {
  seconds: 12,
  headlines: [],
});
for (const program of programs) program.stop();
report.write();
