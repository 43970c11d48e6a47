import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashedUriSet, hash, matches, registerAlgorithm } from '../../../src/entries/hashed-uri.ts';
import { cases } from '../../support/seed.ts';
import { absoluteUri, keep, variant } from './generated.ts';

const test = suite('hashed-uri: HashedUriSet');

let digestCount = 0;
registerAlgorithm('x-counted', (bytes) => {
  digestCount++;
  return createHash('sha1').update(bytes).digest();
});

test('finds what matches finds, one by one', () => {
  const made = fc.tuple(absoluteUri, variant, keep, fc.constantFrom('md5', 'sha1'));
  fc.assert(
    fc.property(
      fc.array(made, { maxLength: 8 }),
      absoluteUri,
      fc.constantFrom<'N' | 'P' | 'both'>('N', 'P', 'both'),
      (entries, other, chosen) => {
        const list = entries.map(([uri, by, kept, algorithm]) => hash(uri, { variant: by, keep: kept, algorithm }));
        const set = new HashedUriSet(list, { variant: chosen });
        for (const candidate of [other, ...entries.map(([uri]) => uri)]) {
          const expected = new Set(
            list.filter((hashed) => matches(candidate, hashed, { variant: chosen })).map(String),
          );
          assert.equal(new Set(set.matching(candidate).map(String)), expected);
          assert.is(set.has(candidate), expected.size > 0);
        }
        assert.is(set.size, new Set(list.map(String)).size);
      },
    ),
    { numRuns: cases(300) },
  );
});

test('a candidate costs a hash for each algorithm and set of flags, not for each entry', () => {
  const set = new HashedUriSet([], { variant: 'N' });
  for (let entry = 0; entry < 1000; entry++) {
    for (const kept of [[], ['frag'], ['query'], ['frag', 'query']] as const) {
      set.add(hash(`http://h/${entry}?a#b`, { variant: 'N', algorithm: 'x-counted', keep: kept }));
    }
  }
  assert.is(set.size, 4000);
  digestCount = 0;
  assert.is(set.matching('http://h/7?a#b').length, 4);
  assert.is(digestCount, 4);
  digestCount = 0;
  assert.is(set.matching('http://h/7').length, 1, 'nothing to keep: the four texts are one');
  assert.is(digestCount, 1);
});

test('entries that can never match are named, not swallowed', () => {
  const set = new HashedUriSet(['hashed:sha1=00', 'hashed:sha256=00'], { variant: 'both' });
  assert.is(set.has('http://h/'), false);
  assert.is(set.size, 2);
  assert.equal(
    set.unsupported.map((hashed) => hashed.problems),
    [['digest-length'], ['unregistered-algorithm']],
  );
});

test('a list of schemes that is changed later changes no set', () => {
  const unescapedSchemes = ['http'];
  const readings = { unescapedSchemes };
  const entry = hash('foo://h/%41', { variant: 'N', algorithm: 'sha1', readings });
  const set = new HashedUriSet([entry], { variant: 'N', readings });
  unescapedSchemes.push('foo');
  assert.ok(set.has('foo://h/%41'));
});

test('relative candidates are resolved against the base', () => {
  const entry = hash('http://h/a/b', { variant: 'N', algorithm: 'sha1' });
  assert.ok(new HashedUriSet([entry], { variant: 'N', base: 'http://h/a/' }).has('b'));
});

test.run();
