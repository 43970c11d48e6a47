import { mustBeArray, mustBeBytes, mustBeNumber, mustBeOneOf, mustBeRecord } from '../../../argument.ts';
import { HASH_BYTES } from '../../hashes.ts';
import { ListError } from '../error.ts';
import { durationOf, type SecondsAndNanos, secondsOf } from './duration.ts';
import { MessageFormat } from './message-format.ts';
import { eachDetail, eachFullHash } from './search-fields.ts';
import { v5Descriptor } from './v5.ts';

/** What a URL does; `UNKNOWN` for any value that this version does not know. */
export type ThreatType =
  | 'UNKNOWN'
  | 'MALWARE'
  | 'SOCIAL_ENGINEERING'
  | 'UNWANTED_SOFTWARE'
  | 'POTENTIALLY_HARMFUL_APPLICATION';

/** `CANARY`: not to be enforced. `FRAME_ONLY`: only in frames. `UNKNOWN`: a value that this version does not know. */
export type ThreatAttribute = 'UNKNOWN' | 'CANARY' | 'FRAME_ONLY';

// by their numbers
const THREAT_TYPES: readonly ThreatType[] = [
  'UNKNOWN',
  'MALWARE',
  'SOCIAL_ENGINEERING',
  'UNWANTED_SOFTWARE',
  'POTENTIALLY_HARMFUL_APPLICATION',
];
const THREAT_ATTRIBUTES: readonly ThreatAttribute[] = ['UNKNOWN', 'CANARY', 'FRAME_ONLY'];

/** One threat of a full hash. A client disregards it where anything in it is `UNKNOWN`. */
export interface FullHashDetail {
  /** What the URL does. */
  readonly threatType: ThreatType;
  /** What narrows it. */
  readonly attributes: readonly ThreatAttribute[];
}

/** A hash that is listed. */
export interface FullHash {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** Its threats. */
  readonly details: readonly FullHashDetail[];
}

/** What `hashes:search` answers for up to 1000 prefixes. */
export interface SearchHashesResponse {
  /** All that begin with one of the prefixes, in any order. */
  readonly fullHashes: readonly FullHash[];
  /**
   * How long the answer holds for every prefix of the request, those without a hash too; undefined where the message
   * does not say: it comes last, so that such a message may have been cut.
   */
  readonly cacheSeconds: number | undefined;
}

/** Written, where other durations of zero are left out: its absence means something else. */
const NO_TIME: SecondsAndNanos = { seconds: 0n, nanos: 0 };

interface DetailFields {
  readonly threatType: number;
  readonly attributes: readonly number[];
}

interface ResponseFields {
  readonly fullHashes: readonly { readonly fullHash: Uint8Array; readonly fullHashDetails: readonly DetailFields[] }[];
  readonly cacheDuration?: SecondsAndNanos;
}

/** `SearchHashesResponse` of Safe Browsing v5. */
export const SEARCH_HASHES_RESPONSE = /* @__PURE__ */ new MessageFormat<SearchHashesResponse>({
  name: 'SearchHashesResponse',
  descriptor: () => v5Descriptor('SearchHashesResponse'),
  read: ({ fullHashes, cacheDuration }: ResponseFields) => ({
    fullHashes: fullHashes.map(({ fullHash, fullHashDetails }) => ({
      hash: Uint8Array.from(checkedHash(fullHash)),
      details: fullHashDetails.map(detailOf),
    })),
    cacheSeconds: cacheDuration && secondsOf(cacheDuration),
  }),
  readBytes: responseIn,
  check: mustBeResponse,
  write: ({ fullHashes, cacheSeconds }) => ({
    fullHashes: fullHashes.map(({ hash, details }) => ({ fullHash: hash, fullHashDetails: details.map(detailFields) })),
    cacheDuration: cacheSeconds === 0 ? NO_TIME : durationOf(cacheSeconds ?? 0),
  }),
});

/** Equal details are one object: in bytes a detail may take two, and an object of its own some hundred. */
function responseIn(bytes: Uint8Array): SearchHashesResponse {
  const known = new Map<string, FullHashDetail>();
  const fullHashes: FullHash[] = [];
  const duration = eachFullHash(bytes, (hash, message) => {
    const details: FullHashDetail[] = [];
    eachDetail(message, (threatType, attributes) => {
      const detail = detailOf({ threatType, attributes });
      const key = `${detail.threatType} ${detail.attributes}`;
      if (!known.has(key)) known.set(key, Object.freeze(detail));
      details.push(known.get(key)!);
    });
    fullHashes.push({ hash: Uint8Array.from(checkedHash(hash)), details });
  });
  return { fullHashes, cacheSeconds: duration && secondsOf(duration) };
}

function mustBeResponse(name: string, value: SearchHashesResponse): void {
  const { fullHashes, cacheSeconds } = mustBeRecord(name, value);
  mustBeArray(`${name}.fullHashes`, fullHashes);
  for (const [index, fullHash] of fullHashes.entries()) mustBeFullHash(`${name}.fullHashes[${index}]`, fullHash);
  if (cacheSeconds !== undefined) mustBeNumber(`${name}.cacheSeconds`, cacheSeconds);
}

function mustBeFullHash(name: string, value: FullHash): void {
  const { hash, details } = mustBeRecord(name, value);
  checkedHash(mustBeBytes(`${name}.hash`, hash));
  mustBeArray(`${name}.details`, details);
  for (const [index, detail] of details.entries()) mustBeDetail(`${name}.details[${index}]`, detail);
}

function mustBeDetail(name: string, value: FullHashDetail): void {
  const { threatType, attributes } = mustBeRecord(name, value);
  mustBeOneOf(`${name}.threatType`, threatType, THREAT_TYPES);
  mustBeArray(`${name}.attributes`, attributes);
  for (const attribute of attributes) mustBeOneOf(`each of ${name}.attributes`, attribute, THREAT_ATTRIBUTES);
}

/** @throws {ListError} where it is not a whole one */
export function checkedHash(hash: Uint8Array): Uint8Array {
  if (hash.length === HASH_BYTES) return hash;
  throw new ListError('message', 'wrong-size', `a full hash has ${hash.length} bytes, not ${HASH_BYTES}`);
}

export function detailOf({ threatType, attributes }: DetailFields): FullHashDetail {
  return {
    threatType: THREAT_TYPES[threatType] ?? 'UNKNOWN',
    attributes: attributes.map((attribute) => THREAT_ATTRIBUTES[attribute] ?? 'UNKNOWN'),
  };
}

function detailFields({ threatType, attributes }: FullHashDetail): DetailFields {
  return {
    threatType: THREAT_TYPES.indexOf(threatType),
    attributes: attributes.map((attribute) => THREAT_ATTRIBUTES.indexOf(attribute)),
  };
}
