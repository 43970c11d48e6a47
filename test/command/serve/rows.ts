import { UrlError } from '../../../src/index.ts';
import { corpusLines } from '../../support/data.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { random } from '../../support/seed.ts';

const MARK = '\ufeff';

/** Bytes that rows may hold and lines cannot, and those that look like the end or start of a text. */
const ODD_ROWS = [
  'http://a.example/\nb',
  'http://a.example/\r',
  'http://a.example/\r\n',
  '\nhttp://a.example/',
  `${MARK}http://a.example/`,
  'http://a.example/\0',
  '\0',
  '\n',
  '\r\n',
  MARK,
  `http://a.example/${MARK}`,
];

/** Rows of every kind as bytes, some of them not UTF-8. */
export function oddRows(mutationCount: number): Uint8Array[] {
  const next = random();
  const real = corpusLines('main').slice(0, 5000);
  const urls = real.length > 0 ? real : SAMPLE_URLS;
  const mutations = Array.from({ length: mutationCount }, () => mutated(urls[next(urls.length)]!, next));
  const texts = [...SAMPLE_URLS, ...ODD_ROWS, ...mutations];
  return [...texts.map((text) => Buffer.from(text)), Buffer.from('http://a.example/\xff\xc3', 'latin1')];
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** `value` of a row's text, or undefined where it is not a URL. */
export function valueOf(row: Uint8Array, value: (text: string) => string): string | undefined {
  try {
    return valueOrThrow(row, value);
  } catch (error) {
    if (error instanceof UrlError) return undefined;
    throw error;
  }
}

export function valueOrThrow(row: Uint8Array, value: (text: string) => string): string {
  return value(decoder.decode(row));
}

// ClickHouse's formats, written down once more: https://clickhouse.com/docs/interfaces/formats/RowBinary

export function length(value: number): Buffer {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

export const string = (value: string | Uint8Array) =>
  Buffer.concat([length(Buffer.byteLength(value)), Buffer.from(value as string)]);

export function chunk(values: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from(`${values.length}\n`), ...values]);
}

export const chunkOf = (rows: readonly (string | Uint8Array)[]) => chunk(rows.map(string));
