import { LockedError } from '../../store/lock.ts';
import { ListError } from '../lists/error.ts';

/** Codes of Node and its `fetch` (ECONNREFUSED, UND_ERR_SOCKET, CERT_HAS_EXPIRED): no key is of capitals alone. */
const CODE = /^[A-Z][A-Z_]{2,50}$/;
/** Names of classes of errors. */
const NAME = /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)$/;
/** What Deno's `fetch`, which gives no codes, says after the URL. */
const DENO = /client error \(\w+\): .*?(refused|dns error|connection closed|reset|certificate)/i;
const DENO_KINDS: Readonly<Record<string, string>> = {
  refused: 'ECONNREFUSED',
  'dns error': 'ENOTFOUND',
  'connection closed': 'ECONNRESET',
  reset: 'ECONNRESET',
  certificate: 'an invalid certificate',
};

/**
 * Says what kind of error a host, a `fetch` or a store failed with, by its code or its class. Never its message: that of
 * Deno's `fetch` has the server's URL, others have headers, and both may hold a key. Only our own say what is wrong.
 */
export function kindOfError(error: unknown): string {
  if (error instanceof ListError || error instanceof LockedError) return error.message;
  try {
    return kindByMembers(error);
  } catch {
    return 'an error'; // a getter of it throws: what it throws may hold a key, too
  }
}

function kindByMembers(error: unknown): string {
  const { cause, code, name } = Object(error) as { cause?: unknown; code?: unknown; name?: unknown };
  const { code: causeCode, message } = Object(cause) as { code?: unknown; message?: unknown };
  for (const each of [causeCode, code]) if (typeof each === 'string' && CODE.test(each)) return each;
  const phrase = typeof message === 'string' ? DENO.exec(message)?.[1]?.toLowerCase() : undefined;
  if (phrase !== undefined) return DENO_KINDS[phrase]!;
  return typeof name === 'string' && NAME.test(name) ? name : 'an error';
}
