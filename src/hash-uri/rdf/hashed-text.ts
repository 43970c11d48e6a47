import { BACKSLASH, LINE_FEED, SPACE } from '../../bytes/code-points.ts';
import { fromUtf16Order, type KeyOrder } from './key-order.ts';
import type { Key } from './key-table.ts';
import { IRI_OBJECT, LABEL_END } from './sort-key.ts';

const BUFFER_BYTES = 1 << 16;
const SMALL_N = 0x6e;
const NUMBER_SIGN = 0x23;
const IRI_OBJECT_BYTE = IRI_OBJECT.charCodeAt(0);

/**
 * Writes what is hashed from sort keys, in pieces: graph, subject, predicate and object, each with a line feed after
 * it. An object that is a literal is its kind ('^', '@' or '#') and datatype or language, a blank, and its label with
 * `\` and line feeds escaped.
 */
export class HashedText {
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  readonly #sink: (piece: Uint8Array) => void;
  readonly #order: KeyOrder;
  #length = 0;

  /**
   * @param sink each piece is valid until the call returns
   * @param order the one in which the keys come
   */
  constructor(sink: (piece: Uint8Array) => void, order: KeyOrder) {
    this.#sink = sink;
    this.#order = order;
  }

  add({ bytes, start, end }: Key): void {
    const object = objectStart(bytes, start);
    this.#copy(bytes, start, object);
    if (bytes[object] === IRI_OBJECT_BYTE) this.#copy(bytes, object + 1, end);
    else this.#addLiteral(bytes, object + 1, end);
    this.#put(LINE_FEED);
  }

  end(): void {
    const piece = this.#buffer.subarray(0, this.#length);
    if (this.#order === 'utf16') fromUtf16Order(piece);
    this.#sink(piece);
    this.#length = 0;
  }

  #addLiteral(key: Uint8Array, start: number, end: number): void {
    const labelEnd = endOfLabel(key, start);
    const kind = labelEnd + LABEL_END.length;
    this.#copy(key, kind, end);
    if (key[kind] !== NUMBER_SIGN) this.#put(SPACE);
    this.#addLabel(key, start, labelEnd);
  }

  #addLabel(key: Uint8Array, start: number, end: number): void {
    let copied = start;
    for (let at = start; at < end; at++) {
      const byte = key[at]!;
      if (byte === LINE_FEED || byte === BACKSLASH) {
        this.#copy(key, copied, at);
        this.#put(BACKSLASH);
        this.#put(byte === LINE_FEED ? SMALL_N : BACKSLASH);
        copied = at + 1;
      } else if (byte === 0) {
        this.#copy(key, copied, at + 1);
        copied = ++at + 1; // the 01 after it is not the label's
      }
    }
    this.#copy(key, copied, end);
  }

  #copy(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; ) {
      if (this.#length === BUFFER_BYTES) this.end();
      const pieceEnd = Math.min(end, at + BUFFER_BYTES - this.#length);
      this.#buffer.set(bytes.subarray(at, pieceEnd), this.#length);
      this.#length += pieceEnd - at;
      at = pieceEnd;
    }
  }

  #put(byte: number): void {
    if (this.#length === BUFFER_BYTES) this.end();
    this.#buffer[this.#length++] = byte;
  }
}

/** After graph, subject and predicate, none of which holds a line feed. */
function objectStart(key: Uint8Array, start: number): number {
  let at = start;
  for (let lineFeeds = 0; lineFeeds < 3; at++) if (key[at] === LINE_FEED) lineFeeds++;
  return at;
}

/** Where 00 00 is: a 00 of the label has 01 after it. */
function endOfLabel(key: Uint8Array, start: number): number {
  let at = start;
  while (key[at] !== 0 || key[at + 1] !== 0) at += key[at] === 0 ? 2 : 1;
  return at;
}
