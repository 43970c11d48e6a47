import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { FOLDER } from '../support/scratch.ts';
import { random } from '../support/seed.ts';
import { urlsum } from './command.ts';

type Random = ReturnType<typeof random>;

const SAMPLE = readFileSync('bench/sample/urls.txt');
const HALF = SAMPLE.indexOf('\n', SAMPLE.length / 2) + 1;
const CSV = Buffer.from(
  SAMPLE.toString('latin1').replace(/^(.*)$/gm, (line) => `"${line.replaceAll('"', '""')}",x`),
  'latin1',
);

const INPUTS: readonly Buffer[] = [
  SAMPLE,
  CSV,
  gzipSync(SAMPLE),
  gzipSync(CSV),
  Buffer.concat([gzipSync(SAMPLE.subarray(0, HALF)), gzipSync(SAMPLE.subarray(HALF))]),
  Buffer.concat([Buffer.from('28b52ffd200a510000', 'hex'), Buffer.from('http://a/\n')]), // zstd, by hand (RFC 8878)
];

const ARGUMENTS: readonly (readonly string[])[] = [
  [],
  ['-j', '2'],
  ['-z'],
  ['--csv', '-f', '1'],
  ['--tsv', '-f', '1'],
  ['--format', 'ndjson'],
  ['--on-error', 'keep', '--dedup'],
  ['canon'],
  ['expressions', '--hash'],
  ['-c'],
];

const DAMAGES: readonly ((bytes: Buffer, next: Random) => Buffer)[] = [
  function flip(bytes, next) {
    const damaged = Buffer.from(bytes);
    for (let count = 1 + next(8); count > 0; count--) damaged[next(damaged.length)]! ^= 1 << next(8);
    return damaged;
  },
  function cut(bytes, next) {
    return bytes.subarray(0, next(bytes.length));
  },
  function insert(bytes, next) {
    const at = next(bytes.length);
    const noise = Buffer.from(Array.from({ length: next(5000) }, () => next(256)));
    return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]);
  },
  function leaveOut(bytes, next) {
    const at = next(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + next(5000))]);
  },
];

const WHOLE = urlsum(['bench/sample/urls.txt']).stdout;

/** Damaged inputs end in a status and sentences; what a cut leaves gives the rows it gave; the next input is read. */
export function damage(count: number): string {
  const next = random();
  const good = join(FOLDER, 'good');
  writeFileSync(good, 'http://good.example/\n');
  const statuses = [0, 0, 0];
  for (let round = 0; round < count; round++) {
    const input = INPUTS[next(INPUTS.length)]!;
    const args = ARGUMENTS[next(ARGUMENTS.length)]!;
    const how = DAMAGES[next(DAMAGES.length)]!;
    const path = join(FOLDER, `damaged-${round}`);
    writeFileSync(path, how(input, next));
    const { status, stdout } = urlsum([...args, path, good]);
    statuses[status!]!++;
    const what = `round ${round}: ${how.name}, ${args.join(' ')}`;
    if (!args.includes('-c')) assert.ok(stdout.includes('good.example'), what);
    if (how.name === 'cut' && input === INPUTS[2] && (args.length === 0 || args[0] === '-j')) mustBeBegin(stdout, what);
  }
  return `${count} inputs, of which ${statuses.map((sum, status) => `${sum} ended with ${status}`).join(', ')}`;
}

/** But for the last row, which is the good input's. */
function mustBeBegin(stdout: Buffer, what: string): void {
  const rows = stdout.subarray(0, stdout.lastIndexOf('\n', stdout.length - 2) + 1);
  assert.ok(WHOLE.subarray(0, rows.length).equals(rows), what);
}
