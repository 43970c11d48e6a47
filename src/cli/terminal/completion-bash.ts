import { defaultManual, firstWords, optionsOf, secondWords, valuesOf, wordedManuals } from './completion-words.ts';
import type { Manual } from './manual.ts';

/** A function that looks up what may follow in two tables: flags by command, values by command and flag. */
export function bashCompletion(manuals: readonly Manual[]): string {
  const all = [defaultManual(manuals), ...wordedManuals(manuals)];
  return `# urlsum in bash: source this file, or save it as ~/.local/share/bash-completion/completions/urlsum
_urlsum() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' words=''
  if [[ $previous == '=' ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [[ $current == '=' ]]; then current=''; fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${wordedManuals(manuals).map(commandCase).join('\n')}
  esac
  case "$command:$previous" in
${all.flatMap(valueCases).join('\n')}
    *)
      case "$command" in
${all.map(optionCase).join('\n')}
      esac
      if [[ $current != -* ]]; then
        words=''
        case $COMP_CWORD:\${COMP_WORDS[1]} in
          1:*) words='${firstWords(manuals).join(' ')}' ;;
${firstWords(manuals)
  .map((first) => secondCase(manuals, first))
  .join('')}        esac
      fi ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _urlsum urlsum
`;
}

function commandCase({ name }: Manual): string {
  return `    '${name}'${name.includes(' ') ? '' : "' '*"}) command='${name}' ;;`;
}

/** A flag with a value that is not one of a few is followed by what bash completes of itself: files. */
function valueCases(manual: Manual): string[] {
  return optionsOf(manual)
    .filter(({ flag }) => flag.value !== undefined && flag.bare === undefined)
    .map(({ long, short, flag }) => {
      const patterns = [long, short].flatMap((option) => (option === undefined ? [] : [`'${manual.name}:${option}'`]));
      return `    ${patterns.join('|')}) words='${valuesOf(flag).join(' ')}' ;;`;
    });
}

function optionCase(manual: Manual): string {
  return `        '${manual.name}') words='${optionsOf(manual)
    .map(({ long }) => long)
    .join(' ')}' ;;`;
}

function secondCase(manuals: readonly Manual[], first: string): string {
  const words = secondWords(manuals, first);
  return words.length === 0 ? '' : `          2:${first}) words='${words.join(' ')}' ;;\n`;
}
