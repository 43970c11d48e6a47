import type { Quad } from './term.ts';

/** Takes in a text piece by piece and hands on each quad, in the order of the document, when it is complete. */
export interface QuadReader {
  /** @throws {RdfError} with line and column where the text is not what its format allows */
  push(text: string): void;
  end(): void;
}

export type Emit = (quad: Quad) => void;
/** A prefix of Turtle or TriG, without its colon, and what it stands for. */
export type OnPrefix = (prefix: string, iri: string) => void;
