import { make } from 'urlsum/hash-uri';
import type { KernelName } from '../../../src/core/kernel/kernel.ts';
import type { VectorFile } from '../../vectors/vector.ts';

/** The material that every runtime gets. */
export interface Material {
  readonly files: readonly VectorFile[];
  /** Real URLs, to ask the runtime's own `URL` about; none where no corpus is beside the project. */
  readonly lines: readonly string[];
}

/** The outcome there: JSON, so that it can leave any runtime. */
export interface Outcome {
  readonly kernel: KernelName;
  readonly vectors: Results & { readonly disagreements: readonly string[] };
  /** Undefined where the runtime has no TransformStream. */
  readonly stream?: Results | undefined;
  readonly rdf: Results;
  /** Undefined where the runtime has no ReadableStream. */
  readonly checker?: Results | undefined;
  readonly own: readonly Difference[];
}

export interface Results {
  readonly count: number;
  /** The digest of all results, in order. */
  readonly digest: string;
}

/** An input that the runtime's own `URL` brings to another form; `null`: it takes it for no URL. */
export type Difference = readonly [index: number, form: string | null];

/** The SHA-256 of `text` in Base64, by the package under test: no other one is everywhere, and synchronous. */
export function digestOf(text: string): string {
  return make('', new TextEncoder().encode(text)).slice('FA'.length);
}
