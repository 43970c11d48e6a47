import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FormOptions, profileOf, UrlHash, UrlHasher, type UrlHasherOptions } from '../../src/index.ts';
import { HashList, type HashListOptions } from '../../src/service/lists/hash-list.ts';
import { expressions } from '../../src/specs/safe-browsing/expressions.ts';
import { sha256 } from '../../src/specs/safe-browsing/hash-prefix.ts';
import { SuffixList } from '../../src/specs/safe-browsing/suffix-list.ts';
import { HashIndex } from '../../src/store/hash-index/hash-index.ts';
import { HashIndexBuilder } from '../../src/store/hash-index/hash-index-builder.ts';
import { sampleLines } from '../support/data.ts';
import { FOLDER as folder } from '../support/scratch.ts';
import { rejectionOf } from '../support/thrown.ts';
import { connected, makeTable, rowsOf } from './tables.ts';

const tests = suite('look-ups in DuckDB');

const encoder = new TextEncoder();
const urls: readonly string[] = [...sampleLines().filter((_, row) => row % 4 === 0), 'not a url', ''];

function writeIndex(name: string, urlsIn: readonly string[], options: UrlHasherOptions = {}): string {
  const path = join(folder, name);
  const builder = new HashIndexBuilder({ width: options.width ?? 32 });
  builder.add(new UrlHasher(options).hashMany(urlsIn));
  builder.write(path);
  builder.close();
  return path;
}

function writeList(name: string, listed: readonly string[], options: HashListOptions = {}): string {
  const path = join(folder, name);
  const prefixes = Buffer.concat(listed.map((each) => sha256(encoder.encode(each)).subarray(0, 16)));
  writeFileSync(path, HashList.from(prefixes, 16, options).toBytes());
  return path;
}

const everySecond = urls.filter((_, index) => index % 2 === 0);

for (const width of [8, 16, 32] as const) {
  tests(`url_in_index answers as the index does: ${width} bytes`, async () => {
    const connection = await connected({ excludeFragment: true, width: 16 });
    const path = writeIndex(`seen-${width}.idx`, everySecond, { excludeFragment: true, width });
    await makeTable(connection, 'pages', [...urls, null]);
    const index = HashIndex.open(path);
    const answers = await rowsOf(connection, `SELECT url_in_index(url, '${path}') FROM pages ORDER BY id`);
    assert.is(answers.pop()![0], null);
    for (const [row, [answer]] of answers.entries()) {
      const hash = UrlHash.tryOf(urls[row]!, { excludeFragment: true });
      assert.is(answer, hash === null ? null : index.has(hash), urls[row]);
    }
    assert.ok(answers.filter(([answer]) => answer === true).length > urls.length / 3);
    index.close();
  });
}

tests('an index of another form is refused, with both profiles', async () => {
  for (const [made, registered] of [
    [{ excludeFragment: true, fold: ['https'] }, {}],
    [{}, { sortParams: true }],
    [{ unicode: 17 }, { excludeFragment: true }],
  ] as const) {
    const connection = await connected(registered as object);
    const path = writeIndex('other.idx', ['http://bücher.example/'], made as UrlHasherOptions);
    const { message } = await rejectionOf(rowsOf(connection, `SELECT url_in_index('http://a/', '${path}')`));
    const [ofIndex, ofRun] = [made, registered].map((options) => profileOf(options as FormOptions));
    assert.ok(message.endsWith(`${path}: its profile is ${ofIndex}, not ${ofRun}`), message);
  }
});

tests('url_on_list gives the most specific expression that is listed', async () => {
  for (const profile of ['v5', 'web-risk'] as const) {
    const connection = await connected();
    await makeTable(connection, 'pages', [...urls, null]);
    const options = { profile, mode: 'union' } as const;
    const all = urls.map((line) => expressionsOf(line, options));
    const listed = new Set(all.flatMap((each, row) => (row % 3 === 0 && each.length > 0 ? [each.at(-1)!] : [])));
    for (let row = 0; row < all.length; row += 10) if (all[row]!.length > 0) listed.add(all[row]![0]!);
    const path = writeList(`${profile}.list`, [...listed], { profile });
    const answers = await rowsOf(connection, `SELECT url_on_list(url, '${path}') FROM pages ORDER BY id`);
    assert.is(answers.pop()![0], null);
    for (const [row, [answer]] of answers.entries())
      assert.is(answer, all[row]!.find((each) => listed.has(each)) ?? null, urls[row]);
    assert.ok(answers.some(([answer]) => answer !== null) && answers.some(([answer]) => answer === null));
  }
});

function expressionsOf(url: string, options: Parameters<typeof expressions>[1]): string[] {
  try {
    return expressions(url, options);
  } catch {
    return [];
  }
}

tests('a list for another Public Suffix List needs that one', async () => {
  const suffixList = SuffixList.parse('// ===BEGIN ICANN DOMAINS===\ncom\nexample.com\n// ===END ICANN DOMAINS===\n');
  const path = writeList('other.list', ['a.example.com/'], { suffixList: suffixList.edition });
  const query = `SELECT url_on_list('http://a.example.com/b', '${path}')`;
  const connection = await connected();
  assert.match((await rejectionOf(rowsOf(connection, query))).message, /pass that one as suffixList$/);
  assert.equal(await rowsOf(await connected({ suffixList }), query), [['a.example.com/']]);
});

tests('several files, of which some are NULL', async () => {
  const connection = await connected();
  const paths = [writeIndex('one.idx', ['http://a/']), writeIndex('two.idx', ['http://b/'])];
  const query = `SELECT url, url_in_index(url, file) FROM (VALUES
    ('http://a/', $1), ('http://a/', $1), ('http://b/', $1), ('http://b/', $2), (NULL, $2), ('http://b/', NULL),
    ('http://a/', $2), ('http://b/', $2), ('x', $2)) AS t(url, file)`;
  const answers = [true, true, false, true, null, null, false, true, null];
  assert.equal(
    (await rowsOf(connection, query, paths)).map(([, answer]) => answer),
    answers,
  );
  assert.equal(await rowsOf(connection, 'SELECT url_in_index(NULL, NULL), url_on_list(NULL, NULL)'), [[null, null]]);
});

tests('a file that is missing, damaged or something else is named', async () => {
  const connection = await connected();
  const text = join(folder, 'text');
  writeFileSync(text, 'http://a/\n');
  for (const [name, path] of [
    ['url_in_index', join(folder, 'absent')],
    ['url_in_index', text],
    ['url_in_index', writeList('not-an-index', ['a/'])],
    ['url_on_list', join(folder, 'absent')],
    ['url_on_list', text],
    ['url_on_list', folder],
    ['url_on_list', writeIndex('not-a-list', ['http://a/'])],
  ] as const) {
    const query = `SELECT ${name}(url, '${path}') FROM (VALUES ('http://a/')) AS t(url)`;
    for (let time = 0; time < 2; time++) {
      const { message } = await rejectionOf(rowsOf(connection, query));
      assert.ok(message.startsWith(`Invalid Input Error: ${path}: `), message);
    }
  }
  assert.equal(await rowsOf(connection, "SELECT url_host('http://a/')"), [['a']]);
});

tests('a file is opened once', async () => {
  const connection = await connected();
  const path = writeIndex('replaced.idx', ['http://a/']);
  const query = `SELECT url_in_index('http://a/', '${path}')`;
  assert.equal(await rowsOf(connection, query), [[true]]);
  rmSync(path);
  assert.equal(await rowsOf(connection, query), [[true]]);
});

tests.run();
