/** The part of n3 2 that this project uses; it comes without types. */
declare module 'n3' {
  /**
   * Lines count from 1, columns from 0, in UTF-16 units; for a token over several lines `end` counts in the last one.
   */
  export interface Token {
    readonly type: string;
    /**
     * The text of an IRI, without escapes. An observer may put another in its place: the parser reads it afterwards.
     */
    value: string;
    /** The datatype of a literal without quotation marks: of `1`, `1.0`, `1e0` and `true`. */
    readonly prefix: string;
    readonly line: number;
    readonly start: number;
    readonly end: number;
    readonly endLine?: number;
  }

  export interface SyntaxError extends Error {
    readonly context: { readonly token?: Token; readonly line: number; readonly previousToken?: Token };
  }

  export interface DataFactory<Term, Quad> {
    namedNode(iri: string): Term;
    /** Makes a blank node: there is no label for `[ ]` and the cells of `( )`. */
    blankNode(label?: string): Term;
    literal(value: string, kind?: Term | string | { readonly language: string; readonly direction: string }): Term;
    defaultGraph(): Term;
    quad(subject: Term, predicate: Term, object: Term, graph?: Term): Quad;
  }

  /** The part of a Node stream that is used; a listener may be called at once. */
  export interface TextSource {
    on(event: string, listener: (piece: string) => void): unknown;
  }

  export class Parser<Term, Quad> {
    constructor(options: {
      readonly format: string;
      readonly blankNodePrefix?: string;
      readonly factory: DataFactory<Term, Quad>;
    });
    parse(
      source: TextSource,
      callbacks: {
        readonly onQuad: (error: SyntaxError | null, quad: Quad | null) => void;
        readonly onPrefix?: (prefix: string, iri: Term) => void;
        readonly onToken?: (token: Token) => void;
        readonly onTokenEnd?: (token: Token) => void;
      },
    ): void;
  }

  export class Writer<Quad> {
    constructor(
      output: { write(text: string, encoding: string, done?: () => void): void; end(done?: () => void): void },
      options: { readonly format: string; readonly prefixes: Readonly<Record<string, string>> },
    );
    addQuad(quad: Quad): void;
    end(): void;
  }
}
