import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, ExpressionHasher, expressions, hashes } from '../../../src/entries/safe-browsing.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('safe-browsing: options');
const URL = 'http://evil.example/';

function refused(type: typeof TypeError | typeof RangeError, message: RegExp, call: () => unknown): void {
  const error = errorOf(call);
  assert.is(error.constructor, type, `${error.name}: ${error.message}`);
  assert.match(error.message, message);
}

const TAKING_OPTIONS = {
  canonicalize: (options: never) => canonicalize(URL, options),
  expressions: (options: never) => expressions(URL, options),
  hashes: (options: never) => hashes(URL, options),
  ExpressionHasher: (options: never) => new ExpressionHasher(options).hashMany([URL]),
};

for (const [name, call] of Object.entries(TAKING_OPTIONS)) {
  test(`${name}: options are checked`, () => {
    for (const options of [5, 'v5', true, null, [], () => URL, Symbol('v5')])
      refused(TypeError, /^options must be an object, got/, () => call(options as never));
    refused(RangeError, /^options has no "profiel", only profile, mode/, () => call({ profiel: 'v5' } as never));
    refused(RangeError, /^profile must be one of web-risk, v5, got "v4"$/, () => call({ profile: 'v4' } as never));
    refused(RangeError, /^profile must be one of/, () => call({ profile: null } as never));
    refused(RangeError, /^mode must be one of spec, browser/, () => call({ mode: 'strict' } as never));
    call({} as never);
  });
}

test('options of some functions alone', () => {
  const { canonicalize: call } = TAKING_OPTIONS;
  refused(RangeError, /^mode must be one of spec, browser, got "union"$/, () => call({ mode: 'union' } as never));
  refused(RangeError, /^options has no "privateSuffixes"/, () => call({ privateSuffixes: true } as never));
  for (const made of [TAKING_OPTIONS.expressions, TAKING_OPTIONS.ExpressionHasher]) {
    refused(RangeError, /^privateSuffixes must be one of true, false, got 0$/, () =>
      made({ privateSuffixes: 0 } as never),
    );
    refused(TypeError, /^suffixList must be what SuffixList.parse returns/, () => made({ suffixList: {} } as never));
  }
  refused(RangeError, /^options has no "width"/, () => expressions(URL, { width: 4 } as never));
  for (const width of [3, 33, 4.5, '4', null, Number.NaN])
    refused(
      RangeError,
      /^width must be a whole number of bytes from 4 to 32/,
      () => new ExpressionHasher({ width: width as number }),
    );
  refused(RangeError, /^kernel must be one of simd, js,/, () => new ExpressionHasher({ kernel: 'avx' as 'js' }));
});

test.run();
