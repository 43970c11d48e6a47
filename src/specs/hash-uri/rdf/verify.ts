import { mustBeOneOf, mustBeOptions, mustBeString, ownProperties } from '../../../core/argument.ts';
import { base64OfBytes } from '../../../core/bytes/base64.ts';
import { type HashUriVerdict, isVerified, KernelSha256, type Sha256 } from '../file-module.ts';
import { CODE_LENGTH, findCodes, partsOf } from '../hash-uri.ts';
import { RdfError } from './failure.ts';
import { type KeyOrder, Keys } from './keys.ts';
import { type AnyQuad, type AnyTerm, checkedQuads, checkedStream, RDF_TYPE } from './rdf-js.ts';
import { CodeRemoval, hashedPieces, type SpecVersion, sortKey } from './sort-key.ts';

/** Options of `verify`, `verdictOf` and the functions after them. */
export interface VerifyRdfOptions {
  /**
   * 'utf16': where the order of the specification gives another code, try that of Java's strings too, which the trusty
   * URI tools sort by; `verdictOf` says which of them it was.
   */
  readonly order?: KeyOrder | undefined;
  /** Only the quads of this graph, as for a graph of module RB in a larger file. */
  readonly graph?: string | undefined;
  /** 0 is that of the hash-URI drafts. Default 1. */
  readonly specVersion?: SpecVersion | undefined;
}

/** The result of `verdictOf`. */
export interface RdfVerdict extends HashUriVerdict {
  /** The code of the quads, in the order of the specification; undefined where none was made. */
  readonly code?: string | undefined;
  /** The order that gave the code of the URI. */
  readonly order?: KeyOrder | undefined;
}

/**
 * Whether `uri` was made from the quads. An extension is stripped first, so that a file's name will do. For module RB
 * all quads must be in the graph that `uri` names; where `uri` is a file's name, in one that ends in its code.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param quads of any library; their order does not matter
 * @param options the order of Java's strings as well, one graph alone, an older specification
 * @returns false where `uri` names other quads
 * @throws {TypeError} where `quads` is not a list of quads
 * @throws {HashUriError} where there is nothing to compare: `uri` is not a hash-URI, or its module neither RA nor RB
 * @throws {RdfError} on quads that cannot be hashed, such as those with blank nodes, and for module RB without quads
 * @example
 * const quads = parseRdf('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .', { format: 'turtle' });
 * const made = make('http://example.org/doc', quads, { module: 'RA' });
 * verify(made.uri, made.quads); //=> true
 */
export function verify(uri: string | URL, quads: Iterable<AnyQuad>, options: VerifyRdfOptions = {}): boolean {
  return isVerified(uri, verdictOf(uri, quads, options));
}

/**
 * Whether `uri` was made from quads as they arrive.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param quads of any library: from `parseRdfStream`, or the stream of an RDF/JS parser
 * @param options the order of Java's strings as well, one graph alone, an older specification
 * @returns false where `uri` names other quads
 * @throws {TypeError} where `quads` is not a list or stream of quads
 * @throws {HashUriError} where there is nothing to compare, as `verify` does
 * @throws {RdfError} as `verify` does
 * @example
 * const { body } = new Response('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .');
 * const quads = parseRdfStream(body!, { format: 'turtle' });
 * await verifyStream('RABAoJWYflPuakNvZoBYYJJqOsG0icKyRPIrK2f48Av-8', quads); //=> true
 */
export async function verifyStream(
  uri: string | URL,
  quads: AsyncIterable<AnyQuad>,
  options: VerifyRdfOptions = {},
): Promise<boolean> {
  return isVerified(uri, await verdictOfStream(uri, quads, options));
}

/**
 * Says what `verify` found, in one word, with the code of the quads and the order that gave the code of the URI.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param quads of any library; their order does not matter
 * @param options the order of Java's strings as well, one graph alone, an older specification
 * @returns `result` is 'unsupported' where the module is neither RA nor RB
 * @throws {TypeError} where `quads` is not a list of quads
 * @throws {RdfError} as `verify` does
 * @example
 * const quads = parseRdf('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .', { format: 'turtle' });
 * const made = make('http://example.org/doc', quads, { module: 'RA' });
 * verdictOf(made.uri, made.quads).order; //=> 'code-points'
 */
export function verdictOf(uri: string | URL, quads: Iterable<AnyQuad>, options: VerifyRdfOptions = {}): RdfVerdict {
  const expected = expectedOf(uri, options);
  const checked = checkedQuads(quads);
  if (typeof expected === 'string') return { result: expected };
  const verifier = new QuadVerifier(expected, new Keys());
  for (const quad of checked) verifier.add(quad);
  return verifier.verdict();
}

/**
 * Says what `verifyStream` found, in one word, with the code of the quads and the order that gave the code of the URI.
 *
 * @param uri a hash-URI, its code alone, or the name of its file
 * @param quads of any library: from `parseRdfStream`, or the stream of an RDF/JS parser
 * @param options the order of Java's strings as well, one graph alone, an older specification
 * @returns what `verdictOf` does
 * @throws {TypeError} where `quads` is not a list or stream of quads
 * @throws {RdfError} as `verify` does
 * @example
 * const { body } = new Response('<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .');
 * const quads = parseRdfStream(body!, { format: 'turtle' });
 * (await verdictOfStream('RABAoJWYflPuakNvZoBYYJJqOsG0icKyRPIrK2f48Av-8', quads)).order; //=> 'code-points'
 */
export async function verdictOfStream(
  uri: string | URL,
  quads: AsyncIterable<AnyQuad>,
  options: VerifyRdfOptions = {},
): Promise<RdfVerdict> {
  const expected = expectedOf(uri, options);
  const checked = checkedStream(quads);
  if (typeof expected === 'string') return { result: expected };
  const verifier = new QuadVerifier(expected, new Keys());
  for await (const quad of checked) verifier.add(quad);
  return verifier.verdict();
}

/** The code and the options that quads are checked against. */
export interface Expected extends VerifyRdfOptions {
  readonly module: RdfModule;
  readonly code: string;
  /** The URI without its extension. */
  readonly uri: string;
}

/** Returns what quads are checked against, or the result if it is known without looking at them. */
export function expectedOf(uri: string | URL, options: VerifyRdfOptions): Expected | 'unsupported' | 'not-a-hash-uri' {
  const own = mustBeOptions('options', options, ['order', 'graph', 'specVersion']);
  const { order = 'code-points', specVersion = 1, graph = '' } = own;
  mustBeOneOf('order', order, ['code-points', 'utf16']);
  mustBeOneOf('specVersion', specVersion, [0, 1]);
  mustBeString('graph', graph);
  const parts = partsOf(uri);
  if (parts === undefined) return 'not-a-hash-uri';
  const module = RDF_MODULES.find((name) => name === parts.identifier);
  return module === undefined
    ? 'unsupported'
    : ownProperties<Expected>(own, { module, code: module + parts.data, uri: parts.uri });
}

/** Checks quads against a hash-URI. */
export class QuadVerifier {
  readonly #expected: Expected;
  readonly #removal: CodeRemoval;
  readonly #keys: Keys;
  #isOneGraph = true;

  constructor(expected: Expected, keys: Keys) {
    this.#expected = expected;
    this.#removal = new CodeRemoval(expected.code);
    this.#keys = keys;
  }

  add(quad: AnyQuad): void {
    const { graph, specVersion = 1, module } = this.#expected;
    if (graph !== undefined && quad.graph.value !== graph) return;
    this.#keys.add(sortKey(quad, this.#removal, specVersion));
    if (module === 'RB' && !this.#isNamed(quad)) this.#isOneGraph = false;
  }

  /** @param sha256 makes a new one for each order that is tried; default: the kernel's */
  verdict(sha256?: () => Sha256): RdfVerdict {
    const { module, code: expected, order, uri, graph } = this.#expected;
    if (module === 'RB' && this.#keys.count === 0) throw new RdfError('graph-empty', graph ?? uri);
    const code = codeOfKeys(module, this.#keys, 'code-points', sha256?.());
    if (!this.#isOneGraph) return { result: 'mismatch', code };
    if (code === expected) return { result: 'verified', code, order: 'code-points' };
    const isTriedAgain = order === 'utf16' && this.#keys.dependsOnOrder;
    if (isTriedAgain && codeOfKeys(module, this.#keys, 'utf16', sha256?.()) === expected)
      return { result: 'verified', code, order: 'utf16' };
    return { result: 'mismatch', code };
  }

  /** Whether a quad is in the graph that the URI names, for module RB. A file's name has only the end of that. */
  #isNamed({ graph: { termType, value } }: AnyQuad): boolean {
    const { uri, code } = this.#expected;
    return (
      termType === 'NamedNode' &&
      (uri.includes('://') ? value === uri : partsOf(value)?.uri === value && value.endsWith(code))
    );
  }
}

/** RA: any number of graphs; RB: one graph, which the trusty URI names. */
export type RdfModule = 'RA' | 'RB';
export const RDF_MODULES: readonly RdfModule[] = ['RA', 'RB'];

/** Options of `hashedText`: without a name that declarations of its callers would need. */
export type TextOptions = {
  /**
   * The code that quads name themselves by, 45 characters, or '' for none. Default: the only one of module RA or RB
   * that they hold, or else their nanopublication's, or else the only one among their graphs and subjects.
   */
  readonly code?: string | undefined;
  /** 0 is that of the hash-URI drafts: no datatype `xsd:string`, and language tags as they are. Default 1. */
  readonly specVersion?: SpecVersion | undefined;
};

/** Options of `artifactCode`. */
export type CodeOptions = TextOptions & {
  /** RA for any number of graphs, RB for one. */
  readonly module: RdfModule;
};

/**
 * Returns the text that is hashed for modules RA and RB: for each different quad, in order, its graph, subject,
 * predicate and object, each with a line feed after it. Shows where two sets of quads differ.
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
  for (const piece of hashedPieces(keys.sorted(order))) sha256.update(piece);
  return module + base64OfBytes(sha256.digest());
}

function keysOf(quads: Iterable<AnyQuad>, { code, specVersion = 1 }: TextOptions): Keys {
  mustBeOneOf('specVersion', specVersion, [0, 1]);
  const list = code === undefined ? [...quads] : quads;
  const removal = new CodeRemoval(mustBeString('code', code === undefined ? ownCode(list) : code));
  const keys = new Keys();
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

/** The most codes that are kept: the second proves that there are several, and a large file may hold millions. */
const MAX_CODES = 2;

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

function ownCode(quads: Iterable<AnyQuad>): string {
  const own = new OwnCode();
  for (const quad of quads) own.add(quad);
  return own.code;
}

function keepCodes(codes: Set<string>, term: AnyTerm): void {
  if (codes.size < MAX_CODES) for (const code of codesOf(term)) codes.add(code);
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
  return parts?.identifier === 'RA' && !Object.hasOwn(parts, 'extension');
}
