/** Errors of the browser's files, by name: https://webidl.spec.whatwg.org/#idl-DOMException-error-names */
const REASONS: Readonly<Record<string, string>> = {
  NotFoundError: 'the file, or the one to write, is no longer there',
  NotReadableError: 'it cannot be read, or was changed since it was chosen',
  NotAllowedError: 'the browser was not allowed to write the result',
  NoModificationAllowedError: 'another page or program writes the same result',
  QuotaExceededError: 'there is no room for the result',
};

/** Why something failed, in our words where the browser has its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof DOMException) return REASONS[error.name] ?? `the browser gave up (${error.name})`;
  return error instanceof Error ? error.message : String(error);
}
