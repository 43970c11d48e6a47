import type { AnyQuad } from './rdf-js.ts';

/** What IRIs and blank nodes become before they are sorted and hashed; in literals and their datatypes nothing does. */
export interface Preprocessing {
  iri(value: string, quad: AnyQuad): string;
  /** The IRI of a blank node. @throws {RdfError} where it is given none */
  blankNode(label: string, quad: AnyQuad): string;
}
