import { mustBeList, mustBeStream, wrongKind } from '../../../core/argument.ts';

// The RDF/JS data model, https://rdf.js.org/data-model-spec/. Less is asked of a caller's terms and quads than ours
// give: those of any library will do.

/** An RDF/JS term of any library. */
export interface AnyTerm {
  /** 'NamedNode', 'BlankNode', 'Literal', 'DefaultGraph', or a kind that cannot be hashed. */
  readonly termType: string;
  /** The IRI, the label of the blank node, or the text of the literal. */
  readonly value: string;
  /** The language tag of a literal; '' or missing where it has none. */
  readonly language?: string | undefined;
  /** The IRI of a literal's datatype as a term; `xsd:string` where it is missing. */
  readonly datatype?: AnyTerm | undefined;
  /** The direction of a literal in RDF 1.2: '' or missing, or it cannot be hashed. */
  readonly direction?: string | null | undefined;
}

/** An RDF/JS quad of any library. */
export interface AnyQuad {
  /** A named or a blank node. */
  readonly subject: AnyTerm;
  /** A named node. */
  readonly predicate: AnyTerm;
  /** A named or a blank node, or a literal. */
  readonly object: AnyTerm;
  /** A named or a blank node, or the default graph. */
  readonly graph: AnyTerm;
}

/** The members that terms of every kind have, and quads. */
export interface TermOf<Type extends string, Value extends string = string> {
  /** The name of the kind in RDF/JS. */
  readonly termType: Type;
  /** The IRI, the label of the blank node without `_:`, or the text of the literal; else empty. */
  readonly value: Value;
  /**
   * Is it the same?
   *
   * @param other a term or quad of any library
   */
  equals(other: AnyTerm | null | undefined): boolean;
}

/** An RDF/JS term; `Term<'NamedNode'>` is one of that kind. */
export type Term<Type extends string = string> = Extract<
  | TermOf<'NamedNode'>
  | TermOf<'BlankNode'>
  | (TermOf<'Literal'> & {
      /** '' where it has none. */
      readonly language: string;
      /** `rdf:langString` where it has a language. */
      readonly datatype: TermOf<'NamedNode'>;
    })
  | TermOf<'DefaultGraph', ''>,
  {
    /** The name of the kind in RDF/JS. */
    readonly termType: Type;
  }
>;

/** An RDF/JS quad: a triple and the graph it lies in. */
export interface Quad extends TermOf<'Quad', ''> {
  /** The subject of the statement. */
  readonly subject: Term<'NamedNode' | 'BlankNode'>;
  /** The property. */
  readonly predicate: Term<'NamedNode'>;
  /** The property's value. */
  readonly object: Term<'NamedNode' | 'BlankNode' | 'Literal'>;
  /** The graph it lies in. */
  readonly graph: Term<'NamedNode' | 'BlankNode' | 'DefaultGraph'>;
}

/** Checks the quads of a list as they are read. @throws {TypeError} where it is not a list of quads */
export function checkedQuads(quads: Iterable<AnyQuad>): Iterable<AnyQuad> {
  return each(mustBeList('quads', quads, 'a list of quads'));
}

/**
 * Checks the quads of a stream as they are read. @throws {TypeError} where it is neither a stream nor a list of quads
 */
export function checkedStream(quads: AsyncIterable<AnyQuad>): AsyncIterable<AnyQuad> {
  return eachOfStream(mustBeStream('quads', quads, 'a stream of quads'));
}

function* each(quads: Iterable<AnyQuad>): Generator<AnyQuad, void> {
  let index = 0;
  for (const quad of quads) yield checked(index++, quad);
}

async function* eachOfStream(quads: AsyncIterable<AnyQuad>): AsyncGenerator<AnyQuad, void> {
  let index = 0;
  for await (const quad of quads) yield checked(index++, quad);
}

function checked(index: number, quad: AnyQuad): AnyQuad {
  const { subject, predicate, object, graph } = Object(quad) as AnyQuad;
  if (isTerm(subject) && isTerm(predicate) && isTerm(object) && isTerm(graph)) return quad;
  throw wrongKind(`quads[${index}]`, 'a quad', quad);
}

function isTerm(term: AnyTerm | undefined): boolean {
  return typeof term?.value === 'string' && typeof term.termType === 'string';
}

class OwnTerm<Type extends string, Value extends string = string> implements TermOf<Type, Value> {
  readonly termType: Type;
  readonly value: Value;

  constructor(termType: Type, value: Value) {
    this.termType = termType;
    this.value = value;
  }

  equals(other: AnyTerm | null | undefined): boolean {
    return other?.termType === this.termType && other.value === this.value;
  }
}

export class NamedNode extends OwnTerm<'NamedNode'> {
  constructor(value: string) {
    super('NamedNode', value);
  }
}

export class BlankNode extends OwnTerm<'BlankNode'> {
  constructor(value: string) {
    super('BlankNode', value);
  }
}

export class Literal extends OwnTerm<'Literal'> {
  readonly language: string;
  readonly datatype: Term<'NamedNode'>;

  constructor(value: string, datatype: Term<'NamedNode'>, language = '') {
    super('Literal', value);
    this.language = language;
    this.datatype = datatype;
  }

  override equals(other: AnyTerm | null | undefined): boolean {
    const { language, datatype, direction } = other ?? {};
    return super.equals(other) && this.language === language && !direction && this.datatype.equals(datatype);
  }
}

class DefaultGraph extends OwnTerm<'DefaultGraph', ''> {
  constructor() {
    super('DefaultGraph', '');
  }
}

/** A quad of the given terms. */
export class OwnQuad extends OwnTerm<'Quad', ''> implements Quad {
  readonly subject: Quad['subject'];
  readonly predicate: Quad['predicate'];
  readonly object: Quad['object'];
  readonly graph: Quad['graph'];

  constructor(subject: Quad['subject'], predicate: Quad['predicate'], object: Quad['object'], graph: Quad['graph']) {
    super('Quad', '');
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
    this.graph = graph;
  }

  override equals(other: AnyTerm | null | undefined): boolean {
    const { subject, predicate, object, graph } = (other ?? {}) as Partial<AnyQuad>;
    return (
      other?.termType === 'Quad' &&
      this.subject.equals(subject) &&
      this.predicate.equals(predicate) &&
      this.object.equals(object) &&
      this.graph.equals(graph)
    );
  }
}

export const DEFAULT_GRAPH: Term<'DefaultGraph'> = /* @__PURE__ */ new DefaultGraph();

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const XSD_STRING: NamedNode = /* @__PURE__ */ new NamedNode(`${XSD}string`);
export const RDF_LANG_STRING: NamedNode = /* @__PURE__ */ new NamedNode(`${RDF}langString`);
export const RDF_TYPE = `${RDF}type`;

/**
 * The most UTF-16 units of a quad: half of what V8 holds in a string, so that its key is never a text that some host
 * can hold and another one cannot.
 */
export const MAX_QUAD_UNITS = 2 ** 28;
