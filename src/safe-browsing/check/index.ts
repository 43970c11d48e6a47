/**
 * Safe Browsing v5: URL checks and list updates over HTTP.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../error.ts';
export type { Answer, AnswerReason, Threat, UnsureCause, Verdict } from './answer.ts';
export { SafeBrowsingChecker } from './checker.ts';
export type { ListReport } from './list-updates.ts';
export type { ListStore } from './local-lists.ts';
export type { CheckerOptions } from './options.ts';
export type { Procedure } from './procedures.ts';
export type { Fetch } from './remote-method.ts';
