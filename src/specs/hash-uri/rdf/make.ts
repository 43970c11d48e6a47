import { mustBeOneOf, mustBeOptions, mustBeString, mustBeUrl } from '../../../core/argument.ts';
import type { Sha256 } from '../sha256.ts';
import { codeOfKeys, RDF_MODULES, type RdfModule } from './artifact-code.ts';
import { RdfError } from './error.ts';
import { type Keys, KeyTable } from './key-table.ts';
import {
  type AnyQuad,
  type AnyTerm,
  checkedQuads,
  DEFAULT_GRAPH,
  Literal,
  NamedNode,
  OwnQuad,
  type Quad,
  XSD_STRING,
} from './rdf-js.ts';
import { checkedSettings, Rewriting, type Settings } from './rewriting.ts';
import { sortKey } from './sort-key.ts';

/** What `make` takes. */
export interface MakeRdfOptions {
  /** RA for any number of graphs, RB for one. */
  readonly module: RdfModule;
  /** Default: `_`, `.`, `#`, `.`; `NANOPUB` for nanopublications. */
  readonly settings?: { readonly [Name in keyof Settings]?: Settings[Name] | undefined } | undefined;
  /** Module RB: the graph that gets the trusty URI as its name, where it is not called `base`. */
  readonly graph?: string | undefined;
}

/** What `make` makes. */
export interface MadeRdf {
  /** The trusty URI. */
  readonly uri: string;
  /** 45 characters. */
  readonly code: string;
  /** All quads, in the order given: with the code in their IRIs and without blank nodes. */
  readonly quads: Quad[];
}

/**
 * Names quads after their hash: IRIs that begin with `base` get the code, and so do blank nodes, which are numbered in
 * the order in which they first appear. `verify(uri, quads)` of the result holds.
 *
 * @param base what the URI begins with; without `://` no IRI is changed, and there must be no blank nodes
 * @param quads of any library, blank nodes and all
 * @param options the module, and what becomes of IRIs
 * @returns the trusty URI, its code and the quads as they are published
 * @throws {TypeError} where `quads` is not a list of quads
 * @throws {RdfError} for what cannot be hashed, a change to a graph that already has a trusty URI of module RB, and for
 *   module RB where no quad is in the graph
 * @see Rewriting for what becomes of IRIs
 * @example
 * const quads = parseRdf('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .', { format: 'turtle' });
 * make('http://example.org/doc', quads, { module: 'RA' }).uri;
 * //=> 'http://example.org/doc.RA908clB7QtdIq9O6p7oxyp9L4kfobxN3C4J0IyhyAcFE'
 */
export function make(base: string | URL, quads: Iterable<AnyQuad>, options: MakeRdfOptions): MadeRdf {
  const maker = new QuadMaker(base, options, new KeyTable());
  const list = [...checkedQuads(quads)];
  for (const quad of list) maker.add(quad);
  const code = maker.code();
  const { rewriting } = maker;
  return { uri: rewriting.stem + code, code, quads: list.map((quad) => withCode(quad, rewriting, code)) };
}

/** Makes a hash-URI of quads: once all are added, `code` is theirs. */
export class QuadMaker {
  readonly rewriting: Rewriting;
  readonly #module: RdfModule;
  readonly #graph: string;
  readonly #keys: Keys;

  constructor(base: string | URL, options: MakeRdfOptions, keys: Keys) {
    const text = mustBeUrl('base', base);
    const own = mustBeOptions('options', options, ['module', 'settings', 'graph']);
    const { module, settings = {}, graph = text } = own;
    if (mustBeOneOf('module', module, RDF_MODULES) === 'RA' && own.graph !== undefined)
      throw new RangeError('graph is an option of module RB: module RA hashes all graphs');
    this.rewriting = new Rewriting(text, checkedSettings(settings), mustBeString('graph', graph));
    this.#module = module;
    this.#graph = graph;
    this.#keys = keys;
  }

  /** Blank nodes are counted in every graph, as by the trusty URI tools; module RB hashes the quads of one graph. */
  add(quad: AnyQuad): void {
    const key = sortKey(quad, this.rewriting, 1);
    if (this.#module === 'RA' || quad.graph.value === this.#graph) this.#keys.add(key);
  }

  code(sha256?: Sha256): string {
    if (this.#module === 'RB' && this.#keys.count === 0) throw new RdfError('graph-empty', this.#graph);
    return codeOfKeys(this.#module, this.#keys, 'code-points', sha256);
  }
}

/** Returns the quad as it is published. */
export function withCode(quad: AnyQuad, rewriting: Rewriting, code: string): Quad {
  const node = (term: AnyTerm) => {
    const iri = term.termType === 'BlankNode' ? rewriting.blankNode(term.value, quad) : rewriting.iri(term.value, quad);
    return new NamedNode(iri.replaceAll(' ', code));
  };
  const { subject, predicate, object, graph } = quad;
  const name: Quad['graph'] = graph.termType === 'DefaultGraph' ? DEFAULT_GRAPH : node(graph);
  return new OwnQuad(
    node(subject),
    node(predicate),
    object.termType === 'Literal' ? ownLiteral(object) : node(object),
    name,
  );
}

function ownLiteral(literal: AnyTerm): Literal {
  const { value, language, datatype = XSD_STRING } = literal;
  return new Literal(value, new NamedNode(datatype.value), language);
}
