import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { textEncoder } from '../../core/bytes/text.ts';
import type { Column } from '../../core/digest/column.ts';
import type { KernelName, Width } from '../../core/kernel/kernel.ts';
import { preferKernel } from '../../core/kernel/open.ts';
import { quote } from '../../core/quote.ts';
import { FULL_FORM, type UrlForm } from '../../core/url/options.ts';
import type { DefaultScheme } from '../../core/url/parsed-url.ts';
import { groupKeyOf } from '../../specs/sites/site.ts';
import { readSome, writeWhole } from '../../store/files.ts';
import {
  OUTPUTS,
  type Output,
  type OutputName,
  type OutputRow,
  openOutput,
  PROFILES,
  type ProfileName,
  type Rows,
  WIDTHS,
} from '../../tables/outputs.ts';
import { choice, group, oneOf, parseArguments, parsed, toggle, type ValuesOf } from '../arguments/flag.ts';
import { DEFAULT_SCHEME, FLAGS_OF_FORM, formFlagOf, KERNEL, urlForm } from '../arguments/url-flags.ts';
import { action } from '../commands/command.ts';
import { requestFault, usageFault } from '../fault.ts';
import { serveRowBinary } from './row-binary.ts';

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

interface Vector {
  readonly given: string;
  readonly canonical: string;
  /** The first eight bytes of the SHA-256 of the canonical form, or of the first expression. */
  readonly hash: string;
}

const URLS = [
  'https://example.com/',
  'https://example.com',
  `https://example.com/${'0123456789'.repeat(6)}`,
  'http://0x7f.1/',
  'http://[2001:DB8::1]/',
  'HTTP://User@Example.COM:80/a/../b c?d=e',
  'https://bu\u0308cher.example/',
  'https://\u212b\u0323.\u1100\u1161.example/',
  'https://\u00fc@\u1e9e.example/\u00fc',
] as const;

/** Rows that are proven, rewritten and parsed; IPv4, IPv6, IDNA and NFC. */
const URL_VECTORS: readonly Vector[] = [
  { given: URLS[0], canonical: URLS[0], hash: '0f115db062b7c0dd' },
  { given: URLS[1], canonical: URLS[0], hash: '0f115db062b7c0dd' },
  { given: URLS[2], canonical: URLS[2], hash: 'ef3777ac4841f80b' },
  { given: URLS[3], canonical: 'http://127.0.0.1/', hash: 'd5541dbe8037a643' },
  { given: URLS[4], canonical: 'http://[2001:db8::1]/', hash: '4a784787d9a3b0ca' },
  { given: URLS[5], canonical: 'http://User@example.com/b%20c?d=e', hash: '1592db45d8730fd3' },
  { given: URLS[6], canonical: 'https://xn--bcher-kva.example/', hash: '7971a8be6267ce24' },
  { given: URLS[7], canonical: 'https://xn--usa932l.xn--o39a.example/', hash: 'a3e781975ac1804f' },
  { given: URLS[8], canonical: 'https://%C3%BC@xn--zca.example/%C3%BC', hash: '23e3dacdefebbfc2' },
];

/** Canonical forms and hashes under the profiles web-risk and v5. */
const SAFE_BROWSING_VECTORS: readonly Vector[] = [
  { given: URLS[0], canonical: URLS[0], hash: '73d986e009065f18' },
  { given: URLS[3], canonical: 'http://127.0.0.1/', hash: 'c9dd5cd9f6d07baf' },
  { given: URLS[5], canonical: 'http://example.com/b%20c?d=e', hash: '68b6070a2376b38e' },
  { given: URLS[6], canonical: 'https://xn--bcher-kva.example/', hash: '386dade969207c95' },
  { given: URLS[7], canonical: 'https://xn--usa932l.xn--o39a.example/', hash: 'e67e6209578f6d33' },
  { given: URLS[8], canonical: 'https://xn--zca.example/%C3%BC', hash: '6447a0abcec6cefb' },
];

/** Answers known rows. @throws {Fault} where one gives another value than it must */
export function selfTest({ name, profile, width, column }: Output): void {
  if (name === 'profile') return;
  const vectors = profile.startsWith('url') ? URL_VECTORS : SAFE_BROWSING_VECTORS;
  const answered = column(rowsOf(vectors.map(({ given }) => given)));
  for (const [row, { given, canonical, hash }] of vectors.entries()) {
    const bytes = valueAt(answered, row, width);
    const expected = expectedText(name, canonical) ?? hash;
    const value = expected === hash ? hexOfBytes(bytes, 0, 8) : String.fromCharCode(...bytes);
    if (value !== expected) throw requestFault(complaint(given, value, expected));
  }
}

/** Returns what an output of texts must give, which is '' for a row without a value; undefined for one of hashes. */
function expectedText(name: OutputName, canonical: string): string | undefined {
  if (name === 'host' || name === 'site' || name === 'surt') return groupKeyOf(name, canonical) ?? '';
  return { canonical, reason: '' }[name as string];
}

function rowsOf(texts: readonly string[]): Rows {
  const rows = texts.map((text) => textEncoder().encode(text));
  const offsets = new Uint32Array(rows.length + 1);
  for (const [row, { length }] of rows.entries()) offsets[row + 1] = offsets[row]! + length;
  return { bytes: concatBytes(rows), offsets };
}

function valueAt({ bytes, offsets }: Column, row: number, width: number): Uint8Array {
  return offsets === undefined
    ? bytes.subarray(row * width, (row + 1) * width)
    : bytes.subarray(offsets[row]! * width, offsets[row + 1]! * width);
}

function complaint(given: string, value: string, expected: string): string {
  const host = `${process.version} for ${process.platform}-${process.arch}`;
  const [made, wanted] = [JSON.stringify(value), JSON.stringify(expected)];
  return `the self-test failed: this Node (${host}) makes ${made} of ${quote(given)}, not ${wanted}`;
}
