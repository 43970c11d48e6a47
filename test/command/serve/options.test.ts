import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { optionsOfArguments } from '../../../src/command/commands/serve.ts';
import { isFault } from '../../../src/command/fault.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';

const tests = suite('serve options');

tests('the defaults', () => {
  assert.equal(optionsOfArguments(['--format', 'frames']), {
    format: 'frames',
    output: 'hash',
    profile: 'url',
    width: 32,
    nullable: false,
    kernel: undefined,
    defaultScheme: undefined,
    form: FULL_FORM,
  });
  assert.is(optionsOfArguments(['--format', 'frames', '--output', 'expressions']).profile, 'v5');
  assert.is(optionsOfArguments(['--format', 'frames', '--output', 'i64']).width, 8);
});

const WRONG: [string, RegExp][] = [
  ['', /--format is missing/],
  ['--format csv', /--format must be one of frames, rowbinary, not 'csv'/],
  ['--format frames --output md5', /--output must be one of hash, .*, not 'md5'/],
  ['--format frames --profile v4', /--profile must be one of url, web-risk, v5, not 'v4'/],
  ['--format frames --width 12', /--width must be one of 8, 16, 32, not '12'/],
  ['--format frames --output u64 --width 8', /--width needs --output hash or expressions, not u64/],
  ['--format frames --output expressions --profile url', /expressions needs --profile v5 or web-risk, not url/],
  ['--format frames --profile v5', /--output hash needs --profile url, not v5/],
  ['--format frames --output canonical --profile v5 --exclude-fragment', /--exclude-fragment needs --profile url/],
  [`--format frames --drop-param ${'x'.repeat(1 << 16)}`, /the profile has 65564 bytes, and the greeting .* 65535$/],
  ['--format frames --drop-param a* --drop-param a*b', /--drop-param must be a name, with '\*' only at its end/],
  ['--format frames --drop-list x', /--drop-list must be one of tracking-2026, got "x"/],
  ['--format frames --output expressions --drop-param a', /--drop-param needs --profile url/],
  ['--format frames --output canonical --profile web-risk --drop-list tracking-2026', /--drop-list needs --profile/],
  ['--format frames --output canonical --profile v5 --sort-params', /--sort-params needs --profile url/],
  ['--format frames --nullable', /--nullable needs --format rowbinary/],
  ['--format frames --output profile', /--output profile needs --format rowbinary/],
  ['--format rowbinary --output expressions --nullable', /expressions and --nullable cannot be combined/],
  ['--format frames --base x', /unknown option '--base'/],
  ['--format frames file', /serve reads only standard input, not 'file'/],
];

tests('wrong options, and those that cannot be combined', () => {
  for (const [args, message] of WRONG) {
    assert.throws(
      () => optionsOfArguments(args.split(' ').filter(Boolean)),
      (error: unknown) => isFault(error, 'usage') && message.test(error.message),
      args,
    );
  }
});

tests.run();
