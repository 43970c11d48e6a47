import type { Diagnostics } from '../arguments/diagnostics.ts';
import { didYouMean } from '../arguments/did-you-mean.ts';
import { type Flag, type Flags, optionOf, toggle, type ValuesOf } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import type { Input } from '../read/inputs.ts';
import type { Plan } from '../work/work.ts';
import { print } from '../write/output.ts';
import type { ExplainedUrl } from './explain.ts';

/** A command: its help and what it does. */
export type Command<F extends Flags = Flags> = LineCommand<F> | Action<F>;

/** A command that reads lines: a stage in the pipeline. */
interface LineCommand<F extends Flags = Flags> extends CommandText<F> {
  /** Makes the plan, anew in each thread of -j. */
  plan(values: ValuesOf<F>, inputs: readonly Input[], diagnostics: Diagnostics): Promise<Plan>;
  /** Explains a URL in place of reading lines, where the flag --explain is given. */
  explain?(url: string, values: ValuesOf<F>): Promise<ExplainedUrl>;
}

/** A command that does something else with its operands. */
interface Action<F extends Flags = Flags> extends CommandText<F> {
  run(values: ValuesOf<F>, operands: readonly string[], context: Context): Promise<void>;
}

export interface Context {
  readonly diagnostics: Diagnostics;
  /** All commands, from which the help and the completions are made. */
  readonly commands: readonly Entry[];
}

/** Texts of a command, of which its help, its completions and its part of the man page are made. */
interface CommandText<F extends Flags> {
  /** Command lines without `urlsum`, each with its effect. */
  readonly examples: readonly (readonly [line: string, effect: string])[];
  /** The arguments other than flags, as the usage names them. */
  readonly operands: string;
  /** One paragraph for each thing that examples and flags do not say. */
  readonly about: readonly string[];
  readonly flags: F;
}

/** Infers the types of the values from the flags. */
export function lineCommand<const F extends Flags>(command: LineCommand<F>): LineCommand {
  return command;
}

export function action<const F extends Flags>(command: Action<F>): Action {
  return command;
}

/** A command in the table. It is loaded on demand, so that `urlsum --version` loads none. */
export interface Entry {
  /** The words after `urlsum`; empty for the default command. */
  readonly name: string;
  /** The output or effect of the command, as a phrase. */
  readonly summary: string;
  load(): Promise<Command>;
}

export type Manual = Pick<Entry, 'name' | 'summary'> & CommandText<Flags>;

export async function manualOf({ name, summary, load }: Entry): Promise<Manual> {
  return { name, summary, ...(await load()) };
}

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
  const rows = alignedRows(members.map((each) => [`urlsum ${each.name}`, each.summary]));
  return `Usage: urlsum ${name} COMMAND …\n\n${block(['Commands, each with its own --help:', ...rows])}`;
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
function helpOf({ name, examples, operands, about, flags }: Manual, names: readonly string[]): string {
  const usage = joined('Usage: urlsum', name, '[OPTION]…', operands);
  const sections = [
    ['Examples:', ...alignedRows(examples.map(([line, effect]) => [joined('urlsum', name, line), effect]))],
    [usage, ...about.flatMap((paragraph) => wrapped(paragraph, COLUMNS))],
    linesOfFlags(flags),
    ...(names.length === 0 ? [] : [wrapped(`Commands, each with its own --help: ${names.join(', ')}`, COLUMNS)]),
  ];
  return sections.map(block).join('\n');
}

/** Returns the rows of a list in two columns. */
function alignedRows(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns a section for each heading, in the order of their first flags; a flag without one stays after the last. */
function linesOfFlags(flags: Flags): string[] {
  const sections = new Map<string, string[]>();
  let heading = '';
  for (const [name, flag] of Object.entries(flags)) {
    heading = flag.group ?? heading;
    sections.set(heading, [...(sections.get(heading) ?? []), ...linesOfFlag(name, flag)]);
  }
  const lines = [...sections].flatMap(([title, section]) => (title === '' ? section : [`${title}:`, ...section]));
  return [...lines, ...linesOfFlag('help', HELP_FLAG)];
}

function linesOfFlag(name: string, flag: Flag): string[] {
  const head = `  ${flag.short === undefined ? '    ' : `-${flag.short}, `}${spelled(name, flag)}`;
  const choices = alignedRows(explainedChoices(flag)).map((row) => row.slice(2));
  const body = [...wrapped(flag.help, COLUMNS - INDENT), ...choices].map((line) => ' '.repeat(INDENT) + line);
  return head.length < INDENT ? [head.padEnd(INDENT) + body[0]!.slice(INDENT), ...body.slice(1)] : [head, ...body];
}

/** Returns the flag as the help shows it: `--stats[=FORMAT]`, `--width BYTES`, `--zero`. */
function spelled(name: string, { value, bare }: Flag): string {
  if (value === undefined) return optionOf(name);
  return bare === undefined ? `${optionOf(name)} ${value}` : `${optionOf(name)}[=${value}]`;
}

/** Returns the values that are worth a line. */
function explainedChoices({ choices = {} }: Flag): [value: string, meaning: string][] {
  return Object.entries(choices).filter(([, meaning]) => meaning !== '');
}

export function block(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Breaks a text into lines of as many words as fit. */
function wrapped(text: string, width: number): readonly string[] {
  return text.match(new RegExp(`\\S.{0,${width - 1}}(?= |$)`, 'g')) ?? [];
}

/** Returns one page for all commands, in man(7) macros. */
function manPage(manuals: readonly Manual[]): string {
  return block([
    '.TH URLSUM 1',
    '.SH NAME',
    'urlsum \\- hash URLs by their canonical form',
    '.SH SYNOPSIS',
    ...manuals.flatMap(synopsis),
    ...manuals.flatMap(section),
    '.SH EXIT STATUS',
    '0: success. 1: bad lines, failed checks or nothing to check, or lookup found a line on a list.',
    '2: wrong usage, a file that cannot be read or written, or a line that lookup cannot look up.',
  ]);
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
      `.B ${escaped(joined('urlsum', name, line))}`,
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
    ...explainedChoices(flag).flatMap(([value, meaning]) => ['.br', escaped(`${value}: ${meaning}`)]),
  ];
}

/** Keeps hyphens that are typed as hyphens, and lets no line begin a request. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
