// The RDF/JS data model, https://rdf.js.org/data-model-spec/. What is asked of a caller's terms and quads is less than
// what ours give: any library's will do.

/** An RDF/JS term of any library. */
export interface AnyTerm {
  /** 'NamedNode', 'BlankNode', 'Literal', 'DefaultGraph', or a kind that cannot be hashed. */
  readonly termType: string;
  /** The IRI, the label of the blank node, or the text of the literal. */
  readonly value: string;
  /** Of a literal: the language tag; '' or missing where it has none. */
  readonly language?: string;
  /** Of a literal: the datatype's IRI as a term; `xsd:string` where it is missing. */
  readonly datatype?: AnyTerm;
  /** Of a literal, in RDF 1.2: '' or missing, or it cannot be hashed. */
  readonly direction?: string | null;
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

interface TermOf<Type extends string, Value extends string = string> {
  /** What RDF/JS calls it. */
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

interface LiteralTerm extends TermOf<'Literal'> {
  /** '' where it has none. */
  readonly language: string;
  /** `rdf:langString` where it has a language. */
  readonly datatype: TermOf<'NamedNode'>;
}

/** An RDF/JS term; `Term<'NamedNode'>` is one of that kind. */
export type Term<Type extends string = string> = Extract<
  TermOf<'NamedNode'> | TermOf<'BlankNode'> | LiteralTerm | TermOf<'DefaultGraph', ''>,
  {
    /** What RDF/JS calls the kind. */
    readonly termType: Type;
  }
>;

/** An RDF/JS quad: a triple and the graph it lies in. */
export interface Quad extends TermOf<'Quad', ''> {
  /** What it is about. */
  readonly subject: Term<'NamedNode' | 'BlankNode'>;
  /** The property. */
  readonly predicate: Term<'NamedNode'>;
  /** The property's value. */
  readonly object: Term<'NamedNode' | 'BlankNode' | 'Literal'>;
  /** The graph it lies in. */
  readonly graph: Term<'NamedNode' | 'BlankNode' | 'DefaultGraph'>;
}
