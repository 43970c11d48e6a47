import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Width } from '../../kernel/kernel.ts';
import { UsageError } from './usage.ts';

export const ON_ERROR = ['null', 'keep', 'skip', 'fail'] as const;
export type OnError = (typeof ON_ERROR)[number];

type Options = NonNullable<ParseArgsConfig['options']>;

/** node:util's parseArgs, with its complaints as usage errors. */
export function parseOptions<const T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message.split('. ')[0]);
    throw error;
  }
}

/** The value of an option that must be one of `choices`. */
export function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not '${value}'`);
  return choice;
}

export function widthOf(value: string): Width {
  return Number(oneOf('width', value, ['8', '16', '32'])) as Width;
}
