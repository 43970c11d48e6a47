import {
  CLOSING_BRACE,
  END,
  LINES,
  LINES_BYTES,
  NAME_CAPACITY,
  NAME_ENDS,
  NAMES,
  NAMES_BYTES,
  ROW_WORDS,
  ROWS,
  STOPPED,
  VALUE_END,
  VALUES,
} from '../../../assembly/json-lines/layout.ts';
import scanner from '../../../build/json-lines.hex';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { bytesOfHex } from '../../bytes/hex.ts';
import { endOfLines } from '../../bytes/lines.ts';
import { textEncoder } from '../../bytes/utf8.ts';
import { kernelName } from '../../kernel/open.ts';
import { eachLine, endOfLine } from './each-line.ts';
import type { Line } from './record-rows.ts';

/** assembly/json-lines/index.ts */
interface Exports {
  readonly memory: WebAssembly.Memory;
  scan(line: number, linesEnd: number, spaceCount: number, nameCount: number): number;
}

export interface JsonVisitor {
  /** A line with an object that has the string, bytes [valueStart, valueEnd) of `values`. */
  found(line: Line, closingBrace: number, values: Uint8Array, valueStart: number, valueEnd: number): void;
  /** A line that takes a closer look. */
  other(line: Line): void;
}

/**
 * Finds the string in a field of each line by WebAssembly, in a quarter of the time that JsonField takes. What is rare
 * (escapes beyond ASCII, names with escapes, lines that are not such objects) it leaves to that.
 */
export class JsonScanner {
  readonly #scan: Exports['scan'];
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #nameCount: number;
  readonly #spaceCount: number;

  /** @param spaceCount of the spaces, with text between them, before the object of each line */
  private constructor(names: readonly Uint8Array[], spaceCount: number) {
    const { memory, scan } = new WebAssembly.Instance(new WebAssembly.Module(bytesOfHex(scanner)))
      .exports as unknown as Exports;
    this.#scan = scan;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
    this.#nameCount = names.length;
    this.#spaceCount = spaceCount;
    const ends = new Uint16Array(memory.buffer, NAME_ENDS, names.length);
    for (let index = 0, end = 0; index < names.length; index++) {
      this.#bytes.set(names[index]!, NAMES + end);
      ends[index] = end += names[index]!.length;
    }
  }

  /** Undefined where the host has no SIMD, or the names do not fit in memory. */
  static of(names: readonly string[], spaceCount: number): JsonScanner | undefined {
    const encoded = names.map((name) => textEncoder().encode(name));
    const byteLength = encoded.reduce((sum, { length }) => sum + length, 0);
    const isSmall = names.length <= NAME_CAPACITY && byteLength <= NAMES_BYTES;
    return isSmall && kernelName() === 'simd' ? new JsonScanner(encoded, spaceCount) : undefined;
  }

  /** Calls `visitor` with each line of a block, in order. */
  eachLine(block: Uint8Array, visitor: JsonVisitor): void {
    for (let start = 0; start < block.length; ) {
      const end = endOfLines(block, start, LINES_BYTES);
      if (end - start <= LINES_BYTES) this.#eachLineOf(block, start, end, visitor);
      else eachLine(block.subarray(start, end), (from, to) => visitor.other({ start: start + from, end: start + to }));
      start = end;
    }
  }

  /** Whole lines [pieceStart, pieceEnd) of a block, the last of which may lack its line feed. */
  #eachLineOf(block: Uint8Array, pieceStart: number, pieceEnd: number, visitor: JsonVisitor): void {
    this.#bytes.set(block.subarray(pieceStart, pieceEnd), LINES);
    this.#bytes[LINES + pieceEnd - pieceStart] = LINE_FEED;
    const linesEnd = LINES + pieceEnd - pieceStart;
    for (let line = LINES; line < linesEnd; line = this.#words[STOPPED / 4]!) {
      const rowCount = this.#scan(line, linesEnd, this.#spaceCount, this.#nameCount);
      this.#visitRows(rowCount, block, pieceStart + line - LINES, pieceStart - LINES, visitor);
    }
  }

  /** `shift` is what an address is less than its place in the block. */
  #visitRows(rowCount: number, block: Uint8Array, start: number, shift: number, visitor: JsonVisitor): void {
    const line = { start, end: 0 };
    let valueStart: number = VALUES;
    for (let row = ROWS / 4, rowsEnd = row + rowCount * ROW_WORDS; row < rowsEnd; row += ROW_WORDS) {
      const feed = this.#words[row + END]! + shift;
      const valueEnd = this.#words[row + VALUE_END]!;
      const closingBrace = this.#words[row + CLOSING_BRACE]!;
      line.end = endOfLine(block, line.start, feed);
      if (closingBrace === 0) visitor.other(line);
      else visitor.found(line, closingBrace + shift, this.#bytes, valueStart, valueEnd);
      line.start = feed + 1;
      valueStart = valueEnd;
    }
  }
}
