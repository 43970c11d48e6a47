import { nodeModule } from '../../../node-module.ts';
import { codeOfKeys } from '../artifact-code.ts';
import { RdfError } from '../error.ts';
import { addKey, type MakeRdfOptions, named, rewritingOf } from '../make.ts';
import type { Quad } from '../rdf-js.ts';
import type { Rewriting } from '../rewriting.ts';
import { keyBytesOf } from './memory.ts';
import type { RdfSource } from './rdf-source.ts';
import { SpillingKeys } from './spilling-keys.ts';

/** What `makeFile` makes. */
export interface MadeSource {
  /** The trusty URI. */
  readonly uri: string;
  /** 45 characters. */
  readonly code: string;
  /** Reads the source again: all quads in their order, as `make` of `urlsum/hash-uri/rdf` gives them. */
  quads(): AsyncGenerator<Quad>;
  /** Prefixes to write the quads with: those of the source that do not begin with the base, `this` and `sub`. */
  readonly prefixes: Readonly<Record<string, string>>;
}

/** `make` of `urlsum/hash-uri/rdf` for quads that need not fit in memory: the source is read a second time for them. */
export async function makeFromSource(
  base: string,
  source: RdfSource,
  options: MakeRdfOptions,
  memoryBytes: number,
): Promise<MadeSource> {
  const rewriting = rewritingOf(base, options);
  const prefixes: Record<string, string> = {};
  const batches = source.quadBatches((prefix, iri) => (prefixes[prefix] = iri));
  const code = await codeOfBatches(batches, rewriting, options, memoryBytes);
  return {
    uri: rewriting.stem + code,
    code,
    quads: () => namedQuads(source, rewriting, code),
    prefixes: namedPrefixes(prefixes, rewriting, code),
  };
}

async function codeOfBatches(
  batches: AsyncIterable<readonly Quad[]>,
  rewriting: Rewriting,
  options: MakeRdfOptions,
  memoryBytes: number,
): Promise<string> {
  const keys = new SpillingKeys(keyBytesOf(memoryBytes));
  try {
    for await (const quads of batches) for (const quad of quads) addKey(keys, quad, rewriting, options);
    if (options.module === 'RB' && keys.count === 0) throw new RdfError('graph-empty', options.graph ?? rewriting.base);
    return codeOfKeys(options.module, keys, 'code-points', nodeModule('node:crypto').createHash('sha256'));
  } finally {
    keys.close();
  }
}

async function* namedQuads(source: RdfSource, rewriting: Rewriting, code: string): AsyncGenerator<Quad> {
  for await (const quads of source.quadBatches()) for (const quad of quads) yield named(quad, rewriting, code);
}

/**
 * Without the prefixes that begin with the base, which no term does any longer; the trusty URI tools add `this` and
 * `sub`.
 */
function namedPrefixes(
  prefixes: Readonly<Record<string, string>>,
  { base, stem, separator }: Rewriting,
  code: string,
): Record<string, string> {
  const kept = Object.entries(prefixes).filter(([, iri]) => !iri.startsWith(base));
  return { ...Object.fromEntries(kept), this: stem + code, sub: stem + code + separator };
}
