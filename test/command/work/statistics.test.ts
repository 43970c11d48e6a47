import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PROFILE } from '../../../src/index.ts';
import { file } from '../../support/scratch.ts';
import { urlsum } from '../command.ts';

const tests = suite('--stats');

tests('--stats=json: one object on one line, and nothing of it on standard output', () => {
  const input = 'http://a/\nHTTP://B:80\nbad\nhttp://\nworse\n';
  const { status, stdout, stderr } = urlsum(['--stats=json', '--width', '8', '--on-error', 'keep'], input);
  assert.is(status, 1);
  assert.is(stdout.toString().split('\n').length, 6);
  const { seconds, linesPerSecond, peakMemoryBytes, ...rest } = JSON.parse(
    stderr.trimEnd().split('\n').at(-1)!,
  ) as Record<string, number>;
  assert.ok(seconds! > 0 && seconds! < 60 && peakMemoryBytes! > 1e7);
  assert.ok(Math.abs(linesPerSecond! - 5 / seconds!) < 1e-6 * linesPerSecond!);
  assert.equal(rest, {
    lines: 5,
    bytes: input.length,
    invalid: 3,
    invalidByReason: { 'missing-scheme-non-relative-URL': 2, 'host-missing': 1 },
    proven: 1,
    rewritten: 1,
    parsed: 3,
    threads: 1,
    profile: PROFILE,
    width: 8,
    expectedCollisions: 1 / 2 ** 64,
  });
});

tests('--stats as text has the same figures, and the argument after it is a file', () => {
  const { stdout, stderr } = urlsum(['--stats', '--dedup', file('few', 'http://a/\nhttp://a/\n')]);
  assert.is(stdout.toString().split('\n').length, 2);
  for (const row of [
    /^lines +2$/m,
    /^selected +1 \(50\.0 %\)$/m,
    /^proven canonical +2 \(100\.0 %\)$/m,
    /^profile +url\//m,
    /^expected collisions +\S+ at 32 bytes a hash$/m,
  ])
    assert.match(stderr, row);
  assert.is(urlsum(['--stats=xml'], '').status, 2);
});

tests.run();
