import type { KernelName, Width } from '../../core/kernel/kernel.ts';
import type { UrlForm } from '../../core/url/options.ts';
import { profileOfForm } from '../../core/url/profile.ts';

export const FORMATS = ['frames', 'rowbinary'] as const;
export const PROFILES = ['url', 'web-risk', 'v5'] as const;
export const WIDTHS = ['8', '16', '32'] as const;

/** The profile's length has 16 bits in the greeting. */
const FRAMES_PROFILE_BYTES = 0xffff;

export type Format = (typeof FORMATS)[number];
export type ProfileName = (typeof PROFILES)[number];

/** What a row can become. */
export interface OutputRow {
  /** How the values are laid out: `width` bytes of a hash, a number, a text, a list of hashes. */
  readonly values: 'digest' | 'uint64' | 'int64' | 'text' | 'digests';
  /** Those that have it; the first is the default. */
  readonly profiles: readonly ProfileName[];
  /** Whether `frames` has it. */
  readonly isFramed: boolean;
  readonly help: string;
}

const URL_ONLY: readonly ProfileName[] = ['url'];

/** Every output, in the order of their codes in the greeting of `frames`; the package for Python is written from it. */
export const OUTPUTS = {
  hash: {
    values: 'digest',
    profiles: URL_ONLY,
    isFramed: true,
    help: 'the first bytes of the SHA-256 (default)',
  },
  u64: { values: 'uint64', profiles: URL_ONLY, isFramed: true, help: 'the first 8 as an unsigned integer' },
  i64: { values: 'int64', profiles: URL_ONLY, isFramed: true, help: 'the same as a signed integer' },
  canonical: { values: 'text', profiles: PROFILES, isFramed: true, help: 'the canonical form' },
  expressions: {
    values: 'digests',
    profiles: ['v5', 'web-risk'],
    isFramed: true,
    help: 'the hashes that Safe Browsing looks up',
  },
  profile: {
    values: 'text',
    profiles: PROFILES,
    isFramed: false,
    help: 'the name of the canonical form (rowbinary)',
  },
  reason: { values: 'text', profiles: PROFILES, isFramed: true, help: 'why it is not a URL, in a word' },
  host: { values: 'text', profiles: URL_ONLY, isFramed: true, help: 'the host' },
  site: { values: 'text', profiles: URL_ONLY, isFramed: true, help: 'the registrable domain' },
  surt: { values: 'text', profiles: URL_ONLY, isFramed: true, help: 'the Sort-friendly URI' },
} as const satisfies Readonly<Record<string, OutputRow>>;

export type OutputName = keyof typeof OUTPUTS;

/** Ends the process with status 2: a wrong option, a request that cannot be answered, a Node that cannot hash. */
export class ServeError extends Error {}

/** The options on a command line; undefined if absent. */
interface GivenOptions {
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
    profile: profile ?? OUTPUTS[output].profiles[0]!,
    width: widthOf(width, output),
    ...switches,
  };
  mustFitOutput(options);
  return options;
}

function widthOf(width: GivenOptions['width'], output: OutputName): Width {
  const { values } = OUTPUTS[output];
  if (width === undefined) return values === 'uint64' || values === 'int64' ? 8 : 32;
  if (values === 'digest' || values === 'digests') return Number(width) as Width;
  throw new ServeError(`--width needs --output hash or expressions, not ${output}`);
}

function mustFitOutput({ format, output, profile, nullable, form }: ServeOptions): void {
  const { profiles, isFramed }: OutputRow = OUTPUTS[output];
  if (!profiles.includes(profile))
    throw new ServeError(`--output ${output} needs --profile ${profiles.join(' or ')}, not ${profile}`);
  const { length } = profileOfForm(form);
  if (format === 'frames' && length > FRAMES_PROFILE_BYTES)
    throw new ServeError(
      `the profile has ${length} bytes, and the greeting of frames room for ${FRAMES_PROFILE_BYTES}`,
    );
  if (format === 'frames' && nullable)
    throw new ServeError('--nullable needs --format rowbinary: every answer in frames says which rows are valid');
  if (format === 'frames' && !isFramed)
    throw new ServeError(`--output ${output} needs --format rowbinary: frames carries it in its greeting`);
  if (output === 'expressions' && nullable)
    throw new ServeError('--output expressions and --nullable cannot be combined: an invalid row has an empty list');
}
