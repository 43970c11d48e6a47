import { parse } from '../hash-uri.ts';
import { type AnyQuad, RDF_TYPE } from './term.ts';

const NANOPUBLICATION = 'http://www.nanopub.org/nschema#Nanopublication';
const PARTS = new Set(
  ['hasAssertion', 'hasProvenance', 'hasPublicationInfo'].map((part) => `http://www.nanopub.org/nschema#${part}`),
);

/**
 * The trusty URIs of the nanopublications that the quads hold, in order: the subjects of type `np:Nanopublication`
 * that end in a code of module RA. A nanopublication's code is this one, whatever its file is called.
 *
 * @param quads of any library
 * @example
 * const uri = 'http://example.org/doc.RA908clB7QtdIq9O6p7oxyp9L4kfobxN3C4J0IyhyAcFE';
 * const text = `<${uri}> a <http://www.nanopub.org/nschema#Nanopublication> .`;
 * nanopublicationsOf(parseRdf(text, { format: 'turtle' }));
 * //=> ['http://example.org/doc.RA908clB7QtdIq9O6p7oxyp9L4kfobxN3C4J0IyhyAcFE']
 */
export function nanopublicationsOf(quads: Iterable<AnyQuad>): string[] {
  const uris = new Set<string>();
  for (const quad of quads) if (isNanopublication(quad)) uris.add(quad.subject.value);
  return [...uris];
}

/** Does the quad say that its subject, which has a code, is a nanopublication? */
export function isNanopublication({ subject, predicate, object }: AnyQuad): boolean {
  if (object.value !== NANOPUBLICATION || predicate.value !== RDF_TYPE || object.termType !== 'NamedNode') return false;
  const parts = parse(subject.value);
  return parts?.identifier === 'RA' && parts.extension === undefined;
}

/** Does the quad say what is a nanopublication, or which are its parts? */
export function isAboutNanopublication(quad: AnyQuad): boolean {
  return PARTS.has(quad.predicate.value) || isNanopublication(quad);
}

/** The graphs of one nanopublication among several: its head, which says what it is, and those that it names. */
export function graphsOfNanopublication(uri: string, quads: Iterable<AnyQuad>): Set<string> {
  const graphs = new Set<string>();
  for (const quad of quads) {
    if (quad.subject.value !== uri || !isAboutNanopublication(quad)) continue;
    graphs.add(quad.graph.value);
    if (PARTS.has(quad.predicate.value)) graphs.add(quad.object.value);
  }
  return graphs;
}
