import type {
  HashedUriVector,
  HashUriVector,
  Question,
  SafeBrowsingVector,
  SiteVector,
  UrlVector,
  Vector,
  VectorFile,
} from '../vector.ts';
import type { PublicApi } from './api.ts';
import { hashUriResult } from './hash-uri.ts';
import { hashedUriResult } from './hashed-uri.ts';
import { safeBrowsingResult } from './safe-browsing.ts';
import { siteResult } from './site.ts';
import { urlResult } from './url.ts';

/** Returns what the public API makes of a case: an object of the shape of its `expect`. */
export function resultOf(
  specification: VectorFile['specification'],
  question: Question<Vector>,
  api: PublicApi,
): object {
  if (specification === 'url') return urlResult(question as Question<UrlVector>, api);
  if (specification === 'site') return siteResult(question as Question<SiteVector>, api);
  if (specification === 'safe-browsing') return safeBrowsingResult(question as Question<SafeBrowsingVector>, api);
  if (specification === 'hashed-uri') return hashedUriResult(question as Question<HashedUriVector>, api);
  return hashUriResult(question as Question<HashUriVector>, api);
}
