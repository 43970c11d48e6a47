import { type HostAbortSignal, untilAborted } from '../../core/lifetime.ts';
import { CheckFailure } from './answer.ts';

/** What the words of google.api.ErrorReason mean to whoever runs a client. */
const REASONS: Readonly<Record<string, string>> = {
  API_KEY_INVALID: 'the API key is not valid',
  API_KEY_SERVICE_BLOCKED: 'the API key is not for this API',
  API_KEY_IP_ADDRESS_BLOCKED: 'the API key is not for this IP address',
  API_KEY_HTTP_REFERRER_BLOCKED: 'the API key is for web pages alone',
  API_KEY_ANDROID_APP_BLOCKED: 'the API key is for an Android app alone',
  API_KEY_IOS_APP_BLOCKED: 'the API key is for an iOS app alone',
  SERVICE_DISABLED: 'the API is not enabled in the project of the API key',
  BILLING_DISABLED: 'the project of the API key has no billing account',
  CONSUMER_INVALID: 'the project of the API key does not exist',
  CONSUMER_SUSPENDED: 'the project of the API key is suspended',
  RATE_LIMIT_EXCEEDED: 'the quota is used up',
  RESOURCE_QUOTA_EXCEEDED: 'the quota is used up',
};
/** In google.rpc.Status as JSON and as protobuf alike: no byte beside the word is a letter, a digit or `_`. */
const REASON = new RegExp(`\\b(?:${Object.keys(REASONS).join('|')})\\b`);

/** More than Google's answers with their links have. */
const MAX_BYTES = 1 << 14;

/** What an answer whose status is not 200 has. */
interface Refusal {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | null;
}

/**
 * Says why a server refused a request, in our own words: its message may quote the key.
 *
 * @param hasKey whether a key was sent
 */
export async function refusalOf({ status, body }: Refusal, hasKey: boolean, signal: HostAbortSignal) {
  const isOurs = status >= 400 && status < 500;
  const text = isOurs && body !== null ? await untilAborted(startOf(body), signal).catch(() => '') : '';
  body?.cancel().catch(() => undefined); // the status is known, whatever becomes of the rest
  const [word] = REASON.exec(text) ?? [];
  const why = word === undefined ? unnamedReason(status, hasKey) : `: ${REASONS[word]} (${word})`;
  return new CheckFailure('status', `the server answered with the status ${status}${why}`, status);
}

function unnamedReason(status: number, hasKey: boolean): string {
  if (status !== 401 && status !== 403) return '';
  return hasKey ? ': it refuses the API key' : ': no API key was sent';
}

/** Returns the first bytes as characters. */
async function startOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const reader = body.getReader();
  let text = '';
  try {
    for (let read = await reader.read(); !read.done && text.length < MAX_BYTES; read = await reader.read())
      text += String.fromCharCode(...read.value.subarray(0, MAX_BYTES));
  } finally {
    reader.releaseLock();
  }
  return text;
}
