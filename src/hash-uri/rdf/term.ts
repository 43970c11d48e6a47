// The RDF/JS data model, https://rdf.js.org/data-model-spec/. What is asked of a caller's terms and quads is less
// than what ours give: any library's will do.

/** An RDF/JS term of any library: a literal also has `language` and `datatype`. */
export interface AnyTerm {
  /** 'NamedNode', 'BlankNode', 'Literal', 'DefaultGraph', or a kind that cannot be hashed. */
  readonly termType: string;
  /** The IRI, the label of the blank node, or the text of the literal. */
  readonly value: string;
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

/** What an RDF/JS literal has beside its label; `direction`, of RDF 1.2, is '' or missing in all that can be hashed. */
export interface LiteralLike {
  /** The language tag; '' or missing where it has none. */
  readonly language?: string;
  /** The datatype's IRI as a term; `xsd:string` where it is missing. */
  readonly datatype?: AnyTerm;
  /** '' or missing, or the literal cannot be hashed. */
  readonly direction?: string | null;
}

/** An RDF/JS term: an IRI. */
export class NamedNode {
  /** What RDF/JS calls it. */
  readonly termType = 'NamedNode';
  /** The IRI. */
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  /**
   * Is it the same term?
   *
   * @param other a term of any library
   */
  equals(other: AnyTerm | null | undefined): boolean {
    return isSame(this, other);
  }
}

/** An RDF/JS term: a blank node, whose label means nothing outside its document. */
export class BlankNode {
  /** What RDF/JS calls it. */
  readonly termType = 'BlankNode';
  /** The label, without `_:`. */
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  /**
   * Is it the same term?
   *
   * @param other a term of any library
   */
  equals(other: AnyTerm | null | undefined): boolean {
    return isSame(this, other);
  }
}

/** An RDF/JS term: a text with a datatype or a language. */
export class Literal {
  /** What RDF/JS calls it. */
  readonly termType = 'Literal';
  /** The text. */
  readonly value: string;
  /** '' where it has none. */
  readonly language: string;
  /** `rdf:langString` where it has a language. */
  readonly datatype: NamedNode;

  constructor(value: string, datatype: NamedNode, language = '') {
    this.value = value;
    this.language = language;
    this.datatype = datatype;
  }

  /**
   * Is it the same term?
   *
   * @param other a term of any library
   */
  equals(other: AnyTerm | null | undefined): boolean {
    const { language, datatype, direction } = (other ?? {}) as LiteralLike;
    return isSame(this, other) && this.language === language && !direction && this.datatype.equals(datatype);
  }
}

/** An RDF/JS term: the graph without a name. */
export class DefaultGraph {
  /** What RDF/JS calls it. */
  readonly termType = 'DefaultGraph';
  /** Empty: it has no name. */
  readonly value = '';

  /**
   * Is it the same term?
   *
   * @param other a term of any library
   */
  equals(other: AnyTerm | null | undefined): boolean {
    return isSame(this, other);
  }
}

function isSame(term: AnyTerm, other: AnyTerm | null | undefined): boolean {
  return other?.termType === term.termType && other.value === term.value;
}

/** What a quad can be about. */
export type Subject = NamedNode | BlankNode;
/** What a quad can lie in. */
export type Graph = NamedNode | BlankNode | DefaultGraph;

/** An RDF/JS quad: a triple and the graph it lies in. */
export class Quad {
  /** What RDF/JS calls it. */
  readonly termType = 'Quad';
  /** Empty: RDF/JS gives a quad no value. */
  readonly value = '';
  /** What it is about. */
  readonly subject: Subject;
  /** The property. */
  readonly predicate: NamedNode;
  /** The property's value. */
  readonly object: Subject | Literal;
  /** The graph it lies in. */
  readonly graph: Graph;

  constructor(subject: Subject, predicate: NamedNode, object: Subject | Literal, graph: Graph) {
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
    this.graph = graph;
  }

  /**
   * Is it the same quad, term by term?
   *
   * @param other a quad of any library
   */
  equals(other: AnyTerm | null | undefined): boolean {
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

export const DEFAULT_GRAPH = /* @__PURE__ */ new DefaultGraph();

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const XSD_STRING = /* @__PURE__ */ new NamedNode(`${XSD}string`);
export const RDF_LANG_STRING = /* @__PURE__ */ new NamedNode(`${RDF}langString`);
export const RDF_TYPE = `${RDF}type`;
