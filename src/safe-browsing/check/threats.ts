import type { FullHashDetail, ThreatType } from '../lists/messages/search-hashes.ts';

/** What is wrong with a URL. */
export interface Threat {
  /** Its name in Safe Browsing v5. */
  readonly type: Exclude<ThreatType, 'UNKNOWN'>;
  /** Counts only where the URL is loaded in a frame. */
  readonly isFrameOnly: boolean;
}

/**
 * The threats to act on, or undefined where there are none. A detail with a value that is not known is disregarded
 * whole, and so is a canary, which is not for enforcement (ThreatAttribute of the v5 messages). A hash that comes
 * without any detail is listed all the same.
 */
export function threatsOf(details: readonly FullHashDetail[]): readonly Threat[] | undefined {
  if (details.length === 0) return [];
  const threats = details.flatMap((detail) => threatOf(detail) ?? []);
  return threats.length === 0 ? undefined : threats;
}

function threatOf({ threatType, attributes }: FullHashDetail): Threat | undefined {
  if (threatType === 'UNKNOWN' || attributes.some((attribute) => attribute !== 'FRAME_ONLY')) return undefined;
  return { type: threatType, isFrameOnly: attributes.length > 0 };
}
