import fc from 'fast-check';
import { DEFAULT_GRAPH, Literal, NamedNode, OwnQuad } from '../../../../src/specs/hash-uri/rdf/rdf-js.ts';

// Quads that are near to one another, so that every rule of the order decides now and then.

export const CODE = 'RACcccccccccccccccccccccccccccccccccccccccccE';
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const LANG_STRING = new NamedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#langString');

/** Characters about which orders, escapes and encodings disagree. */
const CHARACTERS = [
  ...'aAzZ09 ~"\\\n\r\t\0\x01\x02\u007f\u0080ß\u07ff\u0800\ud7ff\ue000\ufffd\uffff\u{10000}\u{1f600}\u{10ffff}',
];
const IRI_CHARACTERS = CHARACTERS.filter((character) => character > ' ');

const textOf = (characters: readonly string[]) =>
  fc.array(fc.constantFrom(...characters), { maxLength: 6 }).map((some) => some.join(''));

export const iri = fc
  .tuple(
    fc.constantFrom('http://e/', 'http://e/a', `http://e/r1.${CODE}`, `http://e/${CODE}/${CODE}#`),
    textOf(IRI_CHARACTERS),
  )
  .map(([start, end]) => new NamedNode(start + end));

const fewIris = fc.oneof(
  fc.constantFrom('http://e/s', `http://e/r1.${CODE}`).map((value) => new NamedNode(value)),
  iri,
);

const literal = fc
  .tuple(
    fc.oneof(fc.constantFrom('', 'a', `${CODE}`), textOf(CHARACTERS)),
    fc.constantFrom('@en', '@EN-gb', '@de', 'string', 'integer', `decimal${CODE}`),
  )
  .map(([label, kind]) =>
    kind.startsWith('@')
      ? new Literal(label, LANG_STRING, kind.slice(1))
      : new Literal(label, new NamedNode(XSD + kind)),
  );

export const quad = fc
  .tuple(fewIris, fewIris, fc.oneof(fewIris, literal), fc.oneof(fc.constant(DEFAULT_GRAPH), fewIris))
  .map(([subject, predicate, object, graph]) => new OwnQuad(subject, predicate, object, graph));

export const quads = fc.array(quad, { maxLength: 40, size: 'max' });
