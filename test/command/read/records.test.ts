import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { corpusLines, sampleLines } from '../../support/data.ts';
import { SAMPLE_URLS } from '../../support/samples.ts';
import { file } from '../../support/scratch.ts';
import { halvedCases, random, SCALE } from '../../support/seed.ts';
import { urlsum } from '../command.ts';

const test = suite('cli: JSON lines, CDX and CDXJ');
const next = random();

/** Lines of text without line ends: the records are lines themselves. */
const URLS = [
  ...SAMPLE_URLS,
  ...sampleLines(),
  ...corpusLines('main').slice(0, halvedCases(4000)),
  ...corpusLines('changed').slice(0, 2000),
].filter((url) => !/[\r\n]/.test(url) && url.isWellFormed());
const WITHOUT_SPACE = URLS.filter((url) => url !== '' && !url.includes(' '));

const lines = (rows: readonly string[]) => `${rows.join('\n')}\n`;
const textOf = (args: readonly string[], input: string) => urlsum(args, input).stdout.toString();
const hexOf = (urls: readonly string[], ...args: string[]) =>
  textOf(['--format', 'hex', ...args], lines(urls)).split('\n');

/** The outputs for a text in a pipe and in a file, packed or not, on one thread and several: the same. */
function everyWay(args: readonly string[], name: string, text: string): string[] {
  const [plain, packed] = [file(name, text), file(`${name}.gz`, gzipSync(text))];
  const outputs = [textOf(args, text), textOf([...args, plain], '')];
  outputs.push(textOf([...args, '-j', '2', plain], ''), textOf([...args, '-j', '3'], text));
  outputs.push(textOf([...args, packed], ''));
  if (SCALE >= 10) outputs.push(textOf([...args, '-j', '3', plain], ''), textOf([...args, '-j', '2', packed], ''));
  for (const output of outputs) assert.ok(output === outputs[0]);
  return outputs.slice(0, 1);
}

/** The members in changing order, with a name in escapes now and then and the wanted one twice. */
function jsonLine(url: string, row: number): string {
  const name = next(8) === 0 ? '"\\u0075rl"' : '"url"';
  const value = next(4) === 0 ? JSON.stringify(url).replaceAll('/', '\\/') : JSON.stringify(url);
  const members = [`"row":${row}`, `${name} : ${value}`, `"x":{"url":"no","a":[1,{}]}`];
  const before = next(8) === 0 ? ['"url":0'] : [];
  return `{${[...before, ...(next(2) === 0 ? members : members.reverse())].join(', ')}}`;
}

test('the hash of each object is that of its line, whatever the threads', () => {
  const text = lines(URLS.map(jsonLine));
  const expected = hexOf(URLS);
  for (const output of everyWay(['--json', 'url'], 'urls.jsonl', text)) {
    const rows = output.split('\n');
    assert.is(rows.length, URLS.length + 1);
    for (const [row, url] of URLS.entries()) {
      const object = JSON.parse(rows[row]!) as { readonly row: number; readonly urlsum: string | null };
      assert.is(object.row, row);
      assert.is(object.urlsum ?? '', expected[row], url);
    }
  }
});

test('what stood in a line stands in it still, byte for byte, before the new field', () => {
  const given = [' {"url":"https://a/"\t} ', '{"a":"\ud83d\ude00","url":"https://a/"}', '{"url":"https://a/"}'];
  const output = textOf(['--json', 'url', '--width', '8'], `${given.join('\r\n')}\r\n`).split('\r\n');
  for (const [row, line] of given.entries()) {
    assert.is(output[row]!.replace(/,"urlsum":"[0-9a-f]{16}"/, ''), line);
  }
});

test('a line that is not an object, or lacks the field, stays as it was and is reported', () => {
  const { stdout, stderr, status } = urlsum(
    ['--json', 'a.url'],
    '[]\n{}\n{"a":{"url":1}}\n{"a":{"url":"https://a/"}}\nx',
  );
  assert.is(status, 1);
  const [first, second, third, fourth, fifth] = stdout.toString().split('\n');
  assert.equal([first, second, third, fifth], ['[]', '{}', '{"a":{"url":1}}', 'x']);
  assert.is(JSON.parse(fourth!).urlsum, hexOf(['https://a/'])[0]);
  assert.match(stderr, /-:1: not a JSON object \(malformed-record\)\n/);
  assert.match(stderr, /-:3: the object has no string in the field "a\.url" but 1 \(malformed-record\)\n/);
  assert.match(stderr, /-:5: not a JSON object \(malformed-record\)\n/);
});

test('an empty object gains its first member', () => {
  assert.is(
    textOf(['--json', 'url', '--on-error', 'keep', '--width', '8'], '{ }\n').replace(/[0-9a-f]{16}/, 'X'),
    '{ "urlsum":"X"}\n',
  );
});

test('CDX of both forms and CDXJ are told apart record by record; a header stands wherever it comes', () => {
  const captions = [' CDX N b a m s k r M S V g', ' CDX N b a m s k r V g'];
  const records = WITHOUT_SPACE.map((url, row) => {
    const key = `com,example)/${row} 20260101000000`;
    if (row % 3 === 0) return `${key} ${url} text/html 200 DIGEST - - 1 2 f.warc.gz`;
    return row % 3 === 1
      ? `${key} ${url} text/html 200 DIGEST - 2 f.warc.gz`
      : `${key} {"url": ${JSON.stringify(url)}}`;
  });
  const given = [captions[0]!, ...records.slice(0, 100), captions[1]!, ...records.slice(100)];
  const expected = hexOf(WITHOUT_SPACE);
  for (const text of everyWay(['--cdx'], 'urls.cdx', lines(given))) {
    const output = text.split('\n').slice(0, -1);
    assert.is(output[0], `${captions[0]} urlsum`);
    assert.is(output.splice(101, 1)[0], `${captions[1]} urlsum`);
    for (const [row, line] of output.slice(1).entries()) {
      const found =
        row % 3 === 2
          ? (JSON.parse(line.slice(line.indexOf('{'))).urlsum ?? '')
          : line.slice(line.lastIndexOf(' ') + 1);
      assert.is(found, expected[row], line);
    }
  }
});

test('a header with the original URL elsewhere, and records with other numbers of fields, are refused', () => {
  const { stderr, status } = urlsum(['--cdx'], ' CDX a b N m s k r V g\na b c\n\n');
  assert.is(status, 2);
  assert.match(stderr, /-:2: not a CDX record: it has 3 fields, not 7, 9 or 11 \(malformed-record\)\n/);
  assert.match(stderr, /:1: this header of CDX says that records have the original URL in field 1, not 3 \(malformed/);
  assert.match(stderr, /:2: not a CDX record: it has 3 fields, not 7, 9 or 11/);
});

test("CDX of wget, whose key is the URL, and of Wayback's server, with seven fields", () => {
  const [url, key] = ['HTTPS://example.com', '0f115db062b7c0dd'];
  const wget = ` CDX a b a m s k r M V g u\n${url} 20260102 ${url} text/html 200 X - - 1 a.warc <urn:uuid:1>\n`;
  const wayback = `com,example)/ 20260102 ${url} text/html 200 X 1\n`;
  const { stdout, stderr, status } = urlsum(['--cdx', '--width', '8'], wget + wayback);
  assert.equal([status, stderr], [0, '']);
  const rows = (wget + wayback).trimEnd().split('\n');
  assert.equal(stdout.toString().trimEnd().split('\n'), [
    `${rows[0]} urlsum`,
    `${rows[1]} ${key}`,
    `${rows[2]} ${key}`,
  ]);
});

test.run();
