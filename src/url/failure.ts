import type { UrlPlace, UrlReason } from './reason.ts';
import { SENTENCES } from './sentences.ts';

export type { UrlPlace, UrlReason };

/** Why an input is not a URL. Inside the parser a failure is a value; only the border makes an exception of it. */
export class Failure {
  readonly reason: UrlReason;
  readonly place: UrlPlace;

  constructor(reason: UrlReason) {
    this.reason = reason;
    this.place = placeOf(reason);
  }

  get sentence(): string {
    return SENTENCES[this.reason];
  }
}

/** Of a URL that is too long, its start. */
function placeOf(reason: UrlReason): UrlPlace {
  if (reason === 'missing-scheme-non-relative-URL' || reason === 'length-limit') return 'scheme';
  return reason.startsWith('port') ? 'port' : 'host';
}

const made = new Map<UrlReason, Failure>();

/** The one Failure of this reason: a corpus of bad lines allocates nothing per line. */
export function failure(reason: UrlReason): Failure {
  let known = made.get(reason);
  if (known === undefined) made.set(reason, (known = new Failure(reason)));
  return known;
}
