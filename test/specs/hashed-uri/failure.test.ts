import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  canonicalize,
  HashedUri,
  HashedUriError,
  HashedUriSet,
  hash,
  matches,
  parse,
  registerAlgorithm,
} from '../../../src/entries/hashed-uri.ts';
import { halvedCases } from '../../support/seed.ts';
import { errorOf, mustRefuse } from '../../support/thrown.ts';

const test = suite('hashed-uri: bad input');
const N = { variant: 'N' } as const;

// What each kind of bad URI gets: [input, reason, place, position]
const BAD_URIS: readonly (readonly [uri: string, reason: string, place: string, position?: number])[] = [
  ['', 'scheme-missing', 'scheme'],
  ['a/b', 'scheme-missing', 'scheme'],
  ['//h/a', 'scheme-missing', 'scheme'],
  ['?a:b', 'scheme-missing', 'scheme'],
  [':a', 'scheme-malformed', 'scheme', 0],
  ['1http://h', 'scheme-malformed', 'scheme', 0],
  ['ht_tp://h', 'scheme-malformed', 'scheme', 0],
  ['%68ttp://h', 'scheme-malformed', 'scheme', 0],
  [' http://h/', 'character-excluded', 'character', 0],
  ['http://h/ ', 'character-excluded', 'character', 9],
  ['http://h/\n', 'character-excluded', 'character', 9],
  ['http://h/\0', 'character-excluded', 'character', 9],
  ['<http://h/>', 'character-excluded', 'character', 0],
  ['http://h/a|b', 'character-excluded', 'character', 10],
  ['http://h/é', 'character-excluded', 'character', 9],
  ['http://é/', 'character-excluded', 'character', 7],
  ['http://h/\u{1f600}', 'character-excluded', 'character', 9],
  ['http://h/\ud800', 'character-excluded', 'character', 9],
  ['http://h/#a#b', 'character-excluded', 'character', 11],
  ['http://h/%', 'escape-malformed', 'escape', 9],
  ['http://h/%4', 'escape-malformed', 'escape', 9],
  ['http://h/%zz', 'escape-malformed', 'escape', 9],
  ['http://h/%41%4g', 'escape-malformed', 'escape', 12],
  ['http://[::1/', 'ipv6-malformed', 'host'],
  ['http://[]/', 'ipv6-malformed', 'host'],
  ['http://[1:2]/', 'ipv6-malformed', 'host'],
  ['http://[fe80::1%25eth0]/', 'ipv6-malformed', 'host'],
  ['http://[::1]x/', 'ipv6-malformed', 'host'],
  ['foo://a[b/', 'ipv6-malformed', 'host'],
];

const BAD_HASHED: readonly (readonly [text: string, reason: string, place: string, position?: number])[] = [
  ['', 'not-hashed', 'scheme', 0],
  ['http://h/', 'not-hashed', 'scheme', 0],
  [' hashed:md5=00', 'not-hashed', 'scheme', 0],
  ['ha\u017fhed:md5=00', 'not-hashed', 'scheme', 0],
  ['hashed:', 'algorithm-malformed', 'algorithm', 7],
  ['hashed:md5', 'algorithm-malformed', 'algorithm', 7],
  ['hashed:=00', 'algorithm-malformed', 'algorithm', 7],
  ['hashed:md_5=00', 'algorithm-malformed', 'algorithm', 7],
  ['hashed:x+y=00', 'algorithm-malformed', 'algorithm', 7],
  ['hashed:\u212a=00', 'algorithm-malformed', 'algorithm', 7],
  ['hashed:md5=', 'value-malformed', 'value', 11],
  ['hashed:md5=+frag', 'value-malformed', 'value', 11],
  ['hashed:md5=0g', 'value-malformed', 'value', 11],
  ['hashed:md5=00==', 'value-malformed', 'value', 11],
  ['hashed:md5=00\n', 'value-malformed', 'value', 11],
  ['hashed:md5=00#a', 'value-malformed', 'value', 11],
  ['hashed:md5=00?a', 'value-malformed', 'value', 11],
  ['hashed:md5=00+', 'flag-unknown', 'flag', 13],
  ['hashed:md5=00+path', 'flag-unknown', 'flag', 13],
  ['hashed:md5=00+frag ', 'flag-unknown', 'flag', 13],
  ['hashed:md5=00+frag+', 'flag-unknown', 'flag', 13],
  ['hashed:md5=00+fragquery', 'flag-unknown', 'flag', 13],
];

function assertFailure(work: () => unknown, input: string, reason: string, place: string, position?: number): void {
  const error = errorOf(work);
  assert.instance(error, HashedUriError, input);
  assert.instance(error, TypeError);
  assert.equal(
    { ...error },
    { name: 'HashedUriError', code: 'ERR_INVALID_HASHED_URI', input, reason, place, position },
    input,
  );
  assert.ok(error.message.includes(reason) && error.message.length < 2000, error.message);
}

test('a text that is not a URI', () => {
  for (const [uri, reason, place, position] of BAD_URIS) {
    const known = hash('http://h/', { ...N, algorithm: 'sha1' });
    assertFailure(() => canonicalize(uri, N), uri, reason, place, position);
    assertFailure(() => hash(uri, { ...N, algorithm: 'md5' }), uri, reason, place, position);
    assertFailure(() => matches(uri, known, N), uri, reason, place, position);
    assertFailure(() => matches(uri, 'hashed:unknown=00', N), uri, reason, place, position);
    assertFailure(() => new HashedUriSet([], N).has(uri), uri, reason, place, position);
    assertFailure(() => canonicalize('a', { ...N, base: uri }), uri, reason, place, position);
  }
});

test('a text that is not a hashed URI', () => {
  for (const [text, reason, place, position] of BAD_HASHED) {
    assertFailure(() => parse(text), text, reason, place, position);
    assertFailure(() => matches('http://h/', text, N), text, reason, place, position);
    assertFailure(() => new HashedUriSet([text], N), text, reason, place, position);
  }
});

test('an algorithm that nobody registered', () => {
  for (const algorithm of ['sha256', '', 'x-', 'SHA-1', 'toString']) {
    assertFailure(() => hash('http://h/', { ...N, algorithm }), algorithm, 'algorithm-unregistered', 'algorithm');
  }
  assert.is(hash('http://h/', { ...N, algorithm: 'SHA1' }).algorithm, 'sha1');
});

test('an argument of the wrong kind, or with a wrong value', async () => {
  const any = (value: unknown) => value as never;
  await mustRefuse([
    [() => canonicalize(any(1), N), 'TypeError: uri must be a string or a URL, got number'],
    [() => canonicalize(any(null), N), 'TypeError: uri must be a string or a URL, got null'],
    [() => canonicalize('a:b', any(undefined)), 'TypeError: options must be an object…'],
    [() => canonicalize('a:b', any({})), 'RangeError: variant must be one of N, P, got undefined'],
    [() => canonicalize('a:b', any({ variant: 'n' })), 'RangeError: variant must be one of N, P, got "n"'],
    [() => canonicalize('a:b', any({ variant: 1n })), 'RangeError: variant must be one of N, P, got 1'],
    [() => canonicalize('a:b', any({ ...N, kept: [] })), 'RangeError: options has no "kept", only …'],
    [() => canonicalize('a:b', any({ ...N, keep: 'frag' })), 'TypeError: keep must be an array, got string'],
    [() => canonicalize('a:b', any({ ...N, keep: ['fragment'] })), 'RangeError: keep must be one of frag, query…'],
    [() => canonicalize('a:b', any({ ...N, base: 7 })), 'TypeError: base must be a string or a URL, got number'],
    [() => canonicalize('a:b', any({ ...N, readings: { x: 1 } })), 'RangeError: readings has no "x", only …'],
    [
      () => canonicalize('a:b', any({ ...N, readings: { excluded: 'drop' } })),
      'RangeError: excluded must be one of reject, escape…',
    ],
    [
      () => canonicalize('a:b', any({ ...N, readings: { defaultPort: 80 } })),
      'RangeError: defaultPort must be one of number, text…',
    ],
    [
      () => canonicalize('a:b', any({ ...N, readings: { unescapedSchemes: 'http' } })),
      'TypeError: unescapedSchemes must be an array, got string',
    ],
    [
      () => canonicalize('a:b', any({ ...N, readings: { unescapedSchemes: [7] } })),
      'TypeError: each of unescapedSchemes must be a string, got number',
    ],
    [
      () => canonicalize('a:b', any({ ...N, readings: { lowercaseKept: 'no' } })),
      'TypeError: lowercaseKept must be a boolean, got string',
    ],
    [() => hash('a:b', any(N)), 'TypeError: algorithm must be a string, got undefined'],
    [() => hash('a:b', any(null)), 'TypeError: options must be an object…'],
    [() => matches('a:b', 'hashed:md5=00', any({ variant: 'X' })), 'RangeError: variant must be one of N, P, both…'],
    [() => matches('a:b', any({}), N), 'TypeError: text must be a string or a URL, got Object'],
    [() => new HashedUriSet(any(null), N), 'TypeError: entries must be a list of hashed URIs, got null'],
    [() => new HashedUriSet(any({}), N), 'TypeError: entries must be a list of hashed URIs, got Object'],
    [() => new HashedUriSet('hashed:md5=00', N), 'TypeError: entries must be a list of hashed URIs, got string'],
    [() => new HashedUriSet([any(null)], N), 'TypeError: text must be a string or a URL, got null'],
    [() => new HashedUriSet([], any(null)), 'TypeError: options must be an object, got null'],
    [() => parse(any(new HashedUri('md5', '00', []))), 'TypeError: text must be a string or a URL, got Object'],
    [
      () => registerAlgorithm(any('sha256'), () => new Uint8Array(1)),
      'RangeError: the name of a private algorithm must be x-…',
    ],
    [
      () => registerAlgorithm('x-a_b', () => new Uint8Array(1)),
      'RangeError: the name of a private algorithm must be x-…',
    ],
    [() => registerAlgorithm(any(5n), () => new Uint8Array(1)), 'TypeError: name must be a string, got bigint'],
    [() => registerAlgorithm('x-a', any(undefined)), 'TypeError: digest must be a function, got undefined'],
    [() => registerAlgorithm('x-a', () => new Uint8Array(0)), 'TypeError: the digest of x-a must be a Uint8Array…'],
    [
      () =>
        registerAlgorithm(
          'x-a',
          any(() => 'ff'),
        ),
      'TypeError: the digest of x-a must be a Uint8Array…',
    ],
  ]);
});

test('a registered name stays what it is, and a digest as long as it was', () => {
  registerAlgorithm('x-taken', () => new Uint8Array(3));
  assert.is(errorOf(() => registerAlgorithm('x-TAKEN' as 'x-', () => new Uint8Array(3))).constructor, RangeError);
  registerAlgorithm('x-fickle', (bytes) => new Uint8Array(1 + bytes.length));
  assert.match(
    errorOf(() => hash('a:b', { ...N, algorithm: 'x-fickle' })).message,
    /^the digest of x-fickle has 4 bytes, but had 1 when it was registered$/,
  );
});

/** All but surrogates, as fast-check's unit 'binary' has them, but for a table of them all: a second of a run. */
const codePoint = fc
  .nat({ max: 0x10ffff - 0x800 })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));

test('no text at all gets another error than these', () => {
  const text = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.string(),
    fc.stringMatching(/^(http|foo):[/@:[\]%#?0-9a-f. ]*$/),
    fc.stringMatching(/^hashed:[a-f0-9=+]*(frag|\+)*$/),
  );
  fc.assert(
    fc.property(text, text, fc.constantFrom<'reject' | 'escape'>('reject', 'escape'), (one, other, excluded) => {
      const options = { ...N, readings: { excluded } };
      for (const work of [
        () => canonicalize(one, options),
        () => canonicalize(one, { ...options, base: other }),
        () => parse(one),
        () => matches(one, other, N),
      ]) {
        try {
          work();
        } catch (error) {
          assert.instance(error, HashedUriError, String(error));
        }
      }
    }),
    { numRuns: halvedCases(4_000) },
  );
});

test('a long bad input is quoted in part and kept whole', () => {
  const long = `http://h/${'é'.repeat(1 << 20)}`;
  const error = errorOf(() => canonicalize(long, N)) as HashedUriError;
  assert.is(error.input, long);
  assert.ok(error.message.length < 500);
  const other = errorOf(() => parse(`hashed:md5=${'0'.repeat(1 << 22)}+`)) as HashedUriError;
  assert.is(other.reason, 'flag-unknown', String(other.stack).slice(-2000));
  assert.equal(parse(`hashed:md5=0${'+frag+query'.repeat(1 << 19)}`).keep, ['frag', 'query']);
});

test.run();
