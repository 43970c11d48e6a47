import { findCodes } from '../code.ts';
import { CODE_LENGTH } from '../module.ts';
import { RdfError } from './error.ts';
import { isNanopublication } from './nanopublication.ts';
import type { AnyQuad, AnyTerm } from './rdf-js.ts';

/** Two are enough to know that there are several: a large file may hold millions. */
const KEPT = 2;

/**
 * Finds the code by which quads name what they are: the only one of module RA or RB in their IRIs; or else their
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

  /** '' where there is none. @throws {RdfError} 'code-ambiguous' */
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
