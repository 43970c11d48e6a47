import { nodeModule } from '../../../node-module.ts';
import { expectedOf, QuadVerifier, type RdfVerdict, type VerifyRdfOptions } from '../verify.ts';
import { keyBytesOf } from './memory.ts';
import type { RdfSource } from './rdf-source.ts';
import { SpillingKeys } from './spilling-keys.ts';

/**
 * `verdictOf` of `urlsum/hash-uri/rdf` for quads that need not fit in memory: sorted runs of them go to temporary files.
 */
export async function checkSource(
  uri: string,
  source: RdfSource,
  options: VerifyRdfOptions,
  memoryBytes: number,
): Promise<RdfVerdict> {
  const expected = expectedOf(uri, options);
  if (typeof expected === 'string') return { result: expected };
  const keys = new SpillingKeys(keyBytesOf(memoryBytes));
  try {
    const verifier = new QuadVerifier(expected, keys);
    for await (const quads of source.quadBatches()) for (const quad of quads) verifier.add(quad);
    return verifier.verdict(() => nodeModule('node:crypto').createHash('sha256'));
  } finally {
    keys.close();
  }
}
