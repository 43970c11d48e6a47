import { ROW_CAPACITY } from '../../../assembly/layout.ts';
import * as layout from '../../../assembly/lines/layout.ts';
import program from '../../../build/lines.hex';
import { bytesOfProgram } from '../../core/bytes/hex.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import type { Format, RowFormat } from '../work/results.ts';

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
  text: () => [layout.HEX, '  ', layout.LINE],
  line: () => [layout.LINE],
  hex: () => [layout.HEX],
  u64: () => [layout.WORDS],
  tsv: (profile) => [layout.PLAIN_LINE, '\t', layout.PLAIN_FORM, '\t', layout.HEX, `\t${profile}`],
  ndjson: (profile) => [
    '{"url":"',
    layout.PLAIN_LINE,
    '","canonical":"',
    layout.PLAIN_FORM,
    '","hash":"',
    layout.HEX,
    '","u64":["',
    layout.QUOTED_WORDS,
    `"],"profile":"${profile}"}`,
  ],
};

/** The answer to a line whose hash matches. */
export const OK_FIELDS: Fields = [layout.PRINTABLE_LINE, ': OK'];

/** Encodes the fields as assembly/lines/layout.ts describes. */
export function templateOf(fields: Fields): Uint8Array {
  const parts = fields.flatMap((field) => (typeof field === 'number' ? field : literals(Buffer.from(field))));
  return Uint8Array.from([...parts, layout.END]);
}

/** A template may not fit in memory: a profile names any number of parameters. */
export function fits(template: Uint8Array): boolean {
  return template.length <= layout.TEMPLATE_BYTES;
}

function literals(bytes: Uint8Array): number[] {
  const pieces = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, index) =>
    bytes.subarray(255 * index, 255 * (index + 1)),
  );
  return pieces.flatMap((piece) => [layout.LITERAL, piece.length, ...piece]);
}

/**
 * Writes the formats with one line per row by WebAssembly, from rows, forms and digests in its memory: 15 to 30 ns per
 * line of text. Rows that are invalid, too long or in need of escapes are written one by one.
 *
 * @param writeRow writes the same fields of one row
 * @throws where the host has no SIMD
 */
export function lineWriter(kernel: Kernel, fields: Fields, lineEnd: number, writeRow: RowFormat): Format {
  const { bytes } = kernel.memory;
  const module = openLinesModule(kernel);
  const template = templateOf(fields);
  const stopped = new Uint32Array(bytes.buffer, layout.STOPPED, 1);
  const kept = new Uint32Array(bytes.buffer, layout.KEPT, ROW_CAPACITY);
  return {
    write(results, { rows, count, fields: fieldOfRow }, out) {
      const isWritable = !results.batch.isLong;
      if (isWritable) {
        bytes.set(template, layout.TEMPLATE);
        kept.set(rows.subarray(0, count));
      }
      for (let index = 0; index < count; ) {
        const end = isWritable ? module.write(index, count, results.width, lineEnd) : layout.WRITTEN;
        if (end > layout.WRITTEN) {
          out.bytes(bytes, layout.WRITTEN, end);
          index = stopped[0]!;
        } else {
          const row = rows[index++]!;
          writeRow(out, results, row, fieldOfRow[row]!);
        }
      }
    },
  };
}
