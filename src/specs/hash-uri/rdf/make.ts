import { mustBeOneOf, mustBeOptions, mustBeString, mustBeUrl } from '../../../core/argument.ts';
import { isBase64Character } from '../../../core/bytes/base64.ts';
import { quote } from '../../../core/quote.ts';
import type { Sha256 } from '../file-module.ts';
import { isTrustyUriInJava, partsOf } from '../hash-uri.ts';
import { RdfError } from './failure.ts';
import { hasIriCharacters, isAbsoluteIri, isIriCharacter } from './iri.ts';
import { Keys } from './keys.ts';
import {
  type AnyQuad,
  type AnyTerm,
  checkedQuads,
  DEFAULT_GRAPH,
  Literal,
  NamedNode,
  OwnQuad,
  type Quad,
  XSD_STRING,
} from './rdf-js.ts';
import { type Preprocessing, sortKey } from './sort-key.ts';
import { codeOfKeys, RDF_MODULES, type RdfModule } from './verify.ts';

/** Options of `make`. */
export interface MakeRdfOptions {
  /** RA for any number of graphs, RB for one. */
  readonly module: RdfModule;
  /** Default: `_`, `.`, `#`, `.`; `NANOPUB` for nanopublications. */
  readonly settings?: { readonly [Name in keyof Settings]?: Settings[Name] | undefined } | undefined;
  /** Module RB: the graph that gets the trusty URI as its name, where it is not called `base`. */
  readonly graph?: string | undefined;
}

/** The result of `make`. */
export interface MadeRdf {
  /** The trusty URI. */
  readonly uri: string;
  /** 45 characters. */
  readonly code: string;
  /** The quads, in the order given: with the code in their IRIs and without blank nodes. */
  readonly quads: Quad[];
}

/**
 * Names quads after their hash: IRIs that begin with `base` get the code, and so do blank nodes, which are numbered in
 * the order in which they first appear. `verify(uri, quads)` of the result holds.
 *
 * @param base what the URI begins with; without `://` no IRI is changed, and there must be no blank nodes
 * @param quads of any library, blank nodes and all
 * @param options the module, and what becomes of IRIs
 * @returns the trusty URI, its code and the quads as they are published
 * @throws {TypeError} where `quads` is not a list of quads
 * @throws {RdfError} for what cannot be hashed, a change to a graph that already has a trusty URI of module RB, and for
 *   module RB where no quad is in the graph
 * @see Rewriting for what becomes of IRIs
 * @example
 * const quads = parseRdf('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .', { format: 'turtle' });
 * make('http://example.org/doc', quads, { module: 'RA' }).uri;
 * //=> 'http://example.org/doc.RA908clB7QtdIq9O6p7oxyp9L4kfobxN3C4J0IyhyAcFE'
 */
export function make(base: string | URL, quads: Iterable<AnyQuad>, options: MakeRdfOptions): MadeRdf {
  const maker = new QuadMaker(base, options, new Keys());
  const list = [...checkedQuads(quads)];
  for (const quad of list) maker.add(quad);
  const code = maker.code();
  const { rewriting } = maker;
  return { uri: rewriting.stem + code, code, quads: list.map((quad) => withCode(quad, rewriting, code)) };
}

/** Makes a hash-URI of quads: once all are added, `code` is theirs. */
export class QuadMaker {
  readonly rewriting: Rewriting;
  readonly #module: RdfModule;
  readonly #graph: string;
  readonly #keys: Keys;

  constructor(base: string | URL, options: MakeRdfOptions, keys: Keys) {
    const text = mustBeUrl('base', base);
    const own = mustBeOptions('options', options, ['module', 'settings', 'graph']);
    const { module, settings = {}, graph = text } = own;
    if (mustBeOneOf('module', module, RDF_MODULES) === 'RA' && own.graph !== undefined)
      throw new RangeError('graph is an option of module RB: module RA hashes all graphs');
    this.rewriting = new Rewriting(text, checkedSettings(settings), mustBeString('graph', graph));
    this.#module = module;
    this.#graph = graph;
    this.#keys = keys;
  }

  /** Blank nodes are counted in every graph, as by the trusty URI tools; module RB hashes the quads of one graph. */
  add(quad: AnyQuad): void {
    const key = sortKey(quad, this.rewriting, 1);
    if (this.#module === 'RA' || quad.graph.value === this.#graph) this.#keys.add(key);
  }

  code(sha256?: Sha256): string {
    if (this.#module === 'RB' && this.#keys.count === 0) throw new RdfError('graph-empty', this.#graph);
    return codeOfKeys(this.#module, this.#keys, 'code-points', sha256);
  }
}

/** Returns the quad as it is published. */
export function withCode(quad: AnyQuad, rewriting: Rewriting, code: string): Quad {
  const node = (term: AnyTerm) => {
    const iri = term.termType === 'BlankNode' ? rewriting.blankNode(term.value, quad) : rewriting.iri(term.value, quad);
    return new NamedNode(iri.replaceAll(' ', code));
  };
  const { subject, predicate, object, graph } = quad;
  const name: Quad['graph'] = graph.termType === 'DefaultGraph' ? DEFAULT_GRAPH : node(graph);
  return new OwnQuad(
    node(subject),
    node(predicate),
    object.termType === 'Literal' ? ownLiteral(object) : node(object),
    name,
  );
}

function ownLiteral(literal: AnyTerm): Literal {
  const { value, language, datatype = XSD_STRING } = literal;
  return new Literal(value, new NamedNode(datatype.value), language);
}

/** The characters that `make` puts around a code; each is one UTF-16 unit. */
export interface Settings {
  /** Before the number of a blank node; doubled before a suffix that begins with it. */
  readonly bnodeChar: string;
  /** The character between the base and the code, where the base ends in a Base64 character. */
  readonly preAcChar: string;
  /** The character between the code and a suffix. */
  readonly postAcChar: string;
  /** The character between the code and a suffix, where `postAcChar` is '#' and the base has one already. */
  readonly postAcFallbackChar: string;
}

const DEFAULT_SETTINGS: Settings = { bnodeChar: '_', preAcChar: '.', postAcChar: '#', postAcFallbackChar: '.' };

/**
 * The settings of nanopublications: `…/RA…/assertion`.
 *
 * @example
 * const { uri } = make('http://example.org/np1', [], { module: 'RA', settings: NANOPUB });
 * uri; //=> 'http://example.org/np1/RA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'
 */
export const NANOPUB: Settings = { bnodeChar: '_', preAcChar: '/', postAcChar: '/', postAcFallbackChar: '/' };

const NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];

/** @throws {RangeError} where one is not one character that stands by itself in an IRI */
function checkedSettings(settings: object): Settings {
  const all: Settings = { ...DEFAULT_SETTINGS, ...mustBeOptions('settings', settings, NAMES) };
  for (const name of NAMES)
    if (!isIriCharacter(mustBeString(name, all[name])))
      throw new RangeError(`${name} must be one character that an IRI may have, got ${quote(all[name])}`);
  if (isBase64Character(all.preAcChar.charCodeAt(0))) throw new RangeError('preAcChar must not be a Base64 character');
  return all;
}

const PLACEHOLDER = '~~~ARTIFACTCODE~~~';
/** Placeholders at the end of a base; the second is an older one. */
const PLACEHOLDER_ENDS = [/ARTIFACTCODE-PLACEHOLDER[.#/]?$/, /~~~ARTIFACTCODE~~~[.#/]?$/];

/**
 * Rewrites the IRIs and blank nodes of quads that get a hash-URI, as the trusty URI tools do (trustyuri-java 1.23,
 * `RdfUtils`; the specification leaves it open). A blank stands for the code.
 *
 * An IRI that begins with the base, as a string, gets the code after it and keeps the rest as a suffix. Blank nodes
 * become suffixes, numbered from 1 in the order in which they first appear.
 */
export class Rewriting implements Preprocessing {
  /** The text that the code is appended to. */
  readonly stem: string;
  readonly base: string;
  readonly #graph: string;
  readonly separator: string;
  readonly #bnodeChar: string;
  readonly #isUri: boolean;
  readonly #numbers = new Map<string, number>();

  /**
   * @param graph an IRI that is another name of the base
   * @throws {RangeError} where the base would make IRIs that are none
   */
  constructor(base: string, settings: Settings, graph = base) {
    const { bnodeChar, preAcChar, postAcChar, postAcFallbackChar } = settings;
    this.base = base;
    this.#graph = graph;
    this.#isUri = base.indexOf('://') > 0;
    if (this.#isUri && !(isAbsoluteIri(base) && hasIriCharacters(base)))
      throw new RangeError(`base must be an absolute IRI, or have no ://, got ${quote(base)}`);
    this.#bnodeChar = bnodeChar;
    this.separator = postAcChar === '#' && base.includes('#') ? postAcFallbackChar : postAcChar;
    this.stem = stemOf(base, preAcChar);
  }

  iri(value: string, quad: AnyQuad): string {
    if (!this.#isUri) return value;
    if (value === this.#graph) return this.#changed(`${this.stem} `, quad);
    if (value.startsWith(this.base))
      return isTrustyUriInJava(value) ? value : this.#changed(this.#withCode(value), quad);
    return value.includes(PLACEHOLDER) ? this.#changed(value.replaceAll(PLACEHOLDER, ' '), quad) : value;
  }

  blankNode(label: string, quad: AnyQuad): string {
    if (!this.#isUri) throw new RdfError('blank-node', quad);
    return this.#changed(`${this.stem} ${this.separator}${this.#bnodeChar}${this.#numberOf(label)}`, quad);
  }

  #numberOf(label: string): number {
    const known = this.#numbers.get(label);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(copiedText(label), number);
    return number;
  }

  #withCode(value: string): string {
    const suffix = value.slice(this.base.length);
    if (suffix === '') return `${this.stem} `;
    const escape = suffix.startsWith(this.#bnodeChar) ? this.#bnodeChar : '';
    return `${this.stem} ${this.separator}${escape}${suffix.replaceAll('#', '%23')}`;
  }

  /** Refuses to change a graph whose name is its hash. */
  #changed(value: string, quad: AnyQuad): string {
    if (isFrozen(quad.graph.value)) throw new RdfError('graph-frozen', quad);
    return value;
  }
}

function isFrozen(graph: string): boolean {
  const parts = partsOf(graph);
  return parts?.identifier === 'RB' && parts.hash !== undefined && !Object.hasOwn(parts, 'extension');
}

function stemOf(base: string, preAcChar: string): string {
  const stem = PLACEHOLDER_ENDS.reduce((text, placeholder) => text.replace(placeholder, ''), base);
  return stem !== '' && isBase64Character(stem.charCodeAt(stem.length - 1)) ? stem + preAcChar : stem;
}

/**
 * Copies a text. What is cut out of a document is a slice of a piece of it, and V8 keeps the whole piece for the slice:
 * 256 KiB for a label of 13 characters.
 */
export function copiedText(text: string): string {
  return ` ${text}`.slice(1);
}
