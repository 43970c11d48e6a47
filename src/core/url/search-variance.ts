// No-Vary-Search: https://www.ietf.org/archive/id/draft-ietf-httpbis-no-vary-search-10.html, whose value is a dictionary
// of structured fields: https://www.rfc-editor.org/rfc/rfc9651#section-4.2.2. A parser of all of these takes four times
// the bytes; here, members of no meaning are matched and left.

import { UrlsumError } from '../error.ts';
import { quote } from '../quote.ts';
import { escapedName, sortedNames, unescapedName } from './parameter-names.ts';
import { formDecoded, QueryVariance } from './query-variance.ts';

/**
 * A value of the header No-Vary-Search that lets no parameter vary, or that is not such a value: `reason` is `equivalent
 * to no header`, `not a structured field: …`, or what a member must be.
 */
export class NoVarySearchError extends UrlsumError<'ERR_INVALID_NO_VARY_SEARCH', string, string, undefined> {
  /** @internal */
  static override readonly name = 'NoVarySearchError';

  /** @internal `label` names the option. */
  constructor(label: string, input: string, reason: string) {
    super('ERR_INVALID_NO_VARY_SEARCH', `${label} cannot be ${quote(input)}: ${reason}`, { input, reason });
  }
}

/**
 * The statement of a header about queries: whether its names are all or not, whether they drop, and whether order
 * counts.
 */
export class SearchVariance extends QueryVariance {
  /** The value as the draft spells it, its names decoded, each once, in the order of their bytes, and escaped. */
  readonly text: string;

  private constructor(names: readonly string[], dropsNamed: boolean, isSorted: boolean) {
    super([...names], dropsNamed, isSorted);
    const list = sortedNames([...names]).map((name) => `"${escapedName(name)}"`);
    const named = dropsNamed && list.length === 0 ? [] : [`${dropsNamed ? 'params' : 'except'}=(${list.join(' ')})`];
    this.text = [...(isSorted ? ['key-order'] : []), ...named].join(', ');
  }

  /**
   * Returns the reason in place of a variance for a value that is read as the default, by which all parameters count.
   * Before its revision 04 the draft had `params` or `params=?1` for `except=()`, and beside `except`: so have browsers.
   */
  static parse(value: string): SearchVariance | string {
    const members = membersOf(value);
    if (typeof members === 'string') return members;
    const { 'key-order': isSorted = false, params, except } = members;
    if (typeof isSorted !== 'boolean') return 'key-order must be a boolean';
    const dropped = params === true ? undefined : params;
    if (dropped !== undefined && except !== undefined) return 'params and except exclude each other';
    const dropsNamed = params !== true && except === undefined;
    const names = dropped ?? except ?? [];
    if (!isList(names)) return `${dropsNamed ? 'params' : 'except'} must be a list of strings`;
    if (dropsNamed && names.length === 0 && !isSorted) return 'equivalent to no header';
    return new SearchVariance(names, dropsNamed, isSorted);
  }
}

const KEY = '[a-z*][-a-z\\d_.*]*';
const BARE_ITEM =
  '-?\\d{1,12}\\.\\d{1,3}|@?-?\\d{1,15}|"(?:[ !#-[\\]-~]|\\\\["\\\\])*"|[A-Za-z*][-!#-\'*+.^`|~\\w:/]*|:[A-Za-z\\d+/=]*:|\\?[01]|%"(?:[ !#$&-~]|%[\\da-f]{2})*"';
const PARAMETERS = `(?:; *${KEY}(?:=(?:${BARE_ITEM}))?)*`;
const ITEM = `(?:${BARE_ITEM})${PARAMETERS}`;

/** The value of a member: a boolean, a list of decoded names, or anything else. */
type MemberValue = boolean | readonly string[] | 'other';

function isList(value: MemberValue): value is readonly string[] {
  return Array.isArray(value);
}

/** Returns the members of a dictionary, or why a text is not one. */
function membersOf(value: string): Readonly<Record<string, MemberValue>> | string {
  const inner = `\\( *(?:${ITEM}(?: +${ITEM})*)? *\\)`;
  const member = new RegExp(
    `(${KEY})(?:=(${BARE_ITEM}|${inner}))?${PARAMETERS}(?:[ \\t]*,[ \\t]*(?![ \\t]|$)|(?= *$))`,
    'y',
  );
  const members: Record<string, MemberValue> = Object.create(null);
  let [at, end] = [0, value.length];
  while (value[at] === ' ') at++;
  while (value[end - 1] === ' ') end--; // not by / +$/, which takes the square of the spaces before something else
  for (; at < end; at = member.lastIndex) {
    member.lastIndex = at;
    const found = member.exec(value);
    if (found === null) return `not a structured field: no member of a dictionary at position ${at}`;
    members[found[1]!] = memberValue(found[2] ?? '?1');
  }
  return hasWholeStrings(value) ? members : 'not a structured field: a display string is not UTF-8';
}

/** Whether the display strings of a dictionary are UTF-8: RFC 9651, 4.2.10. A `%"` within a string begins none. */
function hasWholeStrings(dictionary: string): boolean {
  const strings = dictionary.matchAll(/%"([^"]*)(?:"|$)|"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g);
  return Array.from(strings, ([, display = '']) => display).every((text) => text === '' || unescapedName(text) !== '');
}

function memberValue(text: string): MemberValue {
  if (text[0] === '?') return text === '?1';
  if (text[0] !== '(') return 'other';
  const items = Array.from(
    text.slice(1, -1).matchAll(new RegExp(`(${BARE_ITEM})${PARAMETERS}`, 'g')),
    ([, item]) => item!,
  );
  if (items.some((item) => item[0] !== '"')) return 'other';
  return items.map((item) => formDecoded(item.slice(1, -1).replace(/\\(.)/g, '$1')));
}
