import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Diagnostics } from '../../../src/command/arguments/diagnostics.ts';
import { parseArguments } from '../../../src/command/arguments/flag.ts';
import { CANON } from '../../../src/command/commands/canon.ts';
import { SUM } from '../../../src/command/commands/sum.ts';
import { kernelName } from '../../../src/index.ts';
import { spawned } from '../command.ts';
import { textOf } from '../files.ts';

const tests = suite('urlsum --kernel');

for (const command of [SUM, CANON]) {
  for (const name of ['js', 'simd']) {
    tests(`the plan is made with ${name}`, async () => {
      const { values, operands } = parseArguments(command.flags, ['--kernel', name]);
      assert.ok('plan' in command);
      await command.plan(values, operands, new Diagnostics());
      assert.is(kernelName(), name);
    });
  }
}

tests('each kernel prints the same, with threads too; another name is refused', () => {
  const input = 'https://example.com/\nHTTP://Example.org:80\nx\n';
  const plain = textOf([], input).stdout;
  for (const kernel of ['simd', 'js'])
    for (const jobs of ['1', '2']) assert.is(spawned(['--kernel', kernel, '-j', jobs], input).stdout.toString(), plain);
  const { status, stderr } = textOf(['--kernel', 'smid'], input);
  assert.is(status, 2);
  assert.match(stderr, /--kernel must be one of simd, js, not 'smid' \(did you mean 'simd'\?\)/);
});

tests.run();
