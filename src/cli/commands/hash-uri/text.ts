import { CodeRemoval } from '../../../hash-uri/rdf/code-removal.ts';
import { keyBytesOf } from '../../../hash-uri/rdf/files/memory.ts';
import type { RdfSource } from '../../../hash-uri/rdf/files/rdf-source.ts';
import { SpillingKeys } from '../../../hash-uri/rdf/files/spilling-keys.ts';
import { HashedText } from '../../../hash-uri/rdf/hashed-text.ts';
import type { SortedKeys } from '../../../hash-uri/rdf/key-table.ts';
import { OwnCode } from '../../../hash-uri/rdf/own-code.ts';
import { sortKey } from '../../../hash-uri/rdf/sort-key.ts';
import { InputError } from '../../input/inputs.ts';
import { StandardOutput } from '../../output/standard-output.ts';
import { text, toggle, type ValuesOf } from '../../terminal/flag.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { action } from '../command.ts';
import { firstLoneQuads, type LoneQuad } from './difference.ts';
import { troubleOf } from './files.ts';
import { codeOfName, mustBeRdf, RDF_FLAGS } from './rdf-flags.ts';

const FLAGS = {
  ...RDF_FLAGS,
  graph: text('IRI', 'only the quads of this graph'),
  code: text('CODE', 'the code of the quads; default: that in the name of FILE, or in the quads'),
  explain: toggle('print the first quad that only FILE has, and the first that only OTHER has'),
};

/** `urlsum hash-uri text`: what is hashed for modules RA and RB. */
export const TEXT = action({
  examples: [
    ['r1.RA….ttl | sha256sum', 'the digest in its code, in hex'],
    ['--explain mine.trig theirs.trig', 'how two files differ'],
  ],
  operands: 'FILE [OTHER]',
  about: [
    'Prints the text that modules RA and RB hash: graph, subject, predicate and object of each quad, in order, one ' +
      'per line, with a blank for the code.',
  ],
  flags: FLAGS,
  async run(values, paths, { diagnostics }) {
    if (paths.length !== (values.explain ? 2 : 1) || paths.includes('-'))
      throw new UsageError(`hash-uri text needs ${values.explain ? 'FILE and OTHER' : 'the name of one FILE'}`);
    const all = paths.map(() => new SpillingKeys(keyBytesOf(values.memory)));
    try {
      for (const [index, path] of paths.entries()) await addKeys(all[index]!, path, values);
      if (!values.explain) await writeText(all[0]!);
      else if (await writeDifference(paths, all)) diagnostics.failed();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      diagnostics.trouble(error);
    } finally {
      for (const keys of all) keys.close();
    }
  },
});

type Values = ValuesOf<typeof FLAGS>;

/** @throws {InputError} where the file cannot be read or hashed */
async function addKeys(keys: SpillingKeys, path: string, values: Values): Promise<void> {
  const { source } = mustBeRdf(path, values);
  try {
    const removal = new CodeRemoval(values.code ?? codeOfName(path) ?? (await ownCodeOf(source)));
    for await (const quads of source.quadBatches())
      for (const quad of quads)
        if (values.graph === undefined || quad.graph.value === values.graph) keys.add(sortKey(quad, removal, 1));
  } catch (error) {
    throw troubleOf(path, error);
  }
}

async function ownCodeOf(source: RdfSource): Promise<string> {
  const own = new OwnCode();
  for await (const quads of source.quadBatches()) for (const quad of quads) own.add(quad);
  return own.code;
}

async function writeText(keys: SortedKeys): Promise<void> {
  const output = new StandardOutput();
  const pieces: Uint8Array[] = [];
  const hashed = new HashedText((piece) => pieces.push(piece.slice()), 'code-points');
  for (const key of keys.sorted()) {
    hashed.add(key);
    if (pieces.length > 0) await output.write(Buffer.concat(pieces.splice(0)));
  }
  hashed.end();
  await output.write(Buffer.concat(pieces));
}

/** The first quad that each has alone, as a unified diff shows it; false where there is none. */
async function writeDifference(paths: readonly string[], all: readonly SortedKeys[]): Promise<boolean> {
  const [mine, theirs] = firstLoneQuads(all[0]!, all[1]!);
  if (mine === undefined && theirs === undefined) return false;
  const head = `--- ${paths[0]}\n+++ ${paths[1]}\n@@${numbered('-', mine)}${numbered('+', theirs)} @@\n`;
  await new StandardOutput().write(Buffer.from(head + marked('-', mine) + marked('+', theirs)));
  return true;
}

function numbered(mark: string, quad: LoneQuad | undefined): string {
  return quad === undefined ? '' : ` ${mark}${quad.number}`;
}

function marked(mark: string, quad: LoneQuad | undefined): string {
  return quad === undefined ? '' : `${quad.text.slice(0, -1).replaceAll(/^/gm, mark)}\n`;
}
