import type { Content } from '../vector.ts';
import { ASCII, BLOCK_LENGTHS, grid, range } from './grid.ts';
import { generated, SEED } from './random.ts';

/** Of no bytes, and of the example of RFC 6920: published both. */
const EMPTY_CODE = 'FA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';
export const HELLO_CODE = 'FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk';
export const HELLO_CONTENT: Content = { base64: btoa('Hello World!') };

const HASH = EMPTY_CODE.slice(2);
const A25 = 'a'.repeat(25);
const BASE64_CHARACTERS = ASCII.filter((each) => /[A-Za-z0-9_-]/.test(each));

/** URIs and names of files, by definition. */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  'Base64 character': [
    ...ASCII.map((each) => `http://example.org/${'a'.repeat(24)}${each}`),
    ...ASCII.map((each) => `${each}${'a'.repeat(24)}`),
    ...ASCII.map((each) => `x${'a'.repeat(12)}${each}${'a'.repeat(12)}`),
    ...['\u00e9', '\u0430', '\u212a', '\u017f', '\u0660', '\uff21', '\u{1d400}', '\u200d'].map(
      (each) => `http://example.org/${'a'.repeat(24)}${each}`,
    ),
  ],
  'potential hash-URI': range(20, 50).flatMap((length) => [
    `http://example.org/${'a'.repeat(length)}`,
    'Z'.repeat(length),
    `http://example.org/x.${EMPTY_CODE.slice(0, length)}`,
  ]),
  'identifier part': [
    ...grid(['http://example.org/x.'], ['FA', 'RA', 'RB', 'FB', 'XA', 'fa', 'Ra', 'AA', '--', '__', '00'], [HASH]),
    ...grid(['', 'x', 'xx', '.', 'x.', '-', '/', '#', '?', '=', '%2F', '%', 'FA', ' ', '\u00e9'], [EMPTY_CODE]),
    ...BASE64_CHARACTERS.map((last) => `http://example.org/x.${EMPTY_CODE.slice(0, -1)}${last}`),
    `${EMPTY_CODE}${EMPTY_CODE}`,
    `${EMPTY_CODE}.${EMPTY_CODE}`,
    `${EMPTY_CODE}/${EMPTY_CODE}`,
    `http://example.org/some-long_path-of-more-than-25-characters${EMPTY_CODE}`,
  ],
  extension: [
    ...grid(
      ['http://example.org/x.', 'x.'],
      [EMPTY_CODE, `RA${HASH}`, A25, A25.slice(1)],
      [
        '.txt',
        '.nq.gz',
        '.tar.gz',
        '.',
        '..',
        '...',
        '.a-b_c',
        '.a.b.c.d.e',
        '.a/b',
        '.txt#p',
        '.t?',
        '.\u00e9',
        '.txt\n',
        ' .txt',
        '#Part1',
        '?q',
        '/',
        '~',
      ],
    ),
    ...range(0, 24).map((length) => `x.${EMPTY_CODE}.${'x'.repeat(length)}`),
    ...range(17, 24).map((length) => `x.${EMPTY_CODE}${'.'.repeat(length)}`),
    ...range(17, 28).map((length) => `x.${EMPTY_CODE}.a.${'y'.repeat(length)}`),
    'index.html',
    '.txt',
    '',
    '.',
    'http://example.org/',
  ],
  generated: generated(
    200,
    [
      ['', 'http://example.org/', 'x', '\u00e9'],
      ['', '.', '#', '/', '-'],
      ['', 'FA', 'RA', 'RB', 'ab'],
      [HASH, HASH.slice(1), A25, A25.slice(3), `${HASH}A`, ''],
      ['', '', '.txt', '.nq.gz', '#x', '.', '.%41', '?'],
    ],
    SEED + 3,
  ),
};

/** Contents of every length up to and around the blocks: 0, 1, 2 …, and a character a million times, as in FIPS 180. */
export const CONTENTS: readonly Content[] = [
  ...[...range(0, 70), ...BLOCK_LENGTHS].map((length) => ({
    base64: btoa(String.fromCharCode(...range(0, length).map((each) => each % 256))),
  })),
  HELLO_CONTENT,
  ...[
    'abc',
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    'Hello World',
    'Hello World!\n',
    'Hello World!\r\n',
    '\xef\xbb\xbfHello World!',
    '\x00',
    '\xff',
  ].map((text) => ({ base64: btoa(text) })),
  { base64: btoa('a'), count: 1_000_000 },
  { base64: btoa('\0'), count: 65_536 },
  { base64: btoa('0123456789'), count: 10_000 },
  { base64: btoa('\x00\x80\xff'), count: 21_845 },
];

/** Each kind of last character, and what is not a URI at all. */
export const BASES: readonly string[] = [
  '',
  'x',
  'x-',
  'x_',
  '9',
  'http://example.org/',
  'http://example.org/x',
  'http://example.org/x.',
  'http://example.org/x#',
  'http://example.org/x?',
  'http://example.org/x=',
  'http://example.org/x%',
  '\u00e9',
  '\u{1f600}',
  ' ',
  '\n',
  EMPTY_CODE,
  `${EMPTY_CODE}.`,
  ...ASCII.filter((each) => each > ' '),
];

/** To be verified with the content of HELLO_CODE. */
export const VERIFIED: readonly string[] = [
  ...grid(
    ['', 'http://example.org/x.', 'http://example.org/', 'x#', 'x'],
    [
      HELLO_CODE,
      EMPTY_CODE,
      `RA${HELLO_CODE.slice(2)}`,
      `RB${HELLO_CODE.slice(2)}`,
      `FB${HELLO_CODE.slice(2)}`,
      A25,
      HELLO_CODE.slice(0, -1),
      `${HELLO_CODE}A`,
      `FA${'a'.repeat(23)}`,
      HELLO_CODE.toLowerCase(),
      '',
    ],
    ['', '.txt', '.nq.gz', '#p', '?q', `.${'x'.repeat(20)}`, `.${'x'.repeat(21)}`],
  ),
  ...BASE64_CHARACTERS.map((last) => `x.${HELLO_CODE.slice(0, -1)}${last}`),
  ...range(0, 45).map(
    (at) => `x.${HELLO_CODE.slice(0, at)}${HELLO_CODE[at] === 'A' ? 'B' : 'A'}${HELLO_CODE.slice(at + 1)}`,
  ),
];
