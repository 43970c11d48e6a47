import { ListError } from '../error.ts';

/** google.protobuf.Duration and google.protobuf.Timestamp, as the library has them. */
export interface SecondsAndNanos {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** 0 where there is none. @throws {ListError} where it is below zero */
export function secondsOf(duration: SecondsAndNanos | undefined): number {
  if (duration === undefined) return 0;
  const seconds = Number(duration.seconds) + duration.nanos / 1e9;
  if (seconds >= 0) return seconds;
  throw new ListError('message', 'message', `a duration is ${seconds} seconds`);
}

export function durationOf(seconds: number): SecondsAndNanos | undefined {
  if (seconds === 0) return undefined;
  const whole = Math.floor(seconds);
  return { seconds: BigInt(whole), nanos: Math.round((seconds - whole) * 1e9) };
}

/** Milliseconds since 1970. */
export function millisecondsOf(timestamp: SecondsAndNanos | undefined): number | undefined {
  return timestamp && Number(timestamp.seconds) * 1e3 + Math.floor(timestamp.nanos / 1e6);
}

export function timestampOf(milliseconds: number | undefined): SecondsAndNanos | undefined {
  if (milliseconds === undefined) return undefined;
  const seconds = Math.floor(milliseconds / 1e3);
  return { seconds: BigInt(seconds), nanos: (milliseconds - 1e3 * seconds) * 1e6 };
}
