import { asciiLowercase, isAsciiString } from '../bytes/code-points.ts';
import { type Failure, failure } from './failure.ts';
import type { UnicodeVersion } from './unicode.ts';
import { aceLabel, toAscii, toUnicode } from './uts46.ts';

/** The version of Unicode where none is asked for: in every 1.x the same. */
export const DEFAULT_UNICODE: UnicodeVersion = 18;

/**
 * The most UTF-16 units of a label for Punycode, whose time grows with the square of that: 64,000 ideographs take six
 * seconds. DNS ends at 63; the idna crate of Rust and Firefox stops at 1000 as well.
 */
const LABEL_LIMIT = 1000;
const LABEL_SEPARATORS = /[.\u3002\uff0e\uff61]/;

/** The domains seen last: the tables take 30 µs or more for one, and the lines of a corpus share them. */
const REMEMBERED_DOMAINS = 1024;
const remembered: Partial<Record<UnicodeVersion, Map<string, string | Failure>>> = {};

/** UTS #46 ToASCII, in a version of Unicode, of a domain that has a non-ASCII character. */
export function unicodeToAscii(domain: string, version: UnicodeVersion): string | Failure {
  if (domain.length > LABEL_LIMIT && domain.split(LABEL_SEPARATORS).some(isOverlong)) return failure('IDNA-limit');
  const plain = plainToAscii(domain);
  if (plain !== undefined) return plain;
  const known = (remembered[version] ??= new Map<string, string | Failure>());
  const before = known.get(domain);
  if (before !== undefined) return before;
  const ascii = toAscii(domain, version) || failure('domain-to-ASCII'); // the standard refuses the empty domain, too
  if (known.size === REMEMBERED_DOMAINS) known.clear();
  if (domain.length <= LABEL_LIMIT) known.set(domain, ascii);
  return ascii;
}

/** Returns the domain as UTS #46 maps it, for people to read. https://url.spec.whatwg.org/#concept-domain-to-unicode */
export function domainToUnicode(domain: string): string {
  return domain.split(LABEL_SEPARATORS).some(isOverlong) ? domain : toUnicode(domain, DEFAULT_UNICODE);
}

function isOverlong(label: string): boolean {
  return label.length > LABEL_LIMIT && (!isAsciiString(label) || /^xn--/i.test(label));
}

/**
 * A domain that UTS #46 leaves as it is: letters of scripts without marks or joining rules, valid and in lower case,
 * none of which composes with its neighbour (NFC) or is written from right to left, in every version. One class and no
 * group: V8 runs out of stack if a group repeats some three million times.
 */
const PLAIN_DOMAIN =
  /^[-.0-9a-zß-öø-ÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĵķĸĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżžά-ώа-џა-ჺ々〇ぁ-ゖァ-ヺー-ヾ㐀-䶿一-鿿가-힣]*$/;

/** A label that needs a look inside. */
const ACE_LABEL = /(?:^|\.)xn--/;

/**
 * UTS #46 ToASCII of a domain of plain labels, or undefined for any other: nine out of ten internationalized domains of
 * a corpus take 2 µs here, where the tables take 100 and reading them 10,000.
 */
export function plainToAscii(domain: string): string | undefined {
  const lower = asciiLowercase(domain);
  return PLAIN_DOMAIN.test(lower) && !ACE_LABEL.test(lower) ? lower.split('.').map(aceLabel).join('.') : undefined;
}
