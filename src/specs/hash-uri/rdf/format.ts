/** The formats that are read here; quads of any other come from its parser. */
export const RDF_FORMATS = ['nquads', 'ntriples', 'trig', 'turtle'] as const;
/** By the names of N-Quads, N-Triples, TriG and Turtle. */
export type RdfFormat = (typeof RDF_FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, RdfFormat>> = { nq: 'nquads', nt: 'ntriples', trig: 'trig', ttl: 'turtle' };

/** Returns the format of a file by its name, packed or not: `.nq`, `.nt`, `.trig`, `.ttl`, each also with `.gz`. */
export function formatOfName(name: string): RdfFormat | undefined {
  const extension = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

/**
 * Takes a text piece by piece, and appends each complete quad, in document order, to the list that the reader was made
 * with.
 */
export interface QuadReader {
  /** @throws {RdfError} with line and column where the text is not what its format allows */
  push(text: string): void;
  end(): void;
}
