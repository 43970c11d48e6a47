import { constants } from 'node:buffer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, expressions, SafeBrowsingUrlError } from '../../../src/entries/safe-browsing.ts';
import {
  Canonicalizer,
  canonicalForm,
  canonicalizePath,
  unescape,
} from '../../../src/specs/safe-browsing/canonicalize.ts';
import { CanonicalUrl, proveCanonical } from '../../../src/specs/safe-browsing/url-bytes.ts';
import { corpusLines, sampled } from '../../support/data.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { halvedCases, random, SCALE } from '../../support/seed.ts';
import { errorOf } from '../../support/thrown.ts';

const test = suite('safe-browsing: canonicalize');
const MUTATION_COUNT = halvedCases(15_000);
const READINGS = (['web-risk', 'v5'] as const).flatMap((profile) =>
  (['spec', 'browser'] as const).map((mode) => ({ profile, mode })),
);

test('one pass of unescaping ends where repeated passes do', () => {
  const next = random();
  const alphabet = '%%%%2222555534aAfFg';
  let nested = 0;
  for (let count = 0; count < MUTATION_COUNT; count++) {
    const text = Array.from({ length: next(40) }, () => alphabet[next(alphabet.length)]).join('');
    let expected = text;
    let passes = 0;
    for (let before = ''; before !== expected; passes++) {
      before = expected;
      expected = expected.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    }
    const bytes = Buffer.from(text, 'latin1');
    assert.is(Buffer.from(bytes.subarray(0, unescape(bytes, 0, bytes.length))).toString('latin1'), expected, text);
    nested += passes > 2 ? 1 : 0;
  }
  assert.ok(nested > MUTATION_COUNT / 100, `only ${nested} were nested`);
});

/** Proven as it stands, the steps must leave it so, in every reading; returns whether it was proven. */
function checkProof(bytes: Uint8Array): boolean {
  const proven = new CanonicalUrl();
  const stepped = new CanonicalUrl();
  const canonicalizer = new Canonicalizer();
  for (const reading of READINGS) {
    if (!proveCanonical(bytes, 0, bytes.length, proven)) return false;
    assert.is(canonicalizer.run(bytes, 0, bytes.length, reading, stepped), undefined);
    assert.equal(parts(proven), parts(stepped), Buffer.from(bytes).toString('latin1'));
  }
  return true;
}

function parts({ bytes, start, hostStart, hostEnd, pathEnd, end, isAddress }: CanonicalUrl): unknown {
  const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  return [text, hostStart - start, hostEnd - start, pathEnd - start, isAddress];
}

test('a proof is never wrong, on mutations of plain URLs', () => {
  const next = random();
  let proven = 0;
  for (let count = 0; count < MUTATION_COUNT; count++) {
    const url = mutated(
      ['https://a.b-c.example/x/y.html?q=1', 'http://example.com/', SAMPLE_URLS[next(SAMPLE_URLS.length)]!][next(3)]!,
      next,
    );
    proven += checkProof(Buffer.from(url)) ? 1 : 0;
  }
  assert.ok(proven > MUTATION_COUNT / 20, `only ${proven} proofs`);
});

const lines = [...sampled(corpusLines('main'), 100), ...sampled(corpusLines('changed'), 4)];
if (lines.length > 0) {
  test(`a proof is never wrong, on ${lines.length} real lines`, () => {
    let proven = 0;
    for (const line of lines) proven += checkProof(Buffer.from(line)) ? 1 : 0;
    assert.ok(proven > lines.length / 2, `only ${proven} proofs`);
  });
}

test('a string and its UTF-8 have one canonical form', () => {
  const next = random();
  for (let count = 0; count < halvedCases(5_000); count++) {
    const url = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next);
    for (const reading of READINGS)
      assert.equal(canonicalForm(url, reading), canonicalForm(new TextEncoder().encode(url), reading), url);
  }
});

test('the input bytes are left as they are', () => {
  const bytes = Buffer.from('http://A%2e.com/%2541/../\xfc?%41', 'latin1');
  const before = bytes.slice();
  canonicalize(bytes);
  canonicalize(bytes, { mode: 'browser' });
  assert.equal(bytes, before);
});

/** A form that a second reading changes: a host that ends in one more port. */
const ENDS_IN_PORT = /^[^:]+:\/\/[^/?]*:[0-9]*(?:[/?]|$)/;

test('is idempotent, but for a host that ends in one more port', () => {
  const next = random();
  let checked = 0;
  for (let count = 0; count < MUTATION_COUNT; count++) {
    const url = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next);
    for (const profile of ['web-risk', 'v5'] as const) {
      const once = canonicalForm(url, { profile, mode: 'spec' });
      if (typeof once !== 'string' || ENDS_IN_PORT.test(once)) continue;
      assert.is(canonicalForm(once, { profile, mode: 'spec' }), once, url);
      checked++;
    }
  }
  assert.ok(checked > 0.8 * MUTATION_COUNT, `only ${checked} checked`);
});

test('is not idempotent where the page is not: one port is dropped per reading', () => {
  assert.is(canonicalize('http://host.com:80:90/'), 'http://host.com:80/');
  assert.is(canonicalize('http://host.com:80/'), 'http://host.com/');
});

test('a browser may reject what it became: dots hide a last number from it, and the page takes them off', () => {
  assert.is(canonicalize('http://a.1../', { mode: 'browser' }), 'http://a.1/');
  assert.throws(() => canonicalize('http://a.1/', { mode: 'browser' }), /IPv4-non-numeric-part/);
});

const repeated = (piece: string, byteLength: number) =>
  piece.repeat(Math.ceil(byteLength / piece.length)).slice(0, byteLength);
const NASTY: Readonly<Record<string, (byteLength: number) => string>> = {
  'nested %25': (byteLength) => `http://host.com/%${repeated('25', byteLength)}`,
  'nested %25 in the host': (byteLength) => `http://%${repeated('25', byteLength)}41.com/`,
  dots: (byteLength) => `http://${repeated('.', byteLength)}a/`,
  slashes: (byteLength) => `http://host.com${repeated('/', byteLength)}`,
  '/../': (byteLength) => `http://host.com${repeated('/../', byteLength)}`,
  '/a and then /../': (byteLength) =>
    `http://host.com${repeated('/a', byteLength / 2)}${repeated('/..', byteLength / 2)}`,
  'host labels': (byteLength) => `http://${repeated('a.', byteLength)}com/`,
  'digits of an address': (byteLength) => `http://${repeated('1', byteLength)}/`,
  'a label beyond ASCII': (byteLength) => `http://${repeated('\u00fc', byteLength / 2)}/`,
  'labels beyond ASCII': (byteLength) => `http://${repeated('\u00fc.', byteLength / 3)}com/`,
  'bytes to escape': (byteLength) => `http://host.com/${repeated('\u00fc', byteLength / 2)}`,
  brackets: (byteLength) => `http://${repeated('[', byteLength)}]/`,
  '@': (byteLength) => `http://${repeated('@', byteLength)}a/`,
  spaces: (byteLength) => `http://host.com/${repeated(' ', byteLength)}x`,
};

for (const [name, make] of Object.entries(NASTY)) {
  test(`takes linear time: ${name}`, () => {
    const [canonicalizer, url] = [new Canonicalizer(), new CanonicalUrl()];
    mustBeLinear(
      name,
      (byteLength) => new TextEncoder().encode(make(byteLength)),
      (bytes) => canonicalizer.run(bytes, 0, bytes.length, { profile: 'v5', mode: 'spec' }, url),
    );
  });
}

/** A short run needs an engine whose strings are short: the limit of this one takes five seconds. */
test('a form longer than a string can be is an error of its own', () => {
  const limit = SCALE >= 10 ? constants.MAX_STRING_LENGTH : 3000;
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = function (bytes, options) {
    if (bytes!.byteLength > limit) throw new RangeError('longer than a string can be');
    return decode.call(this, bytes, options);
  };
  const url = Buffer.alloc(limit / 3 + 64, 0xff);
  url.write('http://a.example/');
  const error = errorOf(() => expressions(url)) as SafeBrowsingUrlError;
  TextDecoder.prototype.decode = decode;
  assert.instance(error, SafeBrowsingUrlError);
  assert.is(error.reason, 'length-limit');
});

test('the path steps work on a part of the bytes and no more', () => {
  const bytes = Buffer.from('xx/a/../b//cyy', 'latin1');
  const end = canonicalizePath(bytes, 2, 12);
  assert.is(Buffer.from(bytes).toString('latin1', 2, end), '/b/c');
  assert.is(Buffer.from(bytes).toString('latin1', 0, 2) + Buffer.from(bytes).toString('latin1', 12), 'xxyy');
});

test.run();
