import { mustBeBytes } from '../../argument.ts';
import { RdfError } from './error.ts';

/** UTF-8 as text, piece by piece. A byte order mark at the start is left out. */
export class Utf8Text {
  readonly #decoder = fatalDecoder();
  /** The position after what has been decoded, both counted from 1. */
  #line = 1;
  #column = 1;

  /**
   * @param bytes none at the end
   * @throws {RdfError} 'not-utf8', with line and column
   */
  decode(bytes: Uint8Array = new Uint8Array(0), options: { readonly stream: boolean } = { stream: true }): string {
    mustBeBytes('a chunk', bytes);
    try {
      const text = this.#decoder.decode(bytes, options);
      this.#advance(text);
      return text;
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      this.#advance(validStart(bytes));
      throw new RdfError('not-utf8', '', { line: this.#line, column: this.#column });
    }
  }

  end(): string {
    return this.decode(undefined, { stream: false });
  }

  #advance(text: string): void {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#line++;
      this.#column = -at;
    }
    this.#column += text.length;
  }
}

function fatalDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true });
}

/** What is UTF-8 at the start of bytes that are not; it may begin within a character. */
function validStart(bytes: Uint8Array): string {
  const first = Math.max(
    0,
    bytes.findIndex((byte) => (byte & 0xc0) !== 0x80),
  );
  let [low, high] = [first, bytes.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (isUtf8(bytes.subarray(first, middle))) low = middle;
    else high = middle - 1;
  }
  return fatalDecoder().decode(bytes.subarray(first, low), { stream: true });
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    fatalDecoder().decode(bytes, { stream: true });
    return true;
  } catch {
    return false; // the one thing that a fatal decoder throws
  }
}
