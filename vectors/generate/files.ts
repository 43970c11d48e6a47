import type { PublicApi } from '../results/api.ts';
import type { VectorFile } from '../vector.ts';
import { hashUriFiles } from './hash-uri.ts';
import { hashedUriFiles } from './hashed-uri.ts';
import { safeBrowsingFiles } from './safe-browsing.ts';
import { urlFiles } from './url.ts';

/** Every file of vectors, by its name. */
export function vectorFiles(api: PublicApi): Readonly<Record<string, VectorFile>> {
  return { ...urlFiles(api), ...safeBrowsingFiles(api), ...hashedUriFiles(api), ...hashUriFiles(api) };
}
