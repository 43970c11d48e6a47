import { Writer } from 'n3';
import type { RdfFormat } from '../format.ts';
import type { Quad } from '../rdf-js.ts';

/** Quads as text in any of the formats, by n3; `write` takes it in pieces. */
export class RdfWriter {
  readonly #writer: Writer<Quad>;

  constructor(format: RdfFormat, prefixes: Readonly<Record<string, string>>, write: (text: string) => void) {
    this.#writer = new Writer<Quad>({ write: (text) => write(text), end: () => undefined }, { format, prefixes });
  }

  add(quad: Quad): void {
    this.#writer.addQuad(quad);
  }

  end(): void {
    this.#writer.end();
  }
}
