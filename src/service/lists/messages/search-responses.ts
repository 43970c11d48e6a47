import { mustBeArray, mustBeBytes, mustBeNumber, mustBeOneOf, mustBeRecord } from '../../../core/argument.ts';
import { HASH_BYTES } from '../../../specs/safe-browsing/hash-prefix.ts';
import { ListError } from '../sorted-prefixes.ts';
import {
  KNOWN_THREAT_ATTRIBUTES,
  KNOWN_THREAT_TYPES,
  THREAT_ATTRIBUTES,
  THREAT_TYPES,
  type ThreatType,
} from '../threats.ts';
import { durationOf, MessageFormat, millisecondsIn, type SecondsAndNanos } from './message-format.ts';
import {
  BinaryReader,
  create,
  type Duration,
  DurationSchema,
  descriptorsOf,
  type Message,
  mergeFromBinary,
  toBinary,
  WireType,
} from './protobuf.ts';

/** The fields that a client reads. https://github.com/googleapis/googleapis, google/security/safebrowsing/v5 */
export const searchDescriptor = /* @__PURE__ */ descriptorsOf({
  name: 'google.security.safebrowsing.v5',
  messages: {
    FullHashDetail: { threat_type: [1, 'ThreatType'], attributes: [2, 'repeated ThreatAttribute'] },
    FullHash: { full_hash: [1, 'bytes'], full_hash_details: [2, 'repeated FullHashDetail'] },
    SearchHashesResponse: {
      full_hashes: [1, 'repeated FullHash'],
      cache_duration: [2, 'google.protobuf.Duration'],
    },
    ThreatUrl: { url: [1, 'string'], threat_types: [2, 'repeated ThreatType'] },
    SearchUrlsResponse: { threats: [1, 'repeated ThreatUrl'], cache_duration: [2, 'google.protobuf.Duration'] },
  },
  enums: {
    ThreatType: ['THREAT_TYPE_UNSPECIFIED', ...KNOWN_THREAT_TYPES],
    ThreatAttribute: ['THREAT_ATTRIBUTE_UNSPECIFIED', ...KNOWN_THREAT_ATTRIBUTES],
  },
});

/** A hash that is listed. */
export interface FullHash {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /**
   * The threats of the hash. A client disregards one in which anything is `UNKNOWN`, a value that this version does not
   * know.
   */
  readonly details: readonly {
    /** The type of the threat. */
    readonly threatType: ThreatType;
    /** The attributes that narrow it. `CANARY`: not to be enforced. `FRAME_ONLY`: only in frames. */
    readonly attributes: readonly ('UNKNOWN' | 'CANARY' | 'FRAME_ONLY')[];
  }[];
}

export type FullHashDetail = FullHash['details'][number];

/** The answer of `hashes:search` for up to 1000 prefixes. */
export interface SearchHashesResponse {
  /** The hashes that begin with one of the prefixes, in any order. */
  readonly fullHashes: readonly FullHash[];
  /**
   * The time that the answer holds, in milliseconds, for every prefix of the request, those without a hash too;
   * undefined where the message does not say: it comes last, so that such a message may have been cut.
   */
  readonly cacheMs: number | undefined;
}

/** Zero is written here, unlike other durations: its absence means something else. */
function cacheDurationOf(milliseconds: number | undefined): SecondsAndNanos | undefined {
  return milliseconds === 0 ? { seconds: 0n, nanos: 0 } : durationOf(milliseconds ?? 0);
}

/** `SearchHashesResponse` of Safe Browsing v5. */
export const SEARCH_HASHES_RESPONSE = /* @__PURE__ */ new MessageFormat<SearchHashesResponse>({
  descriptor: () => searchDescriptor('SearchHashesResponse'),
  read: (message: Message) => responseIn(toBinary(searchDescriptor('SearchHashesResponse'), message)),
  readBytes: responseIn,
  check: mustBeResponse,
  write: ({ fullHashes, cacheMs }) => ({
    fullHashes: fullHashes.map(({ hash, details }) => ({ fullHash: hash, fullHashDetails: details.map(detailFields) })),
    cacheDuration: cacheDurationOf(cacheMs),
  }),
});

/** Equal details share one object: a detail takes as few as two bytes in the message, and some hundred as an object. */
function responseIn(bytes: Uint8Array): SearchHashesResponse {
  const known = new Map<string, FullHashDetail>();
  const fullHashes: FullHash[] = [];
  for (const [hash, message] of fullHashesIn(bytes)) {
    const details: FullHashDetail[] = [];
    for (const detail of detailsIn(message)) {
      const key = `${detail.threatType} ${detail.attributes}`;
      if (!known.has(key)) known.set(key, Object.freeze(detail));
      details.push(known.get(key)!);
    }
    fullHashes.push({ hash: Uint8Array.from(hash), details });
  }
  return { fullHashes, cacheMs: cacheMsIn(bytes) };
}

function mustBeResponse(name: string, value: SearchHashesResponse): void {
  const { fullHashes, cacheMs } = mustBeRecord(name, value);
  mustBeArray(`${name}.fullHashes`, fullHashes);
  for (const [index, fullHash] of fullHashes.entries()) mustBeFullHash(`${name}.fullHashes[${index}]`, fullHash);
  if (cacheMs !== undefined) mustBeNumber(`${name}.cacheMs`, cacheMs);
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

/** @throws {ListError} where it does not have 32 bytes */
function checkedHash(hash: Uint8Array): Uint8Array {
  if (hash.length === HASH_BYTES) return hash;
  throw new ListError('message', 'wrong-size', `a full hash has ${hash.length} bytes, not ${HASH_BYTES}`);
}

function detailFields({ threatType, attributes }: FullHashDetail): object {
  return {
    threatType: THREAT_TYPES.indexOf(threatType),
    attributes: attributes.map((attribute) => THREAT_ATTRIBUTES.indexOf(attribute)),
  };
}

/** The answer of `urls:search` for up to 50 URLs. */
interface SearchUrlsResponse {
  /** The URLs that are listed, as they were asked for, and for what. */
  readonly threats: readonly { readonly url: string; readonly threatTypes: readonly ThreatType[] }[];
  /**
   * The time that the answer holds, in milliseconds, for every URL of the request; undefined where the message does not
   * say.
   */
  readonly cacheMs: number | undefined;
}

interface UrlsResponseFields {
  readonly threats: readonly { readonly url: string; readonly threatTypes: readonly number[] }[];
  readonly cacheDuration?: SecondsAndNanos;
}

/** `SearchUrlsResponse` of Safe Browsing v5. */
export const SEARCH_URLS_RESPONSE = /* @__PURE__ */ new MessageFormat<SearchUrlsResponse>({
  descriptor: () => searchDescriptor('SearchUrlsResponse'),
  read: ({ threats, cacheDuration }: UrlsResponseFields) => ({
    threats: threats.map(({ url, threatTypes }) => ({
      url,
      threatTypes: threatTypes.map((type) => THREAT_TYPES[type] ?? 'UNKNOWN'),
    })),
    cacheMs: cacheDuration && millisecondsIn(cacheDuration),
  }),
  write: ({ threats, cacheMs }) => ({
    threats: threats.map(({ url, threatTypes }) => ({
      url,
      threatTypes: threatTypes.map((type) => THREAT_TYPES.indexOf(type)),
    })),
    cacheDuration: cacheDurationOf(cacheMs),
  }),
});

// SearchHashesResponse is read in place: a server decides how many hashes and details it has, and most of them may be
// of no use. Objects are made one after another, as the reader asks for them.

/** Field numbers of SearchHashesResponse. */
const FULL_HASHES = 1;
const CACHE_DURATION = 2;
/** Field numbers of FullHash. */
const FULL_HASH = 1;
const FULL_HASH_DETAILS = 2;
/** Field numbers of FullHashDetail. */
const THREAT_TYPE = 1;
const ATTRIBUTES = 2;

/**
 * Yields each full hash with its message, as views of `bytes`. If a field occurs twice the last one counts, as in the
 * library.
 *
 * @throws on bytes that are not such a message, as all readers here
 */
export function* fullHashesIn(bytes: Uint8Array): Generator<readonly [hash: Uint8Array, message: Uint8Array]> {
  for (const message of valuesOf(FULL_HASHES, bytes)) {
    let hash: Uint8Array = new Uint8Array(0);
    for (const each of valuesOf(FULL_HASH, message)) hash = each;
    yield [checkedHash(hash), message];
  }
}

/** Yields the details in the message of a full hash. */
export function* detailsIn(fullHash: Uint8Array): Generator<FullHashDetail> {
  for (const detail of valuesOf(FULL_HASH_DETAILS, fullHash)) yield detailIn(detail);
}

function detailIn(detail: Uint8Array): FullHashDetail {
  const reader = new BinaryReader(detail);
  let threatType = 0;
  const attributes: number[] = [];
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === THREAT_TYPE && wireType === WireType.Varint) threatType = reader.int32();
    else if (number === ATTRIBUTES) addNumbers(attributes, reader, wireType);
    else reader.skip(wireType, number);
  }
  return {
    threatType: THREAT_TYPES[threatType] ?? 'UNKNOWN',
    attributes: attributes.map((attribute) => THREAT_ATTRIBUTES[attribute] ?? 'UNKNOWN'),
  };
}

/** Reads numbers that are packed or single: both occur (protobuf.dev/programming-guides/encoding#packed). */
function addNumbers(numbers: number[], reader: BinaryReader, wireType: WireType): void {
  if (wireType === WireType.Varint) numbers.push(reader.int32());
  else {
    const packed = new BinaryReader(nextBytes(reader, wireType));
    while (packed.pos < packed.len) numbers.push(packed.int32());
  }
}

/** Returns the time that an answer holds, in milliseconds; undefined where it does not say. */
export function cacheMsIn(bytes: Uint8Array): number | undefined {
  let duration: Duration | undefined;
  for (const each of valuesOf(CACHE_DURATION, bytes))
    duration = mergeFromBinary(DurationSchema, duration ?? create(DurationSchema), each);
  return duration && millisecondsIn(duration);
}

/** Yields the bytes of one field of a message, as often as it occurs. */
function* valuesOf(field: number, message: Uint8Array): Generator<Uint8Array> {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (number === field) yield nextBytes(reader, wireType);
    else reader.skip(wireType, number);
  }
}

function nextBytes(reader: BinaryReader, wireType: WireType): Uint8Array {
  if (wireType === WireType.LengthDelimited) return reader.bytes();
  throw new ListError('message', 'message', `a field that holds bytes has the wire type ${wireType}`);
}
