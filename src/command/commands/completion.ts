import { oneOf, optionOf } from '../arguments/flag.ts';
import { inSingleQuotes } from '../arguments/shell.ts';
import { usageFault } from '../fault.ts';
import { print } from '../write/output.ts';
import { action, block, type Manual, manualOf, withHelp } from './command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

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
    const completionFor = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
    const completed = completedBy(await Promise.all(commands.map(manualOf)));
    await print(completionFor[oneOf('the shell', shell, SHELLS)](completed));
  },
});

type Word = { readonly word: string; readonly summary: string };
/** A word that can come first, and the actions of its group, or a command's operands if they are words. */
type FirstWord = Word & { readonly seconds: readonly Word[] };
type Completed = ReturnType<typeof completedBy>;
type CompletedCommand = ReturnType<typeof completedCommand>;
/** A flag as it is typed, and the values that it takes if they can be listed. */
type Option = CompletedCommand['options'][number];

/**
 * Returns the words and options that can be typed after `urlsum`: flags that stand for a command are not words, and the
 * command without a name has the options of --check, which takes its place, too.
 */
function completedBy(manuals: readonly Manual[]) {
  const named = manuals.filter(({ name }) => /^[a-z]/.test(name));
  const [own, check] = ['', '--check'].map((name) => manuals.find((manual) => manual.name === name)!);
  return {
    words: [...new Set(named.map(({ name }) => name.split(' ')[0]!))].map((word) => firstWord(named, word)),
    commands: named.map(completedCommand),
    unnamed: completedCommand({ ...own!, flags: { ...check!.flags, ...own!.flags } }),
  };
}

function firstWord(manuals: readonly Manual[], word: string): FirstWord {
  const own = manuals.find(({ name }) => name === word);
  if (own === undefined) {
    const members = manuals.filter(({ name }) => name.startsWith(`${word} `));
    const seconds = members.map(({ name, summary }) => ({ word: name.split(' ')[1]!, summary }));
    return { word, summary: members[0]!.summary, seconds };
  }
  const operands = /^[a-z]+(?:\|[a-z]+)+$/.test(own.operands) ? own.operands.split('|') : [];
  return { word, summary: own.summary, seconds: operands.map((operand) => ({ word: operand, summary: '' })) };
}

function completedCommand({ name, flags }: Pick<Manual, 'name' | 'flags'>) {
  const options = withHelp(flags).map(([each, flag]) => ({
    long: optionOf(each),
    short: flag.short === undefined ? undefined : `-${flag.short}`,
    flag,
    values: Object.keys(flag.choices ?? {}).join(' '),
  }));
  return { name, options };
}

function listOf(words: readonly Word[]): string {
  return words.map(({ word }) => word).join(' ');
}

/** Returns a function with two tables of what can follow: flags by command, values by command and flag. */
function bashCompletion({ words, commands, unnamed }: Completed): string {
  const all = [unnamed, ...commands];
  const seconds = words.filter((each) => each.seconds.length > 0);
  return `# urlsum in bash: source this file, or save it as ~/.local/share/bash-completion/completions/urlsum
_urlsum() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' words=''
  if [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [[ $current == '=' ]]; then current=''; fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${block(commands.map(({ name }) => `    ${commandPattern(name)}) command='${name}' ;;`))}  esac
  case "$command:$previous" in
${block(all.flatMap(bashValueCases))}    *)
      case "$command" in
${block(all.map(({ name, options }) => `        '${name}') words='${options.map(({ long }) => long).join(' ')}' ;;`))}      esac
      if [[ $current != -* ]]; then
        words=''
        case $COMP_CWORD:\${COMP_WORDS[1]} in
          1:*) words='${listOf(words)}' ;;
${block(seconds.map((each) => `          2:${each.word}) words='${listOf(each.seconds)}' ;;`))}        esac
      fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _urlsum urlsum
`;
}

/** Matches the first two words of a line with the command. */
function commandPattern(name: string): string {
  return `'${name}'${name.includes(' ') ? '' : "' '*"}`;
}

/** A value that is not one of a few is completed by bash itself, as a file. */
function bashValueCases({ name, options }: CompletedCommand): string[] {
  return options
    .filter(({ flag }) => flag.value !== undefined && flag.bare === undefined)
    .map(({ long, short, values }) => {
      const patterns = [long, short].flatMap((option) => (option === undefined ? [] : [`'${name}:${option}'`]));
      return `    ${patterns.join('|')}) words='${values}' ;;`;
    });
}

/** Returns a function that hands the flags of the command to zsh's own _arguments. */
function zshCompletion({ words, commands, unnamed }: Completed): string {
  const specs = ({ options }: CompletedCommand) => options.map(zshSpec).join(' ');
  const seconds = words.filter((each) => each.seconds.length > 0);
  return `#compdef urlsum
# urlsum in zsh: save this file as _urlsum in a folder of $fpath
_urlsum() {
  local -a options
  case "\${words[2]} \${words[3]}" in
${block(commands.map((each) => `    ${commandPattern(each.name)}) options=(${specs(each)}) ;;`))}    *) options=(${specs(unnamed)}) ;;
  esac
  _arguments -s $options '1: :_urlsum_first' '2: :_urlsum_second' '*:file:_files'
}
_urlsum_first() {
  _alternative 'commands:command:(${listOf(words)})' 'files:file:_files'
}
_urlsum_second() {
  case "\${words[2]}" in
${block(seconds.map((each) => `    ${each.word}) _values word ${listOf(each.seconds)} ;;`))}    *) _files ;;
  esac
}
compdef _urlsum urlsum
`;
}

/** Returns `'--width=[help]:BYTES:(8 16 32)'`, and the same for the short form, which excludes the long one. */
function zshSpec({ long, short, flag, values }: Option): string {
  const { value, bare, help, isPath } = flag;
  const name = value === undefined ? long : `${long}=${bare === undefined ? '' : '-'}`;
  const completed = values !== '' ? `(${values})` : isPath === true ? '_files' : '';
  const valueSpec = value === undefined ? '' : `${bare === undefined ? ':' : '::'}${value}:${completed}`;
  const text = inSingleQuotes(`[${help.replace(/[[\]:]/g, '\\$&')}]${valueSpec}`);
  if (short === undefined) return inSingleQuotes(name) + text;
  const names = [value === undefined ? short : `${short}+`, name];
  return names.map((each) => inSingleQuotes(`(${short} ${long})${each}`) + text).join(' ');
}

/** Returns one line per command, flag or word, with the condition under which it can follow. */
function fishCompletion({ words, commands, unnamed }: Completed): string {
  const isUnnamed = `not __fish_seen_subcommand_from ${listOf(words)}`;
  return block([
    '# urlsum in fish: save this file as ~/.config/fish/completions/urlsum.fish',
    ...words.map((word) => fishWordLine(isUnnamed, word)),
    ...words.flatMap(({ word, seconds }) => {
      const condition = `${fishCondition(word)}; and not __fish_seen_subcommand_from ${listOf(seconds)}`;
      return seconds.map((second) => fishWordLine(condition, second));
    }),
    ...fishOptionLines(isUnnamed, unnamed),
    ...commands.flatMap((command) => fishOptionLines(fishCondition(command.name), command)),
  ]);
}

function fishCondition(name: string): string {
  const conditions = name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  return conditions.join('; and ');
}

function fishWordLine(condition: string, { word, summary }: Word): string {
  return fishLine(condition, `-a ${fishQuoted(word)}`, summary);
}

function fishOptionLines(condition: string, { options }: CompletedCommand): string[] {
  return options.map(({ long, short, flag, values }) => {
    const names = `-l ${long.slice(2)}${short === undefined ? '' : ` -s ${short.slice(1)}`}`;
    const choices = flag.isPath === true ? ' -r -F' : ` -x${values === '' ? '' : ` -a ${fishQuoted(values)}`}`;
    return fishLine(condition, names + (flag.value === undefined || flag.bare !== undefined ? '' : choices), flag.help);
  });
}

function fishLine(condition: string, completed: string, text: string): string {
  return `complete -c urlsum -n ${fishQuoted(condition)} ${completed} -d ${fishQuoted(text)}`;
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
