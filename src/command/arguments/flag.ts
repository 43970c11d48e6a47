import { type ParseArgsConfig, parseArgs } from 'node:util';
import { usageFault } from '../fault.ts';
import { OptionFile, type ReadFiles } from '../read/inputs.ts';
import { didYouMean } from './did-you-mean.ts';

/** A flag of a command. Parsing, help, suggestions, completions and the man page all use this alone. */
export interface Flag<T = unknown> {
  readonly help: string;
  readonly short?: string;
  /** The name of the value in the help. A flag without one is a switch. */
  readonly value?: string;
  /** The values it takes, each with its meaning if that is worth a line. */
  readonly choices?: Readonly<Record<string, string>>;
  /** The value of the flag where it is given without one, as in `--stats`. */
  readonly bare?: string;
  readonly isPath?: boolean;
  /** The names of flags of which it needs one, each with what follows its option in a message: ` FILE`. */
  readonly needs?: Readonly<Record<string, string>>;
  /** The names of flags with which it cannot be combined; of two such flags, the later one says so. */
  readonly without?: readonly string[];
  /** The heading of the flag in the help. */
  readonly group?: string;
  /** Returns the flag's result from its values in order, or from none if it is not given. @throws {Fault} */
  read(values: readonly string[], name: string, files: ReadFiles): T;
}

/** Flags by name: `onError` is written `--on-error`. */
export type Flags = Readonly<Record<string, Flag>>;

export type ValuesOf<F extends Flags> = { readonly [Name in keyof F]: F[Name] extends Flag<infer T> ? T : never };

type More = Partial<Omit<Flag, 'help' | 'value' | 'choices' | 'read'>>;

export function toggle(help: string, more: More = {}): Flag<boolean> {
  return { help, ...more, read: (values) => values.length > 0 };
}

export function text(value: string, help: string, more: More = {}): Flag<string | undefined> {
  return { help, value, ...more, read: oneValue };
}

export function texts(value: string, help: string, more: More = {}): Flag<readonly string[]> {
  return { help, value, ...more, read: (values) => values };
}

/** Makes a flag that names a file, whose bytes the plan needs. */
export function file(value: string, help: string): Flag<OptionFile | undefined> {
  const read: Flag<OptionFile | undefined>['read'] = (values, name, files) => {
    const path = oneValue(values, name);
    return path === undefined ? undefined : new OptionFile(path, files);
  };
  return { help, value, isPath: true, read };
}

export function files(value: string, help: string): Flag<readonly OptionFile[]> {
  return { help, value, isPath: true, read: (values, _, files) => values.map((path) => new OptionFile(path, files)) };
}

/** Makes a flag whose value `valueOf` parses; `initial` if it is not given. */
export function parsed<T, I extends T | undefined>(
  value: string,
  help: string,
  initial: I,
  valueOf: (text: string, name: string) => T,
  more: More = {},
): Flag<T | I> {
  return {
    help,
    value,
    ...more,
    read(values, name) {
      const given = oneValue(values, name);
      return given === undefined ? initial : valueOf(given, name);
    },
  };
}

/** Makes a flag whose value is one of `choices`, each perhaps with its meaning; `initial` if it is not given. */
export function choice<const T extends string, const I extends T | undefined>(
  value: string,
  choices: Readonly<Record<T, string>> | readonly T[],
  initial: I,
  help: string,
  more: More = {},
): Flag<T | I> {
  const meanings = Array.isArray(choices) ? Object.fromEntries(choices.map((name) => [name, ''])) : choices;
  const read = (values: readonly string[], name: string) => {
    const given = oneValue(values, name);
    return given === undefined ? initial : oneOf(name, given, Object.keys(meanings) as T[]);
  };
  return { help, value, choices: meanings, ...more, read };
}

/** Returns the value of a flag that has one; undefined where it is not given. @throws {Fault} where two differ */
function oneValue(values: readonly string[], name: string): string | undefined {
  const other = values.find((value) => value !== values[0]);
  if (other !== undefined) throw usageFault(`${name} takes one value, but is given '${values[0]}' and '${other}'`);
  return values[0];
}

export function group<F extends Flags>(heading: string, flags: F): F {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, group: heading }])) as F;
}

export function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @throws {Fault} where `value` is not one of `choices` */
export function oneOf<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const found = choices.find((each) => each === value);
  if (found !== undefined) return found;
  throw usageFault(`${option} must be one of ${choices.join(', ')}, not '${value}'${didYouMean(value, choices)}`);
}

/** Returns what reads a value that matches a pattern. @param what completes `must be …` in the message for others */
export function matching(pattern: RegExp, what: string): (value: string, option: string) => string {
  return (value, option) => {
    if (pattern.test(value)) return value;
    throw usageFault(`${option} must be ${what}, not '${value}'`);
  };
}

/**
 * Parses a command line with parseArgs of node:util.
 *
 * @throws {Fault} on an unknown flag, a value that it does not take, and flags that do not go together
 */
export function parseArguments<F extends Flags>(
  flags: F,
  args: readonly string[],
  files: ReadFiles = new Map(),
): { readonly values: ValuesOf<F>; readonly operands: readonly string[] } {
  const known: KnownOptions = new Map(Object.entries(flags).map(([name, flag]) => [optionOf(name), flag]));
  const options: ParseArgsConfig['options'] = {};
  for (const [option, { short, value }] of known)
    options[option.slice(2)] = {
      type: value === undefined ? 'boolean' : 'string',
      ...(short !== undefined && { short }),
    };
  // not strict: its own messages have several lines, and suggest a spelling of options that this command does not have
  const config = { options, allowPositionals: true, strict: false, tokens: true } as const;
  const { positionals, tokens } = parseArgs({ args: withBareValues(known, args), ...config });
  const given = tokens.filter((token) => token.kind === 'option');
  for (const option of given) mustTakeValue(known, option);
  const values = Object.entries(flags).map(([name, flag]) => {
    const option = optionOf(name);
    const texts = given.flatMap((each) => (`--${each.name}` === option ? [each.value ?? ''] : []));
    return [name, flag.read(texts, option, files)];
  });
  mustGoTogether(known, new Set(given.map(({ name }) => `--${name}`)));
  return { values: Object.fromEntries(values) as ValuesOf<F>, operands: positionals };
}

/** The flags of a command by their options, as `--on-error`. */
type KnownOptions = ReadonlyMap<string, Flag>;

/** An option as it is given; `inlineValue` says whether its value comes after a `=`. */
interface GivenOption {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** @throws {Fault} on an option that is unknown, lacks its value or takes none */
function mustTakeValue(known: KnownOptions, { name, rawName, value, inlineValue }: GivenOption): void {
  const option = `--${name}`;
  const flag = known.get(option);
  if (flag === undefined)
    throw usageFault(`unknown option '${rawName}'${didYouMean(rawName, [...known.keys(), '--help', '--version'])}`);
  if (flag.value === undefined) {
    if (value !== undefined) throw usageFault(`${option} takes no value`);
    return;
  }
  const isAmbiguous = inlineValue !== true && value !== undefined && value.length > 1 && value.startsWith('-');
  if (value !== undefined && !isAmbiguous) return;
  const choices = Object.keys(flag.choices ?? {});
  const expected = choices.length > 0 ? `one of ${choices.join(', ')}` : flag.value;
  throw usageFault(
    isAmbiguous
      ? `${option} needs a value, ${expected}; one that begins with a hyphen is written ${option}=${flag.value}`
      : `${option} needs a value: ${expected}`,
  );
}

/** @throws {Fault} where an option that is given excludes another, or lacks one */
function mustGoTogether(known: KnownOptions, given: ReadonlySet<string>): void {
  const flags = [...known].filter(([option]) => given.has(option));
  for (const [option, { without = [] }] of flags) {
    const other = without.map(optionOf).find((each) => given.has(each));
    if (other !== undefined) throw usageFault(`${other} and ${option} cannot be combined`);
  }
  for (const [option, { needs }] of flags)
    if (needs !== undefined && !Object.keys(needs).some((name) => given.has(optionOf(name))))
      throw usageFault(`${option} needs ${alternatives(needs)}`);
}

/** Returns `--log, --log-format or --links`. */
function alternatives(needs: NonNullable<Flag['needs']>): string {
  const words = Object.entries(needs).map(([name, after]) => optionOf(name) + after);
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** parseArgs has no optional values: `--stats` would consume the file after it. */
function withBareValues(known: KnownOptions, args: readonly string[]): string[] {
  const end = optionsEnd(args);
  return args.map((arg, index) => {
    const bare = index < end ? known.get(arg)?.bare : undefined;
    return bare === undefined ? arg : `${arg}=${bare}`;
  });
}

/** Returns the index of `--`, after which all are operands, or of the end. */
export function optionsEnd(args: readonly string[]): number {
  return args.includes('--') ? args.indexOf('--') : args.length;
}
