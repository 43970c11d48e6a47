import { ListError } from '../error.ts';

/** google.protobuf.Duration and google.protobuf.Timestamp, as the library has them. */
export interface SecondsAndNanos {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** google.protobuf.Duration: 10,000 years. */
const MOST_SECONDS = 315_576_000_000;
/** google.protobuf.Timestamp: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z. */
const [FIRST_TIMESTAMP, LAST_TIMESTAMP] = [-62_135_596_800_000, 253_402_300_799_999];

/** 0 where there is none. @throws {ListError} where it is below zero */
export function secondsOf(duration: SecondsAndNanos | undefined): number {
  if (duration === undefined) return 0;
  const seconds = Number(duration.seconds) + duration.nanos / 1e9;
  if (seconds >= 0) return seconds;
  throw new ListError('message', 'message', `a duration is ${seconds} seconds`);
}

/** undefined for 0. @throws {ListError} where it cannot be written */
export function durationOf(seconds: number): SecondsAndNanos | undefined {
  if (seconds === 0) return undefined;
  if (!(seconds > 0 && seconds <= MOST_SECONDS))
    throw new ListError('message', 'message', `a duration has 0 to ${MOST_SECONDS} seconds, not ${seconds}`);
  const whole = Math.floor(seconds);
  return { seconds: BigInt(whole), nanos: Math.round((seconds - whole) * 1e9) };
}

/** Milliseconds since 1970. */
export function millisecondsOf(timestamp: SecondsAndNanos | undefined): number | undefined {
  return timestamp && Number(timestamp.seconds) * 1e3 + Math.floor(timestamp.nanos / 1e6);
}

/** @throws {ListError} where it cannot be written */
export function timestampOf(milliseconds: number | undefined): SecondsAndNanos | undefined {
  if (milliseconds === undefined) return undefined;
  if (!(milliseconds >= FIRST_TIMESTAMP && milliseconds <= LAST_TIMESTAMP))
    throw new ListError('message', 'message', `${milliseconds} ms since 1970 lie before the year 1 or after 9999`);
  const seconds = Math.floor(milliseconds / 1e3);
  return { seconds: BigInt(seconds), nanos: (milliseconds - 1e3 * seconds) * 1e6 };
}
