import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, openSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { trustyFiles } from '../../support/data.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { folderWith } from '../../support/scratch.ts';
import { mustGive, textOf } from '../command.ts';

const test = suite('urlsum hash-uri');
const EMPTY = 'FA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';
const HELLO = 'FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk';
const RA = 'RA5AbXdpz5DcaYXCh9l3eI9ruBosiL5XDU3rxBbBaUO70';

test('make prints the hash-URI of a file, or of standard input', () => {
  const folder = folderWith({ hello: 'Hello World!' });
  assert.equal(textOf(['hash-uri', 'make', 'http://e/x', `${folder}/hello`]), {
    stdout: `http://e/x.${HELLO}\n`,
    stderr: '',
    status: 0,
  });
  assert.is(textOf(['hash-uri', 'make', 'http://e/', '-'], 'Hello World!').stdout, `http://e/${HELLO}\n`);
  assert.is(textOf(['hash-uri', 'make', '', '-']).stdout, `${EMPTY}\n`);
});

test('name prints what each file would be called', () => {
  const folder = folderWith({ 'a.tar.gz': '', 'hello.txt': 'Hello World!' });
  const { stdout, status } = textOf(['hash-uri', 'name', `${folder}/a.tar.gz`, `${folder}/hello.txt`]);
  assert.is(stdout, `${folder}/a.tar.${EMPTY}.gz\n${folder}/hello.${HELLO}.txt\n`);
  assert.is(status, 0);
});

test('check gives a line for each file, and fails on whatever is not verified', () => {
  const good = `hello.${HELLO}.txt`;
  const folder = folderWith({ [good]: 'Hello World!', [EMPTY]: 'x', 'x.txt': '', [`${RA}.rdf`]: '' });
  const path = (name: string) => `${folder}/${name}`;
  assert.equal(textOf(['hash-uri', 'check', path(good)]), { stdout: `${path(good)}: OK\n`, stderr: '', status: 0 });
  const { stdout, status } = textOf(['hash-uri', 'check', path(EMPTY), path('x.txt'), path(`${RA}.rdf`), path(good)]);
  assert.is(
    stdout,
    `${path(EMPTY)}: FAILED\n${path('x.txt')}: NO HASH-URI\n${path(`${RA}.rdf`)}: UNSUPPORTED\n${path(good)}: OK\n`,
  );
  assert.is(status, 1);
  for (const name of [EMPTY, 'x.txt', `${RA}.rdf`])
    assert.is(textOf(['hash-uri', 'check', path(name)]).status, 1, name);
});

test('check --uri: a download of any name, and standard input', () => {
  const folder = folderWith({ download: 'Hello World!', 'turtle.bin': '<http://a/> <http://b/> <http://c/> .' });
  const [path, turtle] = [`${folder}/download`, `${folder}/turtle.bin`];
  const uri = `http://example.org/hello.${HELLO}.txt`;
  const check = (...args: string[]) => textOf(['hash-uri', 'check', ...args], 'Hello World!');
  assert.equal(check('--uri', uri, path), { stdout: `${path}: OK\n`, stderr: '', status: 0 });
  assert.equal(check('--uri', uri, '-'), { stdout: '-: OK\n', stderr: '', status: 0 });
  assert.equal(check('--uri', `http://e/${EMPTY}`, path), { stdout: `${path}: FAILED\n`, stderr: '', status: 1 });
  for (const [args, message] of [
    [['--uri', 'http://example.org/', path], /--uri is not a hash-URI: 'http:\/\/example.org\/'/],
    [['--uri', uri], /--uri needs one file, or - for standard input, not 0/],
    [['--uri', uri, path, path], /--uri needs one file, or - for standard input, not 2/],
    [['--uri', `http://e/${RA}`, '-'], /the name of '-' does not tell its RDF format: pass --format/],
  ] as const) {
    mustGive(check(...args), { status: 2, says: message });
  }
  const made = textOf(['hash-uri', 'make', '--module', 'RA', '--format', 'turtle', 'http://e/x.', turtle]).stdout;
  assert.is(check('--uri', made.trim(), '--format', 'turtle', turtle).stdout, `${turtle}: OK\n`);
});

test('check --uri: RDF from standard input, piped, packed or redirected, sorted in little memory', () => {
  const quads = (graph: string) =>
    Array.from({ length: 20_000 }, (_, n) => `<http://e/${n % 7}> <http://e/p> "${n}" ${graph}.\n`).join('');
  const hashOf = (module: string, text: string) => {
    const base = module === 'RB' ? ['--graph', 'http://e/g', 'http://e/g'] : ['http://e/x.'];
    return textOf(['hash-uri', 'make', '--module', module, '--format', 'nquads', ...base, '-'], text).stdout.trim();
  };
  const [uri, graph] = [hashOf('RA', quads('')), hashOf('RB', quads('<http://e/g>'))];
  const named = quads(`<${graph}>`);
  const check = (of: string) => ['hash-uri', 'check', '--uri', of, '--format', 'nquads', '--memory', '1M', '-'];
  const folder = folderWith({ quads: quads('') });
  const descriptor = openSync(`${folder}/quads`, 'r');
  const temporary = folderWith({});
  const env = { ...ENVIRONMENT, TMPDIR: temporary };
  const redirected = spawnSync(process.execPath, ['dist/esm/cli.js', ...check(uri)], { env, stdio: [descriptor] });
  assert.equal([`${redirected.stdout}`, `${redirected.stderr}`, redirected.status], ['-: OK\n', '', 0]);
  assert.equal(readdirSync(temporary), []);
  for (const [of, input, said, status] of [
    [uri, quads(''), 'OK', 0],
    [uri, gzipSync(quads('')), 'OK', 0],
    [uri, quads('').replace('"7"', '"8"'), 'FAILED', 1],
    [graph, named, 'OK', 0],
    [graph, named.replace('"7"', '"8"'), 'FAILED', 1],
  ] as const)
    assert.equal(textOf(check(of), input), { stdout: `-: ${said}\n`, stderr: '', status });
});

test('an unreadable file has status 2, and the others are checked', () => {
  const folder = folderWith({ [EMPTY]: '' });
  const { stdout, stderr, status } = textOf(['hash-uri', 'check', `${folder}/none.${EMPTY}`, `${folder}/${EMPTY}`]);
  assert.is(stdout, `${folder}/${EMPTY}: OK\n`);
  assert.match(stderr, /^urlsum: .*none\.FA.*: no such file/);
  assert.is(status, 2);
  assert.is(textOf(['hash-uri', 'make', 'x', folder]).status, 2, 'a folder');
});

test('published files: the FA part of the trusty URI test-suite', () => {
  const [pre, verified, failed] = ['pre', 'valid', 'invalid'].map((folder) =>
    trustyFiles(`trustyuri-testsuite/FA/${folder}`),
  );
  if (pre === undefined || verified === undefined || failed === undefined) return;
  const valid = textOf(['hash-uri', 'check', ...verified]);
  assert.equal([valid.stdout.match(/: OK\n/g)?.length, valid.status], [2, 0]);
  const invalid = textOf(['hash-uri', 'check', ...failed]);
  assert.equal([invalid.stdout.match(/: FAILED\n/g)?.length, invalid.status], [2, 1]);
  const named = textOf(['hash-uri', 'name', ...pre]).stdout.replaceAll('/pre/', '/valid/');
  assert.is(named, verified.map((path) => `${path}\n`).join(''));
});

test('parse gives the parts as JSON, and null for a line that is not a hash-URI', () => {
  const { stdout, stderr, status } = textOf(['hash-uri', 'parse'], `http://e/x.${HELLO}.txt\nnone\n${RA}`);
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  const hash = HELLO.slice(2);
  assert.equal(records, [
    { uri: `http://e/x.${HELLO}`, identifier: 'FA', type: 'F', version: 'A', data: hash, hash, extension: '.txt' },
    null,
    { uri: RA, identifier: 'RA', type: 'R', version: 'A', data: RA.slice(2), hash: RA.slice(2) },
  ]);
  assert.match(stderr, /^urlsum: -:2: not a hash-URI: "none": .* \(not-a-hash-uri\)\n$/);
  assert.is(status, 1);
});

test('find gives each code before its line', () => {
  const line = `http://e/r2.${RA}#Part1 ${HELLO}`;
  assert.equal(textOf(['hash-uri', 'find'], `none\n${line}\n`), {
    stdout: `${RA}  ${line}\n${HELLO}  ${line}\n`,
    stderr: '',
    status: 0,
  });
  assert.is(textOf(['hash-uri', 'find'], 'none\n').status, 1);
});

test('wrong usage has status 2 and says what is needed', () => {
  for (const args of [
    [],
    ['nonsense'],
    ['toString'],
    ['make'],
    ['make', 'x'],
    ['make', 'x', 'y', 'z'],
    ['check'],
    ['check', '-'],
    ['name'],
    ['parse', '--nonsense'],
    ['parse', '--on-error', 'x'],
  ]) {
    const { stdout, stderr, status } = textOf(['hash-uri', ...args]);
    assert.equal([stdout, status], ['', 2], args.join(' '));
    const command = ['urlsum', 'hash-uri', args[0]].slice(0, args[0] === 'nonsense' || args[0] === 'toString' ? 2 : 3);
    assert.ok(stderr.startsWith('urlsum: '), stderr);
    assert.ok(stderr.endsWith(`\nTry '${command.join(' ').trimEnd()} --help'.\n`), stderr);
    assert.is(stderr.split('\n').length, 3);
  }
});

test('a large file', async () => {
  const folder = folderWith({});
  const file = createWriteStream(`${folder}/large`);
  const sha256 = createHash('sha256');
  const chunk = Buffer.alloc(1 << 20, 'abc');
  for (let index = 0; index < 64; index++) {
    sha256.update(chunk);
    if (!file.write(chunk)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
  assert.is(textOf(['hash-uri', 'make', '', `${folder}/large`]).stdout, `FA${sha256.digest('base64url')}\n`);
});

test('make: BASE and FILE the wrong way round, or a URL as FILE, are refused', () => {
  const path = `${folderWith({ 'swapped.txt': 'x' })}/swapped.txt`;
  for (const [args, reason] of [
    [[path, 'https://example.com/r1'], "'https://example.com/r1' is a URL where FILE is expected"],
    [['https://example.com/a', 'https://example.com/b'], "'https://example.com/b' is a URL where FILE is expected"],
    [[path, path], `'${path}' is a file where BASE is expected`],
  ] as const) {
    const { status, stdout, stderr } = textOf(['hash-uri', 'make', ...args]);
    assert.equal([status, stdout], [2, '']);
    assert.ok(stderr.startsWith(`urlsum: ${reason}: BASE`), stderr);
  }
  for (const action of ['name', 'check']) {
    const url = `https://example.com/a.${HELLO}`;
    const { status, stderr } = textOf(['hash-uri', action, url]);
    assert.equal([status, stderr], [2, `urlsum: ${url}: no such file, and a URL is not fetched\n`]);
  }
});

test('make of RDF says that module FA hashes bytes, and names RA', () => {
  const folder = folderWith({ 'a.trig': '', 'a.nq': '', 'a.ttl': '', 'a.nt': '', 'a.txt': '' });
  for (const name of ['a.trig', 'a.nq', 'a.ttl', 'a.nt']) {
    mustGive(textOf(['hash-uri', 'make', 'https://example.com/r', `${folder}/${name}`]), {
      stdout: /^https:\/\/example\.com\/r\.FA/,
      stderr: 'urlsum: module FA: the code is that of the bytes of the file; --module RA hashes the RDF in it\n',
    });
  }
  assert.is(textOf(['hash-uri', 'make', '--module', 'FA', 'https://example.com/r', `${folder}/a.nq`]).stderr, '');
  assert.is(textOf(['hash-uri', 'make', 'https://example.com/r', `${folder}/a.txt`]).stderr, '');
});

test.run();
