import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, HashedUriError, hash } from '../../../src/entries/hashed-uri.ts';
import { halvedCases } from '../../support/seed.ts';
import { hierarchicalUri, keep, relativeReference, variant } from './generated.ts';
import { canonicalizeLiterally, resolveLiterally } from './literal.ts';

const test = suite('hashed-uri: relative references');
const BASE = 'foo://a/b/c/d;p?q';

// RFC 2396 appendix C, on a scheme that has no steps of its own. Its abnormal '..' stay, unlike RFC 3986's.
const EXAMPLES: Readonly<Record<string, string>> = {
  'g:h': 'g:h',
  g: 'foo://a/b/c/g',
  './g': 'foo://a/b/c/g',
  'g/': 'foo://a/b/c/g/',
  '/g': 'foo://a/g',
  '//g': 'foo://g',
  '?y': 'foo://a/b/c/?y',
  'g?y': 'foo://a/b/c/g?y',
  '#s': 'foo://a/b/c/d;p?q#s',
  'g#s': 'foo://a/b/c/g#s',
  'g?y#s': 'foo://a/b/c/g?y#s',
  ';x': 'foo://a/b/c/;x',
  'g;x': 'foo://a/b/c/g;x',
  'g;x?y#s': 'foo://a/b/c/g;x?y#s',
  '.': 'foo://a/b/c/',
  './': 'foo://a/b/c/',
  '..': 'foo://a/b/',
  '../': 'foo://a/b/',
  '../g': 'foo://a/b/g',
  '../..': 'foo://a/',
  '../../': 'foo://a/',
  '../../g': 'foo://a/g',
  '': 'foo://a/b/c/d;p?q',
  '../../../g': 'foo://a/../g',
  '../../../../g': 'foo://a/../../g',
  '/./g': 'foo://a/./g',
  '/../g': 'foo://a/../g',
  'g.': 'foo://a/b/c/g.',
  '.g': 'foo://a/b/c/.g',
  'g..': 'foo://a/b/c/g..',
  '..g': 'foo://a/b/c/..g',
  './../g': 'foo://a/b/g',
  './g/.': 'foo://a/b/c/g/',
  'g/./h': 'foo://a/b/c/g/h',
  'g/../h': 'foo://a/b/c/h',
  'g;x=1/./y': 'foo://a/b/c/g;x=1/y',
  'g;x=1/../y': 'foo://a/b/c/y',
  'g?y/./x': 'foo://a/b/c/g?y/./x',
  'g?y/../x': 'foo://a/b/c/g?y/../x',
  'g#s/./x': 'foo://a/b/c/g#s/./x',
  'g#s/../x': 'foo://a/b/c/g#s/../x',
  'foo:g': 'foo:g',
};

test('every example of RFC 2396 appendix C', () => {
  for (const [reference, absolute] of Object.entries(EXAMPLES)) {
    assert.is(canonicalize(reference, { variant: 'N', keep: ['frag', 'query'], base: BASE }), absolute, reference);
    assert.is(resolveLiterally(reference, BASE), absolute, `the oracle, of ${reference}`);
  }
});

// Without an authority the text of a path like '//a' would be read as one: the oracle works on texts.
const baseWithAuthority = hierarchicalUri.filter((uri) => /^[^:]*:\/\/[^/?#]/.test(uri));

test('agrees with the buffer of RFC 2396 section 5.2 on generated references', () => {
  fc.assert(
    fc.property(relativeReference, baseWithAuthority, variant, keep, (reference, base, chosen, kept) => {
      const resolved = resolveLiterally(reference, base);
      const expected = canonicalizeLiterally(resolved, chosen, kept);
      assert.is(canonicalize(reference, { variant: chosen, keep: kept, base }), expected, `${reference} on ${base}`);
    }),
    { numRuns: halvedCases(5_000) },
  );
});

// Section 4.3 numbers removal before resolution. Taken so, '?y' without its query would be a reference to the
// base itself and its hash would be that of the base, query and all: not "the equivalent absolute URI".
test('a removed query has taken part in the resolution', () => {
  assert.is(canonicalize('?y', { variant: 'N', base: BASE }), 'foo://a/b/c/');
  assert.is(canonicalize('#s', { variant: 'N', base: BASE }), 'foo://a/b/c/d;p');
  assert.equal(hash('#s', { variant: 'N', algorithm: 'md5', base: BASE, keep: ['query'] }).keep, ['query']);
});

test('a base without a path is given the slash that RFC 3986 section 5.2.3 gives it', () => {
  assert.is(canonicalize('g', { variant: 'N', base: 'foo://a' }), 'foo://a/g');
  assert.is(canonicalize('../g', { variant: 'N', base: 'foo://a' }), 'foo://a/../g');
  assert.is(canonicalize('?y', { variant: 'N', keep: ['query'], base: 'foo://a' }), 'foo://a?y');
});

test('only a fragment can be relative to an opaque URI', () => {
  assert.is(canonicalize('#s', { variant: 'N', keep: ['frag'], base: 'MAILTO:A@b#t' }), 'mailto:A@b#s');
  assert.throws(
    () => canonicalize('g', { variant: 'N', base: 'mailto:a@b' }),
    (error: unknown) => error instanceof HashedUriError && error.reason === 'base-opaque',
  );
});

test.run();
