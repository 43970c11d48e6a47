import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  lastComponents,
  type Reading,
  readPage,
  registrableHosts,
  tries,
} from '../specs/safe-browsing/page-reading.ts';
import { visited } from './browser-reading.ts';
import { formOf, inputOf, type StoredCase, shown, stored } from './stored.ts';

const test = suite('vectors: safe-browsing');

/** A byte a character. */
function binaryOf(vector: StoredCase): string {
  return Buffer.from(
    vector['inputBase64'] ?? inputOf(vector),
    vector['inputBase64'] === undefined ? 'utf8' : 'base64',
  ).toString('latin1');
}

function expressionsOf(reading: Reading, { profile, privateSuffixes }: StoredCase): string[] {
  return tries(reading, profile === 'v5' ? registrableHosts(reading, privateSuffixes) : lastComponents(reading));
}

/** The expressions of several readings, each once. */
function expressionsOfAll(readings: readonly (Reading | undefined)[], vector: StoredCase): string[] {
  return [...new Set(readings.flatMap((reading) => (reading === undefined ? [] : expressionsOf(reading, vector))))];
}

/** A mode's readings, of which the first has its canonical form, as the case has them: a failure without its reason. */
function expectedReading(readings: readonly (Reading | undefined)[], vector: StoredCase): object {
  const [reading] = readings;
  if (reading === undefined) return { failure: true };
  const form = formOf(reading.canonical);
  return 'canonical' in form ? { ...form, expressions: expressionsOfAll(readings, vector) } : form;
}

function withoutReason(reading: StoredCase): object {
  return typeof reading['failure'] === 'string' && typeof reading['place'] === 'string' ? { failure: true } : reading;
}

function check(vector: StoredCase): void {
  const binary = binaryOf(vector);
  const { profile, expect } = vector;
  const read = (url: string | undefined, isSlashed = false) =>
    url === undefined ? undefined : readPage(url, profile, isSlashed);
  const url = visited(binary);
  const spec = [readPage(binary, profile)];
  const browser = [read(url?.bare), read(url?.bare, true)];
  assert.equal(withoutReason(expect.spec), expectedReading(spec, vector), shown(vector));
  assert.equal(
    withoutReason(expect.browser ?? expect.spec),
    expectedReading(browser, vector),
    `browser, ${shown(vector)}`,
  );
  const union = expressionsOfAll([...spec, ...browser, read(url?.whole)], vector);
  const hashes = union.map((expression) => createHash('sha256').update(expression).digest('hex'));
  if (union.length === 0)
    assert.equal(
      [expect.hashes, expect.union, expect.failure],
      [undefined, undefined, expect.spec.failure],
      shown(vector),
    );
  else assert.equal(expect.hashes, hashes, shown(vector));
  if (union.length > 0 && expect.spec.canonicalLength === undefined)
    assert.equal(expect.union ?? expect.spec.expressions, union, shown(vector));
  if (union.length > 0) assert.ok(expect.prefix.length >= 8 && hashes[0]!.startsWith(expect.prefix), shown(vector));
}

/** The one thing the oracles have no limit for: a label beyond ASCII of more than 1000 characters. */
function isOverlong(vector: StoredCase): boolean {
  return vector['inputParts']?.some(([text, count]: [string, number]) => text === '\u00fc' && count === 1001) ?? false;
}

for (const name of ['safe-browsing-v5.json', 'web-risk.json', 'safe-browsing-lone-surrogates.json'] as const) {
  test(`${name}: as a second reading of the page, whatwg-url, tldts and node:crypto`, () => {
    const { cases } = stored(name);
    const checked = cases.filter((vector) => !isOverlong(vector));
    checked.forEach(check);
    assert.is(cases.length - checked.length, name.includes('lone') ? 0 : 1);
    const differing = checked.filter(({ expect }) => expect.browser !== undefined).length;
    assert.ok(differing > checked.length / 10, `only ${differing} readings differ`);
  });
}

test('prefixes of every length, every reason and every kind of input', () => {
  const { cases } = stored('safe-browsing-v5.json');
  const prefixes = new Set(cases.map(({ expect }) => expect.prefix?.length / 2));
  for (const length of [4, 5, 8, 16, 31, 32]) assert.ok(prefixes.has(length), `${length}`);
  const reasons = new Set(cases.flatMap(({ expect }) => [expect.spec.failure, expect.browser?.failure]));
  const all = [
    'scheme-without-authority',
    'scheme-unusable',
    'host-missing',
    'host-unclosed',
    'port-invalid',
    'domain-to-ASCII',
  ];
  for (const reason of all) assert.ok(reasons.has(reason), reason);
  const fields = ['input', 'inputParts', 'inputBase64', 'privateSuffixes'];
  for (const field of fields)
    assert.ok(
      cases.some((vector) => field in vector),
      field,
    );
});

test.run();
