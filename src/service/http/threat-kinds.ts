import type { ThreatType } from '../lists/messages/search-hashes.ts';

/** By the beginnings of the names that Safe Browsing gives its lists: mw-4b. The Global Cache, gc, lists no threats. */
export const KINDS: Readonly<Record<string, Exclude<ThreatType, 'UNKNOWN'>>> = {
  mw: 'MALWARE',
  se: 'SOCIAL_ENGINEERING',
  uws: 'UNWANTED_SOFTWARE',
  uwsa: 'UNWANTED_SOFTWARE',
  pha: 'POTENTIALLY_HARMFUL_APPLICATION',
};

export const GLOBAL_CACHE = 'gc';

/** Returns the types of threats that lists tell of, by their names; all if one of the names says none. */
export function threatTypesOf(listNames: readonly string[]): readonly ThreatType[] {
  const types = listNames.map((name) => KINDS[kindOf(name)]);
  const all = [...new Set(Object.values(KINDS))];
  return types.includes(undefined) ? all : all.filter((type) => types.includes(type));
}

/** Returns what a list's name begins with. */
export function kindOf(listName: string): string {
  return listName.split('-')[0]!;
}
