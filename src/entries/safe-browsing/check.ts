/**
 * Safe Browsing v5: URL checks and list updates over HTTP.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../../core/error.ts';
export type { AbortSource } from '../../core/lifetime.ts';
export type { Answer, AnswerReason, CheckerStatus, Threat, UnsureCause, Verdict } from '../../service/check/answer.ts';
export { SafeBrowsingChecker } from '../../service/check/checker.ts';
export { FileStore } from '../../service/check/file-store.ts';
export type { ListReport, UpdateFailureCause } from '../../service/check/list-updates.ts';
export type { ListStore } from '../../service/check/local-lists.ts';
export type { CheckerOptions } from '../../service/check/options.ts';
export type { Procedure } from '../../service/check/procedures.ts';
export type { Fetch } from '../../service/check/remote-method.ts';
