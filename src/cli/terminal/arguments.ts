import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Flag, type Flags, optionOf, type ValuesOf } from './flag.ts';
import { didYouMean } from './suggestion.ts';
import { UsageError } from './usage-error.ts';

/**
 * What a command line says, as node:util's parseArgs reads it.
 *
 * @throws {UsageError} on a flag that does not exist, or a value that it does not have
 */
export function parseArguments<F extends Flags>(
  flags: F,
  args: readonly string[],
): { readonly values: ValuesOf<F>; readonly operands: readonly string[] } {
  const { values, positionals } = parsedStrictly(flags, args);
  const entries = Object.entries(flags).map(([name, flag]) => {
    const option = optionOf(name);
    const given = values[option.slice(2)] as string[] | boolean | undefined;
    return [name, flag.read(given === true ? [''] : given || [], option)];
  });
  return { values: Object.fromEntries(entries) as ValuesOf<F>, operands: positionals };
}

function parsedStrictly(flags: Flags, args: readonly string[]) {
  const options: ParseArgsConfig['options'] = {};
  for (const [name, { short, value }] of Object.entries(flags)) {
    const kind = value === undefined ? { type: 'boolean' as const } : { type: 'string' as const, multiple: true };
    options[optionOf(name).slice(2)] = short === undefined ? kind : { ...kind, short };
  }
  try {
    return parseArgs({ args: withBareValues(flags, args), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usageErrorOf(error as NodeJS.ErrnoException, flags);
  }
}

/** parseArgs has no optional values: `--stats` alone would consume the file after it. */
function withBareValues(flags: Flags, args: readonly string[]): string[] {
  const bare = new Map(
    Object.entries(flags).flatMap(([name, { bare }]) => (bare === undefined ? [] : [[optionOf(name), bare] as const])),
  );
  const end = optionsEnd(args);
  return args.map((arg, index) => (index < end && bare.has(arg) ? `${arg}=${bare.get(arg)}` : arg));
}

/** What comes after `--` is an operand, whatever it looks like. */
export function optionsEnd(args: readonly string[]): number {
  return args.includes('--') ? args.indexOf('--') : args.length;
}

function usageErrorOf({ code, message }: NodeJS.ErrnoException, flags: Flags): UsageError {
  const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-[^']*)'/.exec(message)?.[1] : undefined;
  if (unknown === undefined) return new UsageError(valueProblem(message, flags));
  return new UsageError(`unknown option '${unknown}'${didYouMean(unknown, Object.keys(flags).map(optionOf))}`);
}

/**
 * Of a value that is missing, looks like an option, or is given to a switch. The sentences of parseArgs have several
 * lines and tell of its own way to spell options; all begin with `Option '-j, --jobs <value>'`.
 */
function valueProblem(message: string, flags: Flags): string {
  const [, spelled = ''] = /^Option '(?:-\S, )?(--?[^' ]+)/.exec(message) ?? [];
  const found = Object.entries<Flag>(flags).find(
    ([name, { short }]) => optionOf(name) === spelled || `-${short}` === spelled,
  );
  if (found === undefined) return message.split('\n')[0]!;
  const [option, flag] = [optionOf(found[0]), found[1]];
  if (flag.value === undefined) return `${option} takes no value`;
  const choices = Object.keys(flag.choices ?? {});
  const expected = choices.length > 0 ? `one of ${choices.join(', ')}` : flag.value;
  const isAmbiguous = message.includes('ambiguous');
  return isAmbiguous
    ? `${option} needs a value, ${expected}; one that begins with a hyphen is written ${option}=${flag.value}`
    : `${option} needs a value: ${expected}`;
}
