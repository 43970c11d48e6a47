import { decodeUtf8, SPACE } from '../bytes/code-points.ts';
import { TextWriter } from '../bytes/text-writer.ts';
import { escapedByte, FORM, percentEncode } from './percent.ts';

const PLUS: i32 = 0x2b;

/** A parameter of a query, decoded. */
class Pair {
  readonly name: string;
  readonly value: string;

  constructor(pair: string) {
    const equals = pair.indexOf('=');
    this.name = formDecoded(equals === -1 ? pair : pair.slice(0, equals));
    this.value = equals === -1 ? '' : formDecoded(pair.slice(equals + 1));
  }
}

/**
 * Which parameters count, by what No-Vary-Search says: all but those named, or only those, and whether their order does.
 * https://www.ietf.org/archive/id/draft-ietf-httpbis-no-vary-search-10.html
 */
export class QueryVariance {
  private readonly names: Set<string>;
  private readonly dropsNamed: bool;
  private readonly isSorted: bool;
  /** Whether the query that `applyToText` was given last lost a parameter. */
  hasDropped: bool = false;

  /** @param names decoded */
  constructor(names: string[], dropsNamed: bool, isSorted: bool) {
    const own = new Set<string>();
    for (let index = 0; index < names.length; index++) own.add(names[index]!);
    this.names = own;
    this.dropsNamed = dropsNamed;
    this.isSorted = isSorted;
  }

  /** Returns the query in the form that it shares with all that are equivalent: '' or with its `?`. */
  applyToText(query: string): string {
    const given = query.slice(1).split('&');
    const kept: Pair[] = [];
    this.hasDropped = false;
    for (let index = 0; index < given.length; index++) {
      if (given[index] === '') continue;
      const pair = new Pair(given[index]!);
      if (this.names.has(pair.name) !== this.dropsNamed) kept.push(pair);
      else this.hasDropped = true;
    }
    if (this.isSorted) kept.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
    const written = new TextWriter();
    for (let index = 0; index < kept.length; index++) {
      written.add(index === 0 ? '?' : '&');
      written.add(formEncoded(kept[index]!.name));
      written.add('=');
      written.add(formEncoded(kept[index]!.value));
    }
    return written.toString();
  }
}

// https://url.spec.whatwg.org/#concept-urlencoded-parser, of text that is ASCII
export function formDecoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; length++) {
    const byte = escapedByte(text, at);
    const code = text.charCodeAt(at);
    bytes[length] = (byte !== -1 ? byte : code === PLUS ? SPACE : code) as u8;
    at += byte === -1 ? 1 : 3;
  }
  return decodeUtf8(bytes.subarray(0, length));
}

// https://url.spec.whatwg.org/#concept-urlencoded-serializer
function formEncoded(text: string): string {
  return percentEncode(text, FORM).replaceAll('%20', '+');
}
