import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { file } from '../../support/scratch.ts';

const tests = suite('standard output is a terminal');

/** Runs a command line of the shell with a terminal as its standard output: script(1). */
function atTerminal(line: string): string | undefined {
  const { error, stdout } = spawnSync('script', ['-qec', line, '/dev/null'], { encoding: 'utf8', timeout: 60_000 });
  return error === undefined ? stdout.replaceAll('\r\n', '\n') : undefined;
}

const COMMANDS = [
  '',
  '--format tsv',
  'canon --on-error keep',
  '--check',
  'hash-uri check',
  'expressions --on-error keep',
];

tests('what it would obey is escaped in the output of every command, and nowhere else', () => {
  const hostile = 'https://a/\u001b[2K\u001b[Gsafe\u202e\u009b31m\n';
  const path = file('hostile.txt', hostile);
  const sums = file('hostile.sums', `${'0'.repeat(64)}  ${hostile}`);
  for (const command of COMMANDS) {
    const line = `'${process.execPath}' dist/esm/cli.js ${command} ${command === '--check' ? sums : path}`;
    const shown = atTerminal(line);
    if (shown === undefined) return console.log('no script(1) on this system');
    assert.not.match(shown, /[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]/, command);
  }
  const line = `'${process.execPath}' dist/esm/cli.js ${path}`;
  assert.ok(atTerminal(line)!.endsWith('  https://a/\\u001b[2K\\u001b[Gsafe\\u202e\\u009b31m\n'));
  assert.ok(spawnSync('bash', ['-c', line], { encoding: 'utf8' }).stdout.endsWith(`  ${hostile}`));
});

tests.run();
