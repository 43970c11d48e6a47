import type { Quad } from './term.ts';

/** Takes in a text piece by piece and hands on each quad, in the order of the document, when it is complete. */
export interface QuadReader {
  /** @throws {RdfError} with line and column where the text is not what its format allows */
  push(text: string): void;
  end(): void;
}

export type Emit = (quad: Quad) => void;
