import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFault } from '../../../src/command/fault.ts';
import { optionsOfArguments, selfTest } from '../../../src/command/serve/serve.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';
import { openOutput } from '../../../src/tables/outputs.ts';

const optionTests = suite('serve options');

optionTests('the defaults', () => {
  assert.equal(optionsOfArguments([]), {
    output: 'hash',
    profile: 'url',
    width: 32,
    nullable: false,
    kernel: undefined,
    defaultScheme: undefined,
    form: FULL_FORM,
  });
  assert.is(optionsOfArguments(['--output', 'expressions']).profile, 'v5');
  assert.is(optionsOfArguments(['--output', 'i64']).width, 8);
});

const WRONG: [string, RegExp][] = [
  ['--output md5', /--output must be one of hash, .*, not 'md5'/],
  ['--profile v4', /--profile must be one of url, web-risk, v5, not 'v4'/],
  ['--width 12', /--width must be one of 8, 16, 32, not '12'/],
  ['--output u64 --width 8', /--width needs --output hash or expressions, not u64/],
  ['--output expressions --profile url', /expressions needs --profile v5 or web-risk, not url/],
  ['--profile v5', /--output hash needs --profile url, not v5/],
  ['--output canonical --profile v5 --exclude-fragment', /--exclude-fragment needs --profile url/],
  ['--drop-param a* --drop-param a*b', /--drop-param must be a name, with '\*' only at its end/],
  ['--drop-list x', /--drop-list must be one of tracking-2026, got "x"/],
  ['--output expressions --drop-param a', /--drop-param needs --profile url/],
  ['--output canonical --profile web-risk --drop-list tracking-2026', /--drop-list needs --profile/],
  ['--output canonical --profile v5 --sort-params', /--sort-params needs --profile url/],
  ['--output expressions --nullable', /expressions and --nullable cannot be combined/],
  ['--base x', /unknown option '--base'/],
  ['file', /serve reads only standard input, not 'file'/],
];

optionTests('wrong options, and those that cannot be combined', () => {
  for (const [args, message] of WRONG) {
    assert.throws(
      () => optionsOfArguments(args.split(' ').filter(Boolean)),
      (error: unknown) => isFault(error, 'usage') && message.test(error.message),
      args,
    );
  }
});

optionTests.run();

const selfTests = suite('self-test');

const ALL = [
  ...['hash', 'hash --width 8', 'hash --width 16', 'hash --exclude-fragment', 'u64', 'i64', 'canonical'],
  ...['canonical --profile web-risk', 'canonical --profile v5', 'reason', 'reason --profile v5'],
  ...['expressions --profile web-risk', 'expressions --profile v5 --width 8'],
];

const outputOf = (args: string) => openOutput(optionsOfArguments(['--output', ...args.split(' ')]));

selfTests('every output passes', () => {
  for (const args of ALL) selfTest(outputOf(args));
});

selfTests('a bit that is wrong in any row is noticed, and the row named', () => {
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

selfTests('a row that is not a URL, where it must be one, is noticed', () => {
  const { column, ...output } = outputOf('reason');
  const wrong = () =>
    column({ bytes: new TextEncoder().encode('?'.repeat(9)), offsets: Uint32Array.from(Array(10).keys()) });
  assert.throws(() => selfTest({ ...output, column: wrong }), /makes "missing-scheme-non-relative-URL" of .*, not ""/);
});

selfTests('it takes under 5 ms of processor time, once the tables that it reads are there', () => {
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

selfTests.run();
