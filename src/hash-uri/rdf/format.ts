/** The formats that are read here; quads of any other come from its parser. */
export const RDF_FORMATS = ['nquads', 'ntriples', 'trig', 'turtle'] as const;
/** By the names of N-Quads, N-Triples, TriG and Turtle. */
export type RdfFormat = (typeof RDF_FORMATS)[number];

const EXTENSIONS: Readonly<Record<string, RdfFormat>> = { nq: 'nquads', nt: 'ntriples', trig: 'trig', ttl: 'turtle' };

/** The format of a file by its name, packed or not: `.nq`, `.nt`, `.trig`, `.ttl`, each also with `.gz`. */
export function formatOfName(name: string): RdfFormat | undefined {
  const extension = /\.([a-z]+)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

/**
 * Takes a text piece by piece, and appends each quad, when it is complete, to the list that the reader was made with: in
 * the order of the document.
 */
export interface QuadReader {
  /** @throws {RdfError} with line and column where the text is not what its format allows */
  push(text: string): void;
  end(): void;
}
