import { bulkDisagreements, type Disagreement } from './bulk.ts';
import { hexOf, type PublicApi, resultOf } from './results.ts';
import type { Vector, VectorFile } from './vector.ts';

export interface Report {
  /** Cases that were run. */
  readonly count: number;
  readonly disagreements: readonly Disagreement[];
  /** The SHA-256 of all results, a line of JSON each: equal wherever all of them are. */
  readonly sha256: string;
}

/** Runs every case of the files through the public API, one by one and in bulk. It asks nothing else of its host. */
export function runVectors(files: readonly VectorFile[], api: PublicApi): Report {
  const lines: string[] = [];
  const disagreements: Disagreement[] = [];
  for (const file of files) {
    for (const [index, vector] of file.cases.entries()) {
      const expected = JSON.stringify(vector.expect);
      const actual = lineOf(file, vector, api);
      lines.push(actual);
      if (actual !== expected) disagreements.push({ title: file.title, index, expected, actual });
    }
    disagreements.push(...bulkDisagreements(file, api));
  }
  return { count: lines.length, disagreements, sha256: sha256Of(lines.join('\n'), api) };
}

/** An error that is not documented is a result too, and one that no case expects. */
function lineOf({ specification }: VectorFile, vector: Vector, api: PublicApi): string {
  try {
    return JSON.stringify(resultOf(specification, vector, api));
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}

/** Hashes by the API under test, since no other SHA-256 is everywhere: 'FA' and its 43 Base64 characters. */
function sha256Of(text: string, { hashUri }: PublicApi): string {
  const base64 = hashUri.make('', new TextEncoder().encode(text)).slice(2).replaceAll('-', '+').replaceAll('_', '/');
  return hexOf(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
