import { DIGESTS, NO_MESSAGE, ROW_CAPACITY, TEXT } from '../../../assembly/layout.ts';
import {
  END,
  HEX,
  KEPT,
  LINE,
  LITERAL,
  PLAIN_FORM,
  PLAIN_LINE,
  PRINTABLE_LINE,
  QUOTED_WORDS,
  STOPPED,
  TEMPLATE,
  TEMPLATE_BYTES,
  WORDS,
  WRITTEN,
} from '../../../assembly/lines/layout.ts';
import program from '../../../build/lines.hex';
import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { bytesOfProgram } from '../../core/bytes/hex.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { EMPTY, type Format, type Results, type RowFormat, type SelectedRows } from '../work/results.ts';
import { copiedEnd } from '../work/urls.ts';

/** The exports of assembly/lines/index.ts. */
export interface LinesModule {
  write(index: number, count: number, width: number, lineEnd: number): number;
}

/** Opens the module in the memory of a WebAssembly kernel with SIMD. @throws where the host has no SIMD */
export function openLinesModule({ memory }: Kernel): LinesModule {
  const module = new WebAssembly.Module(bytesOfProgram(program));
  const { exports } = new WebAssembly.Instance(module, { env: { memory: memory.wasm! } });
  return exports as unknown as LinesModule;
}

/** The formats with one line per row, which are fields and the text between them. */
export type LineFormatName = 'text' | 'line' | 'hex' | 'u64' | 'tsv' | 'ndjson';

type Fields = readonly (number | string)[];

/** The fields of each format, given the name of the canonical form. */
export const LINE_FIELDS: Readonly<Record<LineFormatName, (profile: string) => Fields>> = {
  text: () => [HEX, '  ', LINE],
  line: () => [LINE],
  hex: () => [HEX],
  u64: () => [WORDS],
  tsv: (profile) => [PLAIN_LINE, '\t', PLAIN_FORM, '\t', HEX, `\t${profile}`],
  ndjson: (profile) => [
    '{"url":"',
    PLAIN_LINE,
    '","canonical":"',
    PLAIN_FORM,
    '","hash":"',
    HEX,
    '","u64":["',
    QUOTED_WORDS,
    `"],"profile":"${profile}"}`,
  ],
};

/** The answer to a line whose hash matches. */
export const OK_FIELDS: Fields = [PRINTABLE_LINE, ': OK'];

/** Encodes the fields as assembly/lines/layout.ts describes. */
export function templateOf(fields: Fields): Uint8Array {
  const parts = fields.flatMap((field) => (typeof field === 'number' ? field : literals(Buffer.from(field))));
  return Uint8Array.from([...parts, END]);
}

/** A template may not fit in memory: a profile names any number of parameters. */
export function fits(template: Uint8Array): boolean {
  return template.length <= TEMPLATE_BYTES;
}

function literals(bytes: Uint8Array): number[] {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) =>
    bytes.subarray(255 * index, 255 * (index + 1)),
  );
  return pieces.flatMap((piece) => [LITERAL, piece.length, ...piece]);
}

/**
 * Writes the formats with one line per row by WebAssembly, from rows, forms and digests in its memory: 15 to 30 ns per
 * line of text. Rows that are invalid, too long or in need of escapes are written one by one.
 */
export class LineWriter implements Format {
  readonly #kernel: Kernel;
  readonly #module: LinesModule;
  readonly #template: Uint8Array;
  readonly #hasForms: boolean;
  readonly #lineEnd: number;
  readonly #writeRow: RowFormat;
  readonly #stopped: Uint32Array;
  readonly #kept: Uint32Array;

  /**
   * @param writeRow writes the same fields of one row
   * @throws where the host has no SIMD
   */
  constructor(kernel: Kernel, fields: Fields, lineEnd: number, writeRow: RowFormat) {
    this.#kernel = kernel;
    this.#module = openLinesModule(kernel);
    this.#template = templateOf(fields);
    this.#hasForms = fields.includes(PLAIN_FORM);
    this.#lineEnd = lineEnd;
    this.#writeRow = writeRow;
    this.#stopped = new Uint32Array(kernel.memory.bytes.buffer, STOPPED, 1);
    this.#kept = new Uint32Array(kernel.memory.bytes.buffer, KEPT, ROW_CAPACITY);
  }

  write(results: Results, { rows, count, fields }: SelectedRows, out: GrowingBytes): void {
    const { memory } = this.#kernel;
    const isWritable = this.#copyToWasm(results, fields);
    if (isWritable) {
      memory.bytes.set(this.#template, TEMPLATE);
      this.#kept.set(rows.subarray(0, count));
    }
    for (let index = 0; index < count; ) {
      const end = isWritable ? this.#module.write(index, count, results.width, this.#lineEnd) : WRITTEN;
      if (end > WRITTEN) {
        out.bytes(memory.bytes, WRITTEN, end);
        index = this.#stopped[0]!;
      } else {
        const row = rows[index++]!;
        this.#writeRow(out, results, row, fields[row]!);
      }
    }
  }

  /** Returns false for rows outside the kernel's memory that are too few to copy, or whose forms are missing. */
  #copyToWasm({ batch: { rows, length }, digests, width }: Results, fields: Uint8Array): boolean {
    const { memory } = this.#kernel;
    if (rows.bytes === memory.bytes) return true;
    if (this.#hasForms || length < 2) return false;
    copiedEnd(this.#kernel, rows, length);
    memory.bytes.set(digests.subarray(0, length * width), DIGESTS);
    for (let row = 0; row < length; row++) memory.setSpan(row, TEXT, fields[row] === EMPTY ? NO_MESSAGE : 0);
    return true;
  }
}
