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

/** One line per command, flag or word, with the condition under which it may follow. */
export function fishCompletion(manuals: readonly Manual[]): string {
  const words = firstWords(manuals);
  const isDefault = `not __fish_seen_subcommand_from ${words.join(' ')}`;
  const lines = [
    '# urlsum in fish: save this file as ~/.config/fish/completions/urlsum.fish',
    ...words.map((word) => wordLine(isDefault, word, summaryOf(manuals, word))),
    ...words.flatMap((first) => secondLines(manuals, first)),
    ...optionLines(isDefault, defaultManual(manuals)),
    ...wordedManuals(manuals).flatMap((manual) => optionLines(conditionOf(manual.name), manual)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function secondLines(manuals: readonly Manual[], first: string): string[] {
  const words = secondWords(manuals, first);
  const condition = `${conditionOf(first)}; and not __fish_seen_subcommand_from ${words.join(' ')}`;
  return words.map((word) => wordLine(condition, word, summaryOf(manuals, `${first} ${word}`)));
}

function optionLines(condition: string, manual: Manual): string[] {
  return optionsOf(manual).map((option) => `complete -c urlsum -n ${quoted(condition)} ${optionText(option)}`);
}

function optionText({ long, short, flag }: Option): string {
  const values = valuesOf(flag);
  const takesFile = flag.isPath === true ? '-r -F' : `-x${values.length > 0 ? ` -a ${quoted(values.join(' '))}` : ''}`;
  return [
    `-l ${long.slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(flag.value === undefined || flag.bare !== undefined ? [] : [takesFile]),
    `-d ${quoted(flag.help)}`,
  ].join(' ');
}

function wordLine(condition: string, word: string, summary: string): string {
  return `complete -c urlsum -n ${quoted(condition)} -a ${quoted(word)} -d ${quoted(summary)}`;
}

function summaryOf(manuals: readonly Manual[], name: string): string {
  return (
    (manuals.find((manual) => manual.name === name) ?? manuals.find((manual) => manual.name.startsWith(name)))
      ?.summary ?? ''
  );
}

function conditionOf(name: string): string {
  return name
    .split(' ')
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join('; and ');
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
