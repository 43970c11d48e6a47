import { StandardOutput } from '../output/standard-output.ts';
import { toggle } from '../terminal/flag.ts';
import { helpOf } from '../terminal/help.ts';
import { manPage } from '../terminal/man-page.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { action, type Entry, manualOf } from './command.ts';

/** `urlsum help`: the help of a command. */
export const HELP = action({
  examples: [
    ['', 'the help of urlsum'],
    ['canon', 'that of a command: the same as urlsum canon --help'],
    ['--man > urlsum.1', 'the manual page'],
  ],
  operands: '[COMMAND]',
  about: ['Prints the help of urlsum, or of one of its commands.'],
  flags: { man: toggle('the manual page of all commands instead, as troff') },
  async run({ man }, words, { commands }) {
    const text = man ? manPage(await Promise.all(commands.map(manualOf))) : await helpFor(words.join(' '), commands);
    await new StandardOutput().write(Buffer.from(text));
  },
});

/** The help of a command, or of those that begin with the same word. @throws {UsageError} where there is none */
export async function helpFor(name: string, commands: readonly Entry[]): Promise<string> {
  const names = [...new Set(commands.map((each) => each.name.split(' ')[0]!))].filter((each) => /^[a-z]/.test(each));
  const exact = commands.filter((each) => each.name === name);
  const found = exact.length > 0 ? exact : commands.filter((each) => each.name.startsWith(`${name} `));
  if (found.length === 0) throw new UsageError(`there is no command '${name}'${didYouMean(name, names)}`);
  const manuals = await Promise.all(found.map(manualOf));
  return manuals.map((manual) => helpOf(manual, name === '' ? names : [])).join('\n');
}
