import { mustBeArray, mustBeNumber, mustBeOneOf, mustBeRecord, mustBeString } from '../../../core/argument.ts';
import { THREAT_TYPES, type ThreatType } from '../threats.ts';
import { MessageFormat, millisecondsIn, type SecondsAndNanos } from './message-format.ts';
import { v5Descriptor } from './schema.ts';
import { cacheDurationOf } from './search-hashes.ts';

/** What `urls:search` answers for up to 50 URLs. */
interface SearchUrlsResponse {
  /** The URLs that are listed, as they were asked for, and for what. */
  readonly threats: readonly { readonly url: string; readonly threatTypes: readonly ThreatType[] }[];
  /**
   * How long the answer holds, in milliseconds, for every URL of the request; undefined where the message does not say.
   */
  readonly cacheMs: number | undefined;
}

interface ResponseFields {
  readonly threats: readonly { readonly url: string; readonly threatTypes: readonly number[] }[];
  readonly cacheDuration?: SecondsAndNanos;
}

/** `SearchUrlsResponse` of Safe Browsing v5. */
export const SEARCH_URLS_RESPONSE = /* @__PURE__ */ new MessageFormat<SearchUrlsResponse>({
  descriptor: () => v5Descriptor('SearchUrlsResponse'),
  read: ({ threats, cacheDuration }: ResponseFields) => ({
    threats: threats.map(({ url, threatTypes }) => ({
      url,
      threatTypes: threatTypes.map((type) => THREAT_TYPES[type] ?? 'UNKNOWN'),
    })),
    cacheMs: cacheDuration && millisecondsIn(cacheDuration),
  }),
  check: mustBeResponse,
  write: ({ threats, cacheMs }) => ({
    threats: threats.map(({ url, threatTypes }) => ({
      url,
      threatTypes: threatTypes.map((type) => THREAT_TYPES.indexOf(type)),
    })),
    cacheDuration: cacheDurationOf(cacheMs),
  }),
});

function mustBeResponse(name: string, value: SearchUrlsResponse): void {
  const { threats, cacheMs } = mustBeRecord(name, value);
  for (const [index, threat] of mustBeArray(`${name}.threats`, threats).entries()) {
    const { url, threatTypes } = mustBeRecord(`${name}.threats[${index}]`, threat);
    mustBeString(`${name}.threats[${index}].url`, url);
    for (const type of mustBeArray(`${name}.threats[${index}].threatTypes`, threatTypes))
      mustBeOneOf(`each of ${name}.threats[${index}].threatTypes`, type, THREAT_TYPES);
  }
  if (cacheMs !== undefined) mustBeNumber(`${name}.cacheMs`, cacheMs);
}
