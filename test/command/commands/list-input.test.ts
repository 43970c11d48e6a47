// The files of lists that servers read, against `urlsum list build` on the same files with the same options.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { COMMANDS } from '../../../src/command/commands/commands.ts';
import { SERVED_FILE_FLAGS } from '../../../src/command/commands/list-input.ts';
import { storedBytes } from '../../../src/service/check/held-list.ts';
import { HashList } from '../../../src/service/lists/hash-list.ts';
import { HASH_BYTES } from '../../../src/specs/safe-browsing/hash-prefix.ts';
import { sha256 } from '../../service/check/scripted-server.ts';
import { readerUnder } from '../../service/http/list-files.ts';
import { FOLDER } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { urlsum } from '../command.ts';

const test = suite('cli: files of lists, as servers read them');
const next = random();

interface Case {
  readonly options: readonly string[];
  readonly name: string;
  readonly content: string | Uint8Array;
}

const hosts = '0.0.0.0 ads.example www.ads.example # both\n127.0.0.1 localhost\n\n::1 more.example\r\n';
const rules = '||evil.example^\n@@||ok.evil.example^\n##.ad\n||lifted.example^\n@@||lifted.example^\n!#if ext_x\n';
const table = 'url,type\nhttp://evil.example/x,url\n1.2.3.4,md5\n"http://evil.example/a,b",domain\n';

/** Enough lines for several blocks, some of which decide about later ones. */
const many = Array.from({ length: 20_000 }, (_, row) =>
  row % 5_000 === 4_000 ? '!#if adguard' : row % 5_000 === 4_500 ? '!#endif' : `||h${next(40_000)}.example^`,
).join('\n');

const READ: readonly Case[] = [
  { options: [], name: 'lines.txt', content: 'http://evil.example/a?b\nevil.example\n\n# why\n  \nevil.example\r\n' },
  { options: ['--input', 'hosts'], name: 'hosts', content: hosts },
  { options: ['--input', 'adblock'], name: 'rules.txt', content: `${rules}/path\n` },
  { options: ['--input', 'auto'], name: 'any.txt', content: `${rules}${hosts}address=/dns.example/0.0.0.0\n` },
  { options: ['--input', 'auto', '--ignore-exceptions'], name: 'strict.txt', content: rules },
  { options: ['--input', 'adblock'], name: 'many.txt', content: many },
  { options: ['--refang'], name: 'fanged.txt', content: 'hxxp://evil[.]example/x\n' },
  { options: ['-f', 'url'], name: 'table.csv', content: table },
  { options: ['-f', '1', '--delimiter', ';'], name: 'table.txt', content: 'u;t\nhttp://evil.example/;x\n' },
  {
    options: ['-f', 'u', '--tsv', '--type-column', 't'],
    name: 'typed',
    content: 'u\tt\nevil.example\tHOST\nx.y\tip\n',
  },
  { options: ['--json', 'a.url'], name: 'lines.jsonl', content: '{"a":{"url":"http://evil.example/"}}\n' },
  { options: ['--encoding', 'utf-16le'], name: 'wide.txt', content: Buffer.from('http://evil.example/ü\n', 'utf16le') },
  { options: ['--input', 'hosts'], name: 'hosts.gz', content: gzipSync(hosts) },
];

/** The list that `list build` makes of a file, and what it says. */
function built({ options, name, content }: Case) {
  const [path, out] = [join(FOLDER, name), join(FOLDER, `${name}.list`)];
  writeFileSync(path, content);
  const args = ['list', 'build', '--prefix', '32', '--skip-blank', '--out', out];
  const { stderr, status } = urlsum([...args, ...options, path]);
  return { path, out, status, said: stderr.split('\n').map((line) => line.replace('urlsum: ', '')) };
}

for (const each of READ)
  test(`a server reads what list build reads: ${each.name} ${each.options.join(' ')}`, async () => {
    const { path, out } = built(each);
    const { hashes, entryCount } = await readerUnder(each.options)(path, Buffer.from(each.content));
    const list = HashList.fromBytes(readFileSync(out));
    assert.ok(list.size > 0);
    assert.equal(HashList.from(hashes, HASH_BYTES).checksum, list.checksum);
    assert.is.not(entryCount, 0);
  });

test('a server tells what it leaves out, in the words of list build', async () => {
  for (const each of [READ[2]!, READ[3]!, READ[7]!]) {
    const said: string[] = [];
    const { path, said: saidByBuild } = built(each);
    await readerUnder(each.options, said)(path, Buffer.from(each.content));
    const words = said.flatMap((line) => line.replace(`${path}: `, '').split('; '));
    assert.ok(words.length > 1);
    for (const word of words) assert.ok(saidByBuild.includes(word), word);
  }
});

const REFUSED: readonly Case[] = [
  { options: [], name: 'hosts.txt', content: hosts },
  { options: [], name: 'rules.txt', content: 'evil.example\n||evil.example^\n' },
  { options: [], name: 'table.csv', content: table },
  { options: [], name: 'page.html', content: '<!DOCTYPE html><title>404</title>\n' },
  { options: [], name: 'bytes', content: Buffer.from([0x50, 0x4b, 3, 4, 0, 0]) },
  { options: ['--json', 'url'], name: 'bad.jsonl', content: '{"url":"evil.example"}\n{\n' },
  { options: ['-f', 'none', '--csv'], name: 'columns.csv', content: table },
  { options: ['-f', 'url'], name: 'nameless', content: table },
  { options: ['--refang', '--input', 'hosts'], name: 'pair', content: hosts },
];

for (const each of REFUSED)
  test(`a server refuses what list build refuses: ${each.name} ${each.options.join(' ')}`, async () => {
    const { path, said, status } = built(each);
    assert.ok(status !== 0);
    const message = await readerUnder(each.options)(path, Buffer.from(each.content)).then(String, String);
    const sentence = message.replace(/^\w*: /, '');
    assert.ok(
      said.some((line) => line.startsWith(sentence)),
      `${sentence}\n${said.join('\n')}`,
    );
  });

test('a list of a store is read wherever a list is, and damage is named', async () => {
  const list = HashList.from(sha256('own.example/').subarray(0, 4), 4, { name: 'mw-4b' });
  const times = { updatedAt: 0, nextUpdateAt: 1000, server: new Uint8Array(32) };
  const bytes = storedBytes({ list, ...times });
  const [path, plain, merged] = ['mw-4b.list', 'plain.list', 'merged.list'].map((name) => join(FOLDER, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(path, bytes);
  writeFileSync(plain, list.toBytes());
  writeFileSync(join(FOLDER, 'own.txt'), 'http://own.example/x\nhttp://good.example/\n');
  const found = urlsum(['lookup', '--list', path, join(FOLDER, 'own.txt')]);
  assert.equal([found.stdout.toString(), found.status], [`${path}\town.example/\thttp://own.example/x\n`, 1]);
  assert.is(urlsum(['list', 'merge', '--out', merged, path, plain]).status, 0);
  assert.equal(HashList.fromBytes(readFileSync(merged)).size, 1);
  assert.match(urlsum(['list', 'diff', path, plain]).stdout.toString(), /added +0/);
  bytes[40]! ^= 1;
  writeFileSync(path, bytes);
  for (const args of [
    ['lookup', '--list', path, plain],
    ['list', 'info', path],
  ])
    assert.match(urlsum(args).stderr, `${path}: file: the checksum is not that of the bytes`);
});

test('every command that serves files of lists takes the options of list build for them', async () => {
  const flagsOf = async (name: string) => (await COMMANDS.find((each) => each.name === name)!.load()).flags;
  const builds = await flagsOf('list build');
  for (const name of ['list serve', 'safe-browsing serve']) {
    const serves = await flagsOf(name);
    for (const [flag, { help }] of Object.entries(SERVED_FILE_FLAGS))
      assert.equal([serves[flag]?.help, builds[flag]?.help], [help, help], `${name} ${flag}`);
  }
});

test('every command that reads access logs takes the base and the scheme that these lack', async () => {
  const logReaders = [];
  for (const { name, load } of COMMANDS) {
    const { flags } = await load();
    if (flags['log'] === undefined) continue;
    logReaders.push(name);
    for (const flag of ['base', 'defaultScheme', 'logFormat']) assert.ok(flags[flag] !== undefined, `${name} ${flag}`);
  }
  assert.ok(logReaders.includes('lookup') && logReaders.length > 5, logReaders.join(', '));
});

const NO_SCHEME =
  '#Fields: cs-method cs-uri-stem cs-host\nGET /x own.example\nGET /y own.example\nGET / 10.0.0.1:443\n';

test('what is looked up in lists alone needs no scheme, and that none was known is said once', () => {
  const log = join(FOLDER, 'w3c.log');
  writeFileSync(log, NO_SCHEME);
  const list = join(FOLDER, 'own.list');
  writeFileSync(join(FOLDER, 'own.txt'), 'own.example\n');
  assert.is(urlsum(['list', 'build', '--out', list, join(FOLDER, 'own.txt')]).status, 0);
  const said = 'urlsum: the log does not name the scheme of 2 requests: lists need none (--default-scheme names it)\n';
  const down = ['--procedure', 'no-storage', '--server', 'http://127.0.0.1:1/v5/'];
  for (const args of [
    ['lookup', '--list', list],
    ['lookup', '--list', list, '-j', '2'],
    ['expressions'],
    ['list', 'build', '--out', join(FOLDER, 'log.list')],
    ['safe-browsing', 'check', ...down],
  ]) {
    assert.is(urlsum([...args, '--log', log]).stderr.split(said).length, 2, args.join(' '));
    const named = urlsum([...args, '--default-scheme', 'https', '--log', log]).stderr;
    assert.not.match(named, 'scheme', args.join(' '));
  }
  const found = urlsum(['lookup', '--list', list, '--log', log]).stdout.toString().split('\n');
  assert.equal(
    found.slice(1, 3),
    ['GET /x own.example', 'GET /y own.example'].map((each) => `${each}\t${list}\town.example/`),
  );
  assert.match(urlsum(['canon', '--log', log]).stderr, 'the log names no scheme: --default-scheme https does');
});

test.run();
