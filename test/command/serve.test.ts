import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHash } from '../../src/index.ts';
import { spawned } from './command.ts';
import { AnswerReader, request } from './serve/frame.ts';

const tests = suite('urlsum serve');

const REQUEST = request(['https://example.com', 'no url', 'http://b/#x']);
const hash = (url: string) => UrlHash.of(url).hex;

tests('frames and rowbinary: answers until the input ends', () => {
  const frames = spawned(['serve', '--format', 'frames'], REQUEST);
  const reader = new AnswerReader(frames.stdout);
  assert.equal(reader.next(), [hash('https://example.com'), undefined, hash('http://b/#x')]);
  assert.ok(reader.isAtEnd);
  const rowBinary = spawned(['serve', '--format', 'rowbinary', '--output', 'canonical'], '1\n\x08HTTP://B');
  assert.is(rowBinary.stdout.toString(), '\x09http://b/');
  for (const { status, stderr } of [frames, rowBinary]) assert.equal([status, stderr], [0, '']);
});

tests('a cut request: a sentence and status 2', () => {
  const { status, stderr } = spawned(['serve', '--format', 'frames'], REQUEST.subarray(0, -1));
  assert.match(stderr, /^urlsum: the input ended inside a request, after \d+ of the \d+ bytes of its body\n$/);
  assert.is(status, 2);
});

tests('wrong options: a sentence, a hint and status 2', () => {
  const cases: [string[], RegExp][] = [
    [[], /--format is missing: frames or rowbinary\n.*urlsum serve --help/],
    [['--format', 'csv'], /--format must be one of frames, rowbinary, not 'csv'/],
    [['--format', 'frames', '--nullable'], /--nullable needs --format rowbinary/],
    [['--format', 'frames', 'urls.txt'], /serve reads only standard input, not 'urls.txt'/],
  ];
  for (const [args, message] of cases) {
    const { status, stdout, stderr } = spawned(['serve', ...args]);
    assert.match(stderr, message);
    assert.equal([status, stdout.length], [2, 0]);
  }
});

tests.run();
