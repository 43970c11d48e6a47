// What is proved of the module `lines`: the hex digits of every digest, and the decimal digits of every word, all 2^64.
import { DIGESTS, ROW_ENDS, ROW_STARTS, SPANS, TEXT } from '../../../../assembly/layout.ts';
import { END, HEX, KEPT, TEMPLATE, WRITTEN } from '../../../../assembly/lines/layout.ts';
import type { Claim } from './claims.ts';
import { Machine } from './machine.ts';
import type { WasmModule } from './module.ts';
import { bytesOf, OPERATIONS, type Operation, type Value, type Vector, vectorOf } from './operations.ts';
import {
  dividedBy,
  maskedBy,
  minus,
  PARTS_OPERATIONS,
  type Parts,
  partsOf,
  plus,
  tableOf,
  type Unknown,
} from './parts.ts';
import { and, byteOfWord, shr, variable, type Word, wordOfBytes } from './terms.ts';

const HEX_DIGITS = '0123456789abcdef';

/** The byte of a text that a number below 16 chooses. */
function chosen(text: string, index: Word): Word {
  if (typeof index === 'number') return text.charCodeAt(index);
  if (index.masks.some((mask) => mask > 15)) throw new Error('the index may be more than 15');
  return variable(`${text}[${index.id}]`, 0xff);
}

const HEX_OPERATIONS: Readonly<Record<string, Operation>> = {
  ...OPERATIONS,
  'i8x16.swizzle': (x: Vector, indices: Vector) => {
    const bytes = bytesOf(x);
    if (bytes.some((byte) => typeof byte !== 'number')) throw new Error('a table that is not known');
    const text = String.fromCharCode(...(bytes as number[]));
    return vectorOf(bytesOf(indices).map((index) => byteOfWord(chosen(text, wordOfBytes([index, 0, 0, 0])), 0)));
  },
};

/** Rows of digests of `width` bytes with nothing but their hex digits in a line. */
function hexOf(width: 8 | 16 | 32): Claim {
  return {
    name: `hex digits of every digest of ${width} bytes`,
    prove({ module }) {
      const machine = new Machine(module, HEX_OPERATIONS);
      const { memory } = machine;
      memory.forget([]);
      for (const [index, byte] of [HEX, END].entries()) memory.setByte(TEMPLATE + index, byte);
      memory.setWord(KEPT, 0);
      for (const [address, word] of [
        [ROW_STARTS, TEXT],
        [ROW_ENDS, TEXT],
        [SPANS, TEXT],
        [SPANS + 4, 0],
      ] as const)
        memory.setWord(address, word);
      const end = machine.call('write', 0, 1, width, 0x0a);
      if (end !== WRITTEN + 2 * width + 1) throw new Error(`ends at ${end}`);
      for (let index = 0; index < width; index++) {
        const byte = wordOfBytes([memory.byte(DIGESTS + index), 0, 0, 0]);
        const digits = [shr(byte, 4), and(byte, 15)].map((nibble) => chosen(HEX_DIGITS, nibble));
        for (const [place, digit] of digits.entries())
          if (wordOfBytes([memory.byte(WRITTEN + 2 * index + place), 0, 0, 0]) !== digit)
            throw new Error(`byte ${index} has another digit`);
      }
      if (memory.byte(WRITTEN + 2 * width) !== 0x0a) throw new Error('no line end');
    },
  };
}

/** Groups of four digits of a word, the first with 10^16: every word is in one of these ranges. */
type Groups = readonly [Unknown, Unknown, Unknown, Unknown, Unknown];

const ANY: Unknown = { least: 0, most: 9999 };
const exactly = (number: number): Unknown => ({ least: number, most: number });
const any = (): Unknown => ({ ...ANY });

/** Each with a number of digits that all words in it have: 1 to 20, and those with 20 that begin as 2^64 - 1 does. */
function* rangesOfWords(): Generator<{ digitCount: number; groups: Groups }> {
  const largest = [1844, 6744, 737, 955, 1615];
  yield { digitCount: 1, groups: largest.map(() => exactly(0)) as never };
  for (let digitCount = 1; digitCount <= 20; digitCount++) {
    const leading = 4 - Math.floor((digitCount - 1) / 4);
    const inGroup = ((digitCount - 1) % 4) + 1;
    const first = { least: 10 ** (inGroup - 1), most: 10 ** inGroup - 1 };
    if (digitCount === 20) first.most = largest[0]! - 1;
    yield {
      digitCount,
      groups: largest.map((_, index) => (index < leading ? exactly(0) : index > leading ? any() : first)) as never,
    };
  }
  for (let same = 1; same <= 5; same++)
    yield {
      digitCount: 20,
      groups: largest.map((number, index) => {
        if (index < same) return exactly(number);
        return index > same ? any() : { least: 0, most: number - 1 };
      }) as never,
    };
}

/** Keeps what is stored apart from memory: bytes of sums, the last at each address. */
class DigitMachine extends Machine {
  readonly stored = new Map<number, readonly [value: bigint | Parts, index: number]>();

  protected override store(name: string, address: number, value: Value): void {
    if (name !== 'i64.store') throw new Error(`no such instruction here: ${name}`);
    for (let index = 0; index < 8; index++) this.stored.set(address + index, [value as bigint | Parts, index]);
  }
}

function wordsOf({ digitCount, groups }: { digitCount: number; groups: Groups }): Claim {
  const shown = groups.map(({ least, most }) => (least === most ? least : `${least}-${most}`)).join(' ');
  return {
    name: `decimal digits of the words ${shown}`,
    prove({ module }) {
      const machine = new DigitMachine(module, PARTS_OPERATIONS);
      const word = groups
        .map((group, index) =>
          partsOf(0n, [[group, tableOf(group, (number) => number * 10n ** BigInt(16 - 4 * index))]]),
        )
        .reduce(plus);
      const end = machine.call(writeWordOf(module), word, WRITTEN);
      if (end !== WRITTEN + digitCount) throw new Error(`ends at ${end}`);
      for (let place = 0; place < digitCount; place++) {
        const fromEnd = digitCount - 1 - place;
        const group = groups[4 - Math.floor(fromEnd / 4)]!;
        const digit = tableOf(group, (number) => 0x30n + ((number / 10n ** BigInt(fromEnd % 4)) % 10n));
        const [value, index] = machine.stored.get(WRITTEN + place)!;
        const shift = BigInt(8 * index);
        const byte = dividedBy(maskedBy(value, 0xffn << shift), 1n << shift);
        if (minus(byte, partsOf(0n, [[group, digit]])) !== 0n) throw new Error(`digit ${place} is another`);
      }
    },
  };
}

/** The function of a word and an address: it has no name in the module, and no other takes an i64. */
function writeWordOf({ functions }: WasmModule): number {
  return functions.findIndex(({ type }) => type.parameters.join() === 'i64,i32');
}

/** Their machines are made of the module of the one they are given. */
export function claimsOfLines(): readonly Claim[] {
  return [...([8, 16, 32] as const).map(hexOf), ...[...rangesOfWords()].map(wordsOf)];
}
