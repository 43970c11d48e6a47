import type { RdfFormat } from '../../src/specs/hash-uri/rdf/parse-rdf.ts';

/** Gives a number below the one asked for. */
export type Random = (below: number) => number;

export const BASE = 'http://example.org/r1';

/** A random document, and what of it the reference is known to read otherwise. */
export interface Document {
  readonly format: RdfFormat;
  readonly text: string;
  /** A `[ … ]` or `( … )` as the subject of a TriG statement. */
  readonly hasCompoundSubjectInTrig: boolean;
}

const PREFIXES = `@prefix : <${BASE}#> . @prefix r: <${BASE}> . @prefix ex: <http://example.org/v/> .\n`;
const NAMES = [
  ':a',
  ':b',
  ':_c',
  'r:',
  'r:0',
  'ex:d',
  'ex:',
  `<${BASE}/e>`,
  `<${BASE}/f#g>`,
  '<http://example.org/h~~~ARTIFACTCODE~~~>',
  '<http://example.org/é/\u{1f600}>',
  '<urn:x:\uff5e>',
];
const PREDICATES = ['a', 'ex:p', 'ex:q', ':p', 'ex:é'];
const LABELS = ['_:x', '_:y', '_:z1', '_:n-1', '_:b0'];
const CHARACTERS = [
  ...'abAB 01~#"\\\'\té\u0300\u07ff\ue000\uff5e\u{1f600}\u{10ffff}',
  '\n',
  '\r',
  '\\u00e9',
  '\\U0001F600',
  '\\"',
  '\\\\',
  '\\t',
  '\\n',
  '\\r',
];
const TAGS = ['@en', '@EN', '@en-GB', '@de', '@de-DE-1996'];
const DATATYPES = [
  '^^ex:datatype',
  '^^<http://www.w3.org/2001/XMLSchema#string>',
  '^^<http://www.w3.org/2001/XMLSchema#integer>',
  `^^<${BASE}#t>`,
];
const NUMBERS = ['1', '-2', '+3.0', '0.5', '1e0', '-2.5E-3', 'true', 'false', '007'];

/** Writes one: blank nodes with labels, `[ ]` and `( )` within one another, literals of every kind. */
export function randomDocument(random: Random, format: RdfFormat): Document {
  return format === 'trig' || format === 'turtle' ? new Turtle(random, format).document() : lines(random, format);
}

class Turtle {
  readonly #random: Random;
  readonly #format: 'trig' | 'turtle';
  #hasCompoundSubject = false;

  constructor(random: Random, format: 'trig' | 'turtle') {
    this.#random = random;
    this.#format = format;
  }

  document(): Document {
    const parts = Array.from({ length: 1 + this.#random(4) }, () => this.#part());
    const hasCompoundSubjectInTrig = this.#format === 'trig' && this.#hasCompoundSubject;
    return { format: this.#format, text: PREFIXES + parts.join('\n'), hasCompoundSubjectInTrig };
  }

  #part(): string {
    if (this.#format === 'turtle' || this.#random(3) === 0) return this.#statements();
    const graph = ['', 'r:', `<${BASE}>`, pick(this.#random, LABELS), pick(this.#random, NAMES)][this.#random(5)]!;
    return `${graph} { ${this.#statements()} }`;
  }

  #statements(): string {
    return Array.from({ length: 1 + this.#random(4) }, () => `${this.#statement()} .`).join(' ');
  }

  #statement(): string {
    const kind = this.#random(this.#format === 'trig' ? 80 : 12);
    if (kind < 2) {
      this.#hasCompoundSubject = true;
      return `${kind === 0 ? this.#propertyList(0) : this.#list(0)} ${this.#predicates(0)}`;
    }
    return `${kind < 5 ? pick(this.#random, LABELS) : pick(this.#random, NAMES)} ${this.#predicates(0)}`;
  }

  #predicates(depth: number): string {
    const one = () => `${pick(this.#random, PREDICATES)} ${this.#several(() => this.#object(depth), ', ')}`;
    return this.#several(one, ' ; ');
  }

  #several(one: () => string, separator: string): string {
    return Array.from({ length: 1 + Math.floor(this.#random(10) / 6) }, one).join(separator);
  }

  #object(depth: number): string {
    const kind = this.#random(depth > 2 ? 5 : 8);
    if (kind === 0) return pick(this.#random, LABELS);
    if (kind === 1) return pick(this.#random, NAMES);
    if (kind < 5) return this.#literal();
    return kind === 5 ? this.#list(depth + 1) : this.#propertyList(depth + 1);
  }

  #propertyList(depth: number): string {
    return this.#random(5) === 0 && depth > 0 ? '[]' : `[ ${this.#predicates(depth)} ]`;
  }

  #list(depth: number): string {
    const length = this.#random(4) + Number(depth === 0);
    return `( ${Array.from({ length }, () => this.#object(depth)).join(' ')} )`;
  }

  #literal(): string {
    if (this.#random(4) === 0) return pick(this.#random, NUMBERS);
    return literal(this.#random, this.#random(4) === 0 ? '"""' : '"');
  }
}

function literal(random: Random, quote: string): string {
  const isLong = quote.length === 3;
  const allowed = CHARACTERS.filter((each) => each !== '"' && each !== '\\' && (isLong || !/^[\n\r]$/.test(each)));
  const label = Array.from({ length: random(4) }, () => pick(random, allowed)).join('');
  const kind = random(3);
  return `${quote}${label}${quote}${kind === 0 ? '' : pick(random, kind === 1 ? TAGS : DATATYPES)}`;
}

function lines(random: Random, format: RdfFormat): Document {
  const iris = ['', '#a', '#b', '0', '/e', '/f#g']
    .map((suffix) => `<${BASE}${suffix}>`)
    .concat('<http://example.org/\u{1f600}>', '<urn:x:\uff5e>');
  const node = () => pick(random, random(3) === 0 ? ['_:x', '_:y', '_:z1'] : iris);
  const value = () =>
    random(2) === 0 ? node() : literal(random, '"').replace(/\^\^ex:(\w+)/, '^^<http://example.org/v/$1>');
  const graph = () => (format === 'nquads' && random(4) > 0 ? pick(random, [`<${BASE}>`, node()]) : '');
  const count = 1 + random(12);
  const text = Array.from({ length: count }, () => `${node()} ${pick(random, iris)} ${value()} ${graph()} .\n`).join(
    '',
  );
  return { format, text, hasCompoundSubjectInTrig: false };
}

function pick(random: Random, from: readonly string[]): string {
  return from[random(from.length)]!;
}
