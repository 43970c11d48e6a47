import { Failure } from '../../core/url/failure.ts';
import type { Answer, AnswerReason, Verdict } from '../check/answer.ts';
import type { AskedUrl, SafeBrowsingChecker } from '../check/checker.ts';
import type { ThreatType } from '../lists/threats.ts';
import type { OwnList } from './own-list.ts';
import { type HttpAnswer, RpcError } from './rpc.ts';

/** The time that a match of a list of one's own may be kept: the file may change at any time. */
const OWN_CACHE_MS = 300_000;

/** The reason of the checker, or `own-list`; `not-asked`: the URL is listed, but not for what the request asks. */
type CountedReason = AnswerReason | 'own-list' | 'not-asked';

/** The reason for a URL without a host, and for a text that may hide one. */
const NO_HOST: AnswerReason = 'unsure: no-host';

/** A type of threat for which a URL is listed. */
export interface UrlThreat {
  readonly type: ThreatType;
  /** The time until which that holds, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The lists of one's own that have it. */
  readonly ownLists: readonly string[];
}

interface CheckedUrl {
  readonly url: string;
  readonly threats: readonly UrlThreat[];
  /** The time until which all that was consulted holds. */
  readonly expiresAt: number;
}

/** The checker and the lists that decide about URLs, and how they are answered. */
export interface UrlCheckOptions {
  readonly checker: SafeBrowsingChecker;
  /** Milliseconds since 1970, as the checker's. */
  now(): number;
  /** The lists of one's own: their hashes decide without a server. */
  readonly ownLists: readonly OwnList[];
  /** Whether threats that count in frames alone are answered. */
  readonly withFrames: boolean;
  readonly whenUnsure: 'allow' | 'block';
  /** Writes each URL with its types of threats, or `unsure`. Default: URLs are not logged. */
  logUrl?(url: string, types: readonly string[]): void;
}

/** Checks the URLs of a request. A URL that may be unsafe is never left out of an answer without a word. */
export class UrlChecks {
  readonly #options: UrlCheckOptions;
  /** The number of unsure URLs that were left out of an answer, which `allow` demands. */
  allowedCount = 0;
  /** How many URLs were answered, by what the client was told: a URL that is left out of an answer counts as safe. */
  readonly verdicts: Record<Verdict, number> = { safe: 0, unsafe: 0, unsure: 0 };
  /** The same by what decided; a reason that did not occur is left out. */
  readonly reasons: Partial<Record<CountedReason, number>> = {};

  constructor(options: UrlCheckOptions) {
    this.#options = options;
  }

  /**
   * Answers with what is made of the URLs and their threats: at once where the lists or the cache know all of them.
   *
   * @param fieldOf names the field of a URL, by its place in the request
   * @param types the types of threats to tell; default: all
   * @throws {RpcError} on a URL without a host, and where one is unsure and that blocks it
   */
  answer(
    urls: readonly string[],
    fieldOf: (index: number) => string,
    types: readonly ThreatType[] | undefined,
    make: (checked: readonly CheckedUrl[]) => HttpAnswer,
  ): HttpAnswer | Promise<HttpAnswer> {
    const { checker } = this.#options;
    const asked = [...checker.asked(urls)];
    const answerTo = (answers: readonly Answer[]) => make(this.#checked(urls, asked, answers, fieldOf, types));
    const answers = checker.answersTo(asked);
    return answers instanceof Promise ? answers.then(answerTo) : answerTo(answers);
  }

  #checked(
    urls: readonly string[],
    asked: readonly AskedUrl[],
    answers: readonly Answer[],
    fieldOf: (index: number) => string,
    types: readonly ThreatType[] | undefined,
  ): CheckedUrl[] {
    const found = answers.map((answer, index) => this.#threats(answer, asked[index]!));
    const refused = answers.findIndex(({ reason }, index) => reason === NO_HOST && found[index]!.length === 0);
    if (refused !== -1) {
      this.#count('unsure', NO_HOST);
      throw RpcError.badField(fieldOf(refused), 'the URL has no host that could be looked up');
    }
    const ownExpiry = this.#options.ownLists.length === 0 ? Number.POSITIVE_INFINITY : this.#ownExpiresAt();
    const isAsked = ({ type }: UrlThreat) => types === undefined || type === 'UNKNOWN' || types.includes(type);
    const checked = answers.map((answer, index) => {
      const threats = found[index]!.length === 0 ? NO_THREATS : found[index]!.filter(isAsked);
      const isUnsure = threats.length === 0 && !isWhole(answer);
      this.#options.logUrl?.(urls[index]!, isUnsure ? ['unsure'] : threats.map(({ type }) => type));
      if (isUnsure) this.#mustBeAllowed(answer, fieldOf(index));
      return { url: urls[index]!, threats, isUnsure, expiresAt: Math.min(answer.expiresAt, ownExpiry) };
    });
    for (const [index, { threats, isUnsure }] of checked.entries()) {
      const verdict = isUnsure ? 'unsure' : threats.length > 0 ? 'unsafe' : 'safe';
      this.#count(verdict, reasonOf(verdict, threats, answers[index]!));
    }
    return checked;
  }

  #count(verdict: Verdict, reason: CountedReason): void {
    this.verdicts[verdict]++;
    this.reasons[reason] = (this.reasons[reason] ?? 0) + 1;
  }

  /** Returns the whole seconds that are left of what was found. */
  secondsLeft(expiresAt: number): number {
    return Math.max(0, Math.floor((expiresAt - this.#options.now()) / 1000));
  }

  #threats({ threats }: Answer, { asked }: AskedUrl): readonly UrlThreat[] {
    const { ownLists, withFrames } = this.#options;
    if (threats.length === 0 && ownLists.length === 0) return NO_THREATS;
    const listed = threats
      .filter(({ isFrameOnly }) => withFrames || !isFrameOnly)
      .map(({ type, expiresAt }) => ({ type, expiresAt, ownLists: [] }));
    const own = asked instanceof Failure ? [] : ownLists.filter((list) => list.hasOneOf(asked.hashes));
    return byType([
      ...listed,
      ...own.map(({ type, name }) => ({ type, expiresAt: this.#ownExpiresAt(), ownLists: [name] })),
    ]);
  }

  #ownExpiresAt(): number {
    return this.#options.now() + OWN_CACHE_MS;
  }

  /** @throws {RpcError} */
  #mustBeAllowed(answer: Answer, field: string): void {
    const { reason, detail = '' } = answer;
    if (this.#options.whenUnsure === 'allow') {
      this.allowedCount++;
      return;
    }
    this.#count('unsure', answer.reason);
    const cause = reason.startsWith('unsure: ') ? reason.slice('unsure: '.length) : 'incomplete';
    const message = `${field}: nothing can say whether the URL is safe: ${detail}`;
    throw RpcError.unavailable(message, cause.toUpperCase().replaceAll('-', '_'), { field });
  }
}

/** The threats of a URL that is on no list, as most are: one array for all. */
const NO_THREATS: readonly UrlThreat[] = [];

function reasonOf(verdict: Verdict, threats: readonly UrlThreat[], answer: Answer): CountedReason {
  if (verdict === 'unsafe') return threats.some(({ ownLists }) => ownLists.length > 0) ? 'own-list' : answer.reason;
  return verdict === 'safe' && answer.verdict === 'unsafe' ? 'not-asked' : answer.reason;
}

/** Whether every expression of the URL was answered, or every list is fresh. */
function isWhole({ verdict, detail }: Answer): boolean {
  return verdict === 'safe' || (verdict === 'unsafe' && detail === undefined);
}

/** Several expressions of a URL, and several lists, may be of one type: the first to expire counts. */
function byType(threats: readonly UrlThreat[]): readonly UrlThreat[] {
  const found = new Map<ThreatType, UrlThreat>();
  for (const threat of threats) {
    const { type, expiresAt, ownLists } = found.get(threat.type) ?? { ...threat, ownLists: [] };
    const least = Math.min(expiresAt, threat.expiresAt);
    found.set(type, { type, expiresAt: least, ownLists: [...ownLists, ...threat.ownLists] });
  }
  return [...found.values()];
}
