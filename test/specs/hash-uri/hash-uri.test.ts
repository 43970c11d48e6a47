import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  findCodes,
  type HashUri,
  HashUriError,
  isPotentialHashUri,
  isPotentialTrustyUri,
  parse,
  stripExtension,
} from '../../../src/entries/hash-uri.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { halvedCases } from '../../support/seed.ts';

const test = suite('hash-uri: parse');
const HASH = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';
const FA = `FA${HASH}`;
const RA = 'RA5AbXdpz5DcaYXCh9l3eI9ruBosiL5XDU3rxBbBaUO70';
const A25 = 'a'.repeat(25);

test('the trusty URI tools strip an extension first, and do not look at the last character', () => {
  const java = { reading: 'java' } as const;
  for (const uri of [FA, `http://e/x.${FA}.nq.gz`, `http://e/x.${FA.slice(0, -1)}V`, `http://e/x.${FA.slice(0, -1)}V.`])
    assert.ok(isPotentialTrustyUri(uri, java), uri);
  for (const uri of ['', `http://e/x.${FA}x`, `http://e/x.XA${HASH}`, `http://e/x.${FA}.${'x'.repeat(21)}`, `${FA}#p`])
    assert.not(isPotentialTrustyUri(uri, java), uri);
  assert.throws(
    () => isPotentialTrustyUri(FA, { reading: 'python' as never }),
    /^reading must be one of specification, /,
  );
});

/** Undefined where it is not a potential hash-URI, which `parse` throws and `isPotentialHashUri` tells. */
function parsed(uri: string): HashUri | undefined {
  const isOne = isPotentialHashUri(stripExtension(uri));
  try {
    const parts = parse(uri);
    assert.ok(isOne, uri);
    return parts;
  } catch (error) {
    if (!(error instanceof HashUriError)) throw error;
    assert.equal([error.reason, error.place, error.input, isOne], ['not-a-hash-uri', 'code', uri, false]);
    return undefined;
  }
}

test('agrees with one regular expression on any text', () => {
  const whole = /^(?:[\s\S]*[^A-Za-z0-9_-])?([A-Za-z0-9_-]{25,})(\.[A-Za-z0-9_.-]{0,20})?$/;
  const piece = fc.oneof(fc.constantFrom('.', '.nq', '.gz', '/', '#', '..', FA, A25, A25.slice(1)), fc.string());
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const uri = pieces.join('');
      const found = whole.exec(uri);
      const parts = parsed(uri);
      assert.equal(
        parts && [parts.identifier + parts.data, parts.extension],
        found === null ? undefined : [found[1], found[2]],
      );
    }),
    { numRuns: halvedCases(4_000) },
  );
});

test('codes are found before a suffix, and where they are', () => {
  assert.equal(findCodes(`http://example.org/r2.${RA}#Part1`), [{ code: RA, module: 'RA', position: 22 }]);
  assert.equal(
    findCodes(`<${FA}> ${RA}/x.${FA}.txt`).map(({ code, position }) => [code, position]),
    [
      [FA, 1],
      [RA, 48],
      [FA, 96],
    ],
  );
  for (const text of ['', `${FA}x`, `x${FA}`, FA.slice(1), `XA${HASH}`, `http://e/${A25}`])
    assert.equal(findCodes(text), [], text);
});

test('long URIs take linear time', () => {
  const run = 'a'.repeat(1 << 17);
  assert.is(parse(run).data.length, (1 << 17) - 2);
  assert.is(parsed(`${'.'.repeat(1 << 17)}!`), undefined);
  assert.is(parse(`${run}${'.'.repeat(21)}`).extension, '.'.repeat(21));
  assert.equal(findCodes(run), []);
  assert.is(findCodes(`${FA} `.repeat(1 << 12)).length, 1 << 12);
  mustBeLinear('letters', (length) => 'a'.repeat(length), parse);
  mustBeLinear('dots', (length) => `${'.'.repeat(length)}!`, parsed);
  mustBeLinear('dots after letters', (length) => `${'a'.repeat(length)}${'.'.repeat(length)}`, parsed);
  mustBeLinear('codes in letters', (length) => 'a'.repeat(length), findCodes);
  mustBeLinear('codes', (length) => `${FA} `.repeat(length / 32), findCodes);
});

test.run();
