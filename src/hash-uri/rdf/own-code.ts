import { type FoundCode, findCodes } from '../code.ts';
import { RdfError } from './error.ts';
import { nanopublicationsOf } from './nanopublication.ts';
import type { AnyQuad, AnyTerm } from './term.ts';

/**
 * The code by which quads name what they are, '' where they hold none: the only one of module RA or RB in their IRIs;
 * or else their nanopublication's; or else the only one among graphs and subjects, for objects name other things too.
 *
 * @throws {RdfError} 'code-ambiguous'
 */
export function ownCode(quads: readonly AnyQuad[]): string {
  const anywhere = codesOf(quads, ({ graph, subject, predicate, object }) => [graph, subject, predicate, object]);
  if (anywhere.size <= 1) return only(anywhere);
  const ofNanopublications = codesIn(nanopublicationsOf(quads));
  if (ofNanopublications.size === 1) return only(ofNanopublications);
  const ofSubjects = codesOf(quads, ({ graph, subject }) => [graph, subject]);
  if (ofSubjects.size === 1) return only(ofSubjects);
  throw new RdfError('code-ambiguous', [...anywhere].join(' '));
}

function only(codes: ReadonlySet<string>): string {
  return [...codes][0] ?? '';
}

function codesOf(quads: readonly AnyQuad[], terms: (quad: AnyQuad) => AnyTerm[]): Set<string> {
  const iris = new Set<string>();
  for (const quad of quads)
    for (const { termType, value } of terms(quad)) if (termType === 'NamedNode') iris.add(value);
  return codesIn(iris);
}

function codesIn(iris: Iterable<string>): Set<string> {
  const isRdf = ({ module }: FoundCode) => module === 'RA' || module === 'RB';
  const codes = new Set<string>();
  for (const iri of iris) for (const found of findCodes(iri)) if (isRdf(found)) codes.add(found.code);
  return codes;
}
