import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Writer } from 'n3';
import { hostSha256, makeFromStream } from '../../specs/hash-uri/file-module.ts';
import { fileNameOf } from '../../specs/hash-uri/hash-uri.ts';
import { type MadeSource, makeFromSource } from '../../specs/hash-uri/rdf/file.ts';
import { isIriCharacter } from '../../specs/hash-uri/rdf/iri.ts';
import { NANOPUB, type Settings } from '../../specs/hash-uri/rdf/make.ts';
import type { RdfFormat } from '../../specs/hash-uri/rdf/parse-rdf.ts';
import type { Quad } from '../../specs/hash-uri/rdf/rdf-js.ts';
import { choice, group, parsed, text, toggle, type ValuesOf } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import { isUrl, isUrlOperand } from '../read/inputs.ts';
import { writeWholeFile } from '../write/output.ts';
import { action } from './command.ts';
import { mustBeRdf, mustHaveNames, RDF_FLAGS, rdfIn, writeOfEach } from './hash-uri-files.ts';

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
