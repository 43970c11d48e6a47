import { message, type Wire } from '../lists/wire.ts';

// Answers of hashes:search by hand, so that what reads them is not tested against what wrote them.

export interface Detail {
  readonly threatType: number;
  readonly attributes?: readonly number[];
}

/** google.protobuf.Duration: seconds = 1, nanos = 2. */
export function duration(seconds: number, nanoseconds = 0): Buffer {
  const fields: readonly Wire[] = [
    [1, BigInt(seconds)],
    [2, BigInt(nanoseconds)],
  ];
  return message(...fields.filter(([, value]) => value !== 0n));
}

/** FullHash: full_hash = 1, full_hash_details = 2 (threat_type = 1, attributes = 2). */
export function fullHash(hash: Uint8Array, details: readonly Detail[]): Buffer {
  const written = details.map(({ threatType, attributes = [] }): Wire => {
    return [2, message([1, BigInt(threatType)], ...attributes.map((attribute): Wire => [2, BigInt(attribute)]))];
  });
  return message([1, hash], ...written);
}

/** SearchHashesResponse: full_hashes = 1, cache_duration = 2. */
export function searchResponse(fullHashes: readonly Uint8Array[], cacheDuration: Uint8Array | undefined): Buffer {
  const found = fullHashes.map((each): Wire => [1, each]);
  return message(...found, ...(cacheDuration === undefined ? [] : [[2, cacheDuration] as const]));
}
