// The RDF/JS data model, https://rdf.js.org/data-model-spec/. What is asked of a caller's terms and quads is less
// than what ours give: any library's will do.

/** An RDF/JS term of any library: a literal also has `language` and `datatype`. */
export interface AnyTerm {
  readonly termType: string;
  readonly value: string;
}

/** An RDF/JS quad of any library. */
export interface AnyQuad {
  readonly subject: AnyTerm;
  readonly predicate: AnyTerm;
  readonly object: AnyTerm;
  readonly graph: AnyTerm;
}

/** What an RDF/JS literal has beside its label; `direction`, of RDF 1.2, is '' or missing in all that can be hashed. */
export interface LiteralLike {
  readonly language?: string;
  readonly datatype?: AnyTerm;
  readonly direction?: string | null;
}

type Other = AnyTerm | null | undefined;

export class NamedNode {
  readonly termType = 'NamedNode';
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  equals(other: Other): boolean {
    return isSame(this, other);
  }
}

export class BlankNode {
  readonly termType = 'BlankNode';
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  equals(other: Other): boolean {
    return isSame(this, other);
  }
}

export class Literal {
  readonly termType = 'Literal';
  readonly value: string;
  /** '' where it has none. */
  readonly language: string;
  readonly datatype: NamedNode;

  constructor(value: string, datatype: NamedNode, language = '') {
    this.value = value;
    this.language = language;
    this.datatype = datatype;
  }

  equals(other: Other): boolean {
    const { language, datatype, direction } = (other ?? {}) as LiteralLike;
    return isSame(this, other) && this.language === language && !direction && this.datatype.equals(datatype);
  }
}

export class DefaultGraph {
  readonly termType = 'DefaultGraph';
  readonly value = '';

  equals(other: Other): boolean {
    return isSame(this, other);
  }
}

function isSame(term: AnyTerm, other: Other): boolean {
  return other?.termType === term.termType && other.value === term.value;
}

export type Subject = NamedNode | BlankNode;
export type Graph = NamedNode | BlankNode | DefaultGraph;

/** An RDF/JS quad: a triple and the graph it lies in. */
export class Quad {
  readonly termType = 'Quad';
  readonly value = '';
  readonly subject: Subject;
  readonly predicate: NamedNode;
  readonly object: Subject | Literal;
  readonly graph: Graph;

  constructor(subject: Subject, predicate: NamedNode, object: Subject | Literal, graph: Graph) {
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
    this.graph = graph;
  }

  equals(other: Other): boolean {
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
