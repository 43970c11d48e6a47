import { UrlsumError } from '../../../core/error.ts';
import { quote } from '../../../core/quote.ts';
import { type AnyQuad, type AnyTerm, MAX_QUAD_UNITS } from './rdf-js.ts';

/** The reason why RDF cannot be parsed or hashed. */
export type RdfReason =
  | 'syntax'
  | 'not-utf8'
  | 'blank-node'
  | 'iri-character'
  | 'iri-empty'
  | 'iri-relative'
  | 'language-character'
  | 'language-missing'
  | 'lone-surrogate'
  | 'too-long'
  | 'triple-term'
  | 'directional-language'
  | 'term-kind'
  | 'graph-empty'
  | 'graph-name'
  | 'graph-frozen'
  | 'code-ambiguous';

const SENTENCES: Readonly<Record<RdfReason, string>> = {
  syntax: 'the format does not allow it',
  'not-utf8': 'the bytes are not UTF-8',
  'blank-node': 'a blank node has no name to hash; make gives it one',
  'iri-character': 'an IRI holds a character of U+0000 to U+0020, which would pass for structure in the hashed text',
  'iri-empty': 'an empty IRI would pass for the default graph',
  'iri-relative': 'an IRI is relative, and there is no base by which it becomes an absolute one',
  'language-character': 'a language tag holds a character of U+0000 to U+0020, which would pass for the end of it',
  'language-missing': 'a literal of rdf:langString has a language tag (RDF 1.1 Concepts, section 3.3)',
  'lone-surrogate': 'half a surrogate pair has no UTF-8 to hash',
  'too-long': `a quad has at most ${MAX_QUAD_UNITS} characters, each of its IRIs counted three times`,
  'triple-term': 'triple terms are part of RDF 1.2, for which no hash is defined',
  'directional-language': 'directional language strings are part of RDF 1.2, for which no hash is defined',
  'term-kind': 'the term is of a kind that cannot stand there',
  'graph-empty': 'module RB needs at least one quad in its graph',
  'graph-name': 'module RB needs all quads in the graph that the trusty URI names',
  'graph-frozen': 'the graph already has a trusty URI of module RB, which the change would break',
  'code-ambiguous': 'the quads hold several codes; the option `code` says which one is theirs',
};

/** A place in a text: both count from 1, columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/**
 * RDF that cannot be parsed or hashed: `reason` says why, `input` what it is about.
 *
 * @example
 * try {
 *   parseRdf('<http://e/s> <http://e/p> "a', { format: 'nquads' });
 * } catch (error) {
 *   error instanceof RdfError && [error.reason, error.line, error.column]; //=> ['syntax', 1, 27]
 * }
 */
export class RdfError extends UrlsumError<'ERR_INVALID_RDF', RdfReason, string, undefined> {
  /** @internal */
  static override readonly name = 'RdfError';
  /** The quad, as N-Quads without escapes, or the text from the error on. */
  declare readonly input: string;
  /** The line of a text, counted from 1; undefined where quads were given. */
  declare readonly line: number | undefined;
  /** The column in UTF-16 units, counted from 1. */
  declare readonly column: number | undefined;

  /** @internal */
  constructor(reason: RdfReason, input: string | AnyQuad, position?: TextPosition, sentence?: string) {
    const text = typeof input === 'string' ? input : textOfQuad(input);
    const place = position === undefined ? '' : `line ${position.line}, column ${position.column}: `;
    const verb = position === undefined ? 'hash' : 'parse';
    super(
      'ERR_INVALID_RDF',
      `cannot ${verb} RDF: ${place}${quote(text)}: ${sentence ?? SENTENCES[reason]} (${reason})`,
      { reason, input: text, line: position?.line, column: position?.column },
    );
  }
}

function textOfQuad({ subject, predicate, object, graph }: AnyQuad): string {
  return [subject, predicate, object, graph].map(textOfTerm).filter(Boolean).join(' ');
}

function textOfTerm(term: AnyTerm): string {
  const { termType, value } = term;
  if (termType === 'NamedNode') return `<${value}>`;
  if (termType === 'BlankNode') return `_:${value}`;
  if (termType === 'DefaultGraph') return '';
  if (termType !== 'Literal') return termType;
  const { language, datatype } = term;
  if (language) return `"${value}"@${language}`;
  return datatype === undefined ? `"${value}"` : `"${value}"^^<${datatype.value}>`;
}
