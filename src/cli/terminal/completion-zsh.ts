import {
  defaultManual,
  firstWords,
  type Option,
  optionsOf,
  secondWords,
  valuesOf,
  wordedManuals,
} from './completion-words.ts';
import type { Manual } from './manual.ts';

/** A function that hands the flags of the command to zsh's own _arguments. */
export function zshCompletion(manuals: readonly Manual[]): string {
  return `#compdef urlsum
# urlsum in zsh: save this file as _urlsum in a folder of $fpath
_urlsum() {
  local -a options
  case "\${words[2]} \${words[3]}" in
${wordedManuals(manuals).map(optionsCase).join('\n')}
    *) options=(${specs(defaultManual(manuals))}) ;;
  esac
  _arguments -s $options '1: :_urlsum_first' '2: :_urlsum_second' '*:file:_files'
}
_urlsum_first() {
  _alternative 'commands:command:(${firstWords(manuals).join(' ')})' 'files:file:_files'
}
_urlsum_second() {
  case "\${words[2]}" in
${firstWords(manuals)
  .map((first) => secondCase(manuals, first))
  .join('')}    *) _files ;;
  esac
}
compdef _urlsum urlsum
`;
}

function optionsCase(manual: Manual): string {
  const { name } = manual;
  return `    '${name}'${name.includes(' ') ? '' : "' '*"}) options=(${specs(manual)}) ;;`;
}

function specs(manual: Manual): string {
  return optionsOf(manual).map(spec).join(' ');
}

/** `'--width=[help]:BYTES:(8 16 32)'`, and the same for the short form, which excludes the long one. */
function spec({ long, short, flag }: Option): string {
  const name = flag.value === undefined ? long : `${long}=${flag.bare === undefined ? '' : '-'}`;
  const values = valuesOf(flag);
  const completed = values.length > 0 ? `(${values.join(' ')})` : flag.isPath === true ? '_files' : '';
  const value = flag.value === undefined ? '' : `${flag.bare === undefined ? ':' : '::'}${flag.value}:${completed}`;
  const text = quoted(`[${flag.help.replace(/[[\]:]/g, '\\$&')}]${value}`);
  if (short === undefined) return `${quoted(name)}${text}`;
  const shortName = flag.value === undefined ? short : `${short}+`;
  return `${quoted(`(${short} ${long})${shortName}`)}${text} ${quoted(`(${short} ${long})${name}`)}${text}`;
}

function secondCase(manuals: readonly Manual[], first: string): string {
  const words = secondWords(manuals, first);
  return words.length === 0 ? '' : `    ${first}) _values word ${words.join(' ')} ;;\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
