import { nodeModule } from '../../../node-module.ts';
import { NanopublicationGraphs } from '../nanopublication.ts';
import { type Expected, expectedOf, QuadVerifier, type RdfVerdict } from '../verify.ts';
import { checkSource } from './check.ts';
import { keyBytesOf } from './memory.ts';
import type { RdfSource } from './rdf-source.ts';
import { SpillingKeys } from './spilling-keys.ts';

/** Each reading of the source checks so many, with 130 KB of the default memory for the keys of each. */
const CHECKED_AT_ONCE = 1000;
/** Room for the keys of 60 quads. */
const ROOM_BYTES = 1 << 13;
const OPTIONS = { order: 'utf16' } as const;

export interface NanopublicationVerdict extends RdfVerdict {
  /** Its trusty URI. */
  readonly uri: string;
}

/** Checks each nanopublication of a source by its own code: of a single one all quads, of several their graphs. */
export async function checkNanopublications(source: RdfSource, memoryBytes: number): Promise<NanopublicationVerdict[]> {
  const graphs = new NanopublicationGraphs();
  for await (const quads of source.quadBatches()) for (const quad of quads) graphs.add(quad);
  const { uris } = graphs;
  if (uris.length === 1) return [{ uri: uris[0]!, ...(await checkSource(uris[0]!, source, OPTIONS, memoryBytes)) }];
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
  const keyBytes = keyBytesOf(memoryBytes) / uris.length;
  const all = uris.map((uri) => ({ uri, keys: new SpillingKeys(keyBytes, ROOM_BYTES) }));
  const verifiers = all.map(({ uri, keys }) => ({
    uri,
    verifier: new QuadVerifier(expectedOf(uri, OPTIONS) as Expected, keys),
  }));
  const verifiersOfGraphs = byGraph(verifiers, graphs);
  try {
    for await (const quads of source.quadBatches())
      for (const quad of quads)
        for (const verifier of verifiersOfGraphs.get(quad.graph.value) ?? []) verifier.add(quad);
    return verifiers.map(({ uri, verifier }) => ({
      uri,
      ...verifier.verdict(() => nodeModule('node:crypto').createHash('sha256')),
    }));
  } finally {
    for (const { keys } of all) keys.close();
  }
}

function byGraph(
  verifiers: readonly { readonly uri: string; readonly verifier: QuadVerifier }[],
  graphs: NanopublicationGraphs,
): Map<string, QuadVerifier[]> {
  const verifiersOfGraphs = new Map<string, QuadVerifier[]>();
  for (const { uri, verifier } of verifiers)
    for (const graph of graphs.of(uri))
      verifiersOfGraphs.set(graph, [...(verifiersOfGraphs.get(graph) ?? []), verifier]);
  return verifiersOfGraphs;
}
