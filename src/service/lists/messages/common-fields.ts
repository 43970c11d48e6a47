import { HASH_BYTES } from '../../../specs/safe-browsing/hashes.ts';
import { ListError } from '../error.ts';

/** Returns a copy of a SHA-256, or undefined if the message has none. @throws {ListError} on other lengths */
export function checksumIn(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes.length === HASH_BYTES) return Uint8Array.from(bytes);
  throw new ListError('checksum', 'wrong-size', `the checksum has ${bytes.length} bytes, not ${HASH_BYTES}`);
}

/** "Clients MUST NOT send more than 1000 hash prefixes" (SearchHashesRequest). */
export const MAX_PREFIXES = 1000;

/** google.protobuf.Duration and google.protobuf.Timestamp, as the library reads them. */
export interface SecondsAndNanos {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** google.protobuf.Duration: 10,000 years. */
const MAX_DURATION_MS = 315_576_000_000_000;
/** The most nanoseconds of a second, which rounding must not exceed. */
const MAX_NANOS = 999_999_999;
/** google.protobuf.Timestamp: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z. */
const [FIRST_TIMESTAMP, LAST_TIMESTAMP] = [-62_135_596_800_000, 253_402_300_799_999];

/** Returns milliseconds; 0 if there is no duration. @throws {ListError} where it is negative */
export function millisecondsIn(duration: SecondsAndNanos | undefined): number {
  if (duration === undefined) return 0;
  const milliseconds = Number(duration.seconds) * 1e3 + duration.nanos / 1e6;
  if (milliseconds >= 0) return milliseconds;
  throw new ListError('message', 'message', `a duration must not be negative, but is ${milliseconds} ms`);
}

/** Returns undefined for 0. @throws {ListError} where the duration cannot be written */
export function durationOf(milliseconds: number): SecondsAndNanos | undefined {
  if (milliseconds === 0) return undefined;
  if (!(milliseconds > 0 && milliseconds <= MAX_DURATION_MS))
    throw new ListError('message', 'message', `a duration has 0 to ${MAX_DURATION_MS} ms, not ${milliseconds}`);
  const seconds = Math.floor(milliseconds / 1e3);
  const nanos = Math.round((milliseconds - 1e3 * seconds) * 1e6);
  return { seconds: BigInt(seconds), nanos: Math.min(nanos, MAX_NANOS) };
}

/** Returns milliseconds since 1970. */
export function timeOf(timestamp: SecondsAndNanos | undefined): number | undefined {
  return timestamp && Number(timestamp.seconds) * 1e3 + Math.floor(timestamp.nanos / 1e6);
}

/** @throws {ListError} where the time cannot be written */
export function timestampOf(milliseconds: number | undefined): SecondsAndNanos | undefined {
  if (milliseconds === undefined) return undefined;
  if (!(milliseconds >= FIRST_TIMESTAMP && milliseconds <= LAST_TIMESTAMP))
    throw new ListError('message', 'message', `${milliseconds} ms since 1970 lie before the year 1 or after 9999`);
  const seconds = Math.floor(milliseconds / 1e3);
  return { seconds: BigInt(seconds), nanos: (milliseconds - 1e3 * seconds) * 1e6 };
}
