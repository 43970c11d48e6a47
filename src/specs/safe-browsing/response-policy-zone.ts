import { BLOCK, type BlockListLine, leftOut, type Rule, refusal, ruleFor, trimmed } from './block-list.ts';
import { isBlocking } from './hosts-line.ts';

/** The facts above a line of a zone. Names are without their last dot, and undefined where no line says them. */
export interface ZoneState {
  /** The name that relative names are below. */
  readonly origin: string | undefined;
  /** The name of the zone, which is no part of what its records mean. */
  readonly apex: string | undefined;
  /** Whether a record goes on: it opened a parenthesis. */
  readonly isOpen: boolean;
}

export const NO_ZONE: ZoneState = { origin: undefined, apex: undefined, isOpen: false };

const TTL_AND_CLASS = String.raw`(?:(?:\d[\dsmhdw]*|IN|CLASS1)[\t ]+){0,2}`;
const RECORD = new RegExp(String.raw`^([^\t ]+)[\t ]+${TTL_AND_CLASS}([A-Z]+)[\t ]+([^\t ].*)$`, 'is');
/** A record of the name before it, or of the zone where it is the first. */
const RECORD_WITHOUT_NAME = new RegExp(`^${TTL_AND_CLASS}(?:CNAME|SOA|NS|A|AAAA|DNAME|TXT)[\\t ]`, 'i');
/** Types in any case; `A` and `AAAA` before an address only: `a` is a word. */
const RECORD_TYPE = new RegExp(
  String.raw`^(?:[^\t ]+[\t ]+)?${TTL_AND_CLASS}(?:CNAME|SOA|NS|DNAME|A(?:AAA)?(?=[\t ]+[\da-f]*[.:][\da-f.:]*[\t ]*(?:;|$)))[\t ]`,
  'i',
);
/** Types in capitals only: so written they stand in no sentence. */
const OTHER_TYPE =
  /^(?:[^\t ]+[\t ]+)?(?:(?:\d+|IN)[\t ]+){0,2}(?:TXT|PTR|MX|SRV|HTTPS|SVCB|RRSIG|NSEC|NSEC3|NSEC3PARAM|DNSKEY)[\t ]/;
const CONTROL = /^\$(TTL|ORIGIN|INCLUDE|GENERATE)[\t ]+([^\t ]+)/i;

/** Triggers that are not the name that is asked for: addresses of clients and answers, and name servers. */
const OTHER_TRIGGER = /(?:^|\.)rpz-(?:client-ip|ip|nsdname|nsip)$|^\*$/;

/** Whether a line is one of a zone: a comment, a control entry, or a record. */
export function isZoneLine(line: string): boolean {
  return /^;(?:[\t ]|$)/.test(line) || CONTROL.test(line) || RECORD_TYPE.test(line) || OTHER_TYPE.test(line);
}

/**
 * Reads the lines of a response policy zone one after another: a master file (RFC 1035 section 5) whose records say
 * what to answer for the names that they have below that of the zone.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-vixie-dnsop-dns-rpz-00
 */
export class ResponsePolicyZone {
  state = NO_ZONE;

  read(line: string): BlockListLine {
    const text = trimmed(line.replace(/;.*/s, ''));
    if (this.state.isOpen) {
      this.state = { ...this.state, isOpen: !text.includes(')') };
      return leftOut('directives');
    }
    if (text === '') return leftOut('comments');
    const [, control, argument] = CONTROL.exec(text) ?? [];
    if (control !== undefined) return this.#obey(control.toUpperCase(), argument!);
    if (/^[\t ]/.test(line) && RECORD_WITHOUT_NAME.test(text)) return this.#ofNameBefore(text);
    const [, owner, type, data] = RECORD.exec(text) ?? [];
    if (owner === undefined) return this.#ofNameBefore(text);
    const name = this.#fullName(owner);
    return type!.toUpperCase() === 'SOA'
      ? this.#begin(name, data!)
      : this.#record(name, type!.toUpperCase(), data!, text);
  }

  #obey(control: string, argument: string): BlockListLine {
    if (control === 'INCLUDE') return leftOut('includes');
    if (control === 'GENERATE') return leftOut('patterns');
    if (control === 'ORIGIN') {
      const origin = this.#fullName(argument);
      this.state = { ...this.state, origin, apex: this.state.apex ?? origin };
    }
    return leftOut('directives');
  }

  #begin(apex: string, data: string): BlockListLine {
    const isOpen = data.includes('(') && !data.includes(')');
    this.state = { origin: this.state.origin ?? apex, apex, isOpen };
    return leftOut('directives');
  }

  #ofNameBefore(text: string): BlockListLine {
    return leftOut(/(?:^|[\t ])(?:CNAME|A|AAAA)[\t ]/i.test(text) ? 'otherAnswers' : 'directives');
  }

  /** Returns a name without its last dot; where nothing says what a relative name is below, it stays as it is. */
  #fullName(name: string): string {
    const { origin = '' } = this.state;
    if (name === '@') return origin;
    if (name.endsWith('.')) return name.slice(0, -1).toLowerCase();
    return origin === '' ? name.toLowerCase() : `${name.toLowerCase()}.${origin}`;
  }

  #record(owner: string, type: string, data: string, text: string): BlockListLine {
    const { apex = '' } = this.state;
    if (owner === apex || type === 'NS') return leftOut('directives');
    if (apex !== '' && !owner.endsWith(`.${apex}`)) return refusal('outside-zone');
    const trigger = apex === '' ? owner : owner.slice(0, -apex.length - 1);
    if (OTHER_TRIGGER.test(trigger)) return leftOut('patterns');
    const effect = effectOf(type, data.toLowerCase(), trigger);
    if (effect === undefined) return leftOut('otherAnswers');
    const isWild = trigger.startsWith('*.');
    const rule: Rule = { ...BLOCK, effect, reach: isWild ? 'below' : 'alone', overrules: false };
    return ruleFor([isWild ? trigger.slice(2) : trigger], rule, text);
  }
}

/** Returns what a record does to its name; undefined where it gives another answer. */
function effectOf(type: string, data: string, trigger: string): 'block' | 'exception' | undefined {
  if (type === 'A' || type === 'AAAA') return isBlocking(data) ? 'block' : undefined;
  if (type !== 'CNAME') return undefined;
  if (data === '.' || data === '*.' || data === 'rpz-drop.') return 'block';
  return data === 'rpz-passthru.' || data === `${trigger}.` ? 'exception' : undefined;
}
