import { type Flag, type Flags, optionOf } from './flag.ts';

/** The help, the completions and the man page of a command are made of this. */
export interface Manual {
  /** The words after `urlsum`; empty for the default command. */
  readonly name: string;
  /** The output or effect of the command, as a phrase. */
  readonly summary: string;
  /** Command lines without `urlsum`, each with its effect. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** Its arguments other than flags. */
  readonly operands: string;
  /** One paragraph for each thing that examples and flags do not say. */
  readonly about: readonly string[];
  readonly flags: Flags;
}

/** Every command has this flag, but none reads it. */
const HELP_FLAG: Flag = { help: 'this text', short: 'h', read: () => undefined };

export function withHelp(flags: Flags): (readonly [name: string, flag: Flag])[] {
  return [...Object.entries<Flag>(flags), ['help', HELP_FLAG]];
}

const COLUMNS = 100;
/** The column where the text of a flag begins. */
const INDENT = 26;

/** Returns the help of one command, examples first. `names` are the commands listed at its end. */
export function helpOf(manual: Manual, names: readonly string[]): string {
  const sections = [examplesOf(manual), usageOf(manual), flagsOf(manual), commandsOf(names)];
  return sections.filter((section) => section !== '').join('\n');
}

function examplesOf({ name, examples }: Manual): string {
  const lines = examples.map(([line]) => commandLine(name, line));
  const width = Math.max(...lines.map((line) => line.length));
  const rows = examples.map(([, effect], index) => `  ${lines[index]!.padEnd(width)}  ${effect}`.trimEnd());
  return block(['Examples:', ...rows]);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

function commandLine(name: string, line: string): string {
  return joined('urlsum', name, line);
}

function usageOf({ name, operands, about }: Manual): string {
  const usage = joined('Usage: urlsum', name, '[OPTION]…', operands);
  return block([usage, ...about.flatMap((paragraph) => wrapped(paragraph, COLUMNS))]);
}

function flagsOf({ flags }: Manual): string {
  const lines: string[] = [];
  let heading = '';
  for (const [name, flag] of withHelp(flags)) {
    if (flag.group !== heading && flag.group !== undefined) lines.push(`${flag.group}:`);
    heading = flag.group ?? heading;
    lines.push(...flagLines(name, flag));
  }
  return block(lines);
}

function flagLines(name: string, flag: Flag): string[] {
  const head = `${flag.short === undefined ? '    ' : `-${flag.short}, `}${spelled(name, flag)}`;
  const body = [...wrapped(flag.help, COLUMNS - INDENT), ...choiceLines(flag)];
  const first = `  ${head}`.padEnd(INDENT);
  const isFitting = first.length === INDENT && first.endsWith(' ');
  const rest = (isFitting ? body.slice(1) : body).map((line) => `${' '.repeat(INDENT)}${line}`);
  return [isFitting ? `${first}${body[0]}` : `  ${head}`, ...rest];
}

/** Returns the flag as the help shows it: `--stats[=FORMAT]`, `--width BYTES`, `--zero`. */
function spelled(name: string, { value, bare }: Flag): string {
  if (value === undefined) return optionOf(name);
  return bare === undefined ? `${optionOf(name)} ${value}` : `${optionOf(name)}[=${value}]`;
}

/** Returns the values that are worth a line. */
function explained({ choices = {} }: Flag): [value: string, meaning: string][] {
  return Object.entries(choices).filter(([, meaning]) => meaning !== '');
}

function choiceLines(flag: Flag): string[] {
  const entries = explained(flag);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  return entries.map(([name, meaning]) => `${name.padEnd(width)}  ${meaning}`);
}

/** Returns the help of a group of commands, such as `hash-uri`, with a line for each. */
export function helpOfGroup(name: string, members: readonly Pick<Manual, 'name' | 'summary'>[]): string {
  const width = Math.max(...members.map((member) => member.name.length));
  const rows = members.map((member) => `  urlsum ${member.name.padEnd(width)}  ${member.summary}`);
  return `Usage: urlsum ${name} COMMAND …\n\n${block(['Commands, each with its own --help:', ...rows])}`;
}

function commandsOf(names: readonly string[]): string {
  return names.length === 0 ? '' : block(wrapped(`Commands, each with its own --help: ${names.join(', ')}`, COLUMNS));
}

function block(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Returns one page for all commands, in man(7) macros. */
export function manPage(manuals: readonly Manual[]): string {
  const lines = [
    '.TH URLSUM 1',
    '.SH NAME',
    'urlsum \\- hash URLs by their canonical form',
    '.SH SYNOPSIS',
    ...manuals.flatMap(synopsis),
    ...manuals.flatMap(section),
    '.SH EXIT STATUS',
    '0: success. 1: bad lines, failed checks or nothing to check, or lookup found a line on a list.',
    '2: wrong usage, a file that cannot be read or written, or a line that lookup cannot look up.',
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
  return [
    '.TP',
    `.B ${escaped(short + spelled(name, flag))}`,
    escaped(flag.help),
    ...explained(flag).flatMap(([value, meaning]) => ['.br', escaped(`${value}: ${meaning}`)]),
  ];
}

/** Keeps hyphens that are typed as hyphens, and lets no line begin a request. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
