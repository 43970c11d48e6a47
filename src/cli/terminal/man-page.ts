import type { Flag } from './flag.ts';
import { commandLine, spelled } from './help.ts';
import type { Manual } from './manual.ts';

/** One page of all commands, as man(7) macros. */
export function manPage(manuals: readonly Manual[]): string {
  const lines = [
    '.TH URLSUM 1',
    '.SH NAME',
    'urlsum \\- hash URLs by their canonical form',
    '.SH SYNOPSIS',
    ...manuals.flatMap(synopsis),
    ...manuals.flatMap(section),
    '.SH EXIT STATUS',
    '0: all fine. 1: some lines are bad, or some checks failed or none was made, or lookup has found a line on a list.',
    '2: wrong usage, or a file that could not be read or written, or lines that lookup could not look up.',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function synopsis({ name, operands }: Manual): string[] {
  return ['.br', `.B urlsum ${escaped(name)}`.trimEnd(), escaped(`[OPTION]… ${operands}`)];
}

function section(manual: Manual): string[] {
  const { name, summary, about, examples, flags } = manual;
  return [
    `.SH ${escaped(`urlsum ${name}`.trimEnd().toUpperCase())}`,
    `Prints ${escaped(summary)}.`,
    ...about.flatMap((paragraph) => ['.PP', escaped(paragraph)]),
    ...examples.flatMap(([line, effect]) => [
      '.TP',
      `.B ${escaped(commandLine(name, line))}`,
      escaped(effect) || '\\&',
    ]),
    ...Object.entries<Flag>(flags).flatMap(([flagName, flag]) => option(flagName, flag)),
  ];
}

function option(name: string, flag: Flag): string[] {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const choices = Object.entries(flag.choices ?? {}).filter(([, meaning]) => meaning !== '');
  return [
    '.TP',
    `.B ${escaped(short + spelled(name, flag))}`,
    escaped(flag.help),
    ...choices.flatMap(([value, meaning]) => ['.br', escaped(`${value}: ${meaning}`)]),
  ];
}

/** Hyphens that are typed stay hyphens, and no line begins a request. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
