import { areSameBytes } from '../../core/bytes/order.ts';
import { HASH_BYTES, headAt } from '../../specs/safe-browsing/hash-prefix.ts';
import { type AnswerReason, CheckFailure, type HashThreat, type Verdict } from './answer.ts';
import type { HashSearch, PrefixAnswer } from './hash-search.ts';
import type { ExpressionHash, ListSnapshot } from './local-lists.ts';

/** The evidence that decides, the strongest first. */
const EVIDENCE = ['server', 'cache', 'list'] as const;
type Evidence = (typeof EVIDENCE)[number];

/** A threat for which an expression is listed. */
interface ListedThreat extends HashThreat {
  readonly by: Evidence;
  /** The time until which that holds. */
  readonly expiresAt: number;
  /** The position of the expression in the order of `expressions`. */
  readonly position: number;
}

/** The result of a procedure for the hashes of one URL. */
export interface Finding {
  readonly verdict: Verdict;
  readonly reason: AnswerReason;
  /** The most specific expression first. */
  readonly threats: readonly ListedThreat[];
  /** The local lists that have a prefix of the URL. */
  readonly matched: readonly string[];
  readonly detail: string | undefined;
  /** The time until which it holds, in milliseconds of the clock. */
  readonly expiresAt: number;
}

/** The answers of the cache or the server for hashes. */
interface HashAnswers {
  readonly threats: readonly ListedThreat[];
  /** Hashes without an answer. */
  readonly left: readonly ExpressionHash[];
  /** The reason why the server did not answer for them. */
  readonly failure: CheckFailure | undefined;
  /** The time until which all these answers hold; Infinity without one. */
  readonly expiresAt: number;
}

/** The answers where no hash is on a list. */
const NO_ANSWERS: HashAnswers = { threats: [], left: [], failure: undefined, expiresAt: Number.POSITIVE_INFINITY };

/** The three ways to check a URL that Safe Browsing v5 describes. */
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

  /**
   * Returns a promise only where the server is asked.
   *
   * @param digests the SHA-256 of each expression, packed, in the order of `expressions`
   * @param lists as they were when the check began: they decide to its end
   */
  run(procedure: Procedure, digests: Uint8Array, lists: ListSnapshot): Finding | Promise<Finding> {
    const hashes = hashesIn(digests);
    if (procedure === 'local-list') return this.#localList(hashes, lists);
    return procedure === 'real-time' ? this.#realTime(hashes, lists) : this.#noStorage(hashes, lists);
  }

  /** https://developers.google.com/safe-browsing/reference/Local.List.Mode */
  #localList(hashes: readonly ExpressionHash[], lists: ListSnapshot): Finding | Promise<Finding> {
    const { now } = lists;
    const matches = hashes.map((hash) => lists.matchesOf(hash));
    const matched = matches.some((names) => names.length > 0) ? [...new Set(matches.flat())] : [];
    const cached = this.#cached(hashes, now);
    if (cached.left.length === 0) return finding(cached.threats, { ...cached, safeBy: 'cache', matched, now });
    const suspected = cached.left.filter(({ position }) => matches[position]!.length > 0);
    const found = (searched: HashAnswers, safeBy: Evidence) => {
      const listed = searched.left.filter((hash) => lists.isListed(hash));
      const vouched = listed.map((hash) => vouchedFor(hash, lists));
      return finding([...cached.threats, ...searched.threats, ...vouched], {
        safeBy,
        matched,
        failure: lists.obstacle() ?? searched.failure,
        now,
        expiresAt: Math.min(cached.expiresAt, searched.expiresAt, lists.expiresAt),
      });
    };
    if (suspected.length > 0) return this.#searched(suspected).then((searched) => found(searched, 'server'));
    return found(NO_ANSWERS, cached.left.length === hashes.length ? 'list' : 'cache');
  }

  /** https://developers.google.com/safe-browsing/reference/Real.Time.Mode: on UNSURE, the local lists decide. */
  #realTime(hashes: readonly ExpressionHash[], lists: ListSnapshot): Finding | Promise<Finding> {
    if (hashes.some((hash) => lists.isLikelySafe(hash))) return this.#localList(hashes, lists);
    return this.#realTimeSearch(hashes, lists);
  }

  async #realTimeSearch(hashes: readonly ExpressionHash[], lists: ListSnapshot): Promise<Finding> {
    const searched = await this.#noStorage(hashes, lists);
    if (searched.verdict !== 'unsure') return searched;
    const local = await this.#localList(hashes, lists);
    return { ...local, detail: [searched.detail, local.detail].filter(Boolean).join('; ') };
  }

  /** https://developers.google.com/safe-browsing/reference/No.Storage.Real.Time.Mode */
  async #noStorage(hashes: readonly ExpressionHash[], { now }: ListSnapshot): Promise<Finding> {
    const cached = this.#cached(hashes, now);
    if (cached.left.length === 0) return finding(cached.threats, { ...cached, safeBy: 'cache', matched: [], now });
    const { threats, failure, expiresAt } = await this.#searched(cached.left);
    return finding([...cached.threats, ...threats], {
      safeBy: 'server',
      matched: [],
      failure,
      now,
      expiresAt: Math.min(cached.expiresAt, expiresAt),
    });
  }

  #cached(hashes: readonly ExpressionHash[], now: number): HashAnswers {
    return answeredBy(
      'cache',
      hashes,
      hashes.map(({ prefix }) => this.#search.cached(prefix, now)),
    );
  }

  async #searched(hashes: readonly ExpressionHash[]): Promise<HashAnswers> {
    return answeredBy('server', hashes, await Promise.all(hashes.map(({ prefix }) => this.#search.ask(prefix))));
  }
}

function hashesIn(packed: Uint8Array): ExpressionHash[] {
  const hashes: ExpressionHash[] = [];
  for (let at = 0; at < packed.length; at += HASH_BYTES)
    hashes.push({ packed, at, prefix: headAt(packed, at), position: at / HASH_BYTES });
  return hashes;
}

/** @param answers one per hash; undefined where the cache has none */
function answeredBy(
  by: Evidence,
  hashes: readonly ExpressionHash[],
  answers: readonly (PrefixAnswer | CheckFailure | undefined)[],
): HashAnswers {
  const threats: ListedThreat[] = [];
  const left: ExpressionHash[] = [];
  let failure: CheckFailure | undefined;
  let expiresAt = Number.POSITIVE_INFINITY;
  for (let index = 0; index < hashes.length; index++) {
    const [hash, answer] = [hashes[index]!, answers[index]];
    if (answer === undefined || answer instanceof CheckFailure) {
      left.push(hash);
      failure = answer;
    } else {
      threats.push(...threatsOf(hash, answer, by));
      expiresAt = Math.min(expiresAt, answer.expiresAt);
    }
  }
  return { threats, left, failure, expiresAt };
}

function threatsOf(hash: ExpressionHash, answer: PrefixAnswer, by: Evidence): ListedThreat[] {
  const { position } = hash;
  return threatsUnder(answer, hash).map((threat) => ({ ...threat, by, position, expiresAt: answer.expiresAt }));
}

/** The threat of a hash that the local lists alone vouch for. */
function vouchedFor({ position }: ExpressionHash, { expiresAt }: ListSnapshot): ListedThreat {
  return { type: 'UNKNOWN', isFrameOnly: false, by: 'list', position, expiresAt };
}

/** The facts of a finding besides threats. */
interface Circumstances {
  /** The evidence that a URL is safe, if it is. */
  readonly safeBy: Evidence;
  readonly matched: readonly string[];
  /** The reason why not all hashes have an answer. */
  readonly failure: CheckFailure | undefined;
  /** When the check began. */
  readonly now: number;
  /** The time until which all that was consulted holds. */
  readonly expiresAt: number;
}

/**
 * One listed expression makes a URL unsafe. All of them count: the threats of one may matter less than those of
 * another, such as threats in frames alone.
 */
function finding(
  listed: readonly ListedThreat[],
  { safeBy, matched, failure, now, expiresAt: least }: Circumstances,
): Finding {
  const expiresAt = Math.max(now, least);
  if (listed.length === 0)
    return failure === undefined
      ? { verdict: 'safe', reason: safeBy, threats: [], matched, detail: undefined, expiresAt }
      : unsure(failure, matched, now);
  const threats = [...listed].sort((one, other) => one.position - other.position);
  const reason = EVIDENCE.find((evidence) => threats.some(({ by }) => by === evidence))!;
  return { verdict: 'unsafe', reason, threats, matched, detail: failure?.detail, expiresAt };
}

/** @param now when the check began: an answer that says nothing holds for no time */
export function unsure({ cause, detail }: CheckFailure, matched: readonly string[], now: number): Finding {
  return { verdict: 'unsure', reason: `unsure: ${cause}`, threats: [], matched, detail, expiresAt: now };
}

/** Returns the threats for which this whole hash is listed, each once; none if it is not listed. */
function threatsUnder({ listed }: PrefixAnswer, { packed, at }: ExpressionHash): readonly HashThreat[] {
  if (listed.length === 0) return [];
  const own = packed.subarray(at, at + HASH_BYTES);
  const same = listed.filter(({ hash }) => areSameBytes(hash, own));
  const threats = same.flatMap((each) => each.threats.map((threat) => [keyOf(threat), threat] as const));
  return [...new Map(threats).values()];
}

function keyOf({ type, isFrameOnly }: HashThreat): string {
  return isFrameOnly ? `${type} in frames` : type;
}
