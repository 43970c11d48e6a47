import { wrongKind } from '../../argument.ts';
import type { AnyQuad, AnyTerm } from './term.ts';

/** The quads of a caller's argument of that name. @throws {TypeError} where it is not a list of quads */
export function* checkedQuads(name: string, quads: Iterable<AnyQuad>): Generator<AnyQuad, void> {
  if (typeof quads === 'string' || typeof Object(quads)[Symbol.iterator] !== 'function')
    throw wrongKind(name, 'a list of quads', quads);
  let index = 0;
  for (const quad of quads) {
    const { subject, predicate, object, graph } = Object(quad) as AnyQuad;
    if (!(isTerm(subject) && isTerm(predicate) && isTerm(object) && isTerm(graph)))
      throw wrongKind(`${name}[${index}]`, 'a quad', quad);
    yield quad;
    index++;
  }
}

function isTerm(term: AnyTerm | undefined): boolean {
  return typeof term?.value === 'string' && typeof term.termType === 'string';
}
