import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  canonicalize,
  PROFILE,
  profileOf,
  UrlHash,
  UrlHasher,
  UrlShortHash,
  UrlVeryShortHash,
} from '../../../src/index.ts';
import { corpusLines, sampled } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { cases, random } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';
import { countsOf } from '../bulk/counts.ts';
import { KERNELS } from '../kernel/kernels.ts';
import { oracle } from './oracle.ts';

const tests = suite('excludeFragment');
const without = { excludeFragment: true } as const;

/**
 * Returns what must be hashed of each URL, by an independent parser and serializer; undefined for what is not a URL.
 */
function expectedHex(url: string): string | undefined {
  const canonical = oracle(url, undefined, true);
  return canonical === undefined ? undefined : createHash('sha256').update(canonical).digest('hex');
}

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
  assert.is(
    UrlHash.of('../b#c', { base: 'http://a/x/y', ...without }).hex,
    createHash('sha256').update('http://a/b').digest('hex'),
  );
});

tests('the three classes agree, and the default keeps the fragment', () => {
  for (const url of ['http://a/b#c', 'HTTP://A#b', 'http://ä/#c', `http://a/${'x'.repeat(5000)}#y`]) {
    const hash = UrlHash.of(url, without);
    assert.is(hash.hex, expectedHex(url), url);
    assert.is(UrlShortHash.of(url, without).hex, hash.short().hex);
    assert.is(UrlVeryShortHash.of(url, without).hex, hash.veryShort().hex);
    for (const options of [undefined, {}, { excludeFragment: false }])
      assert.is(UrlHash.of(url, options).hex, UrlHash.of(url).hex);
    assert.not(UrlHash.of(url).hex === hash.hex);
  }
});

const STEPS = { main: 200, intl: 2, changed: 5, files: 20 } as const;

for (const name of Object.keys(STEPS) as (keyof typeof STEPS)[]) {
  const lines = corpusLines(name);
  if (lines.length === 0) continue;
  tests(`corpus/${name}: real rows, half of them with a fragment`, () => {
    const next = random();
    const urls = sampled(lines, STEPS[name]).map((line) =>
      next(2) === 0 ? line : `${line}#${lines[next(lines.length)]}`,
    );
    const column = new UrlHasher(without).hashLines(Buffer.from(`${urls.join('\n')}\n`));
    for (const [row, url] of urls.entries()) assert.is(column.hex(row), expectedHex(url), url);
  });
}

for (const { name } of KERNELS) {
  tests(`mutated URLs, kernel ${name}: lines, strings and rows agree with an independent serializer`, () => {
    const next = random();
    const sources = [...SAMPLE_URLS, ...corpusLines('changed').slice(0, 2000)];
    const hasher = new UrlHasher({ ...without, kernel: name });
    const mutations = Array.from({ length: cases(name === 'js' ? 1_000 : 2_000) }, () => {
      const url = mutated(sources[next(sources.length)]!, next).replaceAll('\n', '').toWellFormed();
      return next(3) === 0
        ? url
        : mutated(`${url}#${sources[next(sources.length)]}`, next)
            .replaceAll('\n', '')
            .toWellFormed();
    });
    // the first is plain, since a byte order mark at the start of a text belongs to no line
    const urls = ['http://a/', '\ufeffhttp://a/#b', ...mutations];
    const lines = hasher.hashLines(Buffer.from(`${urls.join('\n')}\n`));
    const many = hasher.hashMany(urls);
    for (const [row, url] of urls.entries()) {
      const expected = expectedHex(url);
      assert.is(many.hex(row), expected, JSON.stringify(url));
      if (!url.endsWith('\r') || expected !== undefined) assert.is(lines.hex(row), expected, JSON.stringify(url));
    }
  });

  tests(`no row leaves the fast path, kernel ${name}`, () => {
    const lines = [...SAMPLE_URLS, ...sampled(corpusLines('main'), 200)].map((line) => line.replaceAll('\n', ''));
    const text = Buffer.from(lines.join('\n'));
    const hashFull = () => new UrlHasher({ kernel: name }).hashLines(text);
    const hash = () => new UrlHasher({ ...without, kernel: name }).hashLines(text);
    const [full, counts] = [countsOf(hashFull), countsOf(hash)];
    assert.ok(counts.provenCount >= full.provenCount);
    assert.ok(counts.provenCount + counts.rewrittenCount >= full.provenCount + full.rewrittenCount);
    assert.equal(hash().invalid, hashFull().invalid);
  });
}

tests('profiles are named', () => {
  assert.is(PROFILE, 'url/1+unicode18');
  for (const options of [undefined, {}, { excludeFragment: false }]) assert.is(profileOf(options), PROFILE);
  assert.is(profileOf(without), 'url/1+unicode18;exclude-fragment');
});

tests('what is not such an option is refused', () => {
  const calls = [
    (options: never) => canonicalize('http://a/', options),
    (options: never) => UrlHash.of('http://a/', options),
    (options: never) => UrlShortHash.of('http://a/', options),
    (options: never) => UrlVeryShortHash.of('http://a/', options),
    (options: never) => profileOf(options),
    (options: never) => new UrlHasher(options),
  ];
  for (const call of calls) {
    assert.instance(
      errorOf(() => call({ excludeFragment: 1 } as never)),
      TypeError,
    );
    assert.instance(
      errorOf(() => call({ excludeFragments: true } as never)),
      RangeError,
    );
    assert.instance(
      errorOf(() => call(5 as never)),
      TypeError,
    );
    assert.instance(
      errorOf(() => call(null as never)),
      TypeError,
    );
  }
});

tests.run();
