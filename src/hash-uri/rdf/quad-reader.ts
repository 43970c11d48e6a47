import type { Quad } from './rdf-js.ts';

/** Takes a text piece by piece and emits each quad when it is complete, in the order of the document. */
export interface QuadReader {
  /** @throws {RdfError} with line and column where the text is not what its format allows */
  push(text: string): void;
  end(): void;
}

export type Emit = (quad: Quad) => void;
/** A prefix of Turtle or TriG, without its colon, and what it stands for. */
export type OnPrefix = (prefix: string, iri: string) => void;
