import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFault } from '../../../src/command/fault.ts';
import { selfTest } from '../../../src/command/serve/self-test.ts';
import { optionsOfArguments } from '../../../src/command/serve/serve.ts';
import { OUTPUTS, openOutput } from '../../../src/tables/outputs.ts';

const tests = suite('self-test');

/** Outputs that are hashes or forms, in the widths and profiles that differ. */
const CHANGED = [
  ...['hash', 'hash --width 8', 'hash --width 16', 'hash --exclude-fragment', 'u64', 'i64', 'canonical'],
  ...['canonical --profile web-risk', 'canonical --profile v5'],
  ...['expressions --profile web-risk', 'expressions --profile v5 --width 8'],
];

const outputOf = (args: string) => openOutput(optionsOfArguments(['--output', ...args.split(' ')]));

tests('every output passes', () => {
  const all = Object.entries(OUTPUTS).flatMap(([name, { profiles }]) =>
    profiles.map((profile) => `${name} --profile ${profile}`),
  );
  for (const args of [...all, ...CHANGED]) selfTest(outputOf(args));
});

tests('a bit that is wrong in any row is noticed, and the row named', () => {
  for (const args of CHANGED) {
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

tests.run();
