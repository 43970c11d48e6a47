const SECOND = 1000;
export const MINUTE = 60 * SECOND;
/** The most that anything waits, or holds, on a server's word. */
export const DAY = 24 * 60 * MINUTE;

/** Clocks of machines that share a store differ, and clocks are put right, by less than this. */
const TOLERANCE = 5 * MINUTE;

/**
 * Does a time at which something happened lie in the future? Then the clock was wrong then or is now, and what was
 * measured from that time on would hold until the clock gets there.
 */
export function isAhead(time: number, now: number): boolean {
  return time > now + TOLERANCE;
}

/** Is work older than `maxAgeMs`, or of a time that lies in the future? */
export function isLost(startedAt: number, now: number, maxAgeMs: number): boolean {
  return now - startedAt > maxAgeMs || isAhead(startedAt, now);
}
