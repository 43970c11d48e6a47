import { basename } from 'node:path';
import { visible } from '../../../core/bytes/text.ts';
import { type Chunks, verdictOfStream } from '../../../specs/hash-uri/file-module.ts';
import { partsOf } from '../../../specs/hash-uri/hash-uri.ts';
import { RdfError } from '../../../specs/hash-uri/rdf/error.ts';
import { checkSource } from '../../../specs/hash-uri/rdf/files/file.ts';
import { checkNanopublications } from '../../../specs/hash-uri/rdf/files/nanopublications.ts';
import type { RdfVerdict } from '../../../specs/hash-uri/rdf/verify.ts';
import { hostSha256 } from '../../../specs/hash-uri/sha256.ts';
import type { Diagnostics } from '../../arguments/diagnostics.ts';
import { text, type ValuesOf } from '../../arguments/flag.ts';
import { usageFault } from '../../fault.ts';
import { action } from '../command.ts';
import { codeOfName, mustBeRdf, mustHaveNames, RDF_FLAGS, rdfIn, writeOfEach } from './files.ts';

const FLAGS = {
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
  flags: FLAGS,
  async run(values, paths, { diagnostics }) {
    if (values.uri === undefined) mustHaveNames('check', paths);
    else mustFitUri(values.uri, paths);
    await writeOfEach(paths, diagnostics, async (path, chunks) => {
      const checked = await checkedRdf(path, chunks, values, diagnostics);
      if (checked.some(({ result }) => result !== 'verified')) diagnostics.failed();
      return checked.map((each) => `${nameOf(path, each, checked.length)}: ${sentenceOf(each)}`).join('\n');
    });
  },
});

type Values = ValuesOf<typeof FLAGS>;

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

function nameOf(path: string, { uri }: Checked, count: number): string {
  return visible(count > 1 ? `${path} ${uri}` : path);
}

function sentenceOf({ result, order }: Checked): string {
  return VERDICTS[result] + (order === 'utf16' ? ' (sorted by UTF-16 units)' : '');
}

/** Reports RDF that cannot be hashed as a mismatch: it is not the content of any hash-URI. */
async function checkedRdf(path: string, chunks: Chunks, values: Values, diagnostics: Diagnostics): Promise<Checked[]> {
  try {
    return await verdictsOf(path, chunks, values);
  } catch (error) {
    if (!(error instanceof RdfError)) throw error;
    diagnostics.failed(`${path}: ${error.message}`);
    return [{ result: 'mismatch' }];
  }
}

/** Returns one verdict, or one for each nanopublication in a file. */
async function verdictsOf(path: string, chunks: Chunks, values: Values): Promise<Checked[]> {
  const { graph, memory, uri } = values;
  if (graph !== undefined)
    return [await checkSource(graph, mustBeRdf(path, values), { graph, order: 'utf16' }, memory)];
  if (uri !== undefined) {
    return ['RA', 'RB'].includes(partsOf(uri)!.identifier)
      ? [await checkSource(uri, mustBeRdf(path, values), { order: 'utf16' }, memory)]
      : [await verdictOfStream(uri, chunks, { sha256: hostSha256() })];
  }
  const source = rdfIn(path, values);
  const isRdf = source !== undefined && partsOf(basename(path))?.identifier !== 'FA';
  if (!isRdf) {
    const verdict = await verdictOfStream(path, chunks, { sha256: hostSha256() });
    if (verdict.result === 'not-a-hash-uri') for await (const _ of chunks) break; // throws where it cannot be read
    return [verdict];
  }
  if (codeOfName(path) !== undefined) return [await checkSource(basename(path), source, { order: 'utf16' }, memory)];
  const checked = await checkNanopublications(source, memory);
  return checked.length === 0 ? [{ result: 'not-a-hash-uri' }] : checked;
}
