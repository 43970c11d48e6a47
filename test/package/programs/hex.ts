// A hash is its hex, in every spelling of its own; the crate's Display is toDecimal.
import { deepEqual, equal, throws } from 'node:assert/strict';
import { UrlHash, UrlShortHash, UrlVeryShortHash } from 'urlsum';

const hash = UrlHash.of('https://example.com/');
const { hex } = hash;
equal(hex, '0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7');
deepEqual([String(hash), `${hash}`, JSON.parse(JSON.stringify({ hash })).hash], [hex, hex, hex]);
equal(UrlHash.parse(hex).equals(hash), true);
equal(UrlHash.parse(structuredClone(hash).hex).equals(hash), true);
equal(hash.toDecimal(), hash.words.join('-'));
equal(UrlHash.fromDecimal(hash.toDecimal()).hex, hex);
equal(UrlHash.fromWords(hash.words).hex, hex);
equal(UrlHash.fromBytes(hash.bytes).hex, hex);
for (const [type, digits] of [
  [UrlShortHash, 32],
  [UrlVeryShortHash, 16],
] as const) {
  const short = type.of('https://example.com/');
  equal(short.hex, hex.slice(0, digits));
  equal(type.parse(`${short}`).toDecimal(), short.toDecimal());
  equal(type.fromDecimal(short.toDecimal()).hex, short.hex);
}
throws(() => UrlHash.parse(hash.toDecimal()), RangeError);
// @ts-expect-error one spelling
equal(hash.toHex, undefined);
