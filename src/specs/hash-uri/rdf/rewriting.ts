import { mustBeOptions, mustBeString } from '../../../core/argument.ts';
import { quote } from '../../../core/url/error.ts';
import { isBase64Character } from '../base64.ts';
import { isTrustyUriInJava, partsOf } from '../hash-uri.ts';
import { RdfError } from './error.ts';
import { hasIriCharacters, isAbsoluteIri, isIriCharacter } from './iri.ts';
import type { AnyQuad } from './rdf-js.ts';
import type { Preprocessing } from './sort-key.ts';

/** The characters that `make` puts around a code; each is one UTF-16 unit. */
export interface Settings {
  /** Before the number of a blank node; doubled before a suffix that begins with it. */
  readonly bnodeChar: string;
  /** Between the base and the code, where the base ends in a Base64 character. */
  readonly preAcChar: string;
  /** Between the code and a suffix. */
  readonly postAcChar: string;
  /** Between the code and a suffix, where `postAcChar` is '#' and the base has one already. */
  readonly postAcFallbackChar: string;
}

const DEFAULT_SETTINGS: Settings = { bnodeChar: '_', preAcChar: '.', postAcChar: '#', postAcFallbackChar: '.' };

/**
 * Those of nanopublications: `…/RA…/assertion`.
 *
 * @example
 * const { uri } = make('http://example.org/np1', [], { module: 'RA', settings: NANOPUB });
 * uri; //=> 'http://example.org/np1/RA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU'
 */
export const NANOPUB: Settings = { bnodeChar: '_', preAcChar: '/', postAcChar: '/', postAcFallbackChar: '/' };

const NAMES = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];

/** @throws {RangeError} where one is not one character that stands by itself in an IRI */
export function checkedSettings(settings: object): Settings {
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
  const { identifier, hash, extension } = partsOf(graph) ?? {};
  return identifier === 'RB' && hash !== undefined && extension === undefined;
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
