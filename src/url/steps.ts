import { asciiLowercase, isAsciiString } from '../bytes/code-points.ts';
import { decodeDomain } from './host.ts';
import { domainToUnicode } from './idna.ts';
import { endsInNumber } from './ipv4.ts';
import { C0_CONTROL, FRAGMENT, PATH, percentEncode, QUERY, SPECIAL_QUERY, USERINFO } from './percent.ts';
import type { UrlRecord } from './record.ts';

/** What the parser made of a text, and by which clause of the standard. */
export interface Step {
  readonly text: string;
  readonly change: string;
  /** The fragment of its address in https://url.spec.whatwg.org/ */
  readonly clause: string;
}

/** The steps of one text on its way, each only where it changes the text before it. */
export class Steps {
  readonly list: Step[] = [];
  #text: string;

  constructor(given: string) {
    this.#text = given;
  }

  get text(): string {
    return this.#text;
  }

  to(text: string, change: string, clause: string): this {
    if (text !== this.#text) this.list.push({ text, change, clause });
    this.#text = text;
    return this;
  }
}

export function schemeSteps(given: string): Steps {
  return new Steps(given).to(asciiLowercase(given), 'lower-cased', 'scheme-state');
}

export function slashesSteps(given: string, { isSpecial, host }: UrlRecord): Steps {
  const steps = new Steps(given);
  if (isSpecial)
    steps.to(given.replaceAll('\\', '/'), 'a backslash is taken for a slash', 'special-authority-ignore-slashes-state');
  return steps.to(host === null ? '' : '//', 'an authority is written behind two slashes', 'concept-url-serializer');
}

export function credentialSteps(given: string): Steps {
  return new Steps(given).to(percentEncode(given, USERINFO), 'percent-encoded', 'userinfo-percent-encode-set');
}

export function hostSteps(given: string, url: UrlRecord): Steps {
  const host = url.host ?? '';
  if (given.startsWith('['))
    return new Steps(given).to(host, 'the IPv6 address in its shortest form', 'concept-ipv6-serializer');
  if (!url.isSpecial)
    return new Steps(given).to(percentEncode(given, C0_CONTROL), 'percent-encoded', 'concept-opaque-host-parser');
  return domainSteps(given).to(host, ...hostChange(url));
}

function domainSteps(given: string): Steps {
  const steps = new Steps(given).to(decodeDomain(given), 'percent-decoded', 'concept-host-parser');
  if (isAsciiString(steps.text)) return steps.to(asciiLowercase(steps.text), 'lower-cased', 'concept-domain-to-ascii');
  return steps.to(domainToUnicode(steps.text), 'mapped and normalized by UTS #46', 'concept-domain-to-ascii');
}

/** What is left to be done behind `domainSteps`. */
function hostChange({ scheme, host }: UrlRecord): [change: string, clause: string] {
  if (scheme === 'file' && host === '') return ['localhost is the empty host', 'file-host-state'];
  if (host !== null && endsInNumber(host)) return ['the IPv4 address in four decimal parts', 'concept-ipv4-serializer'];
  return ['labels beyond ASCII in Punycode', 'concept-domain-to-ascii'];
}

export function portSteps(given: string, { scheme, port }: UrlRecord): Steps {
  const steps = new Steps(given).to(given.replace(/^0+(?=[0-9])/, ''), 'leading zeroes removed', 'port-state');
  return steps.to(port === null ? '' : String(port), `left out: it is the default port of ${scheme}`, 'port-state');
}

/** The path as the serializer writes it. */
export function pathSteps(given: string, url: UrlRecord): Steps {
  if (url.hasOpaquePath) return new Steps(given).to(url.path, 'percent-encoded', 'cannot-be-a-base-url-path-state');
  const steps = new Steps(given);
  if (url.isSpecial) steps.to(given.replaceAll('\\', '/'), 'a backslash is taken for a slash', 'path-state');
  if (steps.text === '' && url.path === '/') return steps.to('/', 'an empty path is a slash', 'path-state');
  if (steps.text !== '' && !steps.text.startsWith('/'))
    steps.to(`/${steps.text}`, 'a path begins with a slash', 'path-state');
  steps.to(percentEncode(steps.text, PATH), 'percent-encoded', 'path-percent-encode-set');
  steps.to(url.path, pathChange(steps.text), 'path-state');
  const isAmbiguous = url.host === null && url.path.startsWith('//');
  return isAmbiguous
    ? steps.to(`/.${url.path}`, 'behind /. it cannot be taken for an authority', 'concept-url-serializer')
    : steps;
}

function pathChange(encoded: string): string {
  const hasDots = /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(encoded);
  const hasDrive = /\/[a-z]\|(?:\/|$)/i.test(encoded);
  return [...(hasDots ? ['. and .. segments resolved'] : []), ...(hasDrive ? ['a drive letter has a colon'] : [])].join(
    ', ',
  );
}

export function querySteps(given: string, { isSpecial }: UrlRecord): Steps {
  const set = isSpecial ? 'special-query-percent-encode-set' : 'query-percent-encode-set';
  return new Steps(given).to(percentEncode(given, isSpecial ? SPECIAL_QUERY : QUERY), 'percent-encoded', set);
}

export function fragmentSteps(given: string): Steps {
  return new Steps(given).to(percentEncode(given, FRAGMENT), 'percent-encoded', 'fragment-percent-encode-set');
}
