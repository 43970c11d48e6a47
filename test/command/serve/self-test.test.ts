import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFault } from '../../../src/command/fault.ts';
import { selfTest } from '../../../src/command/serve/self-test.ts';
import { optionsOfArguments } from '../../../src/command/serve/serve.ts';
import { openOutput } from '../../../src/tables/outputs.ts';

const tests = suite('self-test');

const ALL = [
  ...['hash', 'hash --width 8', 'hash --width 16', 'hash --exclude-fragment', 'u64', 'i64', 'canonical'],
  ...['canonical --profile web-risk', 'canonical --profile v5', 'reason', 'reason --profile v5'],
  ...['expressions --profile web-risk', 'expressions --profile v5 --width 8'],
];

const outputOf = (args: string) => openOutput(optionsOfArguments(['--output', ...args.split(' ')]));

tests('every output passes', () => {
  for (const args of ALL) selfTest(outputOf(args));
});

tests('a bit that is wrong in any row is noticed, and the row named', () => {
  for (const args of ALL.filter((each) => !each.startsWith('reason'))) {
    const output = outputOf(args);
    for (const row of [0, 2, 5]) {
      const wrong = {
        ...output,
        column: (rows: Parameters<typeof output.column>[0]) => {
          const column = output.column(rows);
          column.bytes[(column.offsets === undefined ? row : column.offsets[row]!) * output.width]! ^= 1;
          return column;
        },
      };
      assert.throws(
        () => selfTest(wrong),
        (error: unknown) =>
          isFault(error, 'request') &&
          /^the self-test failed: this Node \(v\d+.*\) makes ".*" of "http/i.test(error.message),
        `${args}, row ${row}`,
      );
    }
  }
});

tests('a row that is not a URL, where it must be one, is noticed', () => {
  const { column, ...output } = outputOf('reason');
  const wrong = () =>
    column({ bytes: new TextEncoder().encode('?'.repeat(9)), offsets: Uint32Array.from(Array(10).keys()) });
  assert.throws(() => selfTest({ ...output, column: wrong }), /makes "missing-scheme-non-relative-URL" of .*, not ""/);
});

tests('it takes under 5 ms of processor time, once the tables that it reads are there', () => {
  const times = ALL.map((args) => {
    const output = outputOf(args);
    selfTest(output); // compiles the kernel and reads the tables of UTS #46, as the first such row would
    const start = process.cpuUsage();
    selfTest(output);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  });
  times.sort((one, other) => one - other);
  assert.ok(times[times.length >> 1]! < 5, times.join(' '));
});

tests.run();
