import { parseArgs } from 'node:util';
import type { Width } from '../kernel/kernel.ts';
import { ServeError } from './error.ts';

const FORMATS = ['frames', 'rowbinary'] as const;
/** In the order of the codes in the greeting of `frames`. */
export const OUTPUTS = ['hash', 'u64', 'i64', 'canonical', 'expressions', 'profile'] as const;
const PROFILES = ['url', 'web-risk', 'v5'] as const;

export type OutputName = (typeof OUTPUTS)[number];

export interface ServeOptions {
  readonly format: (typeof FORMATS)[number];
  readonly output: OutputName;
  readonly profile: (typeof PROFILES)[number];
  readonly width: Width;
  readonly nullable: boolean;
  readonly excludeFragment: boolean;
}

const FLAGS = {
  format: { type: 'string' },
  output: { type: 'string', default: 'hash' },
  profile: { type: 'string' },
  width: { type: 'string' },
  nullable: { type: 'boolean', default: false },
  'exclude-fragment': { type: 'boolean', default: false },
} as const;

/** @throws {ServeError} on an unknown option, a wrong value, or options that exclude each other */
export function serveOptions(args: readonly string[]): ServeOptions {
  const { format, output: outputName, profile, width, nullable, 'exclude-fragment': excludeFragment } = parsed(args);
  if (format === undefined) throw new ServeError(`--format is missing: ${FORMATS.join(' or ')}`);
  const output = oneOf('output', outputName, OUTPUTS);
  const options: ServeOptions = {
    format: oneOf('format', format, FORMATS),
    output,
    profile: oneOf('profile', profile ?? (output === 'expressions' ? 'v5' : 'url'), PROFILES),
    width: widthOf(width, output),
    nullable,
    excludeFragment,
  };
  mustFit(options);
  return options;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new ServeError(error.message.split('. ')[0]);
    throw error;
  }
}

function widthOf(value: string | undefined, output: OutputName): Width {
  if (value === undefined) return output === 'u64' || output === 'i64' ? 8 : 32;
  if (output === 'hash' || output === 'expressions') return Number(oneOf('width', value, ['8', '16', '32'])) as Width;
  throw new ServeError(`--width goes with --output hash or expressions, not ${output}`);
}

function mustFit({ format, output, profile, nullable, excludeFragment }: ServeOptions): void {
  if (profile === 'url' && output === 'expressions')
    throw new ServeError('--output expressions goes with --profile web-risk or v5, not url');
  if (profile !== 'url' && output !== 'canonical' && output !== 'expressions' && output !== 'profile')
    throw new ServeError(`--output ${output} goes with --profile url, not ${profile}`);
  if (profile !== 'url' && excludeFragment) throw new ServeError('--exclude-fragment goes with --profile url');
  if (format === 'frames' && nullable)
    throw new ServeError('--nullable goes with --format rowbinary: every answer in frames says which rows are valid');
  if (format === 'frames' && output === 'profile')
    throw new ServeError('--output profile goes with --format rowbinary: frames carries the profile in its greeting');
  if (output === 'expressions' && nullable)
    throw new ServeError('--output expressions excludes --nullable: an invalid row has an empty list');
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new ServeError(`--${name} must be one of ${choices.join(', ')}, not '${value}'`);
  return choice;
}
