import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { optionOf, parseArguments } from '../../../src/command/arguments/flag.ts';
import { manualOf } from '../../../src/command/commands/command.ts';
import { COMMANDS } from '../../../src/command/commands/commands.ts';

const tests = suite('flags');
const MANUALS = await Promise.all(COMMANDS.map(manualOf));

tests('a value that is missing or looks like an option: one sentence, in our words', () => {
  const { flags } = MANUALS.find(({ name }) => name === '')!;
  for (const [args, answer] of [
    [['-j', '-1'], '--jobs needs a value, N; one that begins with a hyphen is written --jobs=N'],
    [['--jobs', '-1'], '--jobs needs a value, N; one that begins with a hyphen is written --jobs=N'],
    [['--jobs=-1'], "--jobs must be a whole number up to 999, not '-1'"],
    [['--width'], '--width needs a value: one of 8, 16, 32'],
    [['--base'], '--base needs a value: URL'],
    [['-z=x'], "unknown option '-='"],
    [['--zero=x'], '--zero takes no value'],
  ] as const)
    assert.throws(
      () => parseArguments(flags, args),
      (error: Error) => error.message === answer || assert.is(error.message, answer),
    );
});

tests('--delimiter: any ASCII character that ends no line, U+0001 of Hive too', () => {
  const { flags } = MANUALS.find(({ name }) => name === '')!;
  for (const delimiter of ['\x01', '\t', '|', '\x7f', '\x1f'])
    assert.is(parseArguments(flags, ['-f', '1', '--delimiter', delimiter]).values['delimiter'], delimiter);
  for (const delimiter of ['', '\n', '\r', 'é', '||'])
    assert.throws(() => parseArguments(flags, ['--delimiter', delimiter]), /must be one ASCII character/);
});

tests('flags that need or exclude others say so, in every command that has them', () => {
  let count = 0;
  for (const { flags } of MANUALS) {
    const given = (name: string) => {
      const { value, choices = {} } = flags[name]!;
      const text = { delimiter: ';', wait: '1', chars: '_.#.' }[name] ?? Object.keys(choices)[0] ?? 'x';
      return value === undefined ? optionOf(name) : `${optionOf(name)}=${text}`;
    };
    for (const [name, { needs, without = [] }] of Object.entries(flags)) {
      for (const other of without.filter((each) => each in flags)) {
        const message = `${optionOf(other)} and ${optionOf(name)} cannot be combined`;
        assert.throws(() => parseArguments(flags, [given(name), given(other)]), message);
        count++;
      }
      if (needs === undefined) continue;
      const wanted = Object.keys(needs).filter((each) => each in flags);
      const options = wanted.map(optionOf).join('.*');
      assert.throws(() => parseArguments(flags, [given(name)]), new RegExp(`^${optionOf(name)} needs ${options}`));
      for (const each of wanted) assert.not.throws(() => parseArguments(flags, [given(name), given(each)]));
      count++;
    }
  }
  assert.ok(count > 100, `${count} checked`);
});

tests.run();
