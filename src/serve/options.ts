import type { KernelName, Width } from '../kernel/index.ts';
import { profileOfForm, type UrlForm } from '../url/index.ts';

export const FORMATS = ['frames', 'rowbinary'] as const;
/** Those of `frames` come in the order of their codes in its greeting. */
export const OUTPUTS = ['hash', 'u64', 'i64', 'canonical', 'expressions', 'profile'] as const;
export const PROFILES = ['url', 'web-risk', 'v5'] as const;
export const WIDTHS = ['8', '16', '32'] as const;

/** The profile's length has 16 bits in the greeting. */
const FRAMES_PROFILE_BYTES = 0xffff;

export type Format = (typeof FORMATS)[number];
export type OutputName = (typeof OUTPUTS)[number];
export type ProfileName = (typeof PROFILES)[number];

/** Ends the process with status 2: a wrong option, a request that cannot be answered, a Node that cannot hash. */
export class ServeError extends Error {}

/** The options on a command line; undefined if absent. */
export interface GivenOptions {
  readonly format: Format | undefined;
  readonly output: OutputName;
  readonly profile: ProfileName | undefined;
  readonly width: (typeof WIDTHS)[number] | undefined;
  readonly nullable: boolean;
  /** Undefined for the best that this host runs. */
  readonly kernel: KernelName | undefined;
  readonly form: UrlForm;
}

/** The options with their defaults. */
export interface ServeOptions extends Omit<GivenOptions, 'format' | 'profile' | 'width'> {
  readonly format: Format;
  readonly profile: ProfileName;
  readonly width: Width;
}

/** @throws {ServeError} on a missing format, and on options that exclude each other */
export function serveOptions({ format, output, profile, width, ...switches }: GivenOptions): ServeOptions {
  if (format === undefined) throw new ServeError(`--format is missing: ${FORMATS.join(' or ')}`);
  const options: ServeOptions = {
    format,
    output,
    profile: profile ?? (output === 'expressions' ? 'v5' : 'url'),
    width: widthOf(width, output),
    ...switches,
  };
  mustFit(options);
  return options;
}

function widthOf(width: GivenOptions['width'], output: OutputName): Width {
  if (width === undefined) return output === 'u64' || output === 'i64' ? 8 : 32;
  if (output === 'hash' || output === 'expressions') return Number(width) as Width;
  throw new ServeError(`--width needs --output hash or expressions, not ${output}`);
}

function mustFit({ format, output, profile, nullable, form }: ServeOptions): void {
  if (profile === 'url' && output === 'expressions')
    throw new ServeError('--output expressions needs --profile web-risk or v5, not url');
  if (profile !== 'url' && output !== 'canonical' && output !== 'expressions' && output !== 'profile')
    throw new ServeError(`--output ${output} needs --profile url, not ${profile}`);
  const { length } = profileOfForm(form);
  if (format === 'frames' && length > FRAMES_PROFILE_BYTES)
    throw new ServeError(
      `the profile has ${length} bytes, and the greeting of frames room for ${FRAMES_PROFILE_BYTES}`,
    );
  if (format === 'frames' && nullable)
    throw new ServeError('--nullable needs --format rowbinary: every answer in frames says which rows are valid');
  if (format === 'frames' && output === 'profile')
    throw new ServeError('--output profile needs --format rowbinary: frames carries the profile in its greeting');
  if (output === 'expressions' && nullable)
    throw new ServeError('--output expressions and --nullable cannot be combined: an invalid row has an empty list');
}
