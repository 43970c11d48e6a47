import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { textOf } from '../command.ts';

const tests = suite('urlsum hash-uri find and parse');
const HELLO = 'FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk';
const RA = 'RA5AbXdpz5DcaYXCh9l3eI9ruBosiL5XDU3rxBbBaUO70';

tests('parse gives the parts as JSON, and null for a line that is not a hash-URI', () => {
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

tests('find gives each code before its line', () => {
  const line = `http://e/r2.${RA}#Part1 ${HELLO}`;
  assert.equal(textOf(['hash-uri', 'find'], `none\n${line}\n`), {
    stdout: `${RA}  ${line}\n${HELLO}  ${line}\n`,
    stderr: '',
    status: 0,
  });
  assert.is(textOf(['hash-uri', 'find'], 'none\n').status, 1);
});

tests.run();
