import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFault } from '../../../src/command/fault.ts';
import { optionsOfArguments } from '../../../src/command/serve/serve.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';

const tests = suite('serve options');

tests('the defaults', () => {
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
