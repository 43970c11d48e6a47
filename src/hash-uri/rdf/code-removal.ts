import { RdfError } from './error.ts';
import type { Preprocessing } from './preprocessing.ts';
import type { AnyQuad } from './rdf-js.ts';

/** Module RA, preprocessing: every occurrence of the code becomes a blank, so that quads may name what they are. */
export class CodeRemoval implements Preprocessing {
  readonly #code: string;

  /** @param code '' where there is none to remove */
  constructor(code: string) {
    this.#code = code;
  }

  iri(value: string): string {
    return this.#code !== '' && value.includes(this.#code) ? value.replaceAll(this.#code, ' ') : value;
  }

  blankNode(_label: string, quad: AnyQuad): never {
    throw new RdfError('blank-node', quad);
  }
}
