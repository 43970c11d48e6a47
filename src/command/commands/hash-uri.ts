import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Writer } from 'n3';
import { decodeLine, visible } from '../../core/bytes/text.ts';
import { HashUriError } from '../../specs/hash-uri/failure.ts';
import { type Chunks, hostSha256, makeFromStream, verdictOfStream } from '../../specs/hash-uri/file-module.ts';
import { fileNameOf, findCodes, partsOf } from '../../specs/hash-uri/hash-uri.ts';
import { RdfError } from '../../specs/hash-uri/rdf/failure.ts';
import { checkSource, type MadeSource, makeFromSource, RdfSource } from '../../specs/hash-uri/rdf/file.ts';
import { isIriCharacter } from '../../specs/hash-uri/rdf/iri.ts';
import { DEFAULT_KEY_BYTES } from '../../specs/hash-uri/rdf/keys.ts';
import { NANOPUB, type Settings } from '../../specs/hash-uri/rdf/make.ts';
import { checkNanopublications } from '../../specs/hash-uri/rdf/nanopublication.ts';
import { formatOfName, type RdfFormat } from '../../specs/hash-uri/rdf/parse-rdf.ts';
import type { Quad } from '../../specs/hash-uri/rdf/rdf-js.ts';
import type { RdfVerdict } from '../../specs/hash-uri/rdf/verify.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { choice, group, parsed, text, toggle, type ValuesOf } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
import { type Fault, isFault, usageFault } from '../fault.ts';
import { addedName } from '../read/framing.ts';
import { inputText } from '../read/input-text.ts';
import { fileChunks, inputFault, isUrl, isUrlOperand } from '../read/inputs.ts';
import { addTo } from '../work/results.ts';
import { type Form, LINES, openTextFormat, textStage } from '../work/texts.ts';
import { StandardOutput, writeWholeFile } from '../write/output.ts';
import { action, lineCommand } from './command.ts';
import { ALL_LINE_FLAGS, COMPLAINT_FLAGS, linePlan, ORIGIN_FLAGS, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';

/** Options for reading RDF; files packed with gzip or zstd are unpacked. */
export const RDF_FLAGS = group('RDF', {
  format: choice(
    'FORMAT',
    ['nquads', 'ntriples', 'trig', 'turtle'],
    undefined,
    'the format, if the name of the file does not end in .nq, .nt, .trig or .ttl',
  ),
  memory: parsed('SIZE', 'memory for sorting RDF, as 64M or 2G; default 256M', DEFAULT_KEY_BYTES, NUMBER.bytes),
});

const MAKE_FLAGS = {
  module: choice(
    'MODULE',
    { FA: 'the bytes of a file', RA: 'RDF: quads of any graphs', RB: 'RDF: the quads of the graph that is named' },
    undefined,
    'what is hashed: FA (default), RA or RB',
  ),
  ...RDF_FLAGS,
  ...group('RDF', {
    nanopub: toggle('put the characters of nanopublications around the code: --chars _///'),
    chars: parsed(
      'CHARS',
      'characters before blank nodes, the code, a suffix, a second one; default _.#.',
      undefined,
      charsOf,
      { without: ['nanopub'] },
    ),
    graph: text('IRI', 'RB: the graph to name by the hash-URI, if it is not BASE'),
    out: text('DIR', 'write the quads with the code in them to DIR/NAME.CODE.EXTENSION', { short: 'o', isPath: true }),
  }),
};

/** `urlsum hash-uri make`: the hash-URI of one file. */
export const MAKE = action({
  examples: [
    ['https://example.com/r1 r1.txt', 'https://example.com/r1.FA…'],
    ["'' - < r1.txt", 'the code alone, of standard input'],
    ['--module RA https://example.com/r1 r1.ttl', 'hash the quads of RDF'],
  ],
  operands: 'BASE FILE',
  about: [
    'Prints the hash-URI of FILE: BASE, a dot if it needs one, and the code (module FA: the SHA-256 of the bytes).',
    'Modules RA and RB hash RDF in any format and order. IRIs that begin with BASE get the code; so do blank nodes, ' +
      'numbered in order of appearance.',
  ],
  flags: MAKE_FLAGS,
  async run(values, [base, path, ...rest], { diagnostics }) {
    if (base === undefined || path === undefined || rest.length > 0)
      throw usageFault('hash-uri make needs BASE and FILE');
    mustBeInOrder(base, path);
    mustFitModule(values, path);
    const { module = 'FA' } = values;
    if (values.module === undefined && rdfIn(path, values) !== undefined) await diagnostics.tell([BYTES_NOTE]);
    await writeOfEach([path], diagnostics, (_path, chunks) =>
      module === 'FA' ? makeFromStream(base, chunks, { sha256: hostSha256() }) : makeOfRdf(base, path, values),
    );
  },
});

type MakeValues = ValuesOf<typeof MAKE_FLAGS>;

const BYTES_NOTE = 'module FA: the code is that of the bytes of the file; --module RA hashes the RDF in it';

/** Swapped operands would give the hash-URI of the wrong bytes. @throws {Fault} */
function mustBeInOrder(base: string, path: string): void {
  if (isUrlOperand(path)) throw usageFault(`'${path}' is a URL where FILE is expected: BASE comes before FILE`);
  if (base !== '' && !isUrl(base) && existsSync(base))
    throw usageFault(`'${base}' is a file where BASE is expected: BASE, a URI, comes before FILE`);
}

function mustFitModule({ module = 'FA', nanopub, chars, graph, out }: MakeValues, path: string): void {
  const given = { '--nanopub': nanopub || undefined, '--chars': chars, '--graph': graph, '--out': out };
  const [rdfFlag] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (module === 'FA' && rdfFlag !== undefined) throw usageFault(`${rdfFlag} needs --module RA or RB`);
  if (module === 'RA' && graph !== undefined) throw usageFault('--graph needs --module RB: RA hashes all graphs');
  if (out !== undefined && path === '-') throw usageFault('--out reads FILE twice, so FILE cannot be standard input');
}

/** @throws {Fault} */
function charsOf(value: string, option: string): Settings {
  const [bnodeChar, preAcChar, postAcChar, postAcFallbackChar] = value;
  if (value.length !== 4 || !/^[!-~]{4}$/.test(value) || ![...value].every(isIriCharacter) || /\w|-/.test(preAcChar!))
    throw usageFault(
      `${option} must be four characters of an IRI such as _.#., the second not from Base64, not '${value}'`,
    );
  return { bnodeChar, preAcChar, postAcChar, postAcFallbackChar } as Settings;
}

async function makeOfRdf(base: string, path: string, values: MakeValues): Promise<string> {
  const { module, nanopub, chars, graph, out, memory } = values;
  const source = mustBeRdf(path, values);
  const { format } = source;
  const settings = nanopub ? NANOPUB : (chars ?? {});
  const options = { module: module as 'RA' | 'RB', settings, ...(graph === undefined ? {} : { graph }) };
  const made = await makeFromSource(base, source, options, memory);
  if (out === undefined) return made.uri;
  const isPacked = path.endsWith('.gz');
  const text = textOf(made, format);
  // an error in either stream is thrown by the iteration of the last one
  const pieces = isPacked ? pipeline(Readable.from(text), createGzip(), () => undefined) : text;
  await writeWholeFile(join(out, fileName(base, made.code, format, isPacked)), pieces);
  return made.uri;
}

const EXTENSIONS: Readonly<Record<RdfFormat, string>> = { nquads: 'nq', ntriples: 'nt', trig: 'trig', turtle: 'ttl' };

/** Names a file as the trusty URI tools do: by the end of the base, the code and the extension. */
function fileName(base: string, code: string, format: RdfFormat, isPacked: boolean): string {
  const name = base.split(/[^A-Za-z0-9._-]/).at(-1);
  return `${name === '' ? '' : `${name}.`}${code}.${EXTENSIONS[format]}${isPacked ? '.gz' : ''}`;
}

/** UTF-16 units written at a time. */
const PIECE_LENGTH = 1 << 16;

async function* textOf(made: MadeSource, format: RdfFormat): AsyncGenerator<Uint8Array> {
  let text = '';
  const output = { write: (piece: string) => void (text += piece), end: () => undefined };
  const writer = new Writer<Quad>(output, { format, prefixes: made.prefixes });
  for await (const quad of made.quads()) {
    writer.addQuad(quad);
    if (text.length < PIECE_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
  }
  writer.end();
  yield Buffer.from(text);
}

/** `urlsum hash-uri name`: the name of each file with its code in it. */
export const NAME = action({
  examples: [['report.pdf', 'report.FA….pdf']],
  operands: 'FILE…',
  about: ['Prints the name of each file with its code before the last extension. It does not rename files.'],
  flags: {},
  async run(_values, paths, { diagnostics }) {
    mustHaveNames('name', paths);
    await writeOfEach(paths, diagnostics, async (path, chunks) =>
      fileNameOf(path, await makeFromStream('', chunks, { sha256: hostSha256() })),
    );
  },
});

const CHECK_FLAGS = {
  ...RDF_FLAGS,
  uri: text('URI', 'check one file, or - for standard input, by this hash-URI and not by its name'),
  graph: text('IRI', 'check only this graph, whose name is a hash-URI of module RB'),
};

/** `urlsum hash-uri check`: whether each file is the content of the hash-URI its name ends in. */
export const CHECK_FILES = action({
  examples: [
    ['*.FA*', 'OK or FAILED for each file'],
    ['np.trig', 'by the codes of the nanopublications in it'],
    ['--uri URI download', 'a file of any name'],
  ],
  operands: 'FILE…',
  about: [
    'Prints OK if the content of FILE fits the code in its name. Exit status: 0, all files verify; 1, some do not.',
    'If the name of an RDF file has no code, it checks the nanopublications in the file. If a code fits only the order ' +
      'in which Java sorts, by UTF-16 units, the file is OK and the output says so.',
  ],
  flags: CHECK_FLAGS,
  async run(values, paths, { diagnostics }) {
    if (values.uri === undefined) mustHaveNames('check', paths);
    else mustFitUri(values.uri, paths);
    await writeOfEach(paths, diagnostics, async (path, chunks) => {
      const checked = await checkedRdf(path, chunks, values, diagnostics);
      if (checked.some(({ result }) => result !== 'verified')) diagnostics.failed();
      const nameOf = ({ uri }: Checked) => visible(checked.length > 1 ? `${path} ${uri}` : path);
      return checked.map((each) => `${nameOf(each)}: ${verdictText(each)}`).join('\n');
    });
  },
});

type CheckValues = ValuesOf<typeof CHECK_FLAGS>;

/** @throws {Fault} where `--uri` is not a hash-URI, or there is not one file */
function mustFitUri(uri: string, paths: readonly string[]): void {
  if (partsOf(uri) === undefined) throw usageFault(`--uri is not a hash-URI: '${uri}'`);
  if (paths.length !== 1) throw usageFault(`--uri needs one file, or - for standard input, not ${paths.length}`);
}

interface Checked extends RdfVerdict {
  /** The hash-URI that was checked, where a file has several. */
  readonly uri?: string;
}

const VERDICTS = {
  verified: 'OK',
  mismatch: 'FAILED',
  unsupported: 'UNSUPPORTED',
  'not-a-hash-uri': 'NO HASH-URI',
} as const;

function verdictText({ result, order }: Checked): string {
  return VERDICTS[result] + (order === 'utf16' ? ' (sorted by UTF-16 units)' : '');
}

/** Reports RDF that cannot be hashed as a mismatch: it is not the content of any hash-URI. */
async function checkedRdf(
  path: string,
  chunks: Chunks,
  values: CheckValues,
  diagnostics: Diagnostics,
): Promise<Checked[]> {
  try {
    return await verdictsOf(path, chunks, values);
  } catch (error) {
    if (!(error instanceof RdfError)) throw error;
    diagnostics.failed(`${path}: ${error.message}`);
    return [{ result: 'mismatch' }];
  }
}

/** Returns one verdict, or one for each nanopublication in a file. */
async function verdictsOf(path: string, chunks: Chunks, values: CheckValues): Promise<Checked[]> {
  const { graph, memory, uri } = values;
  const check = (name: string, source: RdfSource) => checkSource(name, source, { graph, order: 'utf16' }, memory);
  if (graph !== undefined) return [await check(graph, mustBeRdf(path, values))];
  const { identifier = '' } = partsOf(uri ?? basename(path)) ?? {};
  if (uri !== undefined && ['RA', 'RB'].includes(identifier)) return [await check(uri, mustBeRdf(path, values))];
  const source = uri === undefined && identifier !== 'FA' ? rdfIn(path, values) : undefined;
  if (source === undefined) {
    const verdict = await verdictOfStream(uri ?? path, chunks, { sha256: hostSha256() });
    if (verdict.result === 'not-a-hash-uri') for await (const _ of chunks) break; // throws where it cannot be read
    return [verdict];
  }
  if (codeOfName(path) !== undefined) return [await check(basename(path), source)];
  const checked = await checkNanopublications(source, memory);
  return checked.length === 0 ? [{ result: 'not-a-hash-uri' }] : checked;
}

/** `urlsum hash-uri find`: each code in each line, with the line. */
export const FIND = lineCommand({
  examples: [
    ['page.html', 'each code, two spaces, its line'],
    ['-f text posts.csv', 'add a column with the codes'],
  ],
  operands: '[FILE…]',
  about: ['Prints each code of a hash-URI in each line, before the line. It exits with 1 if it finds none.'],
  flags: { ...ROW_FLAGS, ...ORIGIN_FLAGS, ...COMPLAINT_FLAGS, ...RUN_FLAGS },
  async plan(values, inputs) {
    const lines = await linePlan(values, inputs, { isText: true, added: [addedName('codes')] });
    const isTable = lines.records !== undefined;
    const lineEnd = String.fromCharCode(lines.lineEnd);
    const codesIn: Form = (value, counts) => {
      const line = decodeLine(value);
      const codes = findCodes(line).map(({ code }) => code);
      addTo(counts, 'codes', codes.length);
      return isTable ? codes.join(' ') : codes.map((code) => `${code}  ${line}${lineEnd}`).join('');
    };
    return {
      ...lines,
      stage: textStage(codesIn),
      openFormat: () => (isTable ? openTextFormat(lines) : LINES),
      conclude({ codes = 0 }, diagnostics) {
        if (codes === 0) diagnostics.failed();
      },
    };
  },
});

/** `urlsum hash-uri parse`: the parts of each line as JSON, or null where the line is not a hash-URI. */
export const PARSE = lineCommand({
  examples: [
    ['uris.txt', 'a JSON object for each line, or null'],
    ['--on-error skip uris.txt', 'only for lines that are hash-URIs'],
  ],
  operands: '[FILE…]',
  about: ['Prints the parts of each hash-URI as JSON: uri, identifier, type, version, data, hash, extension.'],
  flags: { ...ALL_LINE_FLAGS, ...ORIGIN_FLAGS },
  async plan(values, inputs) {
    const lines = await linePlan(values, inputs, { added: [addedName('hash-uri')] });
    return { ...lines, stage: textStage(partsForm), openFormat: () => openTextFormat(lines, 'null') };
  },
});

const partsForm: Form = (value) => {
  const line = decodeLine(value);
  const parts = partsOf(line);
  return parts === undefined ? new HashUriError('hash-URI', line, 'not-a-hash-uri') : JSON.stringify(parts);
};

/** Writes one line about each file. An unreadable file is reported, and the others are still read. */
async function writeOfEach(
  paths: readonly string[],
  diagnostics: Diagnostics,
  lineOf: (path: string, chunks: Chunks) => Promise<string>,
): Promise<void> {
  const output = new StandardOutput();
  for (const path of paths) {
    try {
      const line = await lineOf(path, fileChunks(path));
      await output.write(Buffer.from(`${line}\n`));
    } catch (error) {
      diagnostics.trouble(troubleOf(path, error).message);
    }
  }
}

/** Turns an error into the reason why a file could not be read. @throws errors that have another cause */
export function troubleOf(path: string, error: unknown): Fault {
  if (isFault(error, 'output') || isFault(error, 'usage')) throw error;
  return inputFault({ name: path }, error);
}

/** Refuses calls without the names of files: standard input has none. @throws {Fault} */
function mustHaveNames(action: string, paths: readonly string[]): void {
  if (paths.length === 0 || paths.includes('-')) throw usageFault(`hash-uri ${action} needs the names of files`);
}

/** Returns undefined where neither the name of the file nor a flag gives the format. */
function rdfIn(path: string, { format = formatOfName(path) }: RdfValues): RdfSource | undefined {
  return format === undefined ? undefined : new RdfSource(() => inputText(fileChunks(path)), format);
}

/** @throws {Fault} where neither the name of the file nor a flag gives the format */
export function mustBeRdf(path: string, values: RdfValues): RdfSource {
  const source = rdfIn(path, values);
  if (source !== undefined) return source;
  throw usageFault(`the name of '${path}' does not tell its RDF format: pass --format`);
}

/** Returns the RA or RB code in the name of a file. */
export function codeOfName(path: string): string | undefined {
  const { identifier, data } = partsOf(basename(path)) ?? { identifier: '', data: '' };
  return (identifier === 'RA' || identifier === 'RB') && data.length === DATA_LENGTH ? identifier + data : undefined;
}

const DATA_LENGTH = 43;

type RdfValues = Pick<ValuesOf<typeof RDF_FLAGS>, 'format'>;
