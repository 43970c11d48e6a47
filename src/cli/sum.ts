import { hashLines } from '../bulk/lines.ts';
import type { HashColumn } from '../digest/column.ts';
import type { Kernel, Width } from '../kernel/kernel.ts';
import { openKernel } from '../kernel/open.ts';
import { ByteWriter } from './byte-writer.ts';
import type { Diagnostics } from './diagnostics.ts';
import { type Format, formatOf, FORMATS, type FormatName } from './formats.ts';
import { blocksOf, type Input, inputsOf, totalBytes } from './input.ts';
import { ERROR_WAYS, type ErrorWay, oneOf, parseOptions, widthOf } from './options.ts';
import { Output } from './output.ts';
import { Progress } from './progress.ts';
import { eachRow, keepInvalid } from './rows.ts';

/** The default action: a line out for each line in. */
export async function sum(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    format: { type: 'string', default: 'text' },
    width: { type: 'string', default: '32' },
    'on-error': { type: 'string', default: 'null' },
  });
  const format: FormatName = oneOf('format', values.format, FORMATS);
  const way = oneOf('on-error', values['on-error'], ERROR_WAYS);
  const run = new SumRun(widthOf(values.width), format, way, diagnostics, await totalBytes(positionals));
  for (const input of inputsOf(positionals)) {
    if (!(await run.add(input))) break;
  }
  run.end();
}

class SumRun {
  readonly #kernel: Kernel = openKernel();
  readonly #output = new Output();
  readonly #writer = new ByteWriter();
  readonly #width: Width;
  readonly #format: FormatName;
  readonly #writeRow: Format;
  readonly #way: ErrorWay;
  readonly #diagnostics: Diagnostics;
  readonly #progress: Progress;

  constructor(width: Width, format: FormatName, way: ErrorWay, diagnostics: Diagnostics, total: number | undefined) {
    this.#width = width;
    this.#format = format;
    this.#writeRow = formatOf(format);
    this.#way = way;
    this.#diagnostics = diagnostics;
    this.#progress = new Progress(total);
  }

  /** Reads one input to its end; false where a bad line ends the run. */
  async add(input: Input): Promise<boolean> {
    let firstLine = 1;
    for await (const block of blocksOf(input, this.#diagnostics)) {
      const column = hashLines(this.#kernel, block, this.#width);
      this.#report(input, firstLine, column);
      await this.#output.write(this.#rows(block, column));
      if (this.#way === 'fail' && column.invalid.length > 0) return false;
      this.#progress.add(column.length, block.length, column.invalid.length);
      firstLine += column.length;
    }
    return true;
  }

  end(): void {
    this.#progress.clear();
  }

  #report(input: Input, firstLine: number, column: HashColumn): void {
    if (column.invalid.length > 0) this.#progress.clear();
    const reported = this.#way === 'fail' ? column.invalid.subarray(0, 1) : column.invalid;
    for (const row of reported) this.#diagnostics.badLine(input.name, firstLine + row, column.errorAt(row)!);
  }

  #rows(block: Uint8Array, column: HashColumn): Uint8Array {
    if (this.#way === 'keep') keepInvalid(this.#kernel, block, column);
    if (this.#isPacked(column)) return column.bytes;
    eachRow(block, column, (row) => {
      if (row.isInvalid && this.#way === 'fail') return false;
      if (row.isInvalid && this.#way === 'skip') return true;
      this.#writeRow(this.#writer, block, column, row, !row.isInvalid || this.#way === 'keep');
      return true;
    });
    return this.#writer.take();
  }

  /** Is the column, as it lies in memory, what the format asks for? */
  #isPacked(column: HashColumn): boolean {
    return this.#format === 'bin' && (column.invalid.length === 0 || this.#way === 'null' || this.#way === 'keep');
  }
}
