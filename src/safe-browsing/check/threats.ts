import type { FullHashDetail, ThreatType } from '../lists/messages/search-hashes.ts';

/** What is wrong with a URL. */
export interface Threat {
  /** Its name in Safe Browsing v5; `UNKNOWN` where the server lists the expression and does not say why. */
  readonly type: ThreatType;
  /** Counts only where the URL is loaded in a frame. */
  readonly isFrameOnly: boolean;
  /** The expression of the URL that is listed for it. */
  readonly expression: string;
}

/** The same of a hash, whatever expression has it. */
export type HashThreat = Omit<Threat, 'expression'>;

/**
 * The threat of a detail, or undefined where it is not to be acted on: one with a value that is not known is
 * disregarded whole, and so is a canary, which is not for enforcement (ThreatAttribute of the v5 messages).
 */
export function threatOf({ threatType, attributes }: FullHashDetail): HashThreat | undefined {
  if (threatType === 'UNKNOWN' || attributes.some((attribute) => attribute !== 'FRAME_ONLY')) return undefined;
  return { type: threatType, isFrameOnly: attributes.length > 0 };
}
