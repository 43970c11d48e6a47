// Which lines take longest for their bytes? A search over pieces of lines, as whoever wants to harm a service would make
// it: each step changes the slowest lines found so far. `npm run bench -- slowest`.

import { UrlHasher } from '../src/index.ts';
import { KINDS } from '../test/support/kinds.ts';
import { randomFrom } from '../test/support/random.ts';
import { assembled, mutated } from '../test/support/samples.ts';
import { isSmoke, ownString } from './corpus.ts';
import { MADE_UP_SEED } from './made-up.ts';
import { type Turn, turn } from './measure.ts';
import { Report } from './report.ts';

const CANDIDATES = isSmoke ? 20 : 2000;
const STEPS = isSmoke ? 2 : 20;
const KEPT = 30;
const SHOWN = 8;
/** Lines of a batch, which differ in a number: what is remembered of one does not help with the next. */
const BATCH_LINES = 400;
/** Shorter lines take long for their bytes whatever they are: a block of SHA-256 has 64. */
const LENGTHS = { least: 40, most: 200 };

const next = randomFrom(MADE_UP_SEED);
const hasher = new UrlHasher();

function batchOf(line: string): Uint8Array {
  const at = line.search(/[a-z\u0080-\uffff](?=[^:]*$)/) + 1;
  const numbered = (index: number) => `${line.slice(0, at)}${index}${line.slice(at)}\n`;
  return Buffer.from(Array.from({ length: BATCH_LINES }, (_, index) => numbered(index)).join(''));
}

/** Nanoseconds of a processor for a byte of a line: the least of some rounds. */
function costOf(line: string): number {
  const text = batchOf(line);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4; round++) {
    const before = process.cpuUsage();
    hasher.hashLines(text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, ((user + system) * 1e3) / text.length);
  }
  return least;
}

function newLine(slowest: readonly string[]): string {
  if (slowest.length > 0 && next(3) > 0) return mutated(slowest[next(slowest.length)]!, next);
  const kinds = Object.values(KINDS);
  return next(2) === 0 ? assembled(next) : kinds[next(kinds.length)]!(next);
}

function slowestLines(): string[] {
  let slowest: string[] = [];
  for (let step = 0; step < STEPS; step++) {
    const lines = Array.from({ length: CANDIDATES / STEPS }, () =>
      ownString(newLine(slowest).replaceAll(/[\n\r]/g, '')),
    )
      .map((line) => line.padEnd(LENGTHS.least, 'x'))
      .filter(({ length }) => length <= LENGTHS.most);
    // the kept ones are measured again: a cost that was an accident goes
    const costs = new Map([...slowest, ...lines].map((line) => [line, costOf(line)]));
    slowest = [...costs.keys()].toSorted((one, other) => costs.get(other)! - costs.get(one)!).slice(0, KEPT);
  }
  return slowest.slice(0, SHOWN);
}

function byteTurn(name: string, text: Uint8Array): Turn {
  return turn(name, text.length, () => hasher.hashLines(text));
}

const plain = Buffer.from(Array.from({ length: BATCH_LINES }, () => `${KINDS['plain']!(next)}\n`).join(''));
const turns = slowestLines().map((line) => byteTurn(JSON.stringify(line), batchOf(line)));
const report = new Report('slowest', [], `seed ${MADE_UP_SEED}, ${CANDIDATES} lines tried, `);
const title = 'Nanoseconds for a byte of the slowest lines';
await report.time('slowest', title, [byteTurn('plain', plain), ...turns], 'plain', { seconds: 3 });
report.write();
