import type { DataFactory, SyntaxError, Token } from 'n3';
import { ownProperties } from '../../../core/argument.ts';
import { RdfError, type RdfReason, type TextPosition } from './failure.ts';
import { BaseIri, isAbsoluteIri } from './iri.ts';
import { Parser } from './n3-parser.ts';
import {
  type AnyTerm,
  BlankNode,
  DEFAULT_GRAPH,
  Literal,
  NamedNode,
  OwnQuad,
  type Quad,
  RDF_LANG_STRING,
  type Term,
  XSD_STRING,
} from './rdf-js.ts';

type OwnTerm = Term | Quad;
type Listener = (piece: string) => void;

/** Prefixes that keep labels of the document and numbers of unlabelled nodes apart. */
const LABELLED = 'b-';
const UNLABELLED = 'n-';

/** Tokens that end a statement: neither can be inside `[ ]` or `( )`. */
const STATEMENT_ENDS = new Set(['.', '}']);
/** Tokens whose IRI becomes the base of those after it. */
const BASE_DIRECTIVES = new Set(['@base', 'BASE']);
/** Tokens that stand outside of graphs alone (TriG, productions [1g] trigDoc to [6g] wrappedGraph). */
const OUTSIDE_GRAPHS = new Set([...BASE_DIRECTIVES, '@prefix', 'PREFIX', '@version', 'VERSION', 'GRAPH', '{']);
/** The IRI or name after `^^`. */
const DATATYPES = new Set(['typeIRI', 'type']);

/**
 * Reads Turtle and TriG with n3, in the order of the document. What n3 lets pass, and would become part of an identity,
 * is refused before it sees the token: IRIs are resolved here, and are absolute then.
 */
export class TurtleReader {
  readonly #order: DocumentOrder;
  readonly #recent = new RecentText();
  readonly #listeners: Record<string, Listener> = {};
  #base: BaseIri | undefined;
  #token: Token | undefined;
  #isInGraph = false;
  #unlabelledCount = 0;

  /** @param prefixes gets those of the document, without their colons, and what each stands for */
  constructor(format: 'turtle' | 'trig', quads: Quad[], prefixes: Record<string, string>, base?: BaseIri) {
    this.#order = new DocumentOrder(quads);
    this.#base = base;
    const parser = new Parser<OwnTerm, Quad>(
      ownProperties({ format, blankNodePrefix: LABELLED, factory: this.#factory() }),
    );
    parser.parse(
      { on: (event, listener) => (this.#listeners[event] = listener) },
      {
        onQuad: (error, quad) => (error === null ? quad && this.#add(quad) : this.#failAt(error)),
        onPrefix: (prefix, { value }) => void (prefixes[prefix] = value),
        onToken: (token) => this.#check(token),
        onTokenEnd: ({ type }) => STATEMENT_ENDS.has(type) && this.#order.endStatement(),
      },
    );
  }

  /** Appends the quads that are complete, in document order. @throws {RdfError} with line and column */
  push(text: string): void {
    this.#feed('data', text);
  }

  end(): void {
    this.#feed('end', '');
    this.#order.endStatement();
  }

  /** Reads more text. What follows the last token is kept in one string; a RangeError says that none is so long. */
  #feed(event: 'data' | 'end', text: string): void {
    try {
      this.#recent.push(text);
      this.#listeners[event]!(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const { line, end, endLine = line } = this.#token ?? { line: 1, end: 0 };
      throw new RdfError('too-long', '', { line: endLine, column: end + 1 });
    }
  }

  /** Looks at a token before n3 does, and resolves its IRI. */
  #check(token: Token): void {
    const before = this.#token;
    const { type } = (this.#token = token);
    const isAfterString = before?.type === 'literal' && before.prefix === '';
    if (DATATYPES.has(type) && !isAfterString) this.#reject('syntax', 'a datatype was not expected here');
    if (this.#isInGraph && OUTSIDE_GRAPHS.has(type)) this.#reject('syntax', `${type} was not expected in a graph`);
    if (type === '{' || type === '}') this.#isInGraph = type === '{';
    if (type !== 'IRI' && type !== 'typeIRI') return;
    if (!isAbsoluteIri(token.value)) token.value = this.#base?.resolve(token.value) ?? this.#reject('iri-relative');
    if (BASE_DIRECTIVES.has(before?.type ?? '')) this.#base = new BaseIri(token.value);
  }

  #add(quad: Quad): void {
    if ((quad.object as OwnTerm).termType === 'Quad') this.#reject('triple-term');
    this.#order.add(quad);
  }

  #factory(): DataFactory<OwnTerm, Quad> {
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

  #reject(reason: RdfReason, sentence?: string): never {
    const { line, start } = this.#token!;
    throw this.#errorAt({ line, column: start + 1 }, reason, sentence);
  }

  #failAt({ message, context: { token, line, previousToken } }: SyntaxError): never {
    const place = token === undefined ? this.#recent.nextAfter(previousToken, line) : { line, column: token.start + 1 };
    // n3 quotes terms by an `id`, which ours do not have
    throw this.#errorAt(place, 'syntax', message.replace(/(?: to follow "undefined")? on line \d+\.$/, ''));
  }

  #errorAt(place: TextPosition, reason: RdfReason, sentence?: string): RdfError {
    return new RdfError(reason, this.#recent.from(place), place, sentence);
  }
}

/**
 * Puts the quads of a Turtle or TriG statement in the order in which the document writes them: a triple before the
 * contents of the `[ ]` or `( )` that is its object. n3 emits the contents first, and blank nodes are numbered by their
 * first appearance, so codes depend on the order.
 *
 * A node that was written as `[ ]` or `( )` is the object of one triple at most: the statement is a forest, read
 * here depth first.
 */
class DocumentOrder {
  readonly #quads: Quad[];
  readonly #statement: Quad[] = [];
  /** The nodes that have no label in the document. */
  readonly #unlabelled = new Set<string>();

  /** @param quads receives them in that order */
  constructor(quads: Quad[]) {
    this.#quads = quads;
  }

  addUnlabelled(label: string): void {
    this.#unlabelled.add(label);
  }

  add(quad: Quad): void {
    this.#statement.push(quad);
  }

  /** Passes on the statement that just ended; no later one can refer to its unlabelled nodes. */
  endStatement(): void {
    if (this.#unlabelled.size === 0) for (const quad of this.#statement) this.#quads.push(quad);
    else this.#addForest();
    this.#statement.length = 0;
    this.#unlabelled.clear();
  }

  #addForest(): void {
    const { roots, contents } = this.#forest();
    const open = [roots.values()];
    while (open.length > 0) {
      const { done, value: quad } = open.at(-1)!.next();
      if (done === true) {
        open.pop();
        continue;
      }
      this.#quads.push(quad);
      const within = this.#isUnlabelled(quad.object) ? contents.get(quad.object.value) : undefined;
      if (within !== undefined) open.push(within.values());
    }
  }

  /** Returns the quads of the statement by the node whose contents they are; those of no node are the roots. */
  #forest(): { roots: Quad[]; contents: Map<string, Quad[]> } {
    const contents = new Map<string, Quad[]>();
    for (const { object } of this.#statement) if (this.#isUnlabelled(object)) contents.set(object.value, []);
    const roots: Quad[] = [];
    for (const quad of this.#statement)
      ((this.#isUnlabelled(quad.subject) ? contents.get(quad.subject.value) : undefined) ?? roots).push(quad);
    return { roots, contents };
  }

  #isUnlabelled(term: AnyTerm): boolean {
    return term.termType === 'BlankNode' && this.#unlabelled.has(term.value);
  }
}

const LINE_END = /\r\n|\r|\n/;

/** The place of a token: lines count from 1, columns from 0. */
interface TokenEnd {
  readonly line: number;
  readonly end: number;
  readonly endLine?: number;
}

/** The last piece of a text from the start of its first line, so that an error can quote it and find its column. */
class RecentText {
  #start = '';
  #piece = '';
  /** The line that #start begins. */
  #line = 1;

  push(piece: string): void {
    const end = endOfLines(this.#piece);
    if (end > 0) this.#line += (this.#start + this.#piece.slice(0, end)).split(LINE_END).length - 1;
    this.#start = (end > 0 ? '' : this.#start) + this.#piece.slice(end);
    this.#piece = piece;
  }

  /** Returns where text continues after a token, if that is on `line`, or else from the start of `line`. */
  nextAfter(token: TokenEnd | undefined, line: number): TextPosition {
    const after = (token?.endLine ?? token?.line) === line ? token!.end + 1 : 1;
    return { line, column: after + /^\s*/.exec(this.from({ line, column: after }))![0].length };
  }

  /** Returns the rest of a line, as far as it is known. */
  from({ line, column }: TextPosition): string {
    const lines = (this.#start + this.#piece).split(LINE_END);
    return (lines[line - this.#line] ?? '').slice(column - 1, column + 200);
  }
}

/** Returns where the last whole line ends, or 0; a carriage return at the very end may be half of a line end. */
function endOfLines(piece: string): number {
  return Math.max(piece.lastIndexOf('\n'), piece.slice(0, -1).lastIndexOf('\r')) + 1;
}
