import type { DataFactory, SyntaxError, Token } from 'n3';
import { DocumentOrder } from './document-order.ts';
import { RdfError, type RdfReason, type TextPosition } from './error.ts';
import { Parser } from './n3-parser.ts';
import type { Emit, OnPrefix, QuadReader } from './quad-reader.ts';
import type { Quad, Term } from './rdf-js.ts';
import { RecentText } from './recent-text.ts';
import { BlankNode, DEFAULT_GRAPH, Literal, NamedNode, OwnQuad, RDF_LANG_STRING, XSD_STRING } from './term.ts';

type AnyOwn = Term | Quad;
type Listener = (piece: string) => void;

/** Labels of the document and numbers of unlabelled nodes are kept apart by what they begin with. */
const LABELLED = 'b-';
const UNLABELLED = 'n-';

/** Tokens that end a statement: inside of `[ ]` and `( )` neither can be. */
const STATEMENT_ENDS = new Set(['.', '}']);

/** Turtle and TriG, by n3, in the order of the document. */
export class TurtleReader implements QuadReader {
  readonly #order: DocumentOrder;
  readonly #recent = new RecentText();
  readonly #listeners: Record<string, Listener> = {};
  #token: Token | undefined;
  #unlabelledCount = 0;

  constructor(format: 'turtle' | 'trig', emit: Emit, baseIRI?: string, onPrefix: OnPrefix = () => undefined) {
    this.#order = new DocumentOrder(emit);
    const parser = new Parser<AnyOwn, Quad>({ format, baseIRI, blankNodePrefix: LABELLED, factory: this.#factory() });
    parser.parse(
      { on: (event, listener) => (this.#listeners[event] = listener) },
      {
        onQuad: (error, quad) => (error === null ? quad && this.#add(quad) : this.#failAt(error)),
        onPrefix: (prefix, { value }) => onPrefix(prefix, value),
        onToken: (token) => (this.#token = token),
        onTokenEnd: ({ type }) => STATEMENT_ENDS.has(type) && this.#order.endStatement(),
      },
    );
  }

  push(text: string): void {
    this.#recent.push(text);
    this.#listeners['data']!(text);
  }

  end(): void {
    this.#listeners['end']!('');
    this.#order.endStatement();
  }

  #add(quad: Quad): void {
    if ((quad.object as AnyOwn).termType === 'Quad') this.#reject('triple-term');
    this.#order.add(quad);
  }

  #factory(): DataFactory<AnyOwn, Quad> {
    return {
      namedNode: (iri) => new NamedNode(iri),
      blankNode: (label) => (label === undefined ? this.#unlabelled() : new BlankNode(label)),
      literal: (value, kind = XSD_STRING) => {
        if (typeof kind === 'string') return new Literal(value, RDF_LANG_STRING, kind);
        if (!('termType' in kind)) this.#reject('directional-language');
        return new Literal(value, kind as NamedNode);
      },
      defaultGraph: () => DEFAULT_GRAPH,
      quad: (subject, predicate, object, graph = DEFAULT_GRAPH) =>
        new OwnQuad(
          subject as Quad['subject'],
          predicate as Quad['predicate'],
          object as Quad['object'],
          graph as Quad['graph'],
        ),
    };
  }

  #unlabelled(): BlankNode {
    const node = new BlankNode(`${UNLABELLED}${++this.#unlabelledCount}`);
    this.#order.addUnlabelled(node.value);
    return node;
  }

  #reject(reason: RdfReason): never {
    const { line, start } = this.#token!;
    throw this.#errorAt({ line, column: start + 1 }, reason);
  }

  #failAt({ message, context: { token, line, previousToken } }: SyntaxError): never {
    const place = token === undefined ? this.#recent.nextAfter(previousToken, line) : { line, column: token.start + 1 };
    // n3 quotes terms by an `id` that ours do not have
    throw this.#errorAt(place, 'syntax', message.replace(/(?: to follow "undefined")? on line \d+\.$/, ''));
  }

  #errorAt(place: TextPosition, reason: RdfReason, sentence?: string): RdfError {
    return new RdfError(reason, this.#recent.from(place), place, sentence);
  }
}
