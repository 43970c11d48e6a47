import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiledOptions } from '../../../src/core/url/canonicalize.ts';
import { canonicalize, type Options, UrlError } from '../../../src/index.ts';
import { corpusLines } from '../../support/data.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { cases, random, SCALE } from '../../support/seed.ts';
import { oracle } from './oracle.ts';

const tests = suite('canonicalize');
/** The number of mutations, which miss 1 in 50 faults in one of 10 000 URLs. */
const MUTATION_COUNT = cases(SCALE > 1 ? 40_000 : 10_000);

function form(url: string, base?: string, excludeFragment = false): string | undefined {
  try {
    return canonicalize(url, { base, excludeFragment });
  } catch (error) {
    assert.instance(error, UrlError);
    return undefined;
  }
}

tests('the table of the specification', () => {
  const rows = [
    ['hTTpS://example.com/', 'https://example.com/'],
    ['https://Example.COM/', 'https://example.com/'],
    ['https://exâmple.com/', 'https://xn--exmple-xta.com/'],
    ['https://example§.com/', 'https://xn--example-eja.com/'],
    ['http://example.com:80/', 'http://example.com/'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://example.com/foo/../bar/./baz.jpg', 'https://example.com/bar/baz.jpg'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com/hello world', 'https://example.com/hello%20world'],
    ['https://example.com/?q=hello world', 'https://example.com/?q=hello%20world'],
    ['https://example.com/?q=hello#to world', 'https://example.com/?q=hello#to%20world'],
  ] as const;
  for (const [input, output] of rows) assert.is(canonicalize(input), output);
});

tests('every sample, alone and against every base, as whatwg-url', () => {
  for (const url of SAMPLE_URLS) {
    assert.is(form(url), oracle(url), JSON.stringify(url));
    for (const base of SAMPLE_URLS)
      assert.is(form(url, base), oracle(url, base), `${JSON.stringify(url)} against ${JSON.stringify(base)}`);
  }
});

tests('mutated URLs, as whatwg-url, and idempotent', () => {
  const next = random();
  const corpus = [...SAMPLE_URLS, ...corpusLines('changed'), ...corpusLines('intl')];
  let valid = 0;
  for (let count = 0; count < MUTATION_COUNT; count++) {
    const url = mutated(corpus[next(corpus.length)]!, next);
    const base = next(4) === 0 ? SAMPLE_URLS[next(SAMPLE_URLS.length)] : undefined;
    const excludeFragment = next(4) === 0;
    const canonical = form(url, base, excludeFragment);
    const told = `${JSON.stringify(url)} against ${base}, excludeFragment: ${excludeFragment}`;
    assert.is(canonical, oracle(url, base, excludeFragment), told);
    if (canonical === undefined) continue;
    valid++;
    assert.is(form(canonical), canonical, `not idempotent: ${JSON.stringify(url)}`);
  }
  assert.ok(valid > MUTATION_COUNT / 2, `only ${valid} mutated URLs were URLs`);
});

tests('generated URLs and any string at all, as whatwg-url', () => {
  const host = fc.oneof(
    fc.domain(),
    fc.ipV4Extended(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const url = fc
    .tuple(
      fc.constantFrom('http:', 'https://', 'file:///', 'foo:', 'foo://', '//', ''),
      host,
      fc.string({ unit: 'binary' }),
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.oneof(url, fc.string({ unit: 'binary' }), fc.webUrl({ withFragments: true, withQueryParameters: true })),
      fc.option(url, { nil: undefined }),
      (input, base) => {
        assert.is(form(input, base), oracle(input, base));
      },
    ),
    { numRuns: cases(SCALE > 1 ? 10_000 : 2500) },
  );
});

const without = { excludeFragment: true } as const;

tests('the serializer leaves out the fragment and its sign, and nothing else', () => {
  for (const [url, canonical] of [
    ['http://a/b?c#d', 'http://a/b?c'],
    ['http://a/b?c#', 'http://a/b?c'],
    ['http://a/?#', 'http://a/?'],
    ['http://a#b', 'http://a/'],
    ['http://a/#b#c', 'http://a/'],
    ['http://a/b', 'http://a/b'],
    ['mailto:x #y', 'mailto:x%20'],
    ['mailto:x  #y', 'mailto:x %20'],
    ['mailto:x ?#y', 'mailto:x%20?'],
    ['data:x#', 'data:x'],
    ['javascript:#', 'javascript:'],
  ] as const) {
    assert.is(canonicalize(url, without), canonical, url);
    assert.is(oracle(url, undefined, true), canonical, url);
    assert.is(canonicalize(canonical, without), canonical, `${canonical} again`);
  }
});

tests('with a base, whose fragment never counts', () => {
  assert.is(canonicalize('#x', { base: 'http://a/b?c#d', ...without }), 'http://a/b?c');
  assert.is(canonicalize('', { base: 'http://a/b?c#d', ...without }), 'http://a/b?c');
  assert.is(canonicalize('#x', { base: 'mailto:y', ...without }), 'mailto:y');
  assert.is(canonicalize('../b#c', { base: 'http://a/x/y', ...without }), 'http://a/b');
});

tests('surrogates that only a removed newline parts are two lone ones', () => {
  assert.is(canonicalize('http://example.com/\ud83d\n\ude00'), 'http://example.com/%EF%BF%BD%EF%BF%BD');
});

tests('the result is ASCII', () => {
  for (const url of SAMPLE_URLS) assert.match(form(url) ?? '', /^[\x20-\x7e]*$/);
});

/** Bad inputs, and the reason that each gets. */
const BAD_INPUTS: readonly (readonly [input: string, reason: string, place: string])[] = [
  ['', 'missing-scheme-non-relative-URL', 'scheme'],
  ['example.com/', 'missing-scheme-non-relative-URL', 'scheme'],
  ['//example.com/', 'missing-scheme-non-relative-URL', 'scheme'],
  ['1http://example.com/', 'missing-scheme-non-relative-URL', 'scheme'],
  ['http://', 'host-missing', 'host'],
  ['http://user@/', 'host-missing', 'host'],
  ['http://:80/', 'host-missing', 'host'],
  ['foo://user@/', 'host-missing', 'host'],
  ['foo://a b/', 'host-invalid-code-point', 'host'],
  ['http://a b/', 'domain-invalid-code-point', 'host'],
  ['http://a%00b/', 'domain-invalid-code-point', 'host'],
  ['http://a|b/', 'domain-invalid-code-point', 'host'],
  ['http://\u00ad/', 'domain-to-ASCII', 'host'],
  ['http://xn--ü/', 'domain-to-ASCII', 'host'],
  ['http://a\ud800b/', 'domain-to-ASCII', 'host'],
  [`http://${'ü'.repeat(1001)}/`, 'IDNA-limit', 'host'],
  ['http://1.2.3.4.5/', 'IPv4-too-many-parts', 'host'],
  ['http://1.2.3.four.5/', 'IPv4-non-numeric-part', 'host'],
  ['http://1..2/', 'IPv4-non-numeric-part', 'host'],
  ['http://09/', 'IPv4-non-numeric-part', 'host'],
  ['http://256.0.0.1/', 'IPv4-out-of-range-part', 'host'],
  ['http://4294967296/', 'IPv4-out-of-range-part', 'host'],
  ['http://[::1/', 'IPv6-unclosed', 'host'],
  ['http://[:1]/', 'IPv6-invalid-compression', 'host'],
  ['http://[1:2:3:4:5:6:7:8:9]/', 'IPv6-too-many-pieces', 'host'],
  ['http://[1::2::3]/', 'IPv6-multiple-compression', 'host'],
  ['http://[g::]/', 'IPv6-invalid-code-point', 'host'],
  ['http://[1:2:3]/', 'IPv6-too-few-pieces', 'host'],
  ['http://[1:2:3:4:5:6:7:1.2.3.4]/', 'IPv4-in-IPv6-too-many-pieces', 'host'],
  ['http://[::1.2.3.04]/', 'IPv4-in-IPv6-invalid-code-point', 'host'],
  ['http://[::1.2.3.256]/', 'IPv4-in-IPv6-out-of-range-part', 'host'],
  ['http://[::1.2.3]/', 'IPv4-in-IPv6-too-few-parts', 'host'],
  ['http://example.com:8o/', 'port-invalid', 'port'],
  ['http://example.com:-1/', 'port-invalid', 'port'],
  ['http://example.com:65536/', 'port-out-of-range', 'port'],
  [`http://example.com:${'9'.repeat(400)}/`, 'port-out-of-range', 'port'],
];

tests('a bad input gets a UrlError that names the input, the place and the reason', () => {
  for (const [input, reason, place] of BAD_INPUTS) {
    const error = thrownBy(input);
    assert.instance(error, TypeError);
    assert.is(error.code, 'ERR_INVALID_URL');
    assert.is(error.input, input);
    assert.is(`${error.place} ${error.reason}`, `${place} ${reason}`, JSON.stringify(input));
    // a soft hyphen is named, since nobody sees it
    const quoted = JSON.stringify(input).slice(0, 100).replace(/"$/, '').replace('\u00ad', 'U+00AD');
    assert.ok(error.message.includes(quoted) && error.message.includes(reason), error.message);
    assert.ok(error.message.length < 400, 'a long input is cut in the message');
  }
});

function thrownBy(input: string): UrlError {
  try {
    canonicalize(input);
  } catch (error) {
    if (error instanceof UrlError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(input)} passed for a URL`);
}

tests('a bad base is the error, not the URL', () => {
  assert.throws(
    () => canonicalize('x', { base: 'no base' }),
    (error: UrlError) => error instanceof UrlError && error.input === 'no base',
  );
  assert.throws(
    () => canonicalize('x', { base: 'mailto:a' }),
    (error: UrlError) => error instanceof UrlError && error.input === 'x',
  );
});

/** Hostile shapes. */
const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  spaces: (size) => `http://example.com/${' '.repeat(size)}x`,
  'controls around': (size) => `${'\x01'.repeat(size)}http://example.com/${'\x01'.repeat(size)}`,
  tabs: (size) => `http://exa${'\t'.repeat(size)}mple.com/`,
  dots: (size) => `http://example.com/${'../'.repeat(size / 3)}`,
  'deep and back': (size) => `http://example.com/${'a/'.repeat(size / 4)}${'../'.repeat(size / 6)}`,
  slashes: (size) => `http:${'/'.repeat(size)}example.com`,
  labels: (size) => `http://${'a.'.repeat(size / 2)}com/`,
  'numeric labels': (size) => `http://${'1.'.repeat(size / 2)}1/`,
  digits: (size) => `http://${'9'.repeat(size)}/`,
  'at signs': (size) => `http://${'@'.repeat(size)}example.com/`,
  colons: (size) => `http://[${':'.repeat(size)}]/`,
  escapes: (size) => `http://${'%61'.repeat(size / 3)}/`,
  ideographs: (size) => `http://example.com/${'中'.repeat(size)}`,
  'ideographs in the host': (size) => `http://${'中'.repeat(size)}/`,
  'non-ASCII labels': (size) => `http://${'ü.'.repeat(size / 2)}com/`,
  marks: (size) => `http://a${'\u0301\u0323'.repeat(size / 2)}/`,
  'opaque spaces': (size) => `foo:${' '.repeat(size)}x`,
};

tests('no shape of input takes more than linear time', () => {
  for (const [name, shape] of Object.entries(SHAPES)) mustBeLinear(name, shape, (url) => form(url));
});

const LITERALS: readonly (() => Options)[] = [
  () => ({ excludeFragment: true }),
  () => ({ dropParams: ['a', 'b'], base: 'http://h/' }),
  () => ({ dropList: 'tracking-2026', base: new URL('http://h/') }),
  () => ({ base: undefined, dropList: 'tracking-2026', fold: undefined }),
  () => ({ base: undefined }),
];

tests('options of equal values are compiled once, those that are undefined among them', () => {
  for (const literal of LITERALS) assert.is(compiledOptions(literal()), compiledOptions(literal()));
});

tests('an option that is given after all is another', () => {
  const options: { -readonly [Name in keyof Options]: Options[Name] } = { base: undefined, excludeFragment: true };
  assert.is(compiledOptions(options).base, undefined);
  options.base = 'http://h/';
  assert.equal(compiledOptions(options).base, compiledOptions({ base: 'http://h' }).base);
  options.base = undefined;
  assert.is(compiledOptions(options).base, undefined);
});

tests.run();
