import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalForm } from '../../../src/core/url/canonicalize.ts';
import { Failure } from '../../../src/core/url/failure.ts';
import { formOf } from '../../../src/core/url/options.ts';
import { isProven, parsedUrl } from '../../../src/core/url/parsed-url.ts';
import { serialize } from '../../../src/core/url/record.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { halvedCases, random } from '../../support/seed.ts';

const tests = suite('URLs that are canonical as they stand');

const WITHOUT_FRAGMENT = formOf({ excludeFragment: true });
const MUTATION_COUNT = halvedCases(20_000);
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const AROUND = [...ASCII, '\u00e9', '\ud800', '%2e', '%2E', './', '../', '/', '//', '0x', '.0', '.x', '.1.'];

/** Returns what the parser makes of a text, without a look at the proof. */
function parsed(text: string, excludeFragment = false): string | undefined {
  const record = parsedUrl(text, undefined);
  return record instanceof Failure ? undefined : serialize(record, excludeFragment);
}

function mustBeRight(text: string): boolean {
  const isCanonical = isProven(text);
  if (isCanonical) assert.is(parsed(text), text);
  assert.is(canonicalForm(text, undefined, WITHOUT_FRAGMENT), parsed(text, true) ?? canonicalForm(text), text);
  return isCanonical;
}

tests('every ASCII character at every place', () => {
  const url = 'http://a.bc/d/e?f#g';
  let provenCount = 0;
  for (let at = 0; at <= url.length; at++) {
    for (const inserted of AROUND) if (mustBeRight(url.slice(0, at) + inserted + url.slice(at))) provenCount++;
  }
  assert.ok(provenCount > 800, `${provenCount} are proven`);
});

tests('the ends of paths, queries and fragments may hold what the standard lets stand there, and only that', () => {
  for (const start of ['http://a/', 'https://a/?', 'https://a/#', 'https://a/b?c#']) {
    for (const character of ASCII) {
      const text = `${start}${character}x`;
      const isKept = parsed(text) === text;
      // a backslash in a query or fragment stands; after a slash, a dot or an escape is left to the parser
      const isLeft = start.endsWith('a/') && (character === '.' || character === '%');
      assert.is(isProven(text), isKept && !isLeft, JSON.stringify(text));
    }
  }
});

tests('hosts that end in a number are left to the parser', () => {
  for (const host of ['1', '1.2.3.4', 'a.1', 'a.0x', 'a.0x1f', '0xf', 'a.1.', '1e', '.'])
    assert.not(isProven(`http://${host}/`), host);
  for (const host of ['a', 'a.b', 'a.de', '1.a', 'a.b2', 'xn--bcher-kva.example', 'a--b.c', 'a..b'])
    assert.ok(isProven(`http://${host}/`), host);
});

tests('mutated URLs', () => {
  const next = random();
  let provenCount = 0;
  for (let round = 0; round < MUTATION_COUNT; round++) {
    const url =
      next(2) === 0 ? SAMPLE_URLS[next(SAMPLE_URLS.length)]! : 'https://www.example.com/path/to/page?key=value#part';
    const at = next(url.length + 1);
    const text = url.slice(0, at) + AROUND[next(AROUND.length)]! + url.slice(at + next(3));
    if (mustBeRight(text)) provenCount++;
  }
  assert.ok(provenCount > MUTATION_COUNT / 10, `${provenCount} are proven`);
});

tests('the longest text that is matched, of nothing but segments', () => {
  const longest = `http://a${'/b'.repeat(2044)}`;
  assert.is(longest.length, 4096);
  assert.ok(isProven(longest));
  assert.not(isProven(`${longest}/`));
  assert.is(canonicalForm(`${longest}/`), `${longest}/`);
  assert.not(isProven(`http://a${'/'.repeat(4080)}"`));
  assert.not(isProven(`http://${'a.'.repeat(2040)}1/`));
});

tests.run();
