import { asciiLowercase, BACKSLASH, LINE_FEED, NUMBER_SIGN, SPACE } from '../../../core/bytes/code-points.ts';
import { GrowingBytes } from '../../../core/bytes/growing-bytes.ts';
import { RdfError } from './failure.ts';
import type { Key } from './keys.ts';
import { type AnyQuad, type AnyTerm, MAX_QUAD_UNITS, RDF_LANG_STRING, XSD_STRING } from './rdf-js.ts';

// A key is text whose UTF-8 bytes, compared as numbers, put quads in the order of the specification, and which holds
// everything that is hashed:
//
//   graph LF subject LF predicate LF ( 00 IRI | 01 label 00 00 ( '@' language | '^' datatype | '#' ) )
//
// LF comes before anything that an IRI holds, the blank of a removed code included: a shorter one is first. 00 in a
// label becomes 00 01, so that its end comes before anything that may follow. UTF-8 has the order of code points, which
// the specification asks for; UTF-16 units do not.
const IRI_OBJECT = '\0';
const LITERAL_OBJECT = '\x01';
const LABEL_END = '\0\0';

/** Version 0, of the hash-URI drafts, has literals without a datatype: '#', and language tags as they are. */
export type SpecVersion = 0 | 1;

const CONTROL_OR_BLANK = /[\0- ]/;
/** An absolute IRI without such a character, as almost all are: one look instead of three. */
const HASHED_IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\0- ]*$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The changes of IRIs and blank nodes before sorting and hashing; literals and their datatypes stay as they are. */
export interface Preprocessing {
  iri(value: string, quad: AnyQuad): string;
  /** Returns the IRI of a blank node. @throws {RdfError} where it is given none */
  blankNode(label: string, quad: AnyQuad): string;
}

/** Module RA, preprocessing: every occurrence of the code becomes a blank, so that quads may name themselves. */
export class CodeRemoval implements Preprocessing {
  readonly #code: string;

  /** @param code '' if there is none to remove */
  constructor(code: string) {
    this.#code = code;
  }

  iri(value: string): string {
    return this.#code !== '' && value.includes(this.#code) ? value.replaceAll(this.#code, ' ') : value;
  }

  blankNode(_label: string, quad: AnyQuad): never {
    throw new RdfError('blank-node', quad);
  }
}

/** @throws {RdfError} for what has no hash */
export function sortKey(quad: AnyQuad, preprocessing: Preprocessing, version: SpecVersion): string {
  const { graph, subject, predicate, object } = quad;
  mustFit(quad);
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

/**
 * Throws where a key may be too long: an IRI may grow to its triple, as `%23` replaces `#`, a label of NULs to its
 * double.
 */
function mustFit({ subject, predicate, object, graph }: AnyQuad): void {
  const { termType, value, language, datatype } = object;
  const iris = subject.value.length + predicate.value.length + graph.value.length + (datatype?.value.length ?? 0);
  const isPlain = termType === 'Literal' && (value.length <= MAX_QUAD_UNITS / 3 || !value.includes('\0'));
  const units = 3 * iris + (language?.length ?? 0) + (isPlain ? 1 : 3) * value.length;
  if (units > MAX_QUAD_UNITS) throw new RdfError('too-long', '');
}

function nodeName(term: AnyTerm, quad: AnyQuad, preprocessing: Preprocessing): string {
  if (term.termType === 'BlankNode') return preprocessing.blankNode(term.value, quad);
  if (term.termType === 'Quad') throw new RdfError('triple-term', quad);
  if (term.termType !== 'NamedNode') throw new RdfError('term-kind', quad);
  return preprocessing.iri(checkedIri(term.value, quad), quad);
}

function checkedIri(iri: string, quad: AnyQuad): string {
  if (HASHED_IRI.test(iri)) return iri;
  if (iri === '') throw new RdfError('iri-empty', quad);
  throw new RdfError(CONTROL_OR_BLANK.test(iri) ? 'iri-character' : 'iri-relative', quad);
}

function literalKey(literal: AnyTerm, quad: AnyQuad, version: SpecVersion): string {
  const { language, datatype = XSD_STRING, direction } = literal;
  if (direction) throw new RdfError('directional-language', quad);
  const label = literal.value.includes('\0') ? literal.value.replaceAll('\0', '\0\x01') : literal.value;
  if (language) return `${label}${LABEL_END}@${checkedLanguage(language, quad, version)}`;
  if (datatype.termType !== 'NamedNode') throw new RdfError('term-kind', quad);
  if (datatype.value === RDF_LANG_STRING.value) throw new RdfError('language-missing', quad);
  if (version === 0 && datatype.value === XSD_STRING.value) return `${label}${LABEL_END}#`;
  return `${label}${LABEL_END}^${checkedIri(datatype.value, quad)}`;
}

function checkedLanguage(language: string, quad: AnyQuad, version: SpecVersion): string {
  if (CONTROL_OR_BLANK.test(language)) throw new RdfError('language-character', quad);
  return version === 0 ? language : asciiLowercase(language);
}

/** Whether a key holds half of a surrogate pair, which would be hashed as U+FFFD, like that character itself. */
function isIllFormed(key: string): boolean {
  return key.isWellFormed === undefined ? LONE_SURROGATE.test(key) : !key.isWellFormed();
}

/** The length from which a piece of the hashed text ends with its last key. */
const PIECE_BYTES = 1 << 16;
const SMALL_N = 0x6e;

/**
 * Yields the hashed text of sorted keys, in pieces that are valid until the next one: graph, subject, predicate and
 * object, each with a line feed after it. An object that is a literal is its kind ('^', '@' or '#') and datatype or
 * language, a blank, and its label with `\` and line feeds escaped.
 */
export function* hashedPieces(keys: Iterable<Key>): Generator<Uint8Array> {
  const text = new HashedText();
  for (const key of keys) {
    text.add(key);
    if (text.isFull) yield text.take();
  }
  yield text.take();
}

class HashedText {
  readonly #text = new GrowingBytes(2 * PIECE_BYTES);

  /** Whether there are enough bytes for a piece. */
  get isFull(): boolean {
    return this.#text.length >= PIECE_BYTES;
  }

  add({ bytes, start, end }: Key): void {
    const object = objectStart(bytes, start);
    this.#text.bytes(bytes, start, object);
    if (bytes[object] === 0) this.#text.bytes(bytes, object + 1, end);
    else this.#addLiteral(bytes, object + 1, end);
    this.#text.byte(LINE_FEED);
  }

  /** Returns what was added since the last time, valid until the next `add`. */
  take(): Uint8Array {
    return this.#text.take();
  }

  #addLiteral(key: Uint8Array, start: number, end: number): void {
    const labelEnd = endOfLabel(key, start);
    const kind = labelEnd + LABEL_END.length;
    this.#text.bytes(key, kind, end);
    if (key[kind] !== NUMBER_SIGN) this.#text.byte(SPACE);
    this.#addLabel(key, start, labelEnd);
  }

  #addLabel(key: Uint8Array, start: number, end: number): void {
    let copied = start;
    for (let at = start; at < end; at++) {
      const byte = key[at]!;
      if (byte === LINE_FEED || byte === BACKSLASH) {
        this.#text.bytes(key, copied, at);
        this.#text.byte(BACKSLASH);
        this.#text.byte(byte === LINE_FEED ? SMALL_N : BACKSLASH);
        copied = at + 1;
      } else if (byte === 0) {
        this.#text.bytes(key, copied, at + 1);
        copied = ++at + 1; // the 01 after it is not part of the label
      }
    }
    this.#text.bytes(key, copied, end);
  }
}

/** Returns where the object begins, after graph, subject and predicate, none of which holds a line feed. */
function objectStart(key: Uint8Array, start: number): number {
  let at = start;
  for (let lineFeeds = 0; lineFeeds < 3; at++) if (key[at] === LINE_FEED) lineFeeds++;
  return at;
}

/** Returns where 00 00 is: a 00 of the label has 01 after it. */
function endOfLabel(key: Uint8Array, start: number): number {
  let at = start;
  while (key[at] !== 0 || key[at + 1] !== 0) at += key[at] === 0 ? 2 : 1;
  return at;
}
