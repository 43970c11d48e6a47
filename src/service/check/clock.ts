const SECOND = 1000;
export const MINUTE = 60 * SECOND;
/** The longest time that anything waits, or is valid, on a server's word. */
export const DAY = 24 * 60 * MINUTE;

/** The last time of a `Date` (ECMAScript, 21.4.1.1), in milliseconds. */
export const LAST_DATE = 8.64e15;

/** Writes a time for a message: a clock may say anything. */
export function dateText(time: number): string {
  return Math.abs(time) <= LAST_DATE ? new Date(time).toISOString() : `${time} milliseconds after 1970`;
}

/** Clocks of machines that share a store differ, and clocks are corrected, by less than this. */
const TOLERANCE = 5 * MINUTE;

/**
 * Whether the time of an event is in the future. The clock was wrong then or is wrong now, and whatever was measured
 * from that time would stay valid until the clock gets there.
 */
export function isAhead(time: number, now: number): boolean {
  return time > now + TOLERANCE;
}

/** Whether work is older than `maxAgeMs`, or started in the future. */
export function isLost(startedAt: number, now: number, maxAgeMs: number): boolean {
  return now - startedAt > maxAgeMs || isAhead(startedAt, now);
}
