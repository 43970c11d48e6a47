import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inputFault } from '../../../src/command/read/inputs.ts';
import { UrlHash } from '../../../src/index.ts';
import { textOf } from '../files.ts';
import { FOLDER, file } from '../scratch.ts';

const MISSING = Object.assign(new Error('ENOENT: …'), { code: 'ENOENT', syscall: 'open' });

const tests = suite('a URL in place of a file');
const URL_TEXT = 'https://example.com/a b';

tests('is hashed as a line of its own, among files too', () => {
  const expected = `${UrlHash.of(URL_TEXT).hex}  ${URL_TEXT}\n`;
  assert.equal(textOf([URL_TEXT]), { stdout: expected, stderr: '', status: 0 });
  const one = file('one', 'http://a/\n');
  const { stdout } = textOf([one, URL_TEXT, '-', 'mailto:x'], 'http://b/');
  const lines = ['http://a/', URL_TEXT, 'http://b/', 'mailto:x'];
  assert.is(stdout, lines.map((line) => `${UrlHash.of(line).hex}  ${line}\n`).join(''));
  assert.is(textOf(['-j', '2', URL_TEXT]).stdout, expected);
});

tests('by every command that reads lines', () => {
  assert.is(textOf(['canon', 'HTTPS://Example.com']).stdout, 'https://example.com/\n');
  assert.is(textOf(['expressions', 'https://example.com']).stdout, '1\texample.com/\n');
  assert.match(textOf(['hashed-uri', 'https://example.com']).stdout, /^hashed:sha1=/);
  assert.is(textOf(['-z', 'canon:x']).stdout, `${UrlHash.of('canon:x').hex}  canon:x\0`);
});

tests('but a file of that name is read, and what has no scheme is one', () => {
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

tests('what looks like a URL without its scheme is asked about, what looks like a file is not', () => {
  for (const operand of ['example.com', 'www.example.com/a?b', 'bücher.example'])
    assert.is(
      inputFault({ name: operand }, MISSING).message,
      `${operand}: no such file; did you mean https://${operand}?`,
    );
  for (const operand of ['localhost', 'localhost/a', '192.168.0.1:8080/a'])
    assert.is(
      inputFault({ name: operand }, MISSING).message,
      `${operand}: no such file; did you mean http://${operand}?`,
    );
  for (const operand of ['urls.txt', 'none', 'a/b.com', 'crawl.csv.gz', 'README.md', '../x.com', 'a b.com', '1.2'])
    assert.is(inputFault({ name: operand }, MISSING).message, `${operand}: no such file`);
  const unfinished = inputFault({ name: 'http://' }, MISSING).message;
  assert.is(unfinished, 'http://: no such file, and not a URL: the host is empty');
  const url = 'https://example.com/';
  assert.is(inputFault({ name: url }, MISSING).message, `${url}: no such file, and a URL is not fetched`);
});

tests('a host and its port are a scheme and a path: hashed, with a question', () => {
  for (const [operand, meant] of [
    ['localhost:3000', 'http://localhost:3000'],
    ['Example.com:8080/a', 'https://Example.com:8080/a'],
  ] as const) {
    const { stdout, stderr, status } = textOf([operand]);
    assert.equal([stdout, status], [`${UrlHash.of(operand).hex}  ${operand}\n`, 0]);
    const scheme = operand.split(':')[0]!.toLowerCase();
    assert.is(stderr, `urlsum: ${operand}: its scheme is '${scheme}'; did you mean ${meant}?\n`);
  }
  assert.is(textOf(['mailto:1', 'urn:2', 'a.b:x']).stderr, '');
});

tests.run();
