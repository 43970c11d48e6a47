import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Flag, optionOf } from '../../../src/command/arguments/flag.ts';
import { manualOf } from '../../../src/command/commands/command.ts';
import { COMMANDS } from '../../../src/command/commands/commands.ts';
import { file } from '../../support/scratch.ts';
import { mustGive, textOf } from '../command.ts';

const tests = suite('urlsum completion');
const MANUALS = await Promise.all(COMMANDS.map(manualOf));
const SCRIPTS = Object.fromEntries(
  ['bash', 'zsh', 'fish'].map((shell) => [shell, textOf(['completion', shell]).stdout]),
) as Readonly<Record<'bash' | 'zsh' | 'fish', string>>;

/** Returns what bash offers for the last of some words. */
function offered(...words: readonly string[]): string[] {
  const script = file('urlsum.bash', SCRIPTS.bash);
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _urlsum; printf '%s\\n' "\${COMPREPLY[@]}"`,
      script,
      ...words,
    ],
    { encoding: 'utf8' },
  );
  assert.is(stderr, '');
  return stdout.split('\n').filter((line) => line !== '');
}

tests('bash: commands, their flags, the values of those, and files where it says nothing', () => {
  assert.ok(['canon', 'expressions', 'hash-uri', 'completion'].every((word) => offered('urlsum', '').includes(word)));
  assert.equal(offered('urlsum', 'ca'), ['canon']);
  assert.equal(offered('urlsum', 'hash-uri', 'm'), ['make']);
  assert.equal(offered('urlsum', 'completion', ''), ['bash', 'zsh', 'fish']);
  assert.equal(offered('urlsum', '--forma'), ['--format']);
  assert.equal(offered('urlsum', '--format', 'nd'), ['ndjson']);
  assert.equal(offered('urlsum', '--format', '=', 'nd'), ['ndjson']);
  assert.equal(offered('urlsum', '--width', '='), ['8', '16', '32']);
  assert.equal(offered('urlsum', 'canon', '--profile', 'hashed-uri'), ['hashed-uri-n', 'hashed-uri-p']);
  assert.equal(offered('urlsum', 'expressions', '--profile', 'w'), ['web-risk']);
  assert.equal(offered('urlsum', 'canon', '--ded'), [], 'a flag of another command');
  assert.equal(offered('urlsum', '--out', ''), []);
  assert.equal(offered('urlsum', 'canon', 'urls'), []);
});

for (const [shell, script] of Object.entries(SCRIPTS)) {
  tests(`${shell}: every command, flag and value stands in it`, () => {
    for (const { name, flags } of MANUALS) {
      for (const word of name.split(' ').filter((each) => /^[a-z]/.test(each))) assert.ok(script.includes(word), word);
      for (const [each, { choices = {} }] of Object.entries<Flag>(flags)) {
        const option = shell === 'fish' ? `-l ${optionOf(each).slice(2)} ` : optionOf(each);
        assert.ok(script.includes(option), `${name} ${option}`);
        if (Object.keys(choices).length > 0 && flags[each]?.bare === undefined)
          assert.ok(script.includes(Object.keys(choices).join(' ')), each);
      }
    }
  });

  tests(`${shell} takes it`, () => {
    const { error, status, stderr } = spawnSync(shell, ['-n', file(`urlsum.${shell}`, script)], { encoding: 'utf8' });
    if (error !== undefined) return console.log(`no ${shell} on this system`);
    assert.equal([stderr, status], ['', 0]);
  });
}

tests('fish: what it offers', () => {
  const script = file('urlsum.fish', SCRIPTS.fish);
  const { error, stdout } = spawnSync('fish', ['-c', `source ${script}; complete -C 'urlsum canon --profile '`], {
    encoding: 'utf8',
  });
  if (error !== undefined) return console.log('no fish on this system');
  assert.match(stdout, /^hashed-uri-n/m);
  assert.match(stdout, /^web-risk/m);
});

tests('wrong usage', () => {
  for (const args of [[], ['csh'], ['bash', 'zsh']]) {
    mustGive(textOf(['completion', ...args]), { status: 2, stdout: '', says: /bash, zsh, fish/ }, args.join(' '));
  }
});

tests.run();
