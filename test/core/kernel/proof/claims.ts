// What is proved of the kernel's exports, each for all contents of memory:
//
//   init      sets the initial hash value
//   update    absorbs none, one or two blocks into any state; more are more turns of the same loop
//   final     pads and absorbs any tail in any state, for totals of every size
//   sha256    is SHA-256, at each length to two blocks and padding
//   hash      is SHA-256 in each row, at each of these lengths in each lane, whatever the lengths beside it
//
// So a message of any length is hashed rightly: `sha256` is init, update and final, and the loops of `hash` over blocks
// do in each turn but the last two what they do in the first of three. A row of 64 blocks or more is one that `hash` gives
// to `sha256`, which its tests show; its terms would have tens of thousands of addends. Memory that a call may find
// dirty, the slack after a message included, is unknown; nothing is written but the digests and the areas that a call
// works in.
import {
  BLOCK,
  BUCKET_BYTES,
  BUCKETS,
  CONSTANTS,
  DIGESTS,
  END_MARK,
  KEEP,
  LONG_BLOCK_COUNT,
  NO_MESSAGE,
  SCANNED,
  SCHEDULE,
  SPANS,
  STATE,
  TEXT,
} from '../../../../assembly/layout.ts';
import { absorbed, H0, K, padding, sha256 } from './fips-180-4.ts';
import type { Area, Machine } from './machine.ts';
import { type Byte, countOfTerms, forgetTerms, type Word, wordOfBytes } from './terms.ts';

export interface Claim {
  readonly name: string;
  /** Throws unless it holds. */
  readonly prove: (machine: Machine) => void;
}

export type Width = 8 | 16 | 32;
const WIDTHS = [8, 16, 32] as const;

/** The memory that the start function leaves, and static data: the only memory whose contents are known. */
const KNOWN: readonly Area[] = [
  [1024, SCANNED],
  [CONSTANTS, CONSTANTS + 288],
  [KEEP, KEEP + 144],
  [END_MARK, END_MARK + 144],
];
const WORKED_IN: readonly Area[] = [
  [STATE, STATE + 32],
  [BLOCK, BLOCK + 64],
  [SCHEDULE, SCHEDULE + 1024],
  [BUCKETS, BUCKETS + BUCKET_BYTES * LONG_BLOCK_COUNT],
];

/** Where the digest of one message is put: at no multiple of anything. */
const DIGEST = DIGESTS + 37;
/** Far enough from each other for three blocks and slack, at every alignment. */
const messageOf = (row: number): number => TEXT + 1021 * row;

const bytesAt = (machine: Machine, address: number, byteLength: number): (number | Byte)[] =>
  Array.from({ length: byteLength }, (_, index) => machine.memory.byte(address + index));

function mustBe(what: string, found: Word, wanted: Word): void {
  if (found !== wanted) throw new Error(`${what} is not what FIPS 180-4 says`);
}

/** The first `width` bytes of the digest, whose words are big-endian (§3.1). */
function mustBeDigest(machine: Machine, address: number, width: Width, digest: readonly Word[]): void {
  for (let index = 0; index < width / 4; index++) {
    const word = wordOfBytes(bytesAt(machine, address + 4 * index, 4).reverse());
    mustBe(`word ${index} of the digest`, word, digest[index]!);
  }
}

function mustHaveWritten(machine: Machine, areas: readonly Area[]): void {
  const other = machine.memory.written.find(
    (address) => ![...areas, ...WORKED_IN].some(([start, end]) => address >= start && address < end),
  );
  if (other !== undefined) throw new Error(`writes to ${other}`);
}

const stateOf = (machine: Machine): Word[] =>
  Array.from({ length: 8 }, (_, index) => machine.memory.word(STATE + 4 * index));

/** Claims share the terms of messages that begin alike, as long as there is room for them. */
const MOST_TERMS = 200_000;

/** Runs a claim on memory whose contents are unknown. */
function claim(name: string, prove: (machine: Machine) => void): Claim {
  return {
    name,
    prove(machine) {
      machine.memory.forget(KNOWN);
      if (countOfTerms() > MOST_TERMS) forgetTerms();
      prove(machine);
    },
  };
}

const CONSTANTS_ARE_RIGHT = claim('start: the constants', (machine) => {
  for (const [index, word] of [...H0, ...K].entries())
    mustBe(`constant ${index}`, machine.memory.word(CONSTANTS + 4 * index), word);
});

const INIT = claim('init', (machine) => {
  machine.call('init');
  for (const [index, word] of stateOf(machine).entries()) mustBe(`H${index}`, word, H0[index]!);
  mustHaveWritten(machine, []);
});

const updateOf = (blockCount: number): Claim =>
  claim(`update of ${blockCount} blocks in any state`, (machine) => {
    const before = stateOf(machine);
    machine.call('update', messageOf(0), blockCount);
    const wanted = absorbed(before, bytesAt(machine, messageOf(0), 64 * blockCount));
    for (const [index, word] of stateOf(machine).entries()) mustBe(`H${index}`, word, wanted[index]!);
    mustHaveWritten(machine, []);
  });

const finalOf = (tailLength: number, blockCount: number, width: Width): Claim =>
  claim(`final of ${tailLength} bytes after ${blockCount} blocks, in any state, width ${width}`, (machine) => {
    const before = stateOf(machine);
    const byteLength = 64 * blockCount + tailLength;
    machine.call('final', messageOf(0), tailLength, byteLength, DIGEST, width);
    const tail = bytesAt(machine, messageOf(0), tailLength);
    mustBeDigest(machine, DIGEST, width, absorbed(before, [...tail, ...padding(byteLength)]));
    mustHaveWritten(machine, [[DIGEST, DIGEST + width]]);
  });

const sha256Of = (byteLength: number, width: Width): Claim =>
  claim(`sha256 of ${byteLength} bytes, width ${width}`, (machine) => {
    machine.call('sha256', messageOf(0), byteLength, DIGEST, width);
    mustBeDigest(machine, DIGEST, width, sha256(bytesAt(machine, messageOf(0), byteLength)));
    mustHaveWritten(machine, [[DIGEST, DIGEST + width]]);
  });

/** Rows of these lengths, of which those before `first` are left alone; undefined is a row without a message. */
const hashOf = (byteLengths: readonly (number | undefined)[], width: Width, first = 0): Claim =>
  claim(
    `hash of rows ${first} to ${byteLengths.length} of ${byteLengths.join(', ')} bytes, width ${width}`,
    (machine) => {
      const { memory } = machine;
      for (const [row, byteLength] of byteLengths.entries()) {
        memory.setWord(SPANS + 8 * row, messageOf(row));
        memory.setWord(SPANS + 8 * row + 4, byteLength ?? NO_MESSAGE);
      }
      machine.call('hash', first, byteLengths.length, width);
      for (const [row, byteLength] of byteLengths.entries()) {
        if (row < first) continue;
        const digest =
          byteLength === undefined ? new Array<Word>(8).fill(0) : sha256(bytesAt(machine, messageOf(row), byteLength));
        mustBeDigest(machine, DIGESTS + width * row, width, digest);
      }
      mustHaveWritten(machine, [
        [SPANS, SPANS + 8 * byteLengths.length],
        [DIGESTS + width * first, DIGESTS + width * byteLengths.length],
      ]);
    },
  );

/** From 0 to 128: in one block with its padding, in two, in three. */
const LENGTHS_BY_BLOCKS = [
  [0, 55],
  [56, 119],
  [120, 128],
] as const;
/** Where padding changes: the first and the last lengths of a block count, and whole blocks. */
const EDGES = [0, 1, 54, 55, 56, 63, 64, 119, 120, 128];

const range = (start: number, end: number): number[] =>
  Array.from({ length: end - start + 1 }, (_, index) => start + index);

/** Fours of lengths in which each length is in each lane, beside others: a quarter, a half and three quarters on. */
function foursOf(lengths: readonly number[]): number[][] {
  const quarter = Math.ceil(lengths.length / 4);
  return lengths.map((_, index) => [0, 1, 2, 3].map((lane) => lengths[(index + lane * quarter) % lengths.length]!));
}

/**
 * All claims of the kernel, those that find most first.
 *
 * @param isWhole every length to two blocks and padding; otherwise those at which padding changes
 */
export function claimsOfKernel(isWhole: boolean): readonly Claim[] {
  const lengths = isWhole ? range(0, 128) : EDGES;
  const fours = LENGTHS_BY_BLOCKS.flatMap(([least, most]) =>
    foursOf(lengths.filter((length) => length >= least && length <= most)),
  );
  const tails = lengths.filter((length) => length < 64);
  return [
    CONSTANTS_ARE_RIGHT,
    INIT,
    hashOf([3, 0, 55, 54], 32),
    sha256Of(3, 32),
    ...WIDTHS.flatMap((width) => [hashOf([1, 2, 3, 4], width), hashOf([undefined, 60, undefined], width, 1)]),
    ...[0, 1, 2].map(updateOf),
    ...tails.map((tail) => finalOf(tail, 0, 32)),
    // totals whose bits take more than 32, more than 53 and, of 2^64 bits, all bits
    ...[2 ** 23, 2 ** 26 + 1, 2 ** 40, 2 ** 46 - 1].map((blockCount) => finalOf(17, blockCount, 32)),
    ...WIDTHS.flatMap((width) => [finalOf(55, 1, width), finalOf(56, 1, width)]),
    ...lengths.map((length) => sha256Of(length, 32)),
    ...WIDTHS.flatMap((width) => [sha256Of(5, width), sha256Of(64, width)]),
    ...fours.map((four) => hashOf(four, 32)),
    // two and three of a kind, rows between them, more than four, and rows that others leave alone
    ...[[7], [7, 9], [7, 9, 11], [7, 9, 11, 13, 15], [0, 1, 2, 3, 4, 5, 6, 7, 8]].map((rows) => hashOf(rows, 32)),
    hashOf([64, 7, undefined, 65, 120, 9, 8, 66, 121, undefined, 63], 16),
    hashOf([5, 64, 6, 65, 7, 66], 8, 2),
  ];
}
