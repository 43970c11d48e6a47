import { OUTPUTS, type OutputName, WIDTHS } from '../../tables/outputs.ts';
import { choice, oneOf, parseArguments, parsed, toggle, type ValuesOf } from '../arguments/flag.ts';
import { Fault, usageFault, usageFaultsFrom } from '../fault.ts';
import { type ServeOptions, serve, serveOptions } from '../serve/serve.ts';
import { action } from './command.ts';
import { RUN_FLAGS } from './line-flags.ts';
import { DEFAULT_SCHEME_FLAG, FLAGS_OF_FORM, formFlagOf, urlForm } from './url-flags.ts';

const FLAGS = {
  format: choice(
    'FORMAT',
    {
      frames: "Arrow's buffers, each request with its row count and byte count",
      rowbinary: "ClickHouse's chunks in RowBinary",
    },
    undefined,
    'protocol:',
  ),
  output: choice(
    'OUTPUT',
    Object.fromEntries(Object.entries(OUTPUTS).map(([name, { help }]) => [name, help])) as Record<OutputName, string>,
    'hash',
    'what to answer for each row:',
  ),
  profile: choice(
    'PROFILE',
    ['url', 'web-risk', 'v5'],
    undefined,
    'specification: url (default), web-risk, or v5 (default for expressions)',
  ),
  width: parsed('BYTES', 'bytes of each SHA-256 to keep: 8, 16 or 32 (default)', undefined, (text, option) =>
    oneOf(option, text, WIDTHS),
  ),
  nullable: toggle('values are Nullable on both sides (rowbinary)'),
  kernel: RUN_FLAGS.kernel,
  ...DEFAULT_SCHEME_FLAG,
  ...FLAGS_OF_FORM,
};

/** `urlsum serve`: answers the queries of engines until its input ends. */
export const SERVE = action({
  examples: [
    ['--format frames', "for Arrow's string columns"],
    ['--format rowbinary --nullable', 'for a function of ClickHouse'],
  ],
  operands: '',
  about: [
    'Reads requests from standard input, answers each on standard output, and runs until its input ends.',
    'A bad request ends it with exit status 2. docs/serve.md describes both formats.',
  ],
  flags: FLAGS,
  async run(values, operands) {
    serve(optionsOf(values, operands), optionsOfArguments);
  },
});

/** Returns the options of a command line without the command's name. @throws {Fault} on a wrong one */
export function optionsOfArguments(args: readonly string[]): ServeOptions {
  const { values, operands } = parseArguments(FLAGS, args);
  return optionsOf(values, operands);
}

function optionsOf(values: ValuesOf<typeof FLAGS>, [operand]: readonly string[]): ServeOptions {
  if (operand !== undefined) throw usageFault(`serve reads only standard input, not '${operand}'`);
  const { format, output, profile, width, nullable, kernel, defaultScheme } = values;
  const form = urlForm(values, false);
  const options = usageFaultsFrom(Fault, () =>
    serveOptions({ format, output, profile, width, nullable, kernel, form, defaultScheme }),
  );
  const formFlag = formFlagOf(form);
  if (formFlag === undefined || options.profile === 'url') return options;
  throw usageFault(`${formFlag} needs --profile url`);
}
