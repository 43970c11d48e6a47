import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, truncateSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileChunks, inputFault } from '../../../src/command/read/inputs.ts';
import { UrlHash } from '../../../src/index.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { textOf, urlsum } from '../command.ts';

const tests = suite('inputs');

tests('inputs that are left at their start are closed', () => {
  const damaged = gzipSync('http://a/\n').fill(0xff, 10, 14);
  const paths = Array.from({ length: 100 }, (_, index) => file(`damaged-${index}.gz`, damaged));
  const { stderr, status } = spawnSync(
    'bash',
    ['-c', 'ulimit -n 60; exec "$0" dist/esm/cli.js "$@"', process.execPath, ...paths],
    { encoding: 'utf8' },
  );
  assert.is(status, 2);
  assert.not.match(stderr, /EMFILE/);
  assert.is(stderr.match(/damaged-\d+\.gz: /g)?.length, 100);
});

for (const threads of ['1', '2']) {
  for (const isRedirected of [false, true]) {
    const way = isRedirected ? 'standard input' : 'a name';
    tests(`-j ${threads}, by ${way}: a file that becomes shorter while it is read is trouble`, async () => {
      const line = 'http://example.com/0123456789\n';
      const path = file('shrinking', line.repeat(1_000_000));
      const child = spawn(process.execPath, ['dist/esm/cli.js', '-j', threads, isRedirected ? '-' : path], {
        stdio: [isRedirected ? openSync(path, 'r') : 'ignore', 'pipe', 'pipe'],
      });
      const closed = once(child, 'close');
      const complaints = text(child.stderr!);
      await once(child.stdout!, 'readable'); // it waits now, for nothing is read
      truncateSync(path, 20 * (1 << 20));
      child.stdout!.resume();
      assert.equal(await closed, [2, null]);
      const name = isRedirected ? '-' : path;
      assert.is(await complaints, `urlsum: ${name}: it became shorter while it was read\n`);
    });
  }
}

tests('small files take little memory: a run of many would be spent on clearing it', async () => {
  for (const [byteLength, most] of [
    [10, 1 << 16],
    [100_000, 100_000],
    [3_000_000, 1 << 20],
  ] as const) {
    let read = 0;
    for await (const chunk of fileChunks(file('sized', 'a'.repeat(byteLength)))) {
      assert.is(chunk.buffer.byteLength, most);
      read += chunk.length;
    }
    assert.is(read, byteLength);
  }
});

tests('a folder is trouble, by name and as standard input', () => {
  for (const [args, name] of [
    [[FOLDER], FOLDER],
    [[], '-'],
  ] as const) {
    const stdio = [args.length === 0 ? openSync(FOLDER, 'r') : 'ignore', 'pipe', 'pipe'] as const;
    const { status, stderr } = spawnSync(process.execPath, ['dist/esm/cli.js', ...args], { stdio: [...stdio] });
    assert.is(status, 2);
    assert.is(stderr.toString(), `urlsum: ${name}: it is a folder, not a file: name the files in it\n`);
  }
});

tests('standard input that was read in part is whole', () => {
  const path = file('whole', 'http://a/\nhttp://b/\n');
  const { stdout, status } = spawnSync(
    'bash',
    ['-c', '(read -r line; "$0" dist/esm/cli.js --format hex) < "$1"', process.execPath, path],
    { encoding: 'utf8' },
  );
  assert.equal([stdout.split('\n').length, status], [2, 0]);
});

tests('files that say that they are empty, and that they are longer than they are', () => {
  for (const path of ['/proc/version', '/sys/kernel/mm/transparent_hugepage/enabled']) {
    if (!existsSync(path)) console.log(`no ${path} on this system`);
    else
      for (const threads of ['1', '2'])
        assert.is(urlsum(['-j', threads, path]).stdout.toString().split('\n').length, 2);
  }
});

tests('standard input is closed: status 2, where the system tells', () => {
  const run = (redirection: string) =>
    spawnSync('bash', ['-c', `"$0" dist/esm/cli.js ${redirection}`, process.execPath], { encoding: 'utf8' });
  const { status, stderr } = run('<&-');
  if (process.platform === 'linux') assert.equal([status, stderr], [2, CLOSED_MESSAGE]);
  assert.is(run('< /dev/null').status, 0);
});

const CLOSED_MESSAGE = 'urlsum: -: it is closed, or /dev/null opened for writing as well\n';

tests.run();

const MISSING = Object.assign(new Error('ENOENT: …'), { code: 'ENOENT', syscall: 'open' });

const urls = suite('a URL in place of a file');
const URL_TEXT = 'https://example.com/a b';

urls('is hashed as a line of its own, among files too', () => {
  const expected = `${UrlHash.of(URL_TEXT).hex}  ${URL_TEXT}\n`;
  assert.equal(textOf([URL_TEXT]), { stdout: expected, stderr: '', status: 0 });
  const one = file('one', 'http://a/\n');
  const { stdout } = textOf([one, URL_TEXT, '-', 'mailto:x'], 'http://b/');
  const lines = ['http://a/', URL_TEXT, 'http://b/', 'mailto:x'];
  assert.is(stdout, lines.map((line) => `${UrlHash.of(line).hex}  ${line}\n`).join(''));
  assert.is(textOf(['-j', '2', URL_TEXT]).stdout, expected);
});

urls('by every command that reads lines', () => {
  assert.is(textOf(['canon', 'HTTPS://Example.com']).stdout, 'https://example.com/\n');
  assert.is(textOf(['expressions', 'https://example.com']).stdout, '1\texample.com/\n');
  assert.match(textOf(['hashed-uri', 'https://example.com']).stdout, /^hashed:sha1=/);
  assert.is(textOf(['-z', 'canon:x']).stdout, `${UrlHash.of('canon:x').hex}  canon:x\0`);
});

urls('but a file of that name is read, and what has no scheme is one', () => {
  file('a:b', 'http://from.file/\n');
  const { stdout } = spawnSync(process.execPath, [resolve('dist/esm/cli.js'), 'a:b'], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  assert.is(stdout, `${UrlHash.of('http://from.file/').hex}  http://from.file/\n`);
  for (const operand of ['example.com', '/none', 'c:\\none', 'https://[', 'http://a/\nhttp://b/', '1:2']) {
    const { stdout: output, stderr, status } = textOf([operand]);
    assert.equal([output, status], ['', 2], operand);
    assert.match(stderr, /^urlsum: .*no such file/);
  }
});

urls('what is not there is said to be no file, and why it is not a URL if it may be meant as one', () => {
  for (const operand of ['example.com', 'urls.txt', 'none', 'a/b.com', '../x.com', '1.2'])
    assert.is(inputFault({ name: operand }, MISSING).message, `${operand}: no such file`);
  const unfinished = inputFault({ name: 'http://' }, MISSING).message;
  assert.is(unfinished, 'http://: no such file, and not a URL: the host is empty');
  const url = 'https://example.com/';
  assert.is(inputFault({ name: url }, MISSING).message, `${url}: no such file, and a URL is not fetched`);
});

urls.run();
