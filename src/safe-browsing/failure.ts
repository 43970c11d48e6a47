import type { Failure } from '../url/failure.ts';

/** Why an input has no canonical form here. `reason` is ours, or in browser mode also the URL Standard's. */
const FAILURES = {
  'input-type': ['input', 'it is neither a string nor a Uint8Array'],
  'scheme-without-authority': ['scheme', 'its scheme is not followed by // and a host'],
  'scheme-unusable': ['scheme', 'no browser visits a host under its scheme'],
  'host-missing': ['host', 'the host is empty'],
  'host-unclosed': ['host', 'the host begins with a bracket that is never closed'],
} as const;

type OwnReason = keyof typeof FAILURES;

/** A failure is a value until it reaches the border; each reason has one. */
interface OwnFailure {
  readonly reason: OwnReason;
  readonly place: 'input' | 'scheme' | 'host';
  readonly sentence: string;
}

export type SafeBrowsingFailure = OwnFailure | Failure;
export type SafeBrowsingReason = SafeBrowsingFailure['reason'];
export type SafeBrowsingPlace = SafeBrowsingFailure['place'];

const made = new Map<OwnReason, OwnFailure>();

export function failure(reason: OwnReason): OwnFailure {
  let known = made.get(reason);
  if (known === undefined) {
    const [place, sentence] = FAILURES[reason];
    made.set(reason, (known = { reason, place, sentence }));
  }
  return known;
}
