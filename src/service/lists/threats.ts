/** The threat that a URL is; `UNKNOWN` for any value that this version does not know. */
export type ThreatType =
  | 'UNKNOWN'
  | 'MALWARE'
  | 'SOCIAL_ENGINEERING'
  | 'UNWANTED_SOFTWARE'
  | 'POTENTIALLY_HARMFUL_APPLICATION';

/** The types that this version knows, in the order of their numbers in the messages, from 1. */
export const KNOWN_THREAT_TYPES = [
  'MALWARE',
  'SOCIAL_ENGINEERING',
  'UNWANTED_SOFTWARE',
  'POTENTIALLY_HARMFUL_APPLICATION',
] as const;

type KnownThreatType = (typeof KNOWN_THREAT_TYPES)[number];

/** The types, all of them: the index of each is its number in the messages. */
export const THREAT_TYPES: readonly ThreatType[] = ['UNKNOWN', ...KNOWN_THREAT_TYPES];

/** Attributes that narrow a threat, in the order of the numbers in the messages, from 1. */
export const KNOWN_THREAT_ATTRIBUTES = ['CANARY', 'FRAME_ONLY'] as const;

/** The attributes, all of them: the index of each is its number in the messages. */
export const THREAT_ATTRIBUTES = ['UNKNOWN', ...KNOWN_THREAT_ATTRIBUTES] as const;

/**
 * The threat lists of Safe Browsing v5. A server may have others: `--list` takes any name.
 *
 * https://developers.google.com/safe-browsing/reference/Local.Database
 */
export const THREAT_LISTS = ['mw-4b', 'se-4b', 'uws-4b', 'uwsa-4b', 'pha-4b'] as const;

/** The list of likely safe sites for `real-time`. Chromium names another of the kind, `gca-32b`. */
export const GLOBAL_CACHE = 'gc-32b';

/** The types of threats, by the part of a list's name before the length of its prefixes. */
const TYPES_OF_LISTS: Readonly<Record<string, KnownThreatType>> = {
  mw: 'MALWARE',
  se: 'SOCIAL_ENGINEERING',
  uws: 'UNWANTED_SOFTWARE',
  uwsa: 'UNWANTED_SOFTWARE',
  pha: 'POTENTIALLY_HARMFUL_APPLICATION',
};
const GLOBAL_CACHES = ['gc', 'gca'];

/** Returns the type of threat that a list tells of; undefined where its name does not say. */
export function threatTypeOf(listName: string): KnownThreatType | undefined {
  const kind = kindOf(listName);
  return Object.hasOwn(TYPES_OF_LISTS, kind) ? TYPES_OF_LISTS[kind] : undefined;
}

/** Returns the types of threats that lists tell of; all if one of the names says none. */
export function threatTypesOf(listNames: readonly string[]): readonly KnownThreatType[] {
  const types = listNames.map(threatTypeOf);
  return types.includes(undefined) ? KNOWN_THREAT_TYPES : KNOWN_THREAT_TYPES.filter((type) => types.includes(type));
}

/** Whether a list has what is likely safe, and no threats. */
export function isGlobalCache(listName: string): boolean {
  return GLOBAL_CACHES.includes(kindOf(listName));
}

function kindOf(listName: string): string {
  return listName.split('-')[0]!;
}
