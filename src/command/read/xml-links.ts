import { SaxesParser, type SaxesTagNS } from '@rubensworks/saxes';
import { quote } from '../../core/quote.ts';
import { Failure } from '../../core/url/failure.ts';
import { type Base, parsedUrl } from '../../core/url/parsed-url.ts';
import { type LinkLines, type LinkReader, UNRESOLVED } from './link-lines.ts';
import { linksOfTag } from './tag-links.ts';

/** The elements with links, by the root in lower case: attributes that hold one; none if its text is the link. */
const VOCABULARIES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  urlset: { loc: [] },
  sitemapindex: { loc: [] },
  rss: { link: [] },
  rdf: { link: [] },
  feed: { link: ['href'] },
  opml: { outline: ['xmlurl', 'htmlurl', 'url'] },
  html: {}, // as HTML has them
};

/** Whether XML with this root, which may have a prefix, has links. */
export function hasLinks(root: string): boolean {
  return Object.hasOwn(VOCABULARIES, localName(root));
}

/** Makes the error for XML with another root. */
export function otherXml(root: string): Error {
  return new Error(`it is XML with the root ${quote(root)}: --links reads HTML, sitemaps, RSS, Atom and OPML`);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

/** The deepest nesting, of which no feed has as much: a prefix is looked for in each element that is open. */
const DEPTH_LIMIT = 1024;

const PREDEFINED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const NAME = /^[\p{L}_:][\p{L}\p{N}\p{M}._:·-]*$/u;

/**
 * Reads the links of a sitemap, RSS, Atom, OPML or XHTML: of elements in the namespace of the root, or, of RSS 1.0, in
 * that of the channel. Each element may have an `xml:base`; XHTML has `base`, as HTML.
 */
export class XmlReader implements LinkReader {
  readonly #lines: LinkLines;
  readonly #parser = new SaxesParser({ xmlns: true });
  #root = '';
  /** The namespace of elements with links. */
  #namespace: string | undefined;
  /** The base of each open element, after that of the document. */
  readonly #bases: (Base | undefined)[];
  /** The text so far of an element whose text is a link. */
  #text: string | undefined;

  constructor(lines: LinkLines, base: Base | undefined) {
    this.#lines = lines;
    this.#bases = [base];
    const parser = this.#parser;
    parser.ENTITIES = new Proxy({}, { get: (_, name) => this.#textOf(String(name)) });
    parser.on('error', ({ message }) => {
      throw new Error(`it is not well-formed XML at ${message.replace(/\.$/, '')}`);
    });
    parser.on('opentag', (tag) => this.#open(tag));
    parser.on('text', (text) => this.#addText(text));
    parser.on('cdata', (text) => this.#addText(text));
    parser.on('closetag', (tag) => this.#close(tag));
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): void {
    this.#parser.close();
    this.#lines.settle(undefined);
  }

  /** Returns the text of an entity, as yet unresolved if it is the document's own. @throws where there is no name */
  #textOf(entity: string): string {
    if (!NAME.test(entity)) {
      const line = this.#parser.line - (entity.match(/\n/g)?.length ?? 0);
      throw new Error(`it is not well-formed XML at line ${line}: an ampersand is not written as &amp;`);
    }
    return PREDEFINED[entity] ?? `${UNRESOLVED}&${entity};`;
  }

  #open(tag: SaxesTagNS): void {
    const depth = this.#bases.length;
    if (depth > DEPTH_LIMIT) throw new Error(`its elements are nested deeper than ${DEPTH_LIMIT}`);
    if (depth === 1) this.#begin(tag);
    else this.#namespace ??= tag.uri;
    const base = baseOf(tag.attributes['xml:base']?.value, this.#bases.at(-1));
    this.#bases.push(base);
    if (tag.uri !== this.#namespace) return;
    if (this.#root === 'html') return this.#readHtml(tag);
    const attributes = VOCABULARIES[this.#root]![localName(tag.name)];
    if (attributes?.length === 0) this.#text = '';
    for (const { local, uri, value } of Object.values(tag.attributes))
      if (uri === '' && attributes?.includes(local.toLowerCase())) this.#lines.add(value, base);
  }

  #begin({ name, uri }: SaxesTagNS): void {
    if (!hasLinks(name)) throw otherXml(name);
    this.#root = localName(name);
    if (this.#root !== 'rdf') this.#namespace = uri; // RSS 1.0 and 0.9 begin with a channel in a namespace of their own
  }

  #readHtml({ local, attributes }: SaxesTagNS): void {
    const valueOf = (name: string) => attributes[name]?.value;
    if (local === 'base' && valueOf('href') !== undefined) this.#lines.settle(valueOf('href'));
    for (const link of linksOfTag(local, valueOf)) this.#lines.addWaiting(link);
  }

  #addText(text: string): void {
    if (this.#text !== undefined) this.#text += text;
  }

  #close(tag: SaxesTagNS): void {
    const base = this.#bases.pop();
    const isLink = tag.uri === this.#namespace && VOCABULARIES[this.#root]![localName(tag.name)]?.length === 0;
    if (!isLink || this.#text === undefined) return;
    if (this.#text.trim() !== '') this.#lines.add(this.#text, base);
    this.#text = undefined;
  }
}

/** Returns the base of an element; undefined if that is not a URL, against which nothing relative can be resolved. */
function baseOf(given: string | undefined, outer: Base | undefined): Base | undefined {
  if (given === undefined) return outer;
  const base = given.includes(UNRESOLVED) ? undefined : parsedUrl(given, outer);
  return base instanceof Failure ? undefined : base;
}
