import { partsOf } from '../hash-uri.ts';
import { checkedQuads } from './checked-quads.ts';
import { copiedText } from './copied-text.ts';
import type { AnyQuad } from './rdf-js.ts';
import { RDF_TYPE } from './term.ts';

const NANOPUBLICATION = 'http://www.nanopub.org/nschema#Nanopublication';
const PARTS = new Set(
  ['hasAssertion', 'hasProvenance', 'hasPublicationInfo'].map((part) => `http://www.nanopub.org/nschema#${part}`),
);

/**
 * The trusty URIs of the nanopublications that the quads hold, in order: the subjects of type `np:Nanopublication`
 * that end in a code of module RA. A nanopublication's code is this one, whatever its file is called.
 *
 * @param quads of any library
 * @throws {TypeError} where it is not a list of quads
 * @example
 * const uri = 'http://example.org/doc.RA908clB7QtdIq9O6p7oxyp9L4kfobxN3C4J0IyhyAcFE';
 * const text = `<${uri}> a <http://www.nanopub.org/nschema#Nanopublication> .`;
 * nanopublicationsOf(parseRdf(text, { format: 'turtle' }));
 * //=> ['http://example.org/doc.RA908clB7QtdIq9O6p7oxyp9L4kfobxN3C4J0IyhyAcFE']
 */
export function nanopublicationsOf(quads: Iterable<AnyQuad>): string[] {
  const uris = new Set<string>();
  for (const quad of checkedQuads('quads', quads)) if (isNanopublication(quad)) uris.add(quad.subject.value);
  return [...uris];
}

/** Does the quad say that its subject, which has a code, is a nanopublication? */
export function isNanopublication({ subject, predicate, object }: AnyQuad): boolean {
  if (object.value !== NANOPUBLICATION || predicate.value !== RDF_TYPE || object.termType !== 'NamedNode') return false;
  const parts = partsOf(subject.value);
  return parts?.identifier === 'RA' && parts.extension === undefined;
}

/** Collects the nanopublications of a document, and the graphs of each. */
export class NanopublicationGraphs {
  readonly #graphs = new Map<string, Set<string>>();
  readonly #uris = new Set<string>();

  add(quad: AnyQuad): void {
    const { subject, predicate, object, graph } = quad;
    const [isOne, namesPart] = [isNanopublication(quad), PARTS.has(predicate.value)];
    if (!isOne && !namesPart) return;
    const uri = copiedText(subject.value);
    if (isOne) this.#uris.add(uri);
    const graphs = this.#graphs.get(uri) ?? new Set();
    this.#graphs.set(uri, graphs.add(copiedText(graph.value)));
    if (namesPart) graphs.add(copiedText(object.value));
  }

  /** Trusty URIs, in the order of the document. */
  get uris(): string[] {
    return [...this.#uris];
  }

  /** Its head, which says what it is, and those that this names. */
  of(uri: string): ReadonlySet<string> {
    return this.#graphs.get(uri) ?? new Set();
  }
}
