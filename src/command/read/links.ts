import { Tokenizer } from 'htmlparser2';
import { quote } from '../../core/quote.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import { Failure } from '../../core/url/failure.ts';
import { type Base, parsedUrl } from '../../core/url/parsed-url.ts';
import { isUrlLike } from './text-kind.ts';

/** Elements with links, by the root: attributes that hold one, or none where the text of the element does. */
type Vocabulary = Readonly<Record<string, readonly string[]>>;

const HTML: Vocabulary = { a: ['href'], area: ['href'], base: ['href'] };
const SITEMAP: Vocabulary = { loc: [] };
const RSS: Vocabulary = { link: [] };
const XML: Readonly<Record<string, Vocabulary>> = {
  urlset: SITEMAP,
  sitemapindex: SITEMAP,
  rss: RSS,
  'rdf:rdf': RSS, // RSS 1.0
  feed: { link: ['href'] },
  opml: { outline: ['xmlurl', 'htmlurl', 'url'] },
};

/** Units of a text in which its root element is looked for. */
const START_UNITS = 1 << 14;
/** Units that the tokenizer is given at a time, and that are kept of what it was given. */
const PIECE_UNITS = 1 << 14;
const KEPT_UNITS = 1 << 16;

/**
 * Yields the links of HTML, a sitemap, RSS, Atom or OPML, each with a line end after it. Links that are not absolute are
 * resolved against the base that the document names, or else `base`; without one they are as given.
 *
 * @throws where there is no markup, or XML of another kind
 */
export async function* linksIn(
  chunks: AsyncIterable<Uint8Array>,
  base: Base | undefined,
  lineEnd: string,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder();
  let start = '';
  let reader: LinkReader | undefined;
  const read = (text: string, isEnd: boolean) => {
    if (reader === undefined) {
      start += text;
      const root = rootOf(start);
      if (root === undefined && start.length < START_UNITS && !isEnd) return new Uint8Array(0);
      reader = new LinkReader(root ?? '', base, lineEnd);
      reader.write(start);
    } else {
      reader.write(text);
    }
    return Buffer.from(reader.take());
  };
  for await (const chunk of chunks) yield read(decoder.decode(chunk, { stream: true }), false);
  yield read(decoder.decode(), true);
  if (reader?.hasTags !== true) throw new Error('it has no markup: without --links, each of its lines is a URL');
}

const SKIPPED = /\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE(?:[^>[]|\[[^\]]*\])*>/iy;
const XML_DECLARATION = /^\s*<\?xml\s/i;
const HTML_DOCTYPE = /^<!DOCTYPE\s+(?:html|netscape)/i;

/**
 * Returns the name of the root element in lower case; `html` where none need be; `?NAME` of XML that is of no kind known
 * here; undefined if it takes more of the text to tell.
 */
function rootOf(text: string): string | undefined {
  const isXml = XML_DECLARATION.test(text);
  for (let at = 0; at < text.length; at = SKIPPED.lastIndex) {
    const rest = text.slice(at, at + 100);
    if (HTML_DOCTYPE.test(rest)) return 'html';
    SKIPPED.lastIndex = at;
    if (SKIPPED.test(text)) continue;
    const [, name, end] = /^<([^\s/>!?<]+)([\s/>]?)/.exec(rest) ?? [];
    if (name === undefined) return /^<(?:[!?]|$)/.test(rest) ? undefined : 'html';
    if (end === '') return undefined;
    const root = name.toLowerCase();
    if (XML[root] !== undefined || XML[root.replace(/^.*:/, '')] !== undefined) return root;
    return isXml && !/^(?:.*:)?html$/.test(root) ? `?${name}` : 'html';
  }
  return undefined;
}

/** What the tokenizer calls; places are counted in units from the start of the text. */
type Callbacks = ConstructorParameters<typeof Tokenizer>[1];

/** Collects links from tags as they come: nesting does not matter, and is not kept. */
class LinkReader implements Callbacks {
  hasTags = false;
  /** Whether the tag that is open is the first. */
  #isRoot = false;
  readonly #tokenizer: Tokenizer;
  readonly #vocabulary: Vocabulary;
  readonly #prefix: string;
  readonly #lineEnd: string;
  #base: Base | undefined;
  #hasOwnBase = false;
  #links = '';
  /** The end of what the tokenizer was given, from the place `#keptFrom` on. */
  #kept = '';
  #keptFrom = 0;
  /** The attributes that hold links in the tag that is open; the name and the value of the one that is read. */
  #attributes: readonly string[] | undefined;
  #tag = '';
  #attribute = '';
  #value = '';
  /** The text of an element that is a link. */
  #text: string | undefined;

  constructor(root: string, base: Base | undefined, lineEnd: string) {
    if (root.startsWith('?'))
      throw new Error(
        `it is XML with the root ${quote(root.slice(1))}: --links reads HTML, sitemaps, RSS, Atom and OPML`,
      );
    const [name, prefix = ''] = XML[root] === undefined ? root.split(':').reverse() : [root];
    const vocabulary = XML[name!];
    this.#vocabulary = vocabulary ?? HTML;
    this.#prefix = prefix === '' ? '' : `${prefix}:`;
    this.#tokenizer = new Tokenizer({ xmlMode: vocabulary !== undefined }, this);
    this.#base = base;
    this.#lineEnd = lineEnd;
  }

  write(text: string): void {
    for (let at = 0; at < text.length; at += PIECE_UNITS) {
      const piece = text.slice(at, at + PIECE_UNITS);
      const kept = this.#kept + piece;
      this.#keptFrom += Math.max(0, kept.length - KEPT_UNITS);
      this.#kept = kept.slice(-KEPT_UNITS);
      this.#tokenizer.write(piece);
    }
  }

  /** Returns the links since the last take. */
  take(): string {
    const links = this.#links;
    this.#links = '';
    return links;
  }

  onopentagname(start: number, end: number): void {
    this.#isRoot = !this.hasTags;
    this.hasTags = true;
    this.#tag = this.#nameAt(start, end);
    this.#attributes = Object.hasOwn(this.#vocabulary, this.#tag) ? this.#vocabulary[this.#tag] : undefined;
    if (this.#attributes?.length === 0) this.#text = '';
  }

  onattribname(start: number, end: number): void {
    this.#value = this.#attribute = '';
    if (this.#attributes === undefined && !this.#isRoot) return;
    const name = this.#nameAt(start, end);
    if (this.#attributes?.includes(name) || (name === 'xml:base' && this.#isRoot)) this.#attribute = name;
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute !== '') this.#value += this.#textAt(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.#attribute !== '') this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (this.#attribute === '') return;
    if (this.#attribute === 'xml:base' || this.#tag === 'base') this.#setBase(this.#value);
    else this.#add(this.#value);
    this.#attributes = this.#attributes?.filter((name) => name !== this.#attribute); // of two, the first counts
  }

  ontext(start: number, end: number): void {
    if (this.#text !== undefined) this.#text += this.#textAt(start, end);
  }

  ontextentity(codePoint: number): void {
    if (this.#text !== undefined) this.#text += String.fromCodePoint(codePoint);
  }

  oncdata(start: number, end: number, offset: number): void {
    this.ontext(start, end - offset);
  }

  onclosetag(start: number, end: number): void {
    if (this.#text === undefined || !Object.hasOwn(this.#vocabulary, this.#nameAt(start, end))) return;
    if (this.#text.trim() !== '') this.#add(this.#text);
    this.#text = undefined;
  }

  onselfclosingtag(): void {
    this.#text = undefined;
  }

  onopentagend(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  /** Only the first counts, and in XML that of the root. */
  #setBase(value: string): void {
    if (this.#hasOwnBase) return;
    const base = parsedUrl(stripped(value), this.#base);
    if (!(base instanceof Failure) && !/^(?:data|javascript)$/.test(base.scheme)) this.#base = base;
    this.#hasOwnBase = true;
  }

  #add(value: string): void {
    const link = stripped(value);
    this.#links += this.#resolved(link) + this.#lineEnd;
  }

  /** Leaves absolute links as given. */
  #resolved(link: string): string {
    if (typeof this.#base !== 'object' || isUrlLike(link)) return link;
    const form = canonicalForm(link, this.#base);
    return form instanceof Failure ? link : form;
  }

  /** Names that are longer than what is kept are none of ours. */
  #nameAt(start: number, end: number): string {
    if (end - start > 100) return '';
    const name = this.#textAt(start, end).toLowerCase();
    return this.#prefix !== '' && name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : name;
  }

  #textAt(start: number, end: number): string {
    if (start < this.#keptFrom) throw new RangeError('a link is longer than 64 KiB');
    return this.#kept.slice(start - this.#keptFrom, end - this.#keptFrom);
  }
}

/** Leaves out what the URL Standard leaves out: controls and spaces around a URL, tabs and line ends inside. */
function stripped(link: string): string {
  return link.replace(/[\t\n\r]+/g, '').replace(/^[\0- ]+|[\0- ]+$/g, '');
}
