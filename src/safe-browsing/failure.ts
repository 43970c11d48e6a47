import type { Failure, UrlReason } from '../url/failure.ts';

/** Why an input has nothing to look up: a reason of ours, or in browser mode also one of the URL Standard's. */
export type SafeBrowsingReason =
  | 'input-type'
  | 'scheme-without-authority'
  | 'scheme-unusable'
  | 'host-missing'
  | 'host-unclosed'
  | UrlReason;

type OwnReason = Exclude<SafeBrowsingReason, Exclude<UrlReason, 'host-missing'>>;

const FAILURES: Readonly<Record<OwnReason, readonly [place: 'input' | 'scheme' | 'host', sentence: string]>> = {
  'input-type': ['input', 'it is neither a string nor a Uint8Array'],
  'scheme-without-authority': ['scheme', 'its scheme is not followed by // and a host'],
  'scheme-unusable': ['scheme', 'no browser visits a host under its scheme'],
  'host-missing': ['host', 'the host is empty'],
  'host-unclosed': ['host', 'the host begins with a bracket that is never closed'],
};

/** A failure is a value until it reaches the border; each reason has one. */
interface OwnFailure {
  readonly reason: OwnReason;
  readonly place: 'input' | 'scheme' | 'host';
  readonly sentence: string;
}

export type SafeBrowsingFailure = OwnFailure | Failure;

const made = new Map<OwnReason, OwnFailure>();

export function failure(reason: OwnReason): OwnFailure {
  let known = made.get(reason);
  if (known === undefined) {
    const [place, sentence] = FAILURES[reason];
    made.set(reason, (known = { reason, place, sentence }));
  }
  return known;
}
