import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { textEncoder } from '../../core/bytes/text.ts';
import type { Column } from '../../core/digest/column.ts';
import { quote } from '../../core/quote.ts';
import { groupKeyOf } from '../../specs/sites/site.ts';
import type { Output, OutputName, Rows } from '../../tables/outputs.ts';
import { requestFault } from '../fault.ts';

interface Vector {
  readonly given: string;
  readonly canonical: string;
  /** The first eight bytes of the SHA-256 of the canonical form, or of the first expression. */
  readonly hash: string;
}

const URLS = [
  'https://example.com/',
  'https://example.com',
  `https://example.com/${'0123456789'.repeat(6)}`,
  'http://0x7f.1/',
  'http://[2001:DB8::1]/',
  'HTTP://User@Example.COM:80/a/../b c?d=e',
  'https://bu\u0308cher.example/',
  'https://\u212b\u0323.\u1100\u1161.example/',
  'https://\u00fc@\u1e9e.example/\u00fc',
] as const;

/** Rows that are proven, rewritten and parsed; IPv4, IPv6, IDNA and NFC. */
const URL_VECTORS: readonly Vector[] = [
  { given: URLS[0], canonical: URLS[0], hash: '0f115db062b7c0dd' },
  { given: URLS[1], canonical: URLS[0], hash: '0f115db062b7c0dd' },
  { given: URLS[2], canonical: URLS[2], hash: 'ef3777ac4841f80b' },
  { given: URLS[3], canonical: 'http://127.0.0.1/', hash: 'd5541dbe8037a643' },
  { given: URLS[4], canonical: 'http://[2001:db8::1]/', hash: '4a784787d9a3b0ca' },
  { given: URLS[5], canonical: 'http://User@example.com/b%20c?d=e', hash: '1592db45d8730fd3' },
  { given: URLS[6], canonical: 'https://xn--bcher-kva.example/', hash: '7971a8be6267ce24' },
  { given: URLS[7], canonical: 'https://xn--usa932l.xn--o39a.example/', hash: 'a3e781975ac1804f' },
  { given: URLS[8], canonical: 'https://%C3%BC@xn--zca.example/%C3%BC', hash: '23e3dacdefebbfc2' },
];

/** Canonical forms and hashes under the profiles web-risk and v5. */
const SAFE_BROWSING_VECTORS: readonly Vector[] = [
  { given: URLS[0], canonical: URLS[0], hash: '73d986e009065f18' },
  { given: URLS[3], canonical: 'http://127.0.0.1/', hash: 'c9dd5cd9f6d07baf' },
  { given: URLS[5], canonical: 'http://example.com/b%20c?d=e', hash: '68b6070a2376b38e' },
  { given: URLS[6], canonical: 'https://xn--bcher-kva.example/', hash: '386dade969207c95' },
  { given: URLS[7], canonical: 'https://xn--usa932l.xn--o39a.example/', hash: 'e67e6209578f6d33' },
  { given: URLS[8], canonical: 'https://xn--zca.example/%C3%BC', hash: '6447a0abcec6cefb' },
];

/** Answers known rows. @throws {Fault} where one gives another value than it must */
export function selfTest({ name, profile, width, column }: Output): void {
  if (name === 'profile') return;
  const vectors = profile.startsWith('url') ? URL_VECTORS : SAFE_BROWSING_VECTORS;
  const answered = column(rowsOf(vectors.map(({ given }) => given)));
  for (const [row, { given, canonical, hash }] of vectors.entries()) {
    const bytes = valueAt(answered, row, width);
    const expected = expectedText(name, canonical) ?? hash;
    const value = expected === hash ? hexOfBytes(bytes, 0, 8) : String.fromCharCode(...bytes);
    if (value !== expected) throw requestFault(complaint(given, value, expected));
  }
}

/** Returns what an output of texts must give, which is '' for a row without a value; undefined for one of hashes. */
function expectedText(name: OutputName, canonical: string): string | undefined {
  if (name === 'host' || name === 'site' || name === 'surt') return groupKeyOf(name, canonical) ?? '';
  return { canonical, reason: '' }[name as string];
}

function rowsOf(texts: readonly string[]): Rows {
  const rows = texts.map((text) => textEncoder().encode(text));
  const offsets = new Uint32Array(rows.length + 1);
  for (const [row, { length }] of rows.entries()) offsets[row + 1] = offsets[row]! + length;
  return { bytes: concatBytes(rows), offsets };
}

function valueAt({ bytes, offsets }: Column, row: number, width: number): Uint8Array {
  return offsets === undefined
    ? bytes.subarray(row * width, (row + 1) * width)
    : bytes.subarray(offsets[row]! * width, offsets[row + 1]! * width);
}

function complaint(given: string, value: string, expected: string): string {
  const host = `${process.version} for ${process.platform}-${process.arch}`;
  const [made, wanted] = [JSON.stringify(value), JSON.stringify(expected)];
  return `the self-test failed: this Node (${host}) makes ${made} of ${quote(given)}, not ${wanted}`;
}
