import { ENTRY_KINDS, LEFT_OUT_KINDS } from '../../stage/block-list/line.ts';
import type { Counts } from '../../stage/stage.ts';

type Words = Readonly<Record<string, readonly [one: string, several: string]>>;

/** How many entries of each kind a list was made of, and what was left out. */
export function summaryOf(counts: Counts, mergedCount: number): string[] {
  const entryCount = Object.keys(ENTRY_KINDS).reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  const kinds = kindsIn(counts, ENTRY_KINDS);
  const leftOut = kindsIn(counts, LEFT_OUT_KINDS);
  return [
    `${counted(entryCount, ['entry', 'entries'])}${kinds === '' ? '' : `: ${kinds}`}`,
    ...(mergedCount === 0
      ? []
      : [`${counted(mergedCount, ['entry is', 'entries are'])} merged with another of the same prefix`]),
    ...(leftOut === '' ? [] : [`not listed: ${leftOut}`]),
    ...publicSuffixesIn(counts),
  ];
}

function kindsIn(counts: Counts, words: Words): string {
  return Object.entries(words)
    .flatMap(([kind, forms]) => (counts[kind] === undefined ? [] : [counted(counts[kind], forms)]))
    .join(', ');
}

function counted(count: number, [one, several]: readonly [one: string, several: string]): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** That host alone may be what is meant; where all hosts under it are, none of them would be found. */
function publicSuffixesIn({ publicSuffixes: count = 0 }: Counts): string[] {
  if (count === 0) return [];
  const entries = counted(count, ['entry has a public suffix as its host', 'entries have a public suffix as host']);
  return [`${entries}: look-ups match that host alone, not the hosts under it`];
}
