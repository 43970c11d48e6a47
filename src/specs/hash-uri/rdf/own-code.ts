import { CODE_LENGTH, findCodes, partsOf } from '../hash-uri.ts';
import { RdfError } from './error.ts';
import { type AnyQuad, type AnyTerm, checkedQuads, RDF_TYPE } from './rdf-js.ts';

/** Two codes are enough to know that there are several: a large file may hold millions. */
const KEPT = 2;

/**
 * Finds the code by which quads name themselves: the only one of module RA or RB in their IRIs; or else their
 * nanopublication's; or else the only one among graphs and subjects, since objects name other things too.
 */
export class OwnCode {
  readonly #anywhere = new Set<string>();
  readonly #ofNanopublications = new Set<string>();
  readonly #ofSubjects = new Set<string>();

  add(quad: AnyQuad): void {
    const { graph, subject, predicate, object } = quad;
    for (const term of [graph, subject, predicate, object]) keepCodes(this.#anywhere, term);
    for (const term of [graph, subject]) keepCodes(this.#ofSubjects, term);
    if (isNanopublication(quad)) keepCodes(this.#ofNanopublications, subject);
  }

  /** The code, or '' if there is none. @throws {RdfError} 'code-ambiguous' */
  get code(): string {
    if (this.#anywhere.size === 0) return '';
    for (const codes of [this.#anywhere, this.#ofNanopublications, this.#ofSubjects])
      if (codes.size === 1) return [...codes][0]!;
    throw new RdfError('code-ambiguous', [...this.#anywhere].join(' '));
  }
}

export function ownCode(quads: Iterable<AnyQuad>): string {
  const own = new OwnCode();
  for (const quad of quads) own.add(quad);
  return own.code;
}

function keepCodes(codes: Set<string>, term: AnyTerm): void {
  if (codes.size < KEPT) for (const code of codesOf(term)) codes.add(code);
}

function codesOf({ termType, value }: AnyTerm): string[] {
  if (termType !== 'NamedNode' || value.length < CODE_LENGTH) return [];
  return findCodes(value).flatMap(({ code, module }) => (module === 'FA' ? [] : [code]));
}

const NANOPUBLICATION = 'http://www.nanopub.org/nschema#Nanopublication';

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
  for (const quad of checkedQuads(quads)) if (isNanopublication(quad)) uris.add(quad.subject.value);
  return [...uris];
}

/** Whether the quad says that its subject, which has a code, is a nanopublication. */
export function isNanopublication({ subject, predicate, object }: AnyQuad): boolean {
  if (object.value !== NANOPUBLICATION || predicate.value !== RDF_TYPE || object.termType !== 'NamedNode') return false;
  const parts = partsOf(subject.value);
  return parts?.identifier === 'RA' && parts.extension === undefined;
}
