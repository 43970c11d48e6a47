import { hostSha256 } from '../file-module.ts';
import { checkSource, type RdfSource } from './file.ts';
import { Keys } from './keys.ts';
import { copiedText } from './make.ts';
import type { AnyQuad } from './rdf-js.ts';
import { type Expected, expectedOf, isNanopublication, QuadVerifier, type RdfVerdict } from './verify.ts';

/** The nanopublications that a pass over the source checks, each with 130 KB of the default memory for its keys. */
const CHECKED_AT_ONCE = 1000;
/** The memory that a nanopublication begins with: room for the keys of 60 quads. */
const ROOM_BYTES = 1 << 13;
const BOTH_ORDERS = { order: 'utf16' } as const;
const PARTS = new Set(
  ['hasAssertion', 'hasProvenance', 'hasPublicationInfo'].map((part) => `http://www.nanopub.org/nschema#${part}`),
);

interface NanopublicationVerdict extends RdfVerdict {
  /** The nanopublication's trusty URI. */
  readonly uri: string;
}

/** Checks each nanopublication of a source by its own code; if it is the only one, all quads belong to it. */
export async function checkNanopublications(source: RdfSource, memoryBytes: number): Promise<NanopublicationVerdict[]> {
  const graphs = new NanopublicationGraphs();
  await source.eachQuad((quad) => graphs.add(quad));
  const { uris } = graphs;
  if (uris.length === 1) return [{ uri: uris[0]!, ...(await checkSource(uris[0]!, source, BOTH_ORDERS, memoryBytes)) }];
  const verdicts: NanopublicationVerdict[] = [];
  for (let start = 0; start < uris.length; start += CHECKED_AT_ONCE)
    verdicts.push(...(await checkSome(uris.slice(start, start + CHECKED_AT_ONCE), graphs, source, memoryBytes)));
  return verdicts;
}

async function checkSome(
  uris: readonly string[],
  graphs: NanopublicationGraphs,
  source: RdfSource,
  memoryBytes: number,
): Promise<NanopublicationVerdict[]> {
  const checks = uris.map((uri) => {
    const keys = new Keys(memoryBytes / uris.length, ROOM_BYTES);
    return { uri, keys, verifier: new QuadVerifier(expectedOf(uri, BOTH_ORDERS) as Expected, keys) };
  });
  const verifiers = new Map<string, QuadVerifier[]>();
  for (const { uri, verifier } of checks)
    for (const graph of graphs.of(uri)) verifiers.set(graph, [...(verifiers.get(graph) ?? []), verifier]);
  try {
    await source.eachQuad((quad) => {
      for (const verifier of verifiers.get(quad.graph.value) ?? []) verifier.add(quad);
    });
    return checks.map(({ uri, verifier }) => ({ uri, ...verifier.verdict(hostSha256) }));
  } finally {
    for (const { keys } of checks) keys.close();
  }
}

/** Collects the nanopublications of a document, and the graphs of each. */
class NanopublicationGraphs {
  readonly #graphs = new Map<string, Set<string>>();
  readonly #uris = new Set<string>();

  add(quad: AnyQuad): void {
    const { subject, predicate, object, graph } = quad;
    const [isOne, namesPart] = [isNanopublication(quad), PARTS.has(predicate.value)];
    if (!isOne && !namesPart) return;
    const uri = copiedText(subject.value);
    if (isOne) this.#uris.add(uri);
    const graphs = this.#graphs.get(uri) ?? new Set();
    this.#graphs.set(uri, graphs.add(copiedText(graph.value)));
    if (namesPart) graphs.add(copiedText(object.value));
  }

  /** Trusty URIs, in the order of the document. */
  get uris(): string[] {
    return [...this.#uris];
  }

  /** Returns the graphs of a nanopublication: its head, which says what it is, and those that the head names. */
  of(uri: string): ReadonlySet<string> {
    return this.#graphs.get(uri) ?? new Set();
  }
}
