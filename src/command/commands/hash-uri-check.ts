import { basename } from 'node:path';
import { visible } from '../../core/bytes/text.ts';
import { type Chunks, hostSha256, verdictOfStream } from '../../specs/hash-uri/file-module.ts';
import { partsOf } from '../../specs/hash-uri/hash-uri.ts';
import { RdfError } from '../../specs/hash-uri/rdf/failure.ts';
import { checkSource, type RdfSource } from '../../specs/hash-uri/rdf/file.ts';
import { checkNanopublications } from '../../specs/hash-uri/rdf/nanopublication.ts';
import type { RdfVerdict } from '../../specs/hash-uri/rdf/verify.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { text, type ValuesOf } from '../arguments/flag.ts';
import { usageFault } from '../fault.ts';
import { action } from './command.ts';
import { codeOfName, mustBeRdf, mustHaveNames, RDF_FLAGS, rdfIn, writeOfEach } from './hash-uri-files.ts';

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
