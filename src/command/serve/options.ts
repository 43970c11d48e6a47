import type { KernelName, Width } from '../../core/kernel/kernel.ts';
import type { UrlForm } from '../../core/url/options.ts';
import type { DefaultScheme } from '../../core/url/parser.ts';
import { profileOfForm } from '../../core/url/profile.ts';
import { OUTPUTS, type OutputName, type OutputRow, type ProfileName, type WIDTHS } from '../../tables/outputs.ts';
import { requestFault } from '../fault.ts';

export const FORMATS = ['frames', 'rowbinary'] as const;

/** The profile's length has 16 bits in the greeting. */
const FRAMES_PROFILE_BYTES = 0xffff;

export type Format = (typeof FORMATS)[number];

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
  readonly defaultScheme?: DefaultScheme | undefined;
}

/** The options with their defaults. */
export interface ServeOptions extends Omit<GivenOptions, 'format' | 'profile' | 'width'> {
  readonly format: Format;
  readonly profile: ProfileName;
  readonly width: Width;
}

/** @throws {Fault} on a missing format, and on options that exclude each other */
export function serveOptions({ format, output, profile, width, ...switches }: GivenOptions): ServeOptions {
  if (format === undefined) throw requestFault(`--format is missing: ${FORMATS.join(' or ')}`);
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
  throw requestFault(`--width needs --output hash or expressions, not ${output}`);
}

function mustFitOutput({ format, output, profile, nullable, form }: ServeOptions): void {
  const { profiles, isFramed }: OutputRow = OUTPUTS[output];
  if (!profiles.includes(profile))
    throw requestFault(`--output ${output} needs --profile ${profiles.join(' or ')}, not ${profile}`);
  const { length } = profileOfForm(form);
  if (format === 'frames' && length > FRAMES_PROFILE_BYTES)
    throw requestFault(`the profile has ${length} bytes, and the greeting of frames room for ${FRAMES_PROFILE_BYTES}`);
  if (format === 'frames' && nullable)
    throw requestFault('--nullable needs --format rowbinary: every answer in frames says which rows are valid');
  if (format === 'frames' && !isFramed)
    throw requestFault(`--output ${output} needs --format rowbinary: frames carries it in its greeting`);
  if (output === 'expressions' && nullable)
    throw requestFault('--output expressions and --nullable cannot be combined: an invalid row has an empty list');
}
