import { compareBytes } from '../../core/bytes/order.ts';
import { keysOfSource } from '../../specs/hash-uri/rdf/file.ts';
import type { Key, Keys } from '../../specs/hash-uri/rdf/keys.ts';
import { hashedPieces } from '../../specs/hash-uri/rdf/sort-key.ts';
import { text, toggle, type ValuesOf } from '../arguments/flag.ts';
import { isFault, usageFault } from '../fault.ts';
import { print, StandardOutput } from '../write/output.ts';
import { action } from './command.ts';
import { codeOfName, mustBeRdf, RDF_FLAGS, troubleOf } from './hash-uri-files.ts';

const FLAGS = {
  ...RDF_FLAGS,
  graph: text('IRI', 'only the quads of this graph'),
  code: text('CODE', 'the code of the quads; default: that in the name of FILE, or in the quads'),
  explain: toggle('print the first quad that only FILE has, and the first that only OTHER has'),
};

/** `urlsum hash-uri text`: the text that is hashed for modules RA and RB. */
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
      throw usageFault(`hash-uri text needs ${values.explain ? 'FILE and OTHER' : 'the name of one FILE'}`);
    const all: Keys[] = [];
    try {
      for (const path of paths) all.push(await keysOf(path, values));
      if (!values.explain) await writeText(all[0]!);
      else if (await writeDifference(paths, all)) diagnostics.failed();
    } catch (error) {
      if (!isFault(error, 'input')) throw error;
      diagnostics.trouble(error.message);
    } finally {
      for (const keys of all) keys.close();
    }
  },
});

type Values = ValuesOf<typeof FLAGS>;

/** @throws {Fault} where the file cannot be read or hashed */
async function keysOf(path: string, values: Values): Promise<Keys> {
  const source = mustBeRdf(path, values);
  const { code = codeOfName(path), graph, memory } = values;
  try {
    return await keysOfSource(source, { code, graph }, memory);
  } catch (error) {
    throw troubleOf(path, error);
  }
}

async function writeText(keys: Keys): Promise<void> {
  const output = new StandardOutput();
  for (const piece of hashedPieces(keys.sorted())) await output.write(piece);
}

/** Writes the first quad that only one side has, for each side, as a unified diff; returns false if there is none. */
async function writeDifference(paths: readonly string[], all: readonly Keys[]): Promise<boolean> {
  const [mine, theirs] = firstLoneQuads(all[0]!, all[1]!);
  if (mine === undefined && theirs === undefined) return false;
  const head = `--- ${paths[0]}\n+++ ${paths[1]}\n@@${numbered('-', mine)}${numbered('+', theirs)} @@\n`;
  await print(head + marked('-', mine) + marked('+', theirs));
  return true;
}

function numbered(mark: string, quad: LoneQuad | undefined): string {
  return quad === undefined ? '' : ` ${mark}${quad.number}`;
}

function marked(mark: string, quad: LoneQuad | undefined): string {
  return quad === undefined ? '' : `${quad.text.slice(0, -1).replaceAll(/^/gm, mark)}\n`;
}

/** A quad that only one of two sets has. */
interface LoneQuad {
  /** The position in the order of its set, from 1. */
  readonly number: number;
  /** The text that is hashed for it. */
  readonly text: string;
}

/** Returns the first quad that only the one set has, for each set; undefined where there is none. */
function firstLoneQuads(left: Keys, right: Keys): readonly [left: LoneQuad | undefined, right: LoneQuad | undefined] {
  const [mine, theirs] = [new KeyReader(left), new KeyReader(right)];
  while ((mine.lone === undefined || theirs.lone === undefined) && (mine.key ?? theirs.key) !== undefined) {
    const order = compareKeys(mine.key, theirs.key);
    if (order < 0) mine.keep();
    if (order > 0) theirs.keep();
    if (order <= 0) mine.next();
    if (order >= 0) theirs.next();
  }
  return [mine.lone, theirs.lone];
}

class KeyReader {
  readonly #keys: Iterator<Key>;
  #number = 0;
  key: Key | undefined;
  lone: LoneQuad | undefined;

  constructor(keys: Keys) {
    this.#keys = keys.sorted()[Symbol.iterator]();
    this.next();
  }

  next(): void {
    const { done, value } = this.#keys.next();
    this.key = done === true ? undefined : value;
    this.#number++;
  }

  /** Keeps the current quad, unless one is kept already. */
  keep(): void {
    this.lone ??= { number: this.#number, text: textOf(this.key!) };
  }
}

/** The end of a set sorts after all keys. */
function compareKeys(left: Key | undefined, right: Key | undefined): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return compareBytes(left.bytes, left.start, left.end, right.bytes, right.start, right.end);
}

function textOf(key: Key): string {
  return Array.from(hashedPieces([key]), (piece) => Buffer.from(piece).toString()).join('');
}
