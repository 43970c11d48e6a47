import { asciiBytes, decodeLine } from '../bytes/text.ts';
import { escapedName, sortedNames } from './parameters.ts';

// No-Vary-Search: https://www.ietf.org/archive/id/draft-ietf-httpbis-no-vary-search-10.html, whose value is a dictionary
// of structured fields: https://www.rfc-editor.org/rfc/rfc9651#section-4.2.2. A parser of all of these takes four times
// the bytes; here, members of no meaning are matched and left.

const KEY = '[a-z*][-a-z\\d_.*]*';
const BARE_ITEM =
  '-?\\d{1,12}\\.\\d{1,3}|@?-?\\d{1,15}|"(?:[ !#-[\\]-~]|\\\\["\\\\])*"|[A-Za-z*][-!#-\'*+.^`|~\\w:/]*|:[A-Za-z\\d+/=]*:|\\?[01]|%"(?:[ !#$&-~]|%[\\da-f]{2})*"';
const PARAMETERS = `(?:; *${KEY}(?:=(?:${BARE_ITEM}))?)*`;
const ITEM = `(?:${BARE_ITEM})${PARAMETERS}`;

/** What the header says of a query: whether its names are all or not, whether they drop, and whether order counts. */
export class SearchVariance {
  /** The value with its names decoded, each once, in the order of their bytes, and escaped. */
  readonly text: string;
  readonly #names: ReadonlySet<string>;
  readonly #dropsNamed: boolean;
  readonly #isSorted: boolean;

  private constructor(names: readonly string[], dropsNamed: boolean, isSorted: boolean) {
    this.#names = new Set(names);
    this.#dropsNamed = dropsNamed;
    this.#isSorted = isSorted;
    const list = sortedNames(names).map((name) => `"${escapedName(name)}"`);
    const named =
      list.length > 0 ? `${dropsNamed ? 'params' : 'params, except'}=(${list.join(' ')})` : dropsNamed ? '' : 'params';
    this.text = (isSorted ? 'key-order, ' : '').concat(named).replace(/, $/, '');
  }

  /** Returns undefined for a value that is read as the default variance. */
  static parse(value: string): SearchVariance | undefined {
    const { 'key-order': isSorted = false, params = false, except } = membersOf(value.replace(/^ +| +$/g, ''));
    const given = params === true ? except : except === undefined && params;
    const names = given === undefined || (given === false && except === undefined) ? [] : given;
    if (typeof isSorted !== 'boolean' || !Array.isArray(names)) return undefined;
    if (params !== true && !isSorted && names.length === 0) return undefined;
    return new SearchVariance(names, params !== true, isSorted);
  }

  /** Returns the query in the form that it shares with all that are equivalent: '' or with its `?`. */
  applyToText(query: string): string {
    const pairs = query
      .slice(1)
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => /^([^=]*)=?(.*)$/s.exec(pair)!.slice(1).map(formDecoded) as [string, string])
      .filter(([name]) => this.#names.has(name) !== this.#dropsNamed);
    if (this.#isSorted) pairs.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    return pairs.map((pair, index) => `${index === 0 ? '?' : '&'}${pair.map(formEncoded).join('=')}`).join('');
  }
}

/** A value that is a boolean, a list of decoded names, or null for anything else. */
type Members = Readonly<Record<string, boolean | readonly string[] | null>>;

/** Returns the members of a dictionary; none of text that is not one. */
function membersOf(value: string): Members {
  const inner = `\\( *(?:${ITEM}(?: +${ITEM})*)? *\\)`;
  const member = new RegExp(`(${KEY})(?:=(${BARE_ITEM}|${inner}))?${PARAMETERS}[ \\t]*(?:,[ \\t]*(?!$)|$)`, 'y');
  const members: Record<string, boolean | readonly string[] | null> = Object.create(null);
  while (member.lastIndex < value.length) {
    const found = member.exec(value);
    if (found === null) return {};
    members[found[1]!] = memberValue(found[2] ?? '?1');
  }
  return members;
}

function memberValue(text: string): boolean | readonly string[] | null {
  if (text[0] === '?') return text === '?1';
  if (text[0] !== '(') return null;
  const items = Array.from(
    text.slice(1, -1).matchAll(new RegExp(`(${BARE_ITEM})${PARAMETERS}`, 'g')),
    ([, item]) => item!,
  );
  if (items.some((item) => item[0] !== '"')) return null;
  return items.map((item) => formDecoded(item.slice(1, -1).replace(/\\(.)/g, '$1')));
}

// https://url.spec.whatwg.org/#concept-urlencoded-parser, of text that is ASCII
function formDecoded(text: string): string {
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%[\da-f]{2}/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
  return decodeLine(asciiBytes(bytes));
}

// https://url.spec.whatwg.org/#concept-urlencoded-serializer
function formEncoded(text: string): string {
  return escapedName(text).replace(/~|%20/g, (each) => (each === '~' ? '%7E' : '+'));
}
