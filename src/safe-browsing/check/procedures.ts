import type { ExpressionColumn } from '../column.ts';
import { headAt } from '../prefix-set/sorted-prefixes.ts';
import { type AnswerReason, CheckFailure, type HashThreat, type Verdict } from './answer.ts';
import type { ListedHash } from './full-hash-cache.ts';
import type { HashSearch } from './hash-search.ts';
import type { ListSnapshot } from './list-snapshot.ts';

/** A threat for which an expression is listed. */
interface ListedThreat extends HashThreat {
  /** The position of the expression in the order of `expressions`. */
  readonly position: number;
}

/** The result of a procedure for the hashes of one URL. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: AnswerReason;
  /** The most specific expression first. */
  readonly threats?: readonly ListedThreat[];
  /** The local lists that have a prefix of the URL. */
  readonly matched: readonly string[];
  readonly detail?: string | undefined;
}

/** The results of the cache for a URL's hashes. */
interface Known {
  readonly threats: readonly ListedThreat[];
  /** Hashes without a valid cached answer. */
  readonly left: readonly ExpressionHash[];
}

/** The results of the server for hashes. */
interface Searched {
  readonly threats: readonly ListedThreat[];
  /** Hashes without an answer, and the reason. */
  readonly unanswered: readonly ExpressionHash[];
  readonly failure: CheckFailure | undefined;
}

/** Which of the three ways to check a URL that Safe Browsing v5 describes. */
export type Procedure = 'local-list' | 'real-time' | 'no-storage';

export const PROCEDURES: readonly Procedure[] = ['local-list', 'real-time', 'no-storage'];

/**
 * The URL check procedures of Safe Browsing v5. Where the pages let an error pass as SAFE, the finding is `unsure`, and
 * the caller chooses whether such a URL may pass.
 */
export class Procedures {
  readonly #search: HashSearch;

  constructor(search: HashSearch) {
    this.#search = search;
  }

  /** @param lists as they were when the check began: they decide to its end */
  run(procedure: Procedure, hashes: readonly ExpressionHash[], lists: ListSnapshot): Promise<Finding> {
    if (procedure === 'local-list') return this.#localList(hashes, lists);
    return procedure === 'real-time' ? this.#realTime(hashes, lists) : this.#noStorage(hashes);
  }

  /** https://developers.google.com/safe-browsing/reference/Local.List.Mode */
  async #localList(hashes: readonly ExpressionHash[], lists: ListSnapshot): Promise<Finding> {
    const matches = hashes.map(({ bytes }) => lists.matchesOf(bytes));
    const matched = [...new Set(matches.flat())];
    const cached = this.#cached(hashes);
    if (cached.left.length === 0) return finding(cached.threats, [], { safeBy: 'cache', matched });
    const suspected = cached.left.filter((hash) => matches[hashes.indexOf(hash)]!.length > 0);
    const { threats, unanswered, failure } = await this.#searched(suspected);
    const isAllNew = cached.left.length === hashes.length;
    const safeBy = suspected.length > 0 ? 'server' : isAllNew ? 'list' : 'cache';
    const listed = unanswered.filter(({ bytes }) => lists.isListed(bytes));
    return finding(cached.threats, threats, { safeBy, matched, listed, failure: lists.obstacle() ?? failure });
  }

  /** https://developers.google.com/safe-browsing/reference/Real.Time.Mode: on UNSURE, the local lists decide. */
  async #realTime(hashes: readonly ExpressionHash[], lists: ListSnapshot): Promise<Finding> {
    if (hashes.some(({ bytes }) => lists.isLikelySafe(bytes))) return this.#localList(hashes, lists);
    const finding = await this.#noStorage(hashes);
    if (finding.verdict !== 'unsure') return finding;
    const local = await this.#localList(hashes, lists);
    return { ...local, detail: [finding.detail, local.detail].filter(Boolean).join('; ') };
  }

  /** https://developers.google.com/safe-browsing/reference/No.Storage.Real.Time.Mode */
  async #noStorage(hashes: readonly ExpressionHash[]): Promise<Finding> {
    const cached = this.#cached(hashes);
    const { threats, failure } = await this.#searched(cached.left);
    return finding(cached.threats, threats, { safeBy: cached.left.length === 0 ? 'cache' : 'server', failure });
  }

  #cached(hashes: readonly ExpressionHash[]): Known {
    const answers = this.#search.cached(hashes.map(({ prefix }) => prefix));
    return {
      threats: answers.flatMap((answer, index) => (answer === undefined ? [] : threatsOf(hashes[index]!, answer))),
      left: hashes.filter((_, index) => answers[index] === undefined),
    };
  }

  async #searched(hashes: readonly ExpressionHash[]): Promise<Searched> {
    const answers = await Promise.all(hashes.map(({ prefix }) => this.#search.ask(prefix)));
    const threats: ListedThreat[] = [];
    const unanswered: ExpressionHash[] = [];
    let failure: CheckFailure | undefined;
    for (const [index, answer] of answers.entries()) {
      if (answer instanceof CheckFailure) {
        failure = answer;
        unanswered.push(hashes[index]!);
      } else threats.push(...threatsOf(hashes[index]!, answer));
    }
    return { threats, unanswered, failure };
  }
}

function threatsOf(hash: ExpressionHash, listed: readonly ListedHash[]): ListedThreat[] {
  return threatsUnder(listed, hash).map((threat) => ({ ...threat, position: hash.position }));
}

/** What a finding says besides threats. */
interface Circumstances {
  /** What says that a URL is safe, if it is. */
  readonly safeBy: 'cache' | 'list' | 'server';
  readonly matched?: readonly string[];
  /** Hashes that the local lists alone vouch for. */
  readonly listed?: readonly ExpressionHash[];
  /** Why not all hashes have an answer. */
  readonly failure?: CheckFailure | undefined;
}

/**
 * One listed expression makes a URL unsafe. All of them count: the threats of one may matter less than those of
 * another, such as threats in frames alone.
 */
function finding(
  cached: readonly ListedThreat[],
  searched: readonly ListedThreat[],
  { safeBy, matched = [], listed = [], failure }: Circumstances,
): Finding {
  const local = listed.map(({ position }) => ({ type: 'UNKNOWN', isFrameOnly: false, position }) as const);
  const threats = [...cached, ...searched, ...local].sort((one, other) => one.position - other.position);
  const unsafeBy = searched.length > 0 ? 'server' : cached.length > 0 ? 'cache' : 'list';
  if (threats.length > 0) return { verdict: 'unsafe', reason: unsafeBy, threats, matched, detail: failure?.detail };
  return failure === undefined ? { verdict: 'safe', reason: safeBy, matched } : unsure(failure, matched);
}

export function unsure({ cause, detail }: CheckFailure, matched: readonly string[]): Finding {
  return { verdict: 'unsure', reason: `unsure: ${cause}`, matched, detail };
}

/** The hash of one of a URL's expressions. */
interface ExpressionHash {
  /** 32 bytes. */
  readonly bytes: Uint8Array;
  /** The first four bytes as a big-endian number: the only part of the hash that may leave the machine. */
  readonly prefix: number;
  /** The position of the expression in the order of `expressions`. */
  readonly position: number;
}

/** Returns the hashes of a row; `column` must be 32 bytes wide. */
export function hashesOf(column: ExpressionColumn, row: number): ExpressionHash[] {
  return column.at(row).map((bytes, position) => ({ bytes, prefix: headAt(bytes, 0), position }));
}

/** Returns the threats for which this whole hash is listed, each once; none if it is not listed. */
function threatsUnder(listed: readonly ListedHash[], { bytes }: ExpressionHash): readonly HashThreat[] {
  const same = listed.filter(({ hash }) => hash.every((byte, at) => byte === bytes[at]));
  const threats = same.flatMap((each) => each.threats.map((threat) => [keyOf(threat), threat] as const));
  return [...new Map(threats).values()];
}

function keyOf({ type, isFrameOnly }: HashThreat): string {
  return isFrameOnly ? `${type} in frames` : type;
}
