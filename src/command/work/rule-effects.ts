import type { Rule } from '../../specs/safe-browsing/block-list.ts';

/** A rule with the expressions of what it names. A line that is not a rule blocks. */
export interface RuleEntries extends Rule {
  readonly expressions: readonly string[];
}

/** What is left of a list once its rules have acted on each other. */
interface Effects {
  /** For each expression of the rules that block, in order, whether it is an entry. */
  readonly stands: readonly boolean[];
  readonly cancelledCount: number;
  readonly liftedCount: number;
  /** The exceptions below a host or folder that stays listed with all that is under it. */
  readonly idle: readonly string[];
}

/**
 * Lets the rules of a list act: a `badfilter` cancels the rules that say the same, and an exception lifts the entries at
 * or below what it names, those of important rules only if it is important, too.
 */
export function effectsOf(rules: readonly RuleEntries[]): Effects {
  const cancelled = new Set(rules.filter(({ effect }) => effect === 'badfilter').map(({ key }) => key));
  const exceptions = rules.filter(({ effect, key }) => effect === 'exception' && !cancelled.has(key));
  const exempt = importanceOf(exceptions);
  const standing: RuleEntries[] = [];
  const stands: boolean[] = [];
  let [cancelledCount, liftedCount] = [0, 0];
  for (const rule of rules) {
    if (rule.effect !== 'block') continue;
    const isCancelled = cancelled.has(rule.key);
    const left = rule.expressions.filter((each) => !isCancelled && !isCovered(each, exempt, rule.isImportant));
    stands.push(...rule.expressions.map((each) => left.includes(each)));
    if (exceptions.length > 0) standing.push({ ...rule, expressions: left });
    if (isCancelled) cancelledCount++;
    else if (left.length < rule.expressions.length) liftedCount++;
  }
  const listed = importanceOf(standing);
  const isIdle = ({ expressions, isImportant }: RuleEntries) =>
    expressions.some((each) => isUnder(each, listed, isImportant));
  return { stands, cancelledCount, liftedCount, idle: exceptions.filter(isIdle).map(({ key }) => key) };
}

/** Returns the expressions, and whether a rule with one is important. */
function importanceOf(rules: readonly RuleEntries[]): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const { expressions, isImportant } of rules)
    for (const each of expressions) found.set(each, isImportant || found.get(each) === true);
  return found;
}

function isCovered(expression: string, exempt: ReadonlyMap<string, boolean>, isImportant: boolean): boolean {
  if (exempt.size === 0) return false;
  return atOrAbove(expression).some((each) => (isImportant ? exempt.get(each) === true : exempt.has(each)));
}

/** Whether an entry above an exception outlives it without being meant to: an important rule is. */
function isUnder(expression: string, listed: ReadonlyMap<string, boolean>, isImportant: boolean): boolean {
  const above = atOrAbove(expression).filter((each) => each !== expression && each.endsWith('/'));
  return above.some((each) => (isImportant ? listed.has(each) : listed.get(each) === false));
}

/** Returns an expression and those that have all that it has: of its host and each parent, of its path and each folder. */
function atOrAbove(expression: string): string[] {
  const slash = expression.indexOf('/');
  const labels = expression.startsWith('[') ? [expression.slice(0, slash)] : expression.slice(0, slash).split('.');
  const [path = '/'] = expression.slice(slash).split('?');
  const folders = Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1));
  const paths = [...folders, path, expression.slice(slash)];
  const hosts = labels.map((_, index) => labels.slice(index).join('.'));
  return hosts.flatMap((host) => paths.map((each) => host + each));
}
