import { completionFor, SHELLS } from '../arguments/completion.ts';
import { oneOf } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import { print } from '../write/output.ts';
import { action, manualOf } from './command.ts';

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
