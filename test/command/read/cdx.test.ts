import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHasher } from '../../../src/index.ts';
import { sampleLines } from '../../support/data.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { textOf } from '../command.ts';

const test = suite('CDX and CDXJ');

const URLS = [...SAMPLE_URLS, ...sampleLines()].filter((url) => /^[^ \r\n]+$/.test(url) && url.isWellFormed());
/** Runs with hashes of 8 bytes. */
const urlsum = (rows: readonly string[]) => textOf(['--cdx', '--width', '8'], `${rows.join('\n')}\n`);

test('CDX of both forms and CDXJ are told apart record by record; a header stands wherever it comes', () => {
  const captions = [' CDX N b a m s k r M S V g', ' CDX N b a m s k r V g'];
  const records = URLS.map((url, row) => {
    const key = `com,example)/${row} 20260101000000`;
    if (row % 3 === 0) return `${key} ${url} text/html 200 DIGEST - - 1 2 f.warc.gz`;
    return row % 3 === 1
      ? `${key} ${url} text/html 200 DIGEST - 2 f.warc.gz`
      : `${key} {"url": ${JSON.stringify(url)}}`;
  });
  const given = [captions[0]!, ...records.slice(0, 100), captions[1]!, ...records.slice(100)];
  const hashes = new UrlHasher({ width: 8 }).hashMany(URLS);
  const output = urlsum(given).stdout.split('\n').slice(0, -1);
  assert.is(output[0], `${captions[0]} urlsum`);
  assert.is(output.splice(101, 1)[0], `${captions[1]} urlsum`);
  for (const [row, line] of output.slice(1).entries()) {
    const found =
      row % 3 === 2 ? JSON.parse(line.slice(line.indexOf('{'))).urlsum : line.slice(line.lastIndexOf(' ') + 1);
    assert.is(found || null, hashes.hex(row) ?? null, line);
  }
});

test('a header with the original URL elsewhere, and records with other numbers of fields, are refused', () => {
  const { stderr, status } = urlsum([' CDX a b N m s k r V g', 'a b c', '']);
  assert.is(status, 2);
  assert.match(stderr, /-:1: this header of CDX says that records have the original URL in field 1, not 3 \(malformed/);
  assert.match(stderr, /-:2: not a CDX record: it has 3 fields, not 7, 9 or 11 \(malformed-record\)\n/);
});

test("CDX of wget, whose key is the URL, and of Wayback's server, with seven fields", () => {
  const [url, key] = ['HTTPS://example.com', '0f115db062b7c0dd'];
  const header = ' CDX a b a m s k r M V g u';
  const wget = `${url} 20260102 ${url} text/html 200 X - - 1 a.warc <urn:uuid:1>`;
  const wayback = `com,example)/ 20260102 ${url} text/html 200 X 1`;
  const stdout = `${header} urlsum\n${wget} ${key}\n${wayback} ${key}\n`;
  assert.equal(urlsum([header, wget, wayback]), { stdout, stderr: '', status: 0 });
});

test.run();
