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
import scanner from '../../../build/json-lines.hex';
import { bytesOfHex } from '../../bytes/hex.ts';
import { textEncoder } from '../../bytes/utf8.ts';
import { hasSimd } from '../../kernel/kernel.ts';
import { kernelName } from '../../kernel/open.ts';
import { eachRun } from './line-runs.ts';
import type { FoundRecords, RecordVisitor } from './record-rows.ts';

/** assembly/json-lines/index.ts */
interface Exports {
  readonly memory: WebAssembly.Memory;
  scan(line: number, linesEnd: number, spaceCount: number, nameCount: number): number;
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
    return isSmall && hasSimd(kernelName()) ? new JsonScanner(encoded, spaceCount) : undefined;
  }

  /** Calls `visitor` with all lines of a block, in order; `other` with those that take a closer look. */
  eachLine(block: Uint8Array, visitor: RecordVisitor): void {
    const take = (line: number, linesEnd: number, shift: number) => {
      const count = this.#scan(line, linesEnd, this.#spaceCount, this.#nameCount);
      if (count > 0) visitor.found(this.#found(count, LINES + shift));
      return this.#words[STOPPED / 4]!;
    };
    const module = { memory: this.#bytes, lines: LINES, linesByteLength: LINES_BYTES, take };
    eachRun(block, module, visitor.other);
  }

  #found(count: number, shift: number): FoundRecords {
    const column = (address: number) => this.#words.subarray(address / 4, address / 4 + count);
    const valueEnds = column(VALUE_ENDS);
    return {
      starts: column(STARTS),
      ends: column(ENDS),
      closingBraces: column(CLOSING_BRACES),
      shift,
      values: this.#bytes.subarray(VALUES, VALUES + valueEnds[count - 1]!),
      valueEnds,
    };
  }
}
