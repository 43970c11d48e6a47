import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize, hash, type KeepFlag, matches, type Variant } from '../../../src/entries/hashed-uri.ts';

// Every example of draft-feather-hashed-uri-03. Section 4.4 names no variant: its examples hold in both.
const VARIANTS: readonly Variant[] = ['N', 'P'];

const HASHED: readonly (readonly [uri: string, keep: readonly KeepFlag[], hashed: string])[] = [
  ['mailto:clive@demon.net', [], 'hashed:md5=cd933f3b87ee60e58917448c9678ee32'],
  ['http://www.thus.net', [], 'hashed:md5=be96302a0468481aca954431cf293e05'],
  ['http://www.thus.net', [], 'hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481'],
  ['http://www.thus.net#end', [], 'hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481'],
  ['http://www.thus.net#end', ['frag'], 'hashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag'],
  ['HTTP://www.Thus.net', [], 'hashed:md5=be96302a0468481aca954431cf293e05'],
  ['http://10.20.30.40/a%62c', [], 'hashed:md5=754a2c63a13aa2e8153d027066e31f8f'],
];

const CANONICAL: readonly (readonly [uri: string, variantN: string, variantP: string])[] = [
  [
    'http://Fred@WWW.Thus.net:0112/Test/index.html',
    'http://Fred@www.thus.net:112/Test/',
    'http://fred@www.thus.net:112/test/',
  ],
  [
    'http://111.011.101.001/test//Image.jpeg',
    'http://111.11.101.1/test//Image.jpeg',
    'http://111.11.101.1/test/image.jpg',
  ],
];

const test = suite('draft-feather-hashed-uri-03');

for (const variant of VARIANTS) {
  for (const [uri, keep, hashed] of HASHED) {
    const algorithm = hashed.slice('hashed:'.length, hashed.indexOf('='));
    test(`section 4.4, variant ${variant}: ${uri} by ${algorithm}, keeping ${keep.join() || 'nothing'}`, () => {
      assert.is(String(hash(uri, { variant, algorithm, keep })), hashed);
      assert.is(matches(uri, hashed, { variant }), true);
      assert.is(matches(`${uri}x`, hashed, { variant }), uri.includes('#') && keep.length === 0);
    });
  }
}

for (const [uri, variantN, variantP] of CANONICAL) {
  test(`appendix A: ${uri}`, () => {
    assert.is(canonicalize(uri, { variant: 'N' }), variantN);
    assert.is(canonicalize(uri, { variant: 'P' }), variantP);
  });
}

test.run();
