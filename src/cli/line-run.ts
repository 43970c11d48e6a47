import { ByteWriter } from './byte-writer.ts';
import type { Diagnostics } from './diagnostics.ts';
import { blocksOf, type Input, inputsOf } from './input.ts';
import type { ErrorWay } from './options.ts';
import { Output } from './output.ts';
import { eachLine } from './rows.ts';

/** What is written for the bytes of a line, undefined for nothing at all, or the error that says why it is not. */
export type LineForm = (line: Uint8Array) => string | undefined | Error;

/** Writes the form of each line of the files, or of standard input; `empty` stands for a bad line in the way 'null'. */
export async function runLines(
  paths: readonly string[],
  form: LineForm,
  way: ErrorWay,
  diagnostics: Diagnostics,
  empty = '',
): Promise<void> {
  const run = new LineRun(form, way, diagnostics, empty);
  for (const input of inputsOf(paths)) {
    if (!(await run.add(input))) break;
  }
}

class LineRun {
  readonly #output = new Output();
  readonly #writer = new ByteWriter();
  readonly #form: LineForm;
  readonly #way: ErrorWay;
  readonly #diagnostics: Diagnostics;
  readonly #empty: string;
  #hasStopped = false;

  constructor(form: LineForm, way: ErrorWay, diagnostics: Diagnostics, empty: string) {
    this.#form = form;
    this.#way = way;
    this.#diagnostics = diagnostics;
    this.#empty = empty;
  }

  /** Reads one input to its end; false where a bad line ends the run. */
  async add(input: Input): Promise<boolean> {
    let firstLine = 1;
    for await (const block of blocksOf(input, this.#diagnostics)) {
      firstLine += this.#addBlock(input.name, block, firstLine);
      await this.#output.write(this.#writer.take());
      if (this.#hasStopped) return false;
    }
    return true;
  }

  #addBlock(name: string, block: Uint8Array, firstLine: number): number {
    let count = 0;
    eachLine(block, (start, end, row) => {
      count++;
      const line = block.subarray(start, end);
      const form = this.#form(line);
      if (form instanceof Error) this.#addBad(name, firstLine + row, line, form);
      else if (form !== undefined) this.#writer.text(`${form}\n`);
      return !this.#hasStopped;
    });
    return count;
  }

  #addBad(name: string, lineNumber: number, line: Uint8Array, error: Error): void {
    this.#diagnostics.badLine(name, lineNumber, error);
    if (this.#way === 'keep') this.#writer.bytes(line, 0, line.length);
    if (this.#way === 'null') this.#writer.text(this.#empty);
    if (this.#way === 'null' || this.#way === 'keep') this.#writer.text('\n');
    this.#hasStopped = this.#way === 'fail';
  }
}
