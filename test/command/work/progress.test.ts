import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasStatusLine, progress } from '../../../src/command/work/progress.ts';

const tests = suite('the progress of a run');

tests('at most ten draws per second: the rate from the first block on, the share of what is read, what is left', () => {
  const drawn: string[] = [];
  let [nowMs, readBytes] = [60_000, 0]; // the run has had a minute before the first block
  const options = { draw: (text: string) => void drawn.push(text), now: () => nowMs, readBytes: () => readBytes };
  const add = progress({ totalBytes: 4000, ...options });
  for (; nowMs < 61_000; nowMs += 5) {
    readBytes += 2; // packed, while the lines have any length
    add(1, nowMs % 2);
  }
  assert.is(drawn.length, 10);
  assert.is(drawn[0], '1 line  0 %  0 invalid');
  assert.is(drawn[1], '21 lines  200/s  1 %  10 s left  10 invalid');
  assert.is(drawn[9], '181 lines  200/s  9 %  10 s left  90 invalid');
  const addGap = progress({ totalBytes: undefined, ...options });
  addGap(1000, 0);
  nowMs += 2000;
  addGap(1000, 1);
  assert.is(drawn.at(-1), '2000 lines  500/s  1 invalid');
});

tests('what is left in seconds, minutes and hours, and nothing at the end', () => {
  for (const [totalBytes, expected] of [
    [2, '0 s left'],
    [61, '59 s left'],
    [62, '1:00 left'],
    [3601, '59:59 left'],
    [36_602, '10:10:00 left'],
  ] as const) {
    const drawn: string[] = [];
    let [nowMs, readBytes] = [0, 1];
    const options = { draw: (text: string) => void drawn.push(text), now: () => nowMs, readBytes: () => readBytes };
    const add = progress({ totalBytes, ...options });
    add(1, 0);
    nowMs = 1000;
    readBytes = 2;
    add(1, 0);
    assert.is(drawn[1]!.split('  ')[3], expected);
  }
});

tests('none where lines are typed at the terminal or come out there, nor without one', () => {
  const [terminal, file] = [{ isTTY: true }, {}];
  const both = { standardInput: true, standardOutput: true };
  const of = (stdin: object, stdout: object, stderr: object, uses = both) =>
    hasStatusLine({ stdin, stdout, stderr }, uses);
  assert.is(of(file, file, terminal), true);
  assert.is(of(terminal, file, terminal), false);
  assert.is(of(file, terminal, terminal), false);
  assert.is(of(file, file, file), false);
  assert.is(of(terminal, file, terminal, { standardInput: false, standardOutput: true }), true, 'urlsum FILE > OUT');
  assert.is(of(terminal, terminal, terminal, { standardInput: false, standardOutput: false }), true, '-o OUT FILE');
});

tests.run();
