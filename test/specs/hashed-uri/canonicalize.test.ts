import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, HashedUriError, hash, matches, type VariantOptions } from '../../../src/entries/hashed-uri.ts';
import { corpusLines } from '../../support/data.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { cases, halvedCases } from '../../support/seed.ts';
import { absoluteUri, keep, variant } from './generated.ts';
import { canonicalizeLiterally } from './literal.ts';

const test = suite('hashed-uri: canonicalize');

test('the default ports are those of the table in docs/hashed-uris.md', () => {
  const table = readFileSync('docs/hashed-uris.md', 'utf8').matchAll(/^\| `(\w+)` +\| +(\d+) \|/gm);
  const ports = new Map(Array.from(table, ([, scheme, port]) => [scheme!, port!]));
  assert.is(ports.size, 19);
  for (const scheme of [...ports.keys(), 'sip', 'foo', 'file'])
    for (const port of new Set([...ports.values(), '5060', '8080'])) {
      const uri = `${scheme}://h:${port}/a`;
      const expected = ports.get(scheme) === port ? `${scheme}://h/a` : uri;
      for (const variant of ['N', 'P'] as const) assert.is(canonicalize(uri, { variant }), expected);
    }
});

test('a kept query and fragment stand after the path, the query first', () => {
  const keepBoth: VariantOptions = { variant: 'N', keep: ['frag', 'query'] };
  assert.is(canonicalize('http://h/index.html?A=%62#C?d', keepBoth), 'http://h/?A=%62#C?d');
  assert.is(canonicalize('http://h/?A#B', { ...keepBoth, variant: 'P' }), 'http://h?a#b');
  assert.is(canonicalize('http://h/?a#b', { variant: 'N', keep: ['query'] }), 'http://h/?a');
  assert.is(canonicalize('http://h/?a#b', { variant: 'N', keep: ['frag'] }), 'http://h/#b');
  assert.is(canonicalize('http://h/?#', keepBoth), 'http://h/', 'empty ones are not components that remain');
  assert.is(canonicalize('mailto:a@b#', keepBoth), 'mailto:a@b#', 'appendix A (9) is not for opaque URIs');
  assert.is(canonicalize('mailto:a@b#', { variant: 'N' }), 'mailto:a@b');
  assert.is(canonicalize('mailto:a@b?#', { ...keepBoth, readings: { opaqueQuery: true } }), 'mailto:a@b?#');
  assert.is(canonicalize('mailto:a@b?', { variant: 'N', readings: { opaqueQuery: true } }), 'mailto:a@b');
  const hashed = hash('mailto:a@b#', { ...keepBoth, algorithm: 'sha1' });
  assert.is(hashed.toString(), `hashed:sha1=${createHash('sha1').update('mailto:a@b#').digest('hex')}+frag`);
  assert.ok(matches('MAILTO:a@b#', hashed, { variant: 'N' }) && !matches('mailto:a@b', hashed, { variant: 'N' }));
  assert.is(
    canonicalize('mailto:a@b#C', { ...keepBoth, variant: 'P' }),
    'mailto:a@b#C',
    'appendix A is not for opaque URIs',
  );
});

// What the draft leaves open: the default first, then the other reading.
test('each reading changes what it says', () => {
  const rows: readonly (readonly [uri: string, options: VariantOptions, byDefault: string, otherwise: string])[] = [
    ['http://h/%62', { variant: 'N', readings: { unescapedSchemes: [] } }, 'http://h/b', 'http://h/%62'],
    ['ftp://h/%62', { variant: 'N', readings: { unescapedSchemes: ['ftp'] } }, 'ftp://h/%62', 'ftp://h/b'],
    [
      'http://h/?%62#%63',
      { variant: 'N', keep: ['query', 'frag'], readings: { unescapeKept: true } },
      'http://h/?%62#%63',
      'http://h/?b#c',
    ],
    [
      'http://h/?A#B',
      { variant: 'P', keep: ['query', 'frag'], readings: { lowercaseKept: false } },
      'http://h?a#b',
      'http://h?A#B',
    ],
    ['http://h:0080/', { variant: 'N', readings: { defaultPort: 'text' } }, 'http://h/', 'http://h:80/'],
    ['mailto:a@b?c', { variant: 'N', readings: { opaqueQuery: true } }, 'mailto:a@b?c', 'mailto:a@b'],
  ];
  for (const [uri, options, byDefault, otherwise] of rows) {
    assert.is(canonicalize(uri, { ...options, readings: {} }), byDefault);
    assert.is(canonicalize(uri, options), otherwise);
  }
});

test("what no URI may hold is escaped as UTF-8 under readings.excluded: 'escape'", () => {
  const options: VariantOptions = { variant: 'N', keep: ['frag', 'query'], readings: { excluded: 'escape' } };
  assert.is(
    canonicalize('http://h/é <b>|`^{}"\\?\u{1f600}#a#b', options),
    'http://h/%C3%A9%20%3Cb%3E%7C%60%5E%7B%7D%22%5C?%F0%9F%98%80#a%23b',
  );
  assert.is(canonicalize('http://h/100%/%zz/%2F', options), 'http://h/100%25/%25zz/%2F');
  assert.is(canonicalize('http://h/\ud800', options), 'http://h/%EF%BF%BD');
});

test('agrees with the literal implementation on generated URIs', () => {
  fc.assert(
    fc.property(absoluteUri, variant, keep, (uri, chosen, kept) => {
      assert.is(canonicalize(uri, { variant: chosen, keep: kept }), canonicalizeLiterally(uri, chosen, kept), uri);
    }),
    { numRuns: halvedCases(4_000) },
  );
});

test('agrees with the literal implementation on real URLs, and throws on the others what it says', () => {
  let compared = 0;
  for (const uri of [
    ...corpusLines('main').filter((_, row) => row % 17 === 0),
    ...corpusLines('changed'),
    ...corpusLines('intl'),
  ]) {
    for (const chosen of ['N', 'P'] as const) {
      const canonical = resultOf(uri, { variant: chosen, keep: ['query', 'frag'] });
      if (canonical === undefined) continue;
      assert.is(canonical, canonicalizeLiterally(uri, chosen, ['query', 'frag']), uri);
      compared++;
    }
  }
  console.log(`  compared ${compared} canonical forms of real URLs`);
});

function resultOf(uri: string, options: VariantOptions): string | undefined {
  try {
    return canonicalize(uri, options);
  } catch (error) {
    assert.instance(error, HashedUriError, uri);
    return undefined;
  }
}

// N is idempotent but for one thing. Step 9 writes no '//' for an empty authority, so a path of which the first
// segment is empty is read as an authority the next time: file:////h becomes file://h.
test('N is idempotent, a path that begins with // after no authority apart', () => {
  fc.assert(
    fc.property(absoluteUri, keep, (uri, kept) => {
      const options: VariantOptions = { variant: 'N', keep: kept };
      const once = canonicalize(uri, options);
      if (/^[^:]*:\/\/\/\//.test(uri)) return;
      assert.is(canonicalize(once, options), once, uri);
    }),
    { numRuns: halvedCases(4_000) },
  );
  assert.is(canonicalize('file:////h/a', { variant: 'N' }), 'file://h/a', 'step 9');
  assert.is(canonicalize('file:////H/a', { variant: 'N' }), 'file://H/a', 'step 9');
  assert.is(canonicalize('file://H/a', { variant: 'N' }), 'file://h/a', 'step 4, on what step 9 wrote');
});

// P is idempotent unless step 8 has removed an index: the slash it leaves, as in the draft's own first example,
// is an empty segment to step 6 the next time, and what stands before it comes under steps 7 and 8.
test('P is idempotent, a form that ends in the slash of a removed index apart', () => {
  let slashes = 0;
  fc.assert(
    fc.property(absoluteUri, keep, (uri, kept) => {
      const options: VariantOptions = { variant: 'P', keep: kept };
      const once = canonicalize(uri, options);
      const endsInSlash = /^http:[^?#]*\/(?:[?#]|$)/.test(once);
      if (endsInSlash) slashes++;
      else assert.is(canonicalize(once, options), once, uri);
    }),
    { numRuns: halvedCases(4_000) },
  );
  assert.ok(slashes > 0, 'the exception was never met');
  assert.is(
    canonicalize('http://fred@www.thus.net:112/test/', { variant: 'P' }),
    'http://fred@www.thus.net:112/test',
    'step 6',
  );
  assert.is(canonicalize('http://h/index.html/index.html', { variant: 'P' }), 'http://h/index.html/', 'steps 7 and 8');
  assert.is(canonicalize('http://h/index.html/', { variant: 'P' }), 'http://h/', 'steps 6 to 8');
  assert.is(canonicalize('http://h/', { variant: 'P' }), 'http://h', 'step 6');
});

test('forms that are equal in N are equal in P', () => {
  fc.assert(
    fc.property(absoluteUri, (uri) => {
      const variantN = canonicalize(uri, { variant: 'N' });
      if (/^http:.*\/$|^[^:]*:\/\/\/\//.test(variantN) || /^[^:]*:\/\/\/\//.test(uri)) return; // as above
      assert.is(canonicalize(variantN, { variant: 'P' }), canonicalize(uri, { variant: 'P' }), uri);
    }),
    { numRuns: cases(1_000) },
  );
});

const LONG: Readonly<Record<string, (length: number) => string>> = {
  segments: (length) => `http://h/${'x/'.repeat(length / 2)}`,
  'empty segments': (length) => `http://h/${'/'.repeat(length)}`,
  'colons in the authority': (length) => `http://${'a:'.repeat(length / 2)}/`,
  'at signs': (length) => `http://${'a@'.repeat(length / 2)}/`,
  'zeros of an address': (length) => `http://${'0'.repeat(length)}.1.1.1/`,
  'zeros of a port': (length) => `http://h:${'0'.repeat(length)}80/`,
  escapes: (length) => `http://h/${'%41'.repeat(length / 4)}`,
  suffixes: (length) => `http://h/${'.html'.repeat(length / 4)}`,
  'a scheme': (length) => `${'a'.repeat(length)}:b`,
  'a fragment': (length) => `http://h/#${'?'.repeat(length)}`,
};

test('long URIs, as the draft read literally, and in linear time', () => {
  for (const [name, uriOf] of Object.entries(LONG)) {
    for (const chosen of ['N', 'P'] as const) {
      const options = { variant: chosen, keep: ['frag', 'query'] } as const;
      const uri = uriOf(1 << 16);
      assert.is(canonicalize(uri, options), canonicalizeLiterally(uri, chosen, ['frag', 'query']), name);
      mustBeLinear(`${name}, ${chosen}`, uriOf, (each) => canonicalize(each, options));
    }
  }
  const climb = (length: number) =>
    canonicalize('../'.repeat(length), { variant: 'N', base: `http://h/${'x/'.repeat(length)}` });
  assert.is(climb(1 << 16), 'http://h/');
  mustBeLinear('climbing', (length) => length, climb);
});

test.run();
