import type { AnswerReason, Verdict } from './answer.ts';
import { type ExpressionHash, foundIn } from './expression-hash.ts';
import { CheckFailure } from './failure.ts';
import type { FullHashCache, ListedHash } from './full-hash-cache.ts';
import type { HashSearch } from './hash-search.ts';
import type { LocalLists } from './local-lists.ts';
import type { Threat } from './threats.ts';

/** What a procedure finds out about the hashes of one URL. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: AnswerReason;
  /** Which expression is listed. */
  readonly position?: number;
  readonly threats?: readonly Threat[];
  readonly detail?: string;
}

/** What the cache says of a URL's hashes. */
interface Cached {
  /** Undefined where it does not decide. */
  readonly finding: Finding | undefined;
  /** Hashes of which no cached answer holds. */
  readonly left: readonly ExpressionHash[];
}

/** Which of the three ways to check a URL that Safe Browsing v5 describes. */
export type Procedure = 'local-list' | 'real-time' | 'no-storage';

export const PROCEDURES: readonly Procedure[] = ['local-list', 'real-time', 'no-storage'];

/**
 * The URL check procedures of Safe Browsing v5. Where the pages let an error pass as SAFE, the finding is `unsure`:
 * whether that lets a URL pass is the caller's choice.
 */
export class Procedures {
  readonly #lists: LocalLists;
  readonly #cache: FullHashCache;
  readonly #search: HashSearch;
  readonly #now: () => number;

  constructor(lists: LocalLists, cache: FullHashCache, search: HashSearch, now: () => number) {
    this.#lists = lists;
    this.#cache = cache;
    this.#search = search;
    this.#now = now;
  }

  run(procedure: Procedure, hashes: readonly ExpressionHash[]): Promise<Finding> {
    if (procedure === 'local-list') return this.#localList(hashes);
    return procedure === 'real-time' ? this.#realTime(hashes) : this.#noStorage(hashes);
  }

  /** https://developers.google.com/safe-browsing/reference/Local.List.Mode */
  async #localList(hashes: readonly ExpressionHash[]): Promise<Finding> {
    const { finding, left } = this.#cached(hashes);
    if (finding !== undefined) return finding;
    const suspected = left.filter(({ bytes }) => this.#lists.mayList(bytes));
    const searched = suspected.length > 0 ? await this.#searched(suspected) : undefined;
    if (searched?.verdict === 'unsafe') return searched;
    const obstacle = this.#lists.obstacle(this.#now());
    if (obstacle !== undefined) return unsure(obstacle);
    return searched ?? { verdict: 'safe', reason: left.length === hashes.length ? 'list' : 'cache' };
  }

  /** https://developers.google.com/safe-browsing/reference/Real.Time.Mode: its UNSURE goes on to the local lists. */
  async #realTime(hashes: readonly ExpressionHash[]): Promise<Finding> {
    if (hashes.some(({ bytes }) => this.#lists.isLikelySafe(bytes, this.#now()))) return this.#localList(hashes);
    const finding = await this.#noStorage(hashes);
    if (finding.verdict !== 'unsure') return finding;
    const local = await this.#localList(hashes);
    return { ...local, detail: [finding.detail, local.detail].filter(Boolean).join('; ') };
  }

  /** https://developers.google.com/safe-browsing/reference/No.Storage.Real.Time.Mode */
  async #noStorage(hashes: readonly ExpressionHash[]): Promise<Finding> {
    const { finding, left } = this.#cached(hashes);
    return finding ?? this.#searched(left);
  }

  #cached(hashes: readonly ExpressionHash[]): Cached {
    const now = this.#now();
    const left: ExpressionHash[] = [];
    for (const each of hashes) {
      const listed = this.#cache.get(each.prefix, now);
      const found = listed && foundIn(listed, each);
      if (found !== undefined) return { finding: unsafe(each, found, 'cache'), left };
      if (listed === undefined) left.push(each);
    }
    return { finding: left.length === 0 ? { verdict: 'safe', reason: 'cache' } : undefined, left };
  }

  async #searched(hashes: readonly ExpressionHash[]): Promise<Finding> {
    const answers = await Promise.all(hashes.map(({ prefix }) => this.#search.ask(prefix)));
    let failure: CheckFailure | undefined;
    for (const [index, answer] of answers.entries()) {
      const found = answer instanceof CheckFailure ? undefined : foundIn(answer, hashes[index]!);
      if (found !== undefined) return unsafe(hashes[index]!, found, 'server');
      if (answer instanceof CheckFailure) failure = answer;
    }
    return failure === undefined ? { verdict: 'safe', reason: 'server' } : unsure(failure);
  }
}

function unsafe({ position }: ExpressionHash, { threats }: ListedHash, reason: 'cache' | 'server'): Finding {
  return { verdict: 'unsafe', reason, position, threats };
}

export function unsure({ cause, detail }: CheckFailure): Finding {
  return { verdict: 'unsure', reason: `unsure: ${cause}`, detail };
}
