import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasStatusLine, Ledger, Progress } from '../../../src/cli/run/ledger.ts';
import { BlockReport } from '../../../src/cli/stage/stage.ts';
import { Diagnostics } from '../../../src/cli/terminal/diagnostics.ts';

const tests = suite('progress');

tests('at most ten draws per second, singular and plural, rate and share', () => {
  const drawn: string[] = [];
  let nowMs = 0;
  const progress = new Progress({ totalBytes: 4000, draw: (text) => void drawn.push(text), now: () => nowMs });
  for (; nowMs < 1000; nowMs += 5) progress.add(1, 20, nowMs % 2);
  assert.is(drawn.length, 10);
  assert.is(drawn[0], '1 line  1 %  0 invalid');
  assert.is(drawn[1], '21 lines  210/s  11 %  10 invalid');
  const gaps = new Progress({ totalBytes: undefined, draw: (text) => void drawn.push(text), now: () => nowMs });
  nowMs += 2000;
  gaps.add(1000, 1, 0);
  assert.is(drawn.at(-1), '1000 lines  500/s  0 invalid');
});

/** What a terminal shows in the end of what is written to it: each line after its last erasure. */
function shown(written: string): string[] {
  return written.split('\n').map((line) => line.split('\r\x1b[K').at(-1)!);
}

tests('the line stays below messages, and is drawn again after them', async () => {
  let written = '';
  const diagnostics = new Diagnostics({
    write(text, done) {
      written += text;
      done?.();
    },
  });
  diagnostics.showStatusLine('1 line');
  await diagnostics.tell(['one', 'two']);
  diagnostics.trouble({ message: 'three' });
  assert.equal(shown(written), ['urlsum: one', 'urlsum: two', 'urlsum: three', '1 line']);
  diagnostics.showStatusLine('2 lines');
  diagnostics.showStatusLine('');
  await diagnostics.tell(['four']);
  assert.equal(shown(written), ['urlsum: one', 'urlsum: two', 'urlsum: three', 'urlsum: four', '']);
  assert.is(diagnostics.status, 2);
});

tests('blocks with bad lines that are not shown leave the line where it is', async () => {
  let written = '';
  const diagnostics = new Diagnostics({
    write(text, done) {
      written += text;
      done?.();
    },
  });
  const plan = { onError: 'null', threadCount: 1, shownLimit: 0, exitsZero: false, statistics: undefined } as const;
  const ledger = new Ledger(plan, diagnostics, { totalBytes: undefined, hasStatusLine: true });
  const report = Object.assign(new BlockReport(1), { rowCount: 1, recordCount: 1 });
  report.problems.push({ number: 0, reason: 'x' });
  for (let block = 0; block < 3; block++) await ledger.add('-', report);
  assert.match(shown(written).at(-1)!, /^\d lines?.* invalid$/);
  await ledger.end({}, undefined);
  assert.not.match(shown(written).join(), /lines? /);
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
