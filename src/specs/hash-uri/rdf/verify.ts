import { mustBeOneOf, mustBeOptions, mustBeString, ownProperties } from '../../../core/argument.ts';
import { type HashUriVerdict, isVerified } from '../file-module.ts';
import { partsOf } from '../hash-uri.ts';
import type { Sha256 } from '../sha256.ts';
import { codeOfKeys, RDF_MODULES, type RdfModule } from './artifact-code.ts';
import { RdfError } from './error.ts';
import { type KeyOrder, type Keys, KeyTable } from './key-table.ts';
import { type AnyQuad, checkedQuads, checkedStream } from './rdf-js.ts';
import { CodeRemoval, type SpecVersion, sortKey } from './sort-key.ts';

/** What `verify`, `verdictOf` and those after them take. */
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

/** What `verdictOf` finds out. */
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
 * What `verify` found, in one word, with the code of the quads and the order that gave the code of the URI.
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
  const verifier = new QuadVerifier(expected, new KeyTable());
  for (const quad of checked) verifier.add(quad);
  return verifier.verdict();
}

/**
 * What `verifyStream` found, in one word, with the code of the quads and the order that gave the code of the URI.
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
  const verifier = new QuadVerifier(expected, new KeyTable());
  for await (const quad of checked) verifier.add(quad);
  return verifier.verdict();
}

/** What quads are checked against. */
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
