import { asciiLowercase } from '../../bytes/code-points.ts';
import { RdfError } from './error.ts';
import type { Preprocessing } from './preprocessing.ts';
import type { AnyQuad, AnyTerm } from './rdf-js.ts';
import { XSD_STRING } from './term.ts';

// A key is text whose UTF-8 bytes, compared as numbers, put quads in the order of the specification, and which holds
// all that is hashed:
//
//   graph LF subject LF predicate LF ( 00 IRI | 01 label 00 00 ( '@' language | '^' datatype | '#' ) )
//
// LF comes before all that an IRI holds, the blank of a removed code included: a shorter one is first. 00 in a label
// becomes 00 01, so that its end is before all that may follow. UTF-8 has the order of code points, which the
// specification asks for; UTF-16 units do not.
export const IRI_OBJECT = '\0';
const LITERAL_OBJECT = '\x01';
export const LABEL_END = '\0\0';

/** Version 0, of the hash-URI drafts, has literals without a datatype: '#', and language tags as they are. */
export type SpecVersion = 0 | 1;

const CONTROL_OR_BLANK = /[\0- ]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** @throws {RdfError} for what has no hash */
export function sortKey(quad: AnyQuad, preprocessing: Preprocessing, version: SpecVersion): string {
  const { graph, subject, predicate, object } = quad;
  if (predicate.termType !== 'NamedNode') throw new RdfError('term-kind', quad);
  const graphName = graph.termType === 'DefaultGraph' ? '' : nodeName(graph, quad, preprocessing);
  const triple = `${nodeName(subject, quad, preprocessing)}\n${nodeName(predicate, quad, preprocessing)}\n`;
  const value =
    object.termType === 'Literal'
      ? LITERAL_OBJECT + literalKey(object, quad, version)
      : IRI_OBJECT + nodeName(object, quad, preprocessing);
  const key = `${graphName}\n${triple}${value}`;
  if (isIllFormed(key)) throw new RdfError('lone-surrogate', quad);
  return key;
}

function nodeName(term: AnyTerm, quad: AnyQuad, preprocessing: Preprocessing): string {
  if (term.termType === 'BlankNode') return preprocessing.blankNode(term.value, quad);
  if (term.termType === 'Quad') throw new RdfError('triple-term', quad);
  if (term.termType !== 'NamedNode') throw new RdfError('term-kind', quad);
  return preprocessing.iri(checkedIri(term.value, quad), quad);
}

function checkedIri(iri: string, quad: AnyQuad): string {
  if (iri === '') throw new RdfError('iri-empty', quad);
  if (CONTROL_OR_BLANK.test(iri)) throw new RdfError('iri-character', quad);
  return iri;
}

function literalKey(literal: AnyTerm, quad: AnyQuad, version: SpecVersion): string {
  const { language, datatype = XSD_STRING, direction } = literal;
  if (direction) throw new RdfError('directional-language', quad);
  const label = literal.value.includes('\0') ? literal.value.replaceAll('\0', '\0\x01') : literal.value;
  if (language) return `${label}${LABEL_END}@${checkedLanguage(language, quad, version)}`;
  if (version === 0 && datatype.value === XSD_STRING.value) return `${label}${LABEL_END}#`;
  return `${label}${LABEL_END}^${checkedIri(datatype.value, quad)}`;
}

function checkedLanguage(language: string, quad: AnyQuad, version: SpecVersion): string {
  if (CONTROL_OR_BLANK.test(language)) throw new RdfError('language-character', quad);
  return version === 0 ? language : asciiLowercase(language);
}

/** A lone surrogate would be hashed as U+FFFD, like that character itself. */
function isIllFormed(key: string): boolean {
  return key.isWellFormed === undefined ? LONE_SURROGATE.test(key) : !key.isWellFormed();
}
