import { counted, quote } from '../../core/quote.ts';
import type { LeftOutKind } from '../../specs/safe-browsing/block-list.ts';
import type { EntryLimit } from '../../specs/safe-browsing/list-entry.ts';
import type { Effects } from '../../specs/safe-browsing/list-rules.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { SHOWN_LIMIT } from '../work/bad-rows.ts';
import type { Counts } from '../work/results.ts';

/** A noun, and its plural where that is not the noun with an s. */
type Words = readonly [one: string, several?: string];

export const LEFT_OUT_KINDS: Readonly<Record<LeftOutKind, Words>> = {
  comments: ['comment'],
  localNames: ['local name'],
  exceptions: ['exception'],
  badfilters: ['badfilter'],
  cosmeticRules: ['cosmetic rule'],
  rulesForTypes: ['rule for types of requests', 'rules for types of requests'],
  rulesForSites: ['rule for requests of some sites', 'rules for requests of some sites'],
  rulesForRequests: ['rule for some requests', 'rules for some requests'],
  rulesThatChange: ['rule that changes requests', 'rules that change requests'],
  unknownModifiers: ['rule with an unknown modifier', 'rules with unknown modifiers'],
  regularExpressions: ['regular expression'],
  pathRules: ['rule for a path', 'rules for paths'],
  portRules: ['rule for a port', 'rules for ports'],
  patterns: ['other pattern'],
  continuedRules: ['rule of several lines', 'rules of several lines'],
  otherBlockers: ['line for other blockers', 'lines for other blockers'],
  unknownConditions: ['line under an unknown condition', 'lines under unknown conditions'],
  otherAnswers: ['line with another answer', 'lines with other answers'],
  includes: ['include of another file', 'includes of other files'],
  directives: ['directive'],
  unclear: ['unclear word'],
  otherTypes: ['row of another type', 'rows of other types'],
};

/** Lines that every list has beside its entries, and that nobody misses. */
export const NOT_MISSED: ReadonlySet<LeftOutKind> = new Set(['comments', 'localNames', 'directives', 'otherBlockers']);

/** Reasons why an entry that may be meant for all that is under it matches none of that. */
export const LIMITS: Readonly<Record<EntryLimit, string>> = {
  'public-suffix': 'a public suffix as host',
  'deep-host': 'a host of too many labels',
  'deep-path': 'a path of more than three folders',
};

/** Begins the names of counts of rows by their types. */
export const OF_TYPE = 'of type ';

const ENTRY_KINDS: Readonly<Record<string, Words>> = { hosts: ['host'], folders: ['folder'], pages: ['page'] };

const HOST_ALONE = 'look-ups match that host alone, not the hosts under it';
const CONSEQUENCES: Readonly<Record<EntryLimit, string>> = {
  'public-suffix': HOST_ALONE,
  'deep-host': HOST_ALONE,
  'deep-path': 'look-ups match that path alone, not what is under it',
};

export function entryCountOf(counts: Counts): number {
  return totalOf(counts, Object.keys(ENTRY_KINDS));
}

function totalOf(counts: Counts, kinds: readonly string[]): number {
  return kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

/** Whether something of a list that somebody may miss is not listed. */
export function leavesOut(counts: Counts, { exceptionCount, cancelledCount }: Effects): boolean {
  return exceptionCount > 0 || cancelledCount > 0 || missedCountOf(counts) > 0;
}

function missedCountOf(counts: Counts): number {
  const kinds = Object.keys(LEFT_OUT_KINDS) as LeftOutKind[];
  return totalOf(
    counts,
    kinds.filter((kind) => !NOT_MISSED.has(kind)),
  );
}

/** Counts the entries of each kind, those that were merged or lifted, and what was left out. */
export function summaryOf(counts: Counts, effects: Effects, mergedCount = 0): string[] {
  const { exceptionCount, liftedCount, cancelledCount } = effects;
  const entryCount = entryCountOf(counts);
  const kinds = kindsIn(counts, ENTRY_KINDS);
  const types = Object.keys(counts).filter((name) => name.startsWith(OF_TYPE));
  const named = types.sort((one, other) => counts[other]! - counts[one]!).slice(0, SHOWN_LIMIT);
  const ofTypes = named.map((name) => `${counts[name]} of type ${quote(name.slice(OF_TYPE.length))}`);
  const leftOut = [kindsIn(counts, LEFT_OUT_KINDS), ...ofTypes].filter((each) => each !== '').join(', ');
  return [
    `${counted(entryCount, 'entry', 'entries')}${kinds === '' ? '' : `: ${kinds}`}`,
    ...(mergedCount === 0
      ? []
      : [`${counted(mergedCount, 'entry is', 'entries are')} merged with another of the same prefix`]),
    ...(exceptionCount === 0
      ? []
      : [`${counted(exceptionCount, 'exception')}: ${counted(liftedCount, 'line')} lifted`]),
    ...(cancelledCount === 0 ? [] : [`badfilter cancels ${counted(cancelledCount, 'line')}`]),
    ...(leftOut === '' ? [] : [`not listed: ${leftOut}`]),
    ...limitsIn(counts),
  ];
}

function kindsIn(counts: Counts, kinds: Readonly<Record<string, Words>>): string {
  return Object.entries(kinds)
    .flatMap(([kind, words]) => (counts[kind] === undefined ? [] : [counted(counts[kind], ...words)]))
    .join(', ');
}

function limitsIn(counts: Counts): string[] {
  return (Object.keys(CONSEQUENCES) as EntryLimit[])
    .filter((limit) => counts[limit] !== undefined)
    .map((limit) => `${counted(counts[limit]!, 'entry has', 'entries have')} ${LIMITS[limit]}: ${CONSEQUENCES[limit]}`);
}

/** Warns of exceptions without effect: such a list blocks more than its author meant. */
export function warnOfExceptions(idle: readonly string[], showsAll: boolean, diagnostics: Diagnostics): void {
  const shown = showsAll ? idle : idle.slice(0, SHOWN_LIMIT);
  for (const rule of shown)
    diagnostics.failed(`no effect: ${quote(rule)}: what it exempts is below a host or folder that stays listed`);
  if (shown.length < idle.length)
    diagnostics.failed(`${idle.length} exceptions have no effect, ${shown.length} shown (--all-errors shows each)`);
}

/** Warns of a file that is mostly something else: its list must not be taken for the whole. */
export function warnOfLoss(counts: Counts, invalidCount: number, validCount: number, diagnostics: Diagnostics): void {
  const missedCount = missedCountOf(counts) + invalidCount;
  const { comments = 0, directives = 0 } = counts;
  const lineCount = validCount + invalidCount - comments - directives;
  if (2 * missedCount > lineCount)
    diagnostics.failed(
      `warning: ${missedCount} of ${counted(lineCount, 'line is', 'lines are')} not listed, more than half`,
    );
}
