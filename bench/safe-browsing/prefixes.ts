import { createHash } from 'node:crypto';
import { type ExpressionColumn, ExpressionHasher, PrefixSet } from '../../src/entries/safe-browsing.ts';
import { type Contender, type Measure, measure, ratio } from '../measure.ts';

const PREFIX_BYTES = 4;
const ROW_COUNT = 125_000;

/** Hashes that no order helps to find: eight of each row, and of each fiftieth row one is in the set. */
function columnOf(prefixes: Uint8Array): ExpressionColumn {
  const urls = Array.from({ length: ROW_COUNT }, (_, index) => `http://a.h${index}.com/x/y?q`);
  const column = new ExpressionHasher({ width: PREFIX_BYTES }).hashMany(urls);
  for (let row = 0; row < column.length; row += 50) {
    const from = ((row * 7919) % (prefixes.length / PREFIX_BYTES)) * PREFIX_BYTES;
    column.bytes.set(prefixes.subarray(from, from + PREFIX_BYTES), column.offsets[row]! * PREFIX_BYTES);
  }
  return column;
}

/** As SHA-256 spreads its values: evenly, by a cheaper generator (xorshift32). */
export function randomPrefixes(count: number): Uint8Array {
  const words = new Uint32Array(count);
  let state = createHash('sha256').update('prefixes').digest().readUInt32LE();
  for (let index = 0; index < count; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[index] = state;
  }
  return new Uint8Array(words.buffer);
}

const wordAt = (bytes: Uint8Array, at: number) =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

function searched(sorted: Uint32Array, word: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === word;
}

/** Counts the rows of a column of which some hash is in a set. */
function lookUps(
  name: string,
  { bytes, offsets, length }: ExpressionColumn,
  has: (bytes: Uint8Array, at: number) => boolean,
): Contender {
  const run = () => {
    let found = 0;
    for (let row = 0; row < length; row++) {
      let at = PREFIX_BYTES * offsets[row]!;
      const end = PREFIX_BYTES * offsets[row + 1]!;
      while (at < end && !has(bytes, at)) at += PREFIX_BYTES;
      if (at < end) found++;
    }
    return found;
  };
  return { name, count: bytes.length / PREFIX_BYTES, run };
}

/** Look-ups in a set of `count` prefixes of 4 bytes; the JavaScript sets only where they can hold them. */
export function benchPrefixes(count: number, rounds: number): void {
  const prefixes = randomPrefixes(count);
  const set = PrefixSet.from(prefixes, PREFIX_BYTES);
  const column = columnOf(prefixes);
  const hashes = Array.from({ length: column.bytes.length / 4 }, (_, index) =>
    column.bytes.slice(4 * index, 4 * index + 4),
  );
  const contenders: Contender[] = [
    { name: 'PrefixSet.matches', count: hashes.length, run: () => set.matches(column).length },
    lookUps('PrefixSet.has', column, (_, at) => set.has(hashes[at / PREFIX_BYTES]!)),
    ...rivalsOf(prefixes, column),
  ];
  const found = contenders.map(({ run }) => run());
  if (new Set(found).size !== 1) throw new Error(`they find ${found.join(', ')}`);
  printLookUps(set, measure(contenders, rounds));
}

/** More than this, a Set cannot hold: it has room for 2^24 values. */
const SET_LIMIT = 1.5e7;

function rivalsOf(prefixes: Uint8Array, column: ExpressionColumn): Contender[] {
  const words = Uint32Array.from({ length: prefixes.length / 4 }, (_, index) => wordAt(prefixes, 4 * index));
  const sorted = words.slice().sort();
  const search = lookUps('Uint32Array, binary search', column, (bytes, at) => searched(sorted, wordAt(bytes, at)));
  if (words.length > SET_LIMIT) return [search];
  const numbers = new Set(words);
  const texts = new Set(Array.from(words, (word) => word.toString(16).padStart(8, '0')));
  const hex = (bytes: Uint8Array, at: number) => wordAt(bytes, at).toString(16).padStart(8, '0');
  return [
    search,
    lookUps('Set of numbers', column, (bytes, at) => numbers.has(wordAt(bytes, at))),
    lookUps('Set of hex strings', column, (bytes, at) => texts.has(hex(bytes, at))),
  ];
}

function printLookUps(set: PrefixSet, measures: readonly Measure[]): void {
  const [matches, has] = measures as [Measure, Measure];
  const rows = measures.map((each) => {
    const rates = [each.value.toFixed(1), (1000 / each.value).toFixed(1)];
    return `| ${[each.name, ...rates, ratio(each, matches).toFixed(1), ratio(each, has).toFixed(1)].join(' | ')} |`;
  });
  const memory = `${(set.byteLength / 2 ** 20).toFixed(1)} MiB, ${(set.byteLength / set.size).toFixed(2)} bytes each`;
  const peak = `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB at the most while it was made and measured`;
  console.log(`
Look-ups among ${set.size} prefixes of 4 bytes: ${memory}; the process took ${peak}

| | ns | million a second | times the time of matches | times the time of has |
|---|---:|---:|---:|---:|
${rows.join('\n')}`);
}
