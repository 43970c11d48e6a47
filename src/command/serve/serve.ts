import type { KernelName, Width } from '../../core/kernel/kernel.ts';
import { preferKernel } from '../../core/kernel/open.ts';
import { FULL_FORM, type UrlForm } from '../../core/url/options.ts';
import type { DefaultScheme } from '../../core/url/parsed-url.ts';
import { readSome, writeWhole } from '../../store/files.ts';
import {
  OUTPUTS,
  type Output,
  type OutputName,
  type OutputRow,
  openOutput,
  PROFILES,
  type ProfileName,
  WIDTHS,
} from '../../tables/outputs.ts';
import { choice, group, oneOf, parseArguments, parsed, toggle, type ValuesOf } from '../arguments/flag.ts';
import { DEFAULT_SCHEME, FLAGS_OF_FORM, formFlagOf, KERNEL, urlForm } from '../arguments/url-flags.ts';
import { action } from '../commands/command.ts';
import { usageFault } from '../fault.ts';
import { serveRowBinary } from './row-binary.ts';
import { selfTest } from './self-test.ts';

const FLAGS = {
  output: choice(
    'OUTPUT',
    Object.fromEntries(Object.entries(OUTPUTS).map(([name, { help }]) => [name, help])) as Record<OutputName, string>,
    'hash',
    'what to answer for each row:',
  ),
  profile: choice(
    'PROFILE',
    PROFILES,
    undefined,
    'specification: url (default), web-risk, or v5 (default for expressions)',
  ),
  width: parsed('BYTES', 'bytes of each SHA-256 to keep: 8, 16 or 32 (default)', undefined, (text, option) =>
    oneOf(option, text, WIDTHS),
  ),
  nullable: toggle('values are Nullable on both sides'),
  ...group('Run', { kernel: KERNEL }),
  defaultScheme: DEFAULT_SCHEME,
  ...FLAGS_OF_FORM,
};

/** `urlsum serve`: answers the queries of engines until its input ends. */
export const SERVE = action({
  examples: [['--output canonical --nullable', 'for a function of ClickHouse']],
  operands: '',
  about: [
    "Reads ClickHouse's chunks in RowBinary from standard input, answers each on standard output, and runs until its " +
      'input ends. A bad request ends it with exit status 2. docs/serve.md describes the protocol.',
  ],
  flags: FLAGS,
  async run(values, operands) {
    serve(optionsOf(values, operands));
  },
});

/** The options on a command line, with their defaults. */
export interface ServeOptions {
  readonly output: OutputName;
  readonly profile: ProfileName;
  readonly width: Width;
  readonly nullable: boolean;
  /** Undefined for the best that this host runs. */
  readonly kernel: KernelName | undefined;
  readonly form: UrlForm;
  readonly defaultScheme: DefaultScheme | undefined;
}

/** Returns the options of a command line without the command's name. @throws {Fault} on a wrong one */
export function optionsOfArguments(args: readonly string[]): ServeOptions {
  const { values, operands } = parseArguments(FLAGS, args);
  return optionsOf(values, operands);
}

function optionsOf(values: ValuesOf<typeof FLAGS>, [operand]: readonly string[]): ServeOptions {
  if (operand !== undefined) throw usageFault(`serve reads only standard input, not '${operand}'`);
  const { output, nullable, kernel, defaultScheme } = values;
  const form = urlForm(values, false);
  const { profile = OUTPUTS[output].profiles[0]! } = values;
  const width = widthOf(values.width, output);
  const options = { output, profile, width, nullable, kernel, form, defaultScheme };
  mustFitOutput(options);
  const formFlag = formFlagOf(form);
  if (formFlag === undefined || profile === 'url') return options;
  throw usageFault(`${formFlag} needs --profile url`);
}

function widthOf(width: (typeof WIDTHS)[number] | undefined, output: OutputName): Width {
  const { values } = OUTPUTS[output];
  if (width === undefined) return values === 'uint64' || values === 'int64' ? 8 : 32;
  if (values === 'digest' || values === 'digests') return Number(width) as Width;
  throw usageFault(`--width needs --output hash or expressions, not ${output}`);
}

/** @throws {Fault} on options that exclude each other */
function mustFitOutput({ output, profile, nullable }: ServeOptions): void {
  const { profiles }: OutputRow = OUTPUTS[output];
  if (!profiles.includes(profile))
    throw usageFault(`--output ${output} needs --profile ${profiles.join(' or ')}, not ${profile}`);
  if (output === 'expressions' && nullable)
    throw usageFault('--output expressions and --nullable cannot be combined: an invalid row has an empty list');
}

/**
 * Answers requests on standard input until it ends. Ends quietly if the parent no longer reads.
 *
 * @throws {Fault} on a request that cannot be answered, and where this Node does not hash as it must
 */
export function serve(options: ServeOptions): void {
  if (options.kernel !== undefined) preferKernel(options.kernel);
  const output = testedOutput(options);
  // at once, not later: nothing else happens until a request is complete
  const read = (into: Uint8Array) => readSome(STANDARD_INPUT, into);
  const write = (bytes: Uint8Array) => writeWhole(STANDARD_OUTPUT, bytes);
  try {
    serveRowBinary(read, write, output, options.nullable);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function testedOutput(options: ServeOptions): Output {
  // without the options of the form, which may change what is tested
  selfTest(openOutput({ ...options, form: FULL_FORM }));
  return openOutput(options);
}

const STANDARD_INPUT = 0;
const STANDARD_OUTPUT = 1;
