import { SPACE } from '../../core/bytes/code-points.ts';
import { canonicalForm } from '../../core/url/canonicalize.ts';
import { Failure } from '../../core/url/failure.ts';
import { type Base, parsedUrl } from '../../core/url/parsed-url.ts';
import { beginsAsUrl } from './text-kind.ts';

/** Comes between a link and the reason why it is bad. No link has one: the URL Standard leaves tabs out. */
export const REASON_MARK = '\t';
/** Stands before an entity of the document's own, which is not resolved. It is not a character of XML or of HTML. */
export const UNRESOLVED = '\0';
/** The reason for a link with one. */
export const UNRESOLVED_ENTITY = 'unresolved-entity';

export interface LinkOptions {
  /** The base of documents that name none, and of bases that are relative. */
  readonly base: Base | undefined;
  readonly lineEnd: string;
  /** Whether the text is in UTF-8, whatever a document declares. */
  readonly isUtf8: boolean;
  /** The most memory for links that wait for the base of their document. */
  readonly memoryBytes: number;
}

/** Reads a document piece by piece, and adds its links to lines. */
export interface LinkReader {
  /** @throws where the text does not fit its grammar */
  write(text: string): void;
  end(): void;
}

/** Bytes that a link takes beside its text, of two bytes for each unit. */
const LINK_BYTES = 48;

/**
 * Lines of links, in the order of their tags. One that is not absolute is resolved against its base; a line with a link
 * that has none, or that is not a URL, has a mark after it, and the reason.
 */
export class LinkLines {
  readonly #options: LinkOptions;
  #lines = '';
  /** The base of the document, once it is certain. */
  #base: { readonly url: Base | undefined } | undefined;
  /** The links that wait for it. */
  #waiting: string[] = [];
  #waitingBytes = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Adds a link whose base is known. */
  add(value: string, base: Base | undefined): void {
    this.#lines += lineOf(stripped(value), base) + this.#options.lineEnd;
  }

  /** Adds a link whose base is that of the document, which may be named after it. */
  addWaiting(value: string): void {
    if (this.#base !== undefined) return this.add(value, this.#base.url);
    if (this.#waiting.length === 0 && beginsAsUrl(stripped(value))) return this.add(value, undefined);
    this.#waiting.push(value);
    this.#waitingBytes += 2 * value.length + LINK_BYTES;
    if (this.#waitingBytes > this.#options.memoryBytes)
      throw new Error(
        'its links before the base is certain take more than the memory for it: --memory SIZE allows more, and a <base> in its head needs none',
      );
  }

  /**
   * Gives the waiting links, and those after them, the base that a document names, if it names one.
   *
   * @see https://html.spec.whatwg.org/#set-the-frozen-base-url
   */
  settle(named: string | undefined): void {
    if (this.#base !== undefined) return;
    const { base } = this.#options;
    const url = named === undefined ? base : parsedUrl(stripped(named), base);
    const isUsable =
      !(url instanceof Failure) && !(typeof url === 'object' && /^(?:data|javascript)$/.test(url.scheme));
    this.#base = { url: isUsable ? url : base };
    for (const link of this.#waiting) this.add(link, this.#base.url);
    this.#waiting = [];
  }

  /** Returns the lines since the last take. */
  take(): string {
    const lines = this.#lines;
    this.#lines = '';
    return lines;
  }
}

function lineOf(link: string, base: Base | undefined): string {
  if (link.includes(UNRESOLVED)) return link.replaceAll(UNRESOLVED, '') + REASON_MARK + UNRESOLVED_ENTITY;
  if (beginsAsUrl(link)) return link;
  const form = canonicalForm(link, base);
  if (typeof form === 'string') return base === undefined ? link : form;
  // a command judges by rules of its own what has a scheme
  const isBad = base !== undefined || form.reason === 'missing-scheme-non-relative-URL';
  return isBad ? link + REASON_MARK + form.reason : link;
}

/** Leaves out what the URL Standard leaves out: controls and spaces around a URL, tabs and line ends inside. */
function stripped(link: string): string {
  let [start, end] = [0, link.length];
  while (start < end && isOutside(link, start)) start++;
  while (start < end && isOutside(link, end - 1)) end--;
  return link.slice(start, end).replace(/[\t\n\r]+/g, '');
}

function isOutside(link: string, at: number): boolean {
  return link.charCodeAt(at) <= SPACE && link[at] !== UNRESOLVED;
}
