import type { Rule } from './block-list.ts';

/** A rule with the expressions of what it names; `key` is equal for rules that say the same. */
export interface RuleEntries {
  readonly rule: Rule;
  readonly key: string;
  readonly expressions: readonly string[];
}

/** The rest of a list once its rules have acted on each other. */
export interface Effects {
  /** Whether each expression of the rules that block, in order, is an entry. */
  readonly stands: readonly boolean[];
  readonly exceptionCount: number;
  readonly cancelledCount: number;
  readonly liftedCount: number;
  /** The exceptions without effect: a host or folder that stays listed finds what they exempt. */
  readonly idle: readonly string[];
}

/**
 * Lets the rules of a list act: a `badfilter` cancels the rules that say the same, and an exception lifts the entries
 * that it covers, those of important rules only if it is important, too. What an exception covers in part stays.
 */
export function effectsOf(rules: readonly RuleEntries[]): Effects {
  const cancelled = new Set(rules.filter(({ rule }) => rule.effect === 'badfilter').map(({ key }) => key));
  const exceptions = rules.filter(({ rule, key }) => rule.effect === 'exception' && !cancelled.has(key));
  const exempt = new Exemptions(exceptions);
  const stands: boolean[] = [];
  let [cancelledCount, liftedCount] = [0, 0];
  for (const { rule, key, expressions } of rules) {
    if (rule.effect !== 'block') continue;
    const isCancelled = cancelled.has(key);
    let isLifted = false;
    for (const each of expressions) {
      const stays = !isCancelled && !exempt.lifts(each, rule);
      if (stays) exempt.addListed(each, rule.isImportant);
      else isLifted = true;
      stands.push(stays);
    }
    if (isCancelled) cancelledCount++;
    else if (isLifted) liftedCount++;
  }
  const idle = exceptions.filter(({ rule, expressions }) => expressions.some((each) => exempt.isIdle(each, rule)));
  return { stands, exceptionCount: exceptions.length, cancelledCount, liftedCount, idle: idle.map(({ key }) => key) };
}

/** A host or a path by the steps to it: its labels from the right, then parts of the path, `/`, `a/`, `b`, `?q`. */
class Node {
  readonly children = new Map<string, Node>();
  readonly exceptions: Rule[] = [];
  listed: 'not' | 'plainly' | 'importantly' = 'not';

  /** Returns the node a step further, which is made where it is missing. */
  child(step: string): Node {
    let child = this.children.get(step);
    if (child === undefined) this.children.set(step, (child = new Node()));
    return child;
  }
}

/**
 * The exceptions of a list, by what they exempt, and the entries above them. Hosts and paths are walked from their
 * starts as far as an exception has them, so that an expression of any length takes linear time.
 */
class Exemptions {
  readonly #root = new Node();
  readonly #isEmpty: boolean;

  constructor(exceptions: readonly RuleEntries[]) {
    this.#isEmpty = exceptions.length === 0;
    for (const { rule, expressions } of exceptions)
      for (const each of expressions) {
        const { labels, parts } = stepsOf(each);
        [...labels, ...parts].reduce((node, step) => node.child(step), this.#root).exceptions.push(rule);
      }
  }

  /** Whether an exception covers all that the rule means by its expression. */
  lifts(expression: string, rule: Rule): boolean {
    for (const { exceptions, isOfHost, isOfPath } of this.#above(expression))
      for (const exception of exceptions) {
        const isStronger = exception.overrules || (isOfHost && isOfPath && yieldsTo(exception, rule));
        const isMet = exception.isImportant || !rule.isImportant;
        if (isStronger && isMet && covers(exception.reach, isOfHost, rule.reach)) return true;
      }
    return false;
  }

  /** Notes an entry whose host, or a host under it, has exceptions. */
  addListed(expression: string, isImportant: boolean): void {
    if (this.#isEmpty) return;
    const { labels, parts } = stepsOf(expression);
    let host: Node | undefined = this.#root;
    for (const label of labels) host = host?.children.get(label);
    if (host === undefined) return;
    const entry = parts.reduce((node, part) => node.child(part), host);
    if (entry.listed !== 'importantly') entry.listed = isImportant ? 'importantly' : 'plainly';
  }

  /** Whether an entry finds what the exception exempts without being meant to: an important rule is. */
  isIdle(expression: string, { isImportant }: Rule): boolean {
    for (const { listed } of this.#above(expression)) {
      const outlives = listed === 'plainly' || (listed === 'importantly' && isImportant);
      if (outlives) return true;
    }
    return false;
  }

  /** Yields what is known of an expression and of those that find it, too. */
  *#above(expression: string) {
    if (this.#isEmpty) return;
    const { labels, parts } = stepsOf(expression);
    let host: Node | undefined = this.#root;
    for (const [at, label] of labels.entries()) {
      host = host.children.get(label);
      if (host === undefined) return;
      let path: Node | undefined = host;
      for (const [depth, part] of parts.entries()) {
        path = path.children.get(part);
        if (path === undefined) break;
        const { exceptions, listed } = path;
        yield { exceptions, listed, isOfHost: at === labels.length - 1, isOfPath: depth === parts.length - 1 };
      }
    }
  }
}

/**
 * Whether a line gives way to an exception of a name server for the same name: one for `*.` says more about its hosts.
 */
function yieldsTo(exception: Rule, rule: Rule): boolean {
  return rule.withstands !== true && (rule.reach !== 'below' || exception.reach === 'below');
}

/** Whether an exception for a host, at or above that of a line, covers all hosts that the line means. */
function covers(reach: Rule['reach'], isOfHost: boolean, meant: Rule['reach']): boolean {
  return reach === 'whole' || (reach === 'below' ? !isOfHost || meant === 'below' : isOfHost && meant === 'alone');
}

/** Returns the labels of the host from the right, or an address, and the folders, the page and the query. */
function stepsOf(expression: string): { readonly labels: readonly string[]; readonly parts: readonly string[] } {
  const slash = expression.indexOf('/');
  const host = expression.slice(0, slash);
  const labels = /^\[|^[\d.]+$/.test(host) ? [host] : host.split('.').reverse();
  const query = expression.indexOf('?', slash);
  const pathEnd = query === -1 ? expression.length : query;
  const parts = expression.slice(slash, pathEnd).match(/[^/]*\/|[^/]+/g) ?? [];
  return { labels, parts: query === -1 ? parts : [...parts, expression.slice(query)] };
}
