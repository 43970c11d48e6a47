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

test('a potential hash-URI ends in 25 Base64 characters: the definition of the seed', () => {
  const rows: readonly (readonly [uri: string, isPotential: boolean])[] = [
    [`http://e/${A25}`, true],
    [`http://e/${A25.slice(1)}`, false],
    [A25, true],
    [A25.slice(1), false],
    ['', false],
    [`http://e/x.${FA}`, true],
    [`http://e/x.${FA}.txt`, false],
    [`http://e/x.${FA}\n`, false],
    [`http://e/x.${FA}#Part1`, false],
    [`${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'}`, true],
    [`${'0123456789-_abcdefghijklmn'}`, true],
    [`http://e/${'a'.repeat(12)}+${'a'.repeat(12)}`, false],
    [`http://e/${'a'.repeat(24)}=`, false],
    [`http://e/${'a'.repeat(24)}\u0430`, false], // a Cyrillic letter
    [`http://e/${'a'.repeat(24)}\u212a`, false], // folds to k, and is not an ASCII letter
  ];
  for (const [uri, isPotential] of rows) assert.is(isPotentialHashUri(uri), isPotential, uri);
});

test('every ASCII character is a Base64 character or not as the seed lists them', () => {
  const listed = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  for (let code = 0; code < 0x180; code++) {
    const character = String.fromCharCode(code);
    assert.is(isPotentialHashUri('a'.repeat(24) + character), listed.includes(character), `U+${code.toString(16)}`);
  }
});

test('a potential trusty URI has 45 of them, of a known module', () => {
  assert.ok(isPotentialTrustyUri(`http://e/x.${FA}`));
  assert.ok(isPotentialTrustyUri(`http://e/x#RB${HASH}`));
  assert.ok(isPotentialTrustyUri(RA));
  for (const uri of [
    `http://e/x.${FA}x`,
    `http://e/xx${FA}`,
    `http://e/x.${FA.slice(0, -1)}`,
    `http://e/x.XA${HASH}`,
    `http://e/x.fa${HASH}`,
    `http://e/x.${FA}.txt`,
    `http://e/x.${FA.slice(0, -1)}V`,
    '',
  ]) {
    assert.not(isPotentialTrustyUri(uri), uri);
  }
});

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

test('the parts', () => {
  assert.equal(parse(`http://e/x.${FA}.txt`), {
    uri: `http://e/x.${FA}`,
    identifier: 'FA',
    type: 'F',
    version: 'A',
    data: HASH,
    hash: HASH,
    extension: '.txt',
  });
  assert.equal(parse(`http://e/${A25}`), {
    uri: `http://e/${A25}`,
    identifier: 'aa',
    type: 'a',
    version: 'a',
    data: 'a'.repeat(23),
  });
  assert.equal(parse(RA), { uri: RA, identifier: 'RA', type: 'R', version: 'A', data: RA.slice(2), hash: RA.slice(2) });
  for (const uri of [
    '',
    'http://e/',
    `http://e/x.${FA}#p`,
    `http://e/x.${FA}?q`,
    `http://e/x.${FA}/p`,
    `http://e/x.${FA}\n`,
    `x.${FA}=`,
  ]) {
    assert.is(parsed(uri), undefined, uri);
  }
});

test('the identifier part follows the last character that is not Base64, however long the run', () => {
  const long = `http://e.org/some-long_path-of-more-than-25-characters${FA}`;
  assert.is(parse(long).identifier, 'so');
  assert.is(parse(long).hash, undefined);
  assert.is(parse(`x${FA}`).identifier, 'xF');
});

test('a hash part has two zero bits at its end: 16 of 64 characters can stand there', () => {
  const stem = FA.slice(0, -1);
  const possible = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter(
    (last) => parse(stem + last).hash !== undefined,
  );
  assert.is(possible.join(''), 'AEIMQUYcgkosw048');
  assert.is(parse(`http://e/${stem}B`).data, `${HASH.slice(0, -1)}B`, 'it is a potential hash-URI all the same');
});

test('extensions, as the latest of the tools strips them', () => {
  const rows: readonly (readonly [extension: string, isStripped: boolean])[] = [
    ['', false],
    ['.txt', true],
    ['.nq.gz', true],
    ['.tar.gz', true],
    ['.', true],
    ['..', true],
    ['.a-b_c', true],
    [`.${'x'.repeat(20)}`, true],
    [`.${'x'.repeat(21)}`, false],
    ['.a/b', false],
    ['.txt#p', false],
    ['.t?', false],
    ['.é', false],
    ['.txt\n', false],
  ];
  for (const [extension, isStripped] of rows) {
    const uri = `http://e/x.${FA}${extension}`;
    assert.is(stripExtension(uri), isStripped ? `http://e/x.${FA}` : uri, extension);
    assert.is(parsed(uri)?.extension, isStripped ? extension : undefined, extension);
  }
  assert.is(stripExtension('http://e/index.html'), 'http://e/index.html', 'no code before it');
  assert.is(stripExtension(`${A25.slice(1)}.txt`), `${A25.slice(1)}.txt`, '24 characters before it');
  assert.is(parse(`x.${FA}.${A25}`).data, 'a'.repeat(23), 'a long extension is a run itself, and the last run counts');
});

test('parse puts together what it took apart', () => {
  const base64 = (lengths: { minLength: number; maxLength: number }) =>
    fc
      .stringMatching(/^[A-Za-z0-9_-]*$/)
      .map((text) => text.padEnd(lengths.minLength, '_').slice(0, lengths.maxLength));
  const base = fc.string().map((text) => `${text}/`);
  const extension = fc.stringMatching(/^(\.[a-z0-9._-]{0,20})?$/);
  fc.assert(
    fc.property(base, base64({ minLength: 25, maxLength: 60 }), extension, (prefix, run, ending) => {
      const parts = parse(prefix + run + ending);
      assert.is(parts.uri, prefix + run);
      assert.is(parts.identifier + parts.data, run);
      assert.is(parts.type + parts.version, parts.identifier);
      assert.is(parts.extension ?? '', ending);
      assert.is(stripExtension(prefix + run + ending), prefix + run);
    }),
    { numRuns: halvedCases(2_000) },
  );
});

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
