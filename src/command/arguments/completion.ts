import { type Flag, optionOf } from './flag.ts';
import { type Manual, withHelp } from './manual.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Returns the script with which a shell completes the commands, their flags and the values of flags. */
export function completionFor(shell: (typeof SHELLS)[number], manuals: readonly Manual[]): string {
  return { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell](manuals);
}

/** A flag as it is typed. */
interface Option {
  readonly long: string;
  readonly short: string | undefined;
  readonly flag: Flag;
}

function optionsOf({ flags }: Manual): Option[] {
  return withHelp(flags).map(([name, flag]) => ({
    long: optionOf(name),
    short: flag.short === undefined ? undefined : `-${flag.short}`,
    flag,
  }));
}

/** Returns the words that can come first, without the flags that stand for a command. */
function firstWords(manuals: readonly Manual[]): string[] {
  return [...new Set(wordedManuals(manuals).map(({ name }) => name.split(' ')[0]!))];
}

/** Returns the words that can come second: the actions of a first word, or a command's operands if they are words. */
function secondWords(manuals: readonly Manual[], first: string): string[] {
  const own = wordedManuals(manuals).find(({ name }) => name === first);
  if (own !== undefined) return /^[a-z]+(?:\|[a-z]+)+$/.test(own.operands) ? own.operands.split('|') : [];
  return manuals.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]!);
}

function wordedManuals(manuals: readonly Manual[]): Manual[] {
  return manuals.filter(({ name }) => /^[a-z]/.test(name));
}

/** Returns the default command, with the flags of --check, which takes its place. */
function defaultManual(manuals: readonly Manual[]): Manual {
  const [own, check] = ['', '--check'].map((name) => manuals.find((manual) => manual.name === name)!);
  return { ...own!, flags: { ...check!.flags, ...own!.flags } };
}

function valuesOf({ choices = {} }: Flag): string[] {
  return Object.keys(choices);
}

/** Returns a function with two tables of what can follow: flags by command, values by command and flag. */
function bashCompletion(manuals: readonly Manual[]): string {
  const all = [defaultManual(manuals), ...wordedManuals(manuals)];
  return `# urlsum in bash: source this file, or save it as ~/.local/share/bash-completion/completions/urlsum
_urlsum() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' words=''
  if [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [[ $current == '=' ]]; then current=''; fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${wordedManuals(manuals).map(bashCommandCase).join('\n')}
  esac
  case "$command:$previous" in
${all.flatMap(bashValueCases).join('\n')}
    *)
      case "$command" in
${all.map(bashOptionCase).join('\n')}
      esac
      if [[ $current != -* ]]; then
        words=''
        case $COMP_CWORD:\${COMP_WORDS[1]} in
          1:*) words='${firstWords(manuals).join(' ')}' ;;
${firstWords(manuals)
  .map((first) => bashSecondCase(manuals, first))
  .join('')}        esac
      fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _urlsum urlsum
`;
}

function bashCommandCase({ name }: Manual): string {
  return `    '${name}'${name.includes(' ') ? '' : "' '*"}) command='${name}' ;;`;
}

/** A value that is not one of a few is completed by bash itself, as a file. */
function bashValueCases(manual: Manual): string[] {
  return optionsOf(manual)
    .filter(({ flag }) => flag.value !== undefined && flag.bare === undefined)
    .map(({ long, short, flag }) => {
      const patterns = [long, short].flatMap((option) => (option === undefined ? [] : [`'${manual.name}:${option}'`]));
      return `    ${patterns.join('|')}) words='${valuesOf(flag).join(' ')}' ;;`;
    });
}

function bashOptionCase(manual: Manual): string {
  return `        '${manual.name}') words='${optionsOf(manual)
    .map(({ long }) => long)
    .join(' ')}' ;;`;
}

function bashSecondCase(manuals: readonly Manual[], first: string): string {
  const words = secondWords(manuals, first);
  return words.length === 0 ? '' : `          2:${first}) words='${words.join(' ')}' ;;\n`;
}

/** Returns a function that hands the flags of the command to zsh's own _arguments. */
function zshCompletion(manuals: readonly Manual[]): string {
  return `#compdef urlsum
# urlsum in zsh: save this file as _urlsum in a folder of $fpath
_urlsum() {
  local -a options
  case "\${words[2]} \${words[3]}" in
${wordedManuals(manuals).map(zshOptionsCase).join('\n')}
    *) options=(${zshSpecs(defaultManual(manuals))}) ;;
  esac
  _arguments -s $options '1: :_urlsum_first' '2: :_urlsum_second' '*:file:_files'
}
_urlsum_first() {
  _alternative 'commands:command:(${firstWords(manuals).join(' ')})' 'files:file:_files'
}
_urlsum_second() {
  case "\${words[2]}" in
${firstWords(manuals)
  .map((first) => zshSecondCase(manuals, first))
  .join('')}    *) _files ;;
  esac
}
compdef _urlsum urlsum
`;
}

function zshOptionsCase(manual: Manual): string {
  const { name } = manual;
  return `    '${name}'${name.includes(' ') ? '' : "' '*"}) options=(${zshSpecs(manual)}) ;;`;
}

function zshSpecs(manual: Manual): string {
  return optionsOf(manual).map(zshSpec).join(' ');
}

/** Returns `'--width=[help]:BYTES:(8 16 32)'`, and the same for the short form, which excludes the long one. */
function zshSpec({ long, short, flag }: Option): string {
  const name = flag.value === undefined ? long : `${long}=${flag.bare === undefined ? '' : '-'}`;
  const values = valuesOf(flag);
  const completed = values.length > 0 ? `(${values.join(' ')})` : flag.isPath === true ? '_files' : '';
  const value = flag.value === undefined ? '' : `${flag.bare === undefined ? ':' : '::'}${flag.value}:${completed}`;
  const text = zshQuoted(`[${flag.help.replace(/[[\]:]/g, '\\$&')}]${value}`);
  if (short === undefined) return `${zshQuoted(name)}${text}`;
  const shortName = flag.value === undefined ? short : `${short}+`;
  return `${zshQuoted(`(${short} ${long})${shortName}`)}${text} ${zshQuoted(`(${short} ${long})${name}`)}${text}`;
}

function zshSecondCase(manuals: readonly Manual[], first: string): string {
  const words = secondWords(manuals, first);
  return words.length === 0 ? '' : `    ${first}) _values word ${words.join(' ')} ;;\n`;
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns one line per command, flag or word, with the condition under which it can follow. */
function fishCompletion(manuals: readonly Manual[]): string {
  const words = firstWords(manuals);
  const isDefault = `not __fish_seen_subcommand_from ${words.join(' ')}`;
  const lines = [
    '# urlsum in fish: save this file as ~/.config/fish/completions/urlsum.fish',
    ...words.map((word) => fishWordLine(isDefault, word, summaryOf(manuals, word))),
    ...words.flatMap((first) => fishSecondLines(manuals, first)),
    ...fishOptionLines(isDefault, defaultManual(manuals)),
    ...wordedManuals(manuals).flatMap((manual) => fishOptionLines(fishCondition(manual.name), manual)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function fishSecondLines(manuals: readonly Manual[], first: string): string[] {
  const words = secondWords(manuals, first);
  const condition = `${fishCondition(first)}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
  return words.map((word) => fishWordLine(condition, word, summaryOf(manuals, `${first} ${word}`)));
}

function fishOptionLines(condition: string, manual: Manual): string[] {
  return optionsOf(manual).map((option) => `complete -c urlsum -n ${fishQuoted(condition)} ${fishOptionText(option)}`);
}

function fishOptionText({ long, short, flag }: Option): string {
  const values = valuesOf(flag);
  const takesFile =
    flag.isPath === true ? '-r -F' : `-x${values.length > 0 ? ` -a ${fishQuoted(values.join(' '))}` : ''}`;
  return [
    `-l ${long.slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(flag.value === undefined || flag.bare !== undefined ? [] : [takesFile]),
    `-d ${fishQuoted(flag.help)}`,
  ].join(' ');
}

function fishWordLine(condition: string, word: string, summary: string): string {
  return `complete -c urlsum -n ${fishQuoted(condition)} -a ${fishQuoted(word)} -d ${fishQuoted(summary)}`;
}

function summaryOf(manuals: readonly Manual[], name: string): string {
  return (
    (manuals.find((manual) => manual.name === name) ?? manuals.find((manual) => manual.name.startsWith(name)))
      ?.summary ?? ''
  );
}

function fishCondition(name: string): string {
  return name
    .split(' ')
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join('; and ');
}

function fishQuoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
