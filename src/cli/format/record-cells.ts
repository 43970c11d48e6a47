export type CellKind = 'none' | 'empty' | 'text' | 'number' | 'boolean' | 'nested';

const NO_BYTES = new Uint8Array(0);

/**
 * A field of a record, as it is spelled there: bytes [start, end), in UTF-8. A text of JSON is between quotation marks
 * that are not part of it. A field of a table without a character is `empty`; `none` is a null, or no field at all.
 */
export class Cell {
  readonly name: string;
  kind: CellKind = 'none';
  bytes: Uint8Array = NO_BYTES;
  start = 0;
  end = 0;
  /** Whether a backslash of JSON is in it. */
  hasEscapes = false;

  constructor(name: string) {
    this.name = name;
  }

  set(kind: CellKind, bytes: Uint8Array, start: number, end: number, hasEscapes = false): void {
    this.kind = kind;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.hasEscapes = hasEscapes;
  }

  /** Sets a text that is not JSON. */
  setText(text: Uint8Array): void {
    this.set('text', text, 0, text.length);
  }

  /** Without its escapes. */
  get text(): string {
    if (this.hasEscapes) return JSON.parse(textIn(this.bytes, this.start - 1, this.end + 1)) as string;
    return textIn(this.bytes, this.start, this.end);
  }
}

/** Decodes bytes [start, end) of UTF-8. */
export function textIn({ buffer, byteOffset }: Uint8Array, start: number, end: number): string {
  return Buffer.from(buffer as ArrayBuffer, byteOffset + start, end - start).toString();
}
