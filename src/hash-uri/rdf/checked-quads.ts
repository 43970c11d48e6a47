import { wrongKind } from '../../argument.ts';
import type { AnyQuad, AnyTerm } from './rdf-js.ts';

/** The quads of a caller's argument of that name. @throws {TypeError} where it is not a list of quads */
export function checkedQuads(name: string, quads: Iterable<AnyQuad>): Iterable<AnyQuad> {
  if (typeof quads === 'string' || typeof Object(quads)[Symbol.iterator] !== 'function')
    throw wrongKind(name, 'a list of quads', quads);
  return each(name, quads);
}

/** The same of quads that come in time. @throws {TypeError} where it is neither a stream nor a list of quads */
export function checkedStream(name: string, quads: AsyncIterable<AnyQuad>): AsyncIterable<AnyQuad> {
  const { [Symbol.asyncIterator]: asyncIterator, [Symbol.iterator]: iterator } = Object(quads);
  if (typeof quads === 'string' || typeof (asyncIterator ?? iterator) !== 'function')
    throw wrongKind(name, 'a stream of quads', quads);
  return eachOfStream(name, quads);
}

function* each(name: string, quads: Iterable<AnyQuad>): Generator<AnyQuad, void> {
  let index = 0;
  for (const quad of quads) yield checked(name, index++, quad);
}

async function* eachOfStream(name: string, quads: AsyncIterable<AnyQuad>): AsyncGenerator<AnyQuad, void> {
  let index = 0;
  for await (const quad of quads) yield checked(name, index++, quad);
}

function checked(name: string, index: number, quad: AnyQuad): AnyQuad {
  const { subject, predicate, object, graph } = Object(quad) as AnyQuad;
  if (isTerm(subject) && isTerm(predicate) && isTerm(object) && isTerm(graph)) return quad;
  throw wrongKind(`${name}[${index}]`, 'a quad', quad);
}

function isTerm(term: AnyTerm | undefined): boolean {
  return typeof term?.value === 'string' && typeof term.termType === 'string';
}
