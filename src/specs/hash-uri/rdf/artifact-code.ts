import { mustBeOneOf, mustBeOptions, mustBeString } from '../../../core/argument.ts';
import { base64OfBytes } from '../../../core/bytes/base64.ts';
import { CODE_LENGTH, findCodes, partsOf } from '../hash-uri.ts';
import { KernelSha256, type Sha256 } from '../sha256.ts';
import { RdfError } from './error.ts';
import { type KeyOrder, type Keys, KeyTable } from './key-table.ts';
import { type AnyQuad, type AnyTerm, checkedQuads, RDF_TYPE } from './rdf-js.ts';
import { CodeRemoval, hashedPieces, type SpecVersion, sortKey } from './sort-key.ts';

/** RA: any number of graphs; RB: one graph, which the trusty URI names. */
export type RdfModule = 'RA' | 'RB';
export const RDF_MODULES: readonly RdfModule[] = ['RA', 'RB'];

/** What `hashedText` takes: without a name that declarations of its callers would need. */
export type TextOptions = {
  /**
   * The code that quads name themselves by, 45 characters, or '' for none. Default: the only one of module RA or RB
   * that they hold, or else their nanopublication's, or else the only one among their graphs and subjects.
   */
  readonly code?: string | undefined;
  /** 0 is that of the hash-URI drafts: no datatype `xsd:string`, and language tags as they are. Default 1. */
  readonly specVersion?: SpecVersion | undefined;
};

/** What `artifactCode` takes. */
export type CodeOptions = TextOptions & {
  /** RA for any number of graphs, RB for one. */
  readonly module: RdfModule;
};

/**
 * What is hashed for modules RA and RB, as text: for each different quad, in order, its graph, subject, predicate and
 * object, each with a line feed after it. Shows where two sets of quads differ.
 *
 * @param quads of any library
 * @param options the code that the quads hold, where there are several; an older specification
 * @throws {TypeError} where `quads` is not a list of quads
 * @throws {RdfError} on quads that cannot be hashed, such as those with blank nodes
 * @see trusty URI specification, version 1, module RA
 * @example
 * const quads = parseRdf('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .', { format: 'turtle' });
 * hashedText(quads);
 * //=> '\nhttp://example.org/doc\nhttp://purl.org/dc/terms/title\n^http://www.w3.org/2001/XMLSchema#string Hello\n'
 */
export function hashedText(quads: Iterable<AnyQuad>, options: TextOptions = {}): string {
  const own = mustBeOptions('options', options, ['code', 'specVersion']);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const keys = keysOf(checkedQuads(quads), own);
  return Array.from(hashedPieces(keys.sorted()), (piece) => decoder.decode(piece, { stream: true })).join('');
}

/**
 * The code of quads as they are published; `make` gives quads that are not published yet a code and its IRIs.
 *
 * @param quads for module RB those of one named graph
 * @param options the module, and what `hashedText` takes
 * @returns 45 characters
 * @throws {TypeError} where `quads` is not a list of quads
 * @throws {RdfError} on quads that cannot be hashed, such as those with blank nodes
 * @example
 * const quads = parseRdf('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .', { format: 'turtle' });
 * artifactCode(quads, { module: 'RA' }).slice(0, 2); //=> 'RA'
 */
export function artifactCode(quads: Iterable<AnyQuad>, options: CodeOptions): string {
  const own = mustBeOptions('options', options, ['module', 'code', 'specVersion']);
  const { module } = own;
  const list = [...checkedQuads(quads)];
  if (mustBeOneOf('module', module, RDF_MODULES) === 'RB') mustBeOneGraph(list);
  return codeOfKeys(module, keysOf(list, own));
}

/** Returns the code of sorted keys, by the kernel's SHA-256 or the host's. */
export function codeOfKeys(
  module: RdfModule,
  keys: Keys,
  order: KeyOrder = 'code-points',
  sha256: Sha256 = new KernelSha256(),
): string {
  for (const piece of hashedPieces(keys.sorted(order), order)) sha256.update(piece);
  return module + base64OfBytes(sha256.digest());
}

function keysOf(quads: Iterable<AnyQuad>, { code, specVersion = 1 }: TextOptions): KeyTable {
  mustBeOneOf('specVersion', specVersion, [0, 1]);
  const list = code === undefined ? [...quads] : quads;
  const removal = new CodeRemoval(mustBeString('code', code === undefined ? ownCode(list) : code));
  const keys = new KeyTable();
  for (const quad of list) keys.add(sortKey(quad, removal, specVersion));
  return keys;
}

/** Module RB: "all triples have the trusty URI of the given resource as their graph URI". */
function mustBeOneGraph(quads: readonly AnyQuad[]): void {
  if (quads.length === 0) throw new RdfError('graph-empty', '');
  const { value } = quads[0]!.graph;
  for (const quad of quads)
    if (quad.graph.termType !== 'NamedNode' || quad.graph.value !== value) throw new RdfError('graph-name', quad);
}

/** Two codes are enough to know that there are several: a large file may hold millions. */
const KEPT = 2;

/**
 * Finds the code by which quads name themselves: the only one of module RA or RB in their IRIs; or else their
 * nanopublication's; or else the only one among graphs and subjects, since objects name other things too.
 */
export class OwnCode {
  readonly #anywhere = new Set<string>();
  readonly #ofNanopublications = new Set<string>();
  readonly #ofSubjects = new Set<string>();

  add(quad: AnyQuad): void {
    const { graph, subject, predicate, object } = quad;
    for (const term of [graph, subject, predicate, object]) keepCodes(this.#anywhere, term);
    for (const term of [graph, subject]) keepCodes(this.#ofSubjects, term);
    if (isNanopublication(quad)) keepCodes(this.#ofNanopublications, subject);
  }

  /** The code, or '' if there is none. @throws {RdfError} 'code-ambiguous' */
  get code(): string {
    if (this.#anywhere.size === 0) return '';
    for (const codes of [this.#anywhere, this.#ofNanopublications, this.#ofSubjects])
      if (codes.size === 1) return [...codes][0]!;
    throw new RdfError('code-ambiguous', [...this.#anywhere].join(' '));
  }
}

export function ownCode(quads: Iterable<AnyQuad>): string {
  const own = new OwnCode();
  for (const quad of quads) own.add(quad);
  return own.code;
}

function keepCodes(codes: Set<string>, term: AnyTerm): void {
  if (codes.size < KEPT) for (const code of codesOf(term)) codes.add(code);
}

function codesOf({ termType, value }: AnyTerm): string[] {
  if (termType !== 'NamedNode' || value.length < CODE_LENGTH) return [];
  return findCodes(value).flatMap(({ code, module }) => (module === 'FA' ? [] : [code]));
}

const NANOPUBLICATION = 'http://www.nanopub.org/nschema#Nanopublication';

/**
 * The trusty URIs of the nanopublications that the quads hold, in order: the subjects of type `np:Nanopublication`
 * that end in a code of module RA. A nanopublication's code is this one, whatever its file is called.
 *
 * @param quads of any library
 * @throws {TypeError} where it is not a list of quads
 * @example
 * const uri = 'http://example.org/doc.RA908clB7QtdIq9O6p7oxyp9L4kfobxN3C4J0IyhyAcFE';
 * const text = `<${uri}> a <http://www.nanopub.org/nschema#Nanopublication> .`;
 * nanopublicationsOf(parseRdf(text, { format: 'turtle' }));
 * //=> ['http://example.org/doc.RA908clB7QtdIq9O6p7oxyp9L4kfobxN3C4J0IyhyAcFE']
 */
export function nanopublicationsOf(quads: Iterable<AnyQuad>): string[] {
  const uris = new Set<string>();
  for (const quad of checkedQuads(quads)) if (isNanopublication(quad)) uris.add(quad.subject.value);
  return [...uris];
}

/** Whether the quad says that its subject, which has a code, is a nanopublication. */
export function isNanopublication({ subject, predicate, object }: AnyQuad): boolean {
  if (object.value !== NANOPUBLICATION || predicate.value !== RDF_TYPE || object.termType !== 'NamedNode') return false;
  const parts = partsOf(subject.value);
  return parts?.identifier === 'RA' && parts.extension === undefined;
}
