import { quote } from '../../core/quote.ts';
import { bufferOf } from './framing.ts';
import { charsetOf, HtmlReader } from './html-links.ts';
import { LinkLines, type LinkOptions } from './link-lines.ts';
import { markupOf } from './markup-kind.ts';
import { XmlReader } from './xml-links.ts';

/** Bytes of a document by which its kind and its encoding are told. */
const START_BYTES = 1 << 16;
/** Units that a reader is given at a time: of more, it would keep more. */
const PIECE_UNITS = 1 << 16;

const UTF_8_MARK = '\xef\xbb\xbf';

/**
 * Yields the links of HTML, XHTML, a sitemap, RSS, Atom or OPML, a line each: `LinkLines` says what is in it. The text is
 * in the encoding that it declares, unless it begins with a byte order mark or the options say that it is in UTF-8.
 *
 * @throws where it is none of these, or does not fit its grammar
 */
export async function* linksIn(chunks: AsyncIterable<Uint8Array>, options: LinkOptions): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const start = await startOf(iterator);
    const text = bufferOf(start).toString('latin1');
    const isMarked = text.startsWith(UTF_8_MARK);
    const markup = markupOf(isMarked ? text.slice(UTF_8_MARK.length) : text);
    const isKnown = isMarked || options.isUtf8;
    const decoder = new TextDecoder(isKnown ? 'utf-8' : encodingOf(text, markup));
    const lines = new LinkLines(options);
    const reader = markup === 'html' ? new HtmlReader(lines) : new XmlReader(lines, options.base);
    const read = (piece: string) => {
      for (let at = 0; at < piece.length; at += PIECE_UNITS) reader.write(piece.slice(at, at + PIECE_UNITS));
      return Buffer.from(lines.take());
    };
    yield read(decoder.decode(start, { stream: true }).trimStart()); // XML has nothing before its declaration
    for await (const chunk of { [Symbol.asyncIterator]: () => iterator })
      yield read(decoder.decode(chunk, { stream: true }));
    yield read(decoder.decode());
    reader.end();
    yield Buffer.from(lines.take());
  } finally {
    await iterator.return?.();
  }
}

/** Returns the first bytes: START_BYTES or more, unless the document has fewer. */
async function startOf(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let byteLength = 0; byteLength < START_BYTES; ) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    parts.push(Uint8Array.from(value)); // a chunk is valid only until the next one
    byteLength += value.length;
  }
  return Buffer.concat(parts);
}

const XML_ENCODING = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)/;

/** Returns the encoding that the start of a document declares, by default UTF-8. @throws where no decoder has that of XML */
function encodingOf(start: string, markup: 'html' | 'xml'): string {
  if (markup === 'html') return encodingNamed(charsetOf(start)) ?? 'utf-8';
  const label = XML_ENCODING.exec(start)?.[1] ?? 'utf-8';
  const encoding = encodingNamed(label);
  if (encoding !== undefined) return encoding;
  throw new Error(
    `it declares the encoding ${quote(label)}, which has no decoder: --encoding LABEL reads it in another`,
  );
}

/** Returns what a label stands for in a text whose declaration could be read: that is not in UTF-16. */
function encodingNamed(label = ''): string | undefined {
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return undefined; // the Encoding Standard lacks it, or this runtime
  }
}
