import type { AnyQuad, AnyTerm, Quad, Term } from './rdf-js.ts';

export class NamedNode {
  readonly termType = 'NamedNode';
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  equals(other: AnyTerm | null | undefined): boolean {
    return isSame(this, other);
  }
}

export class BlankNode {
  readonly termType = 'BlankNode';
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }

  equals(other: AnyTerm | null | undefined): boolean {
    return isSame(this, other);
  }
}

export class Literal {
  readonly termType = 'Literal';
  readonly value: string;
  readonly language: string;
  readonly datatype: Term<'NamedNode'>;

  constructor(value: string, datatype: Term<'NamedNode'>, language = '') {
    this.value = value;
    this.language = language;
    this.datatype = datatype;
  }

  equals(other: AnyTerm | null | undefined): boolean {
    const { language, datatype, direction } = other ?? {};
    return isSame(this, other) && this.language === language && !direction && this.datatype.equals(datatype);
  }
}

class DefaultGraph {
  readonly termType = 'DefaultGraph';
  readonly value = '';

  equals(other: AnyTerm | null | undefined): boolean {
    return isSame(this, other);
  }
}

function isSame(term: AnyTerm, other: AnyTerm | null | undefined): boolean {
  return other?.termType === term.termType && other.value === term.value;
}

/** A quad of these terms. */
export class OwnQuad implements Quad {
  readonly termType = 'Quad';
  readonly value = '';
  readonly subject: Quad['subject'];
  readonly predicate: Quad['predicate'];
  readonly object: Quad['object'];
  readonly graph: Quad['graph'];

  constructor(subject: Quad['subject'], predicate: Quad['predicate'], object: Quad['object'], graph: Quad['graph']) {
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
    this.graph = graph;
  }

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

export const DEFAULT_GRAPH: Term<'DefaultGraph'> = /* @__PURE__ */ new DefaultGraph();

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const XSD_STRING: NamedNode = /* @__PURE__ */ new NamedNode(`${XSD}string`);
export const RDF_LANG_STRING: NamedNode = /* @__PURE__ */ new NamedNode(`${RDF}langString`);
export const RDF_TYPE = `${RDF}type`;
