import { completionFor, SHELLS } from '../arguments/completion.ts';
import { didYouMean, oneOf, toggle } from '../arguments/flag.ts';
import { helpOf, helpOfGroup, manPage } from '../arguments/manual.ts';
import { usageFault } from '../fault.ts';
import { print } from '../write/output.ts';
import { action, type Entry, manualOf } from './command.ts';

/** `urlsum help`: the help of a command. */
export const HELP = action({
  examples: [
    ['', 'the help of urlsum'],
    ['canon', 'the help of a command, as urlsum canon --help'],
    ['--man > urlsum.1', 'the manual page'],
  ],
  operands: '[COMMAND]',
  about: ['Prints the help of urlsum, or of one of its commands.'],
  flags: { man: toggle('print the manual page of all commands instead, as troff') },
  async run({ man }, words, { commands }) {
    await print(man ? manPage(await Promise.all(commands.map(manualOf))) : await helpFor(words.join(' '), commands));
  },
});

/** Returns the help of a command, or of a group of commands with the same first word. @throws {Fault} */
export async function helpFor(name: string, commands: readonly Entry[]): Promise<string> {
  const names = [...new Set(commands.map((each) => each.name.split(' ')[0]!))].filter((each) => /^[a-z]/.test(each));
  const exact = commands.find((each) => each.name === name);
  if (exact !== undefined) return helpOf(await manualOf(exact), name === '' ? names : []);
  const members = commands.filter((each) => each.name.startsWith(`${name} `));
  if (members.length === 0) throw usageFault(`there is no command '${name}'${didYouMean(name, names)}`);
  return helpOfGroup(name, members);
}

/** `urlsum completion`: the script with which a shell completes commands, flags and their values. */
export const COMPLETION = action({
  examples: [
    ['bash > ~/.local/share/bash-completion/completions/urlsum', ''],
    ['zsh > ~/.zfunc/_urlsum', ''],
    ['fish > ~/.config/fish/completions/urlsum.fish', ''],
  ],
  operands: SHELLS.join('|'),
  about: ['Prints the completions for a shell.'],
  flags: {},
  async run(_values, [shell, ...rest], { commands }) {
    if (shell === undefined || rest.length > 0) throw usageFault(`completion needs one of ${SHELLS.join(', ')}`);
    await print(completionFor(oneOf('the shell', shell, SHELLS), await Promise.all(commands.map(manualOf))));
  },
});
