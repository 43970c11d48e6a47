import {
  CLOSING_BRACES,
  ENDS,
  LINES,
  LINES_BYTES,
  NAME_CAPACITY,
  NAME_ENDS,
  NAMES,
  NAMES_BYTES,
  STARTS,
  STOPPED,
  VALUE_ENDS,
  VALUES,
} from '../../../assembly/json-lines/layout.ts';
import program from '../../../build/json-lines.hex';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { bytesOfProgram } from '../../core/bytes/hex.ts';
import { endOfLines } from '../../core/bytes/lines.ts';
import { textEncoder } from '../../core/bytes/text.ts';
import { kernelName } from '../../core/kernel/open.ts';
import type { FoundRecords } from './batch-builder.ts';

/** The exports of assembly/json-lines/index.ts. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  scan(line: number, linesEnd: number, spaceCount: number, nameCount: number, takenCount: number): number;
}

/** Adjacent lines up to the place `next` of the block. */
export interface FoundLines extends FoundRecords {
  readonly next: number;
}

/**
 * Finds the string in a field of each line by WebAssembly. It leaves the rare lines to others: those with escapes
 * beyond ASCII, with escapes in names, with a name that is taken, or without such an object.
 */
export class JsonScanner {
  readonly #scan: Exports['scan'];
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #nameCount: number;
  readonly #takenCount: number;
  readonly #spaceCount: number;
  #block: Uint8Array = new Uint8Array(0);
  /** The lines of the block that are in memory: [#start, #end). */
  #start = 0;
  #end = 0;

  private constructor(names: readonly Uint8Array[], takenCount: number, spaceCount: number) {
    const { memory, scan } = new WebAssembly.Instance(new WebAssembly.Module(bytesOfProgram(program)))
      .exports as unknown as Exports;
    this.#scan = scan;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
    this.#nameCount = names.length - takenCount;
    this.#takenCount = takenCount;
    this.#spaceCount = spaceCount;
    const ends = new Uint16Array(memory.buffer, NAME_ENDS, names.length);
    for (let index = 0, end = 0; index < names.length; index++) {
      this.#bytes.set(names[index]!, NAMES + end);
      ends[index] = end += names[index]!.length;
    }
  }

  /**
   * Returns undefined if the host has no SIMD, or the names do not fit in memory.
   *
   * @param taken names of members that a line gains, which it must not have
   * @param spaceCount spaces before the object of each line, with text between them
   */
  static of(path: readonly string[], taken: readonly string[], spaceCount: number): JsonScanner | undefined {
    const encoded = [...path, ...taken].map((name) => textEncoder().encode(name));
    const byteLength = encoded.reduce((sum, { length }) => sum + length, 0);
    const isSmall = encoded.length <= NAME_CAPACITY && byteLength <= NAMES_BYTES;
    return isSmall && kernelName() === 'simd' ? new JsonScanner(encoded, taken.length, spaceCount) : undefined;
  }

  begin(block: Uint8Array): void {
    this.#block = block;
    this.#start = this.#end = 0;
  }

  /** Returns lines from `at` up to one that it leaves; undefined if that is the first. Valid until the next call. */
  next(at: number): FoundLines | undefined {
    if (at >= this.#end && !this.#bringLines(at)) return undefined;
    const shift = this.#start - LINES;
    const count = this.#scan(at - shift, this.#end - shift, this.#spaceCount, this.#nameCount, this.#takenCount);
    if (count === 0) return undefined;
    const column = (address: number) => this.#words.subarray(address / 4, address / 4 + count);
    const valueEnds = column(VALUE_ENDS);
    return {
      starts: column(STARTS),
      ends: column(ENDS),
      closingBraces: column(CLOSING_BRACES),
      shift: this.#start,
      values: this.#bytes.subarray(VALUES, VALUES + valueEnds[count - 1]! + 1),
      valueEnds,
      next: this.#words[STOPPED / 4]! + shift,
    };
  }

  /** Copies lines to memory. Returns false if no line at `at` fits and has its line feed. */
  #bringLines(at: number): boolean {
    const block = this.#block;
    const end = endOfLines(block, at, LINES_BYTES);
    const linesEnd = block[end - 1] === LINE_FEED ? end : block.lastIndexOf(LINE_FEED, end - 1) + 1;
    if (linesEnd <= at || linesEnd - at > LINES_BYTES) return false;
    this.#bytes.set(block.subarray(at, linesEnd), LINES);
    this.#start = at;
    this.#end = linesEnd;
    return true;
  }
}
