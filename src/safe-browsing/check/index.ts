/**
 * Safe Browsing v5: URL checks and list updates over HTTP.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../error.ts';
export type { Answer, AnswerReason, Verdict } from './answer.ts';
export { SafeBrowsingChecker } from './checker.ts';
export type { UnsureCause } from './failure.ts';
export type { ListStore } from './list-store.ts';
export type { ListReport } from './list-updates.ts';
export type { CheckerOptions } from './options.ts';
export type { Procedure } from './procedures.ts';
export type { Fetch } from './remote-method.ts';
export type { Threat } from './threats.ts';
