/**
 * Safe Browsing v5: URL checks and list updates over HTTP.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../error.ts';
export type { Answer, AnswerReason, Verdict } from './answer.ts';
export type { BackOffTimes } from './back-off.ts';
export { SafeBrowsingChecker, type WaitOptions } from './checker.ts';
export type { UnsureCause } from './failure.ts';
export type { ListStore } from './list-store.ts';
export type { ListReport } from './list-updates.ts';
export type { CheckerOptions, WhenUnsure } from './options.ts';
export type { Procedure } from './procedures.ts';
export type { Fetch, FetchedHeaders, FetchedResponse, FetchInit } from './remote-method.ts';
export type { Threat } from './threats.ts';
