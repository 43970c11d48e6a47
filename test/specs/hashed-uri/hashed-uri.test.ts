import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  canonicalize,
  HashedUri,
  HashedUriSet,
  hash,
  matches,
  parse,
  registerAlgorithm,
  verdictOf,
} from '../../../src/entries/hashed-uri.ts';
import { halvedCases } from '../../support/seed.ts';
import { absoluteUri, keep, variant } from './generated.ts';

const test = suite('hashed-uri: hash, parse, matches');
const SHA1 = '87ed28009f511ed7ef630180a229ba257180a481';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
registerAlgorithm('x-sha256', sha256);
const algorithm = fc.constantFrom('md5', 'sha1', 'x-sha256');

test('the value is the digest of the canonical form, by node:crypto', () => {
  fc.assert(
    fc.property(absoluteUri, variant, keep, fc.constantFrom('md5', 'sha1'), (uri, chosen, kept, name) => {
      const expected = createHash(name)
        .update(canonicalize(uri, { variant: chosen, keep: kept }))
        .digest('hex');
      assert.is(hash(uri, { variant: chosen, keep: kept, algorithm: name }).value, expected);
    }),
    { numRuns: halvedCases(1_000) },
  );
});

test('parse(hash(u).toString()) is hash(u)', () => {
  fc.assert(
    fc.property(absoluteUri, variant, keep, algorithm, (uri, chosen, kept, name) => {
      const hashed = hash(uri, { variant: chosen, keep: kept, algorithm: name });
      assert.equal(parse(hashed.toString()), hashed);
      assert.equal(parse(hashed.toString().toUpperCase()), hashed);
      assert.equal(hashed.problems, []);
      assert.is(JSON.parse(JSON.stringify(hashed)), String(hashed));
    }),
    { numRuns: halvedCases(1_000) },
  );
});

test('parse gives back every hashed URI there is', () => {
  const name = fc.stringMatching(/^[a-z0-9.-]{1,12}$/);
  const value = fc.stringMatching(/^[0-9a-f]{1,50}$/);
  fc.assert(
    fc.property(name, value, keep, (each, digits, kept) => {
      const hashed = new HashedUri(each, digits, kept);
      assert.equal(parse(String(hashed)), hashed);
    }),
  );
});

test('a URI matches its own hash, in every variant and with whatever is kept', () => {
  fc.assert(
    fc.property(absoluteUri, variant, keep, algorithm, (uri, chosen, kept, name) => {
      const hashed = hash(uri, { variant: chosen, keep: kept, algorithm: name });
      assert.is(matches(uri, hashed, { variant: chosen }), true, uri);
      assert.is(matches(uri, String(hashed), { variant: 'both' }), true, uri);
    }),
    { numRuns: halvedCases(1_000) },
  );
});

test('a URL object is what its href is', () => {
  const url = new URL('http://A.example:80/b/../c?q#f');
  const base = new URL('http://b.example/x/');
  for (const variant of ['N', 'P'] as const) {
    const options = { variant, keep: ['query', 'frag'], algorithm: 'sha1' } as const;
    const { algorithm: _, ...form } = options;
    assert.is(canonicalize(url, form), canonicalize(url.href, form));
    assert.is(canonicalize('y', { ...form, base }), 'http://b.example/x/y');
    const hashed = hash(url, options);
    assert.is(`${hashed}`, `${hash(url.href, options)}`);
    assert.ok(matches(url, hashed, { variant }));
    assert.is(new HashedUriSet([hashed], { variant, base }).matching(url).length, 1);
  }
});

test('two URIs match as their canonical forms are equal', () => {
  let equal = 0;
  fc.assert(
    fc.property(absoluteUri, absoluteUri, fc.boolean(), variant, (one, other, isSame, chosen) => {
      const candidate = isSame ? one.replace(/^[^:]*/, (scheme) => scheme.toUpperCase()) : other;
      const isEqual = canonicalize(one, { variant: chosen }) === canonicalize(candidate, { variant: chosen });
      if (isEqual) equal++;
      const result = matches(candidate, hash(one, { variant: chosen, algorithm: 'md5' }), { variant: chosen });
      assert.is(result, isEqual);
    }),
    { numRuns: halvedCases(1_000) },
  );
  assert.ok(equal > halvedCases(200), `only ${equal} pairs were equal`);
});

test('flags are read in any order and number, and written once', () => {
  const written = `hashed:sha1=${SHA1}+frag+query`;
  for (const flags of ['+frag+query', '+query+frag', '+QUERY+Frag+query', '+frag+frag+query+frag']) {
    const hashed = parse(`HASHED:Sha1=${SHA1.toUpperCase()}${flags}`);
    assert.is(String(hashed), written);
    assert.equal(hashed.keep, ['frag', 'query']);
  }
});

test('there is a flag for what was retained, and none for what was only to be kept', () => {
  const flagsOf = (uri: string) => hash(uri, { variant: 'N', algorithm: 'sha1', keep: ['query', 'frag'] }).keep;
  assert.equal(flagsOf('http://h/'), []);
  assert.equal(flagsOf('http://h/?a'), ['query']);
  assert.equal(flagsOf('http://h/#b'), ['frag']);
  assert.equal(flagsOf('http://h/?a#b'), ['frag', 'query']);
  assert.equal(flagsOf('http://h/?#'), []);
});

test('the flags say what is compared', () => {
  const { variant: chosen, algorithm: name } = { variant: 'N', algorithm: 'sha1' } as const;
  const whole = hash('http://h/a?b#c', { variant: chosen, algorithm: name, keep: ['frag', 'query'] });
  assert.is(matches('http://h/a?b#c', whole, { variant: 'N' }), true);
  assert.is(matches('http://h/a?b', whole, { variant: 'N' }), false);
  assert.is(matches('http://h/a?b#d', whole, { variant: 'N' }), false);
  const bare = hash('http://h/a?b#c', { variant: chosen, algorithm: name });
  assert.is(matches('http://h/a?x#y', bare, { variant: 'N' }), true);
  // Nothing to retain, and the digests are equal all the same: that is what a match is.
  assert.is(matches('http://h/a', `${bare}+frag`, { variant: 'N' }), true);
});

test('a variant matches what it made and not what the other did', () => {
  const made = hash('http://h/Test/', { variant: 'P', algorithm: 'sha1' });
  assert.is(matches('http://h/TEST', made, { variant: 'P' }), true);
  assert.is(matches('http://h/TEST', made, { variant: 'both' }), true);
  assert.is(matches('http://h/TEST', made, { variant: 'N' }), false);
});

test('what can never match is said to be unsupported, and why', () => {
  const rows: readonly (readonly [text: string, problem: string])[] = [
    [`hashed:sha1=${SHA1.slice(1)}`, 'digest-length'],
    [`hashed:sha1=${SHA1}0`, 'digest-length'],
    [`hashed:md5=${SHA1}`, 'digest-length'],
    ['hashed:md5=0', 'digest-length'],
    [`hashed:x-sha256=${SHA1}`, 'digest-length'],
    [`hashed:sha256=${SHA1}`, 'unregistered-algorithm'],
    [`hashed:sha-1=${SHA1}`, 'unregistered-algorithm'],
    [`hashed:x-unknown=${SHA1}`, 'unregistered-algorithm'],
    [`hashed:constructor=${SHA1}`, 'unregistered-algorithm'],
  ];
  for (const [text, problem] of rows) {
    assert.equal(parse(text).problems, [problem], text);
    assert.is(String(parse(text)), text);
    assert.is(matches('http://www.thus.net', text, { variant: 'both' }), false, text);
    const verdict = verdictOf('http://www.thus.net', text, { variant: 'both' });
    assert.equal(verdict, { result: 'unsupported', problems: [problem] }, text);
  }
});

test('a private algorithm is known once it is registered', () => {
  const text = `hashed:x-late=${'00'.repeat(4)}`;
  assert.equal(parse(text).problems, ['unregistered-algorithm']);
  const zeroes = () => new Uint8Array(4);
  registerAlgorithm('x-late', zeroes);
  registerAlgorithm('x-late', zeroes); // the same once more, as where two modules need it
  assert.equal(parse(text).problems, []);
  assert.is(matches('http://h/', text, { variant: 'N' }), true);
});

test.run();
