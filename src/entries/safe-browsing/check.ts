/**
 * Safe Browsing v5: URL checks and list updates over HTTP.
 *
 * @packageDocumentation
 */

export type { AbortSource } from '../../abort-signal.ts';
export { UrlsumError } from '../../error.ts';
export type { Answer, AnswerReason, Threat, UnsureCause, Verdict } from '../../safe-browsing/check/answer.ts';
export { SafeBrowsingChecker } from '../../safe-browsing/check/checker.ts';
export { FileStore } from '../../safe-browsing/check/file-store.ts';
export type { ListStore } from '../../safe-browsing/check/list-store.ts';
export type { ListReport } from '../../safe-browsing/check/list-updates.ts';
export type { CheckerOptions } from '../../safe-browsing/check/options.ts';
export type { Procedure } from '../../safe-browsing/check/procedures.ts';
export type { Fetch } from '../../safe-browsing/check/remote-method.ts';
export type { CheckerStatus } from '../../safe-browsing/check/status.ts';
