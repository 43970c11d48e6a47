import { ByteWriter } from '../format/byte-writer.ts';
import { blocksOf, type Input, inputsOf } from '../input/inputs.ts';
import { openOutput } from '../output/open-output.ts';
import type { Output } from '../output/output.ts';
import { eachLine } from '../rows/each-row.ts';
import { LINES, ZERO_LINES } from '../rows/lines.ts';
import { type Diagnostics, TROUBLE } from '../terminal/diagnostics.ts';
import type { OnError } from '../terminal/options.ts';
import { reported } from './reported.ts';

/** What is written for the bytes of a line, undefined for nothing at all, or the error that says why it is not. */
export type LineForm = (line: Uint8Array) => string | undefined | Error;

interface LineRunOptions {
  readonly onError: OnError;
  /** What stands for a bad line in the onError 'null'. */
  readonly empty?: string;
  /** Lines end in NUL. */
  readonly isZero?: boolean;
  /** A file in place of standard output. */
  readonly out?: string | undefined;
}

/** Writes the form of each line of the files, or of standard input. */
export async function runLines(
  paths: readonly string[],
  form: LineForm,
  options: LineRunOptions,
  diagnostics: Diagnostics,
): Promise<void> {
  const output = await openOutput(options.out);
  const run = new LineRun(form, options, output, diagnostics);
  let isWhole = false;
  try {
    isWhole = await run.addAll(inputsOf(paths));
  } finally {
    await output.end(isWhole && diagnostics.status < TROUBLE);
  }
}

class LineRun {
  readonly #output: Output;
  readonly #writer = new ByteWriter();
  readonly #form: LineForm;
  readonly #onError: OnError;
  readonly #empty: string;
  readonly #lineEnd: number;
  readonly #framing: typeof LINES;
  readonly #diagnostics: Diagnostics;
  #hasStopped = false;

  constructor(
    form: LineForm,
    { onError, empty = '', isZero = false }: LineRunOptions,
    output: Output,
    diagnostics: Diagnostics,
  ) {
    this.#form = form;
    this.#onError = onError;
    this.#empty = empty;
    this.#lineEnd = isZero ? 0x00 : 0x0a;
    this.#framing = isZero ? ZERO_LINES : LINES;
    this.#output = output;
    this.#diagnostics = diagnostics;
  }

  /** Reads the inputs to their end; false where a bad line ends the run. */
  async addAll(inputs: readonly Input[]): Promise<boolean> {
    for (const input of inputs) {
      await this.#add(input);
      if (this.#hasStopped) return false;
    }
    return true;
  }

  async #add(input: Input): Promise<void> {
    let firstLine = 1;
    for await (const block of reported(blocksOf(input, this.#framing.cutter()), this.#diagnostics)) {
      firstLine += this.#addBlock(input.name, block, firstLine);
      await this.#output.write(this.#writer.take());
      if (this.#hasStopped) return;
    }
  }

  #addBlock(name: string, block: Uint8Array, firstLine: number): number {
    let count = 0;
    eachLine(
      block,
      (start, end, row) => {
        count++;
        const line = block.subarray(start, end);
        const form = this.#form(line);
        if (form instanceof Error) this.#addBad(name, firstLine + row, line, form);
        else if (form !== undefined) this.#write(form);
        return !this.#hasStopped;
      },
      this.#lineEnd,
    );
    return count;
  }

  #write(form: string): void {
    this.#writer.text(form);
    this.#writer.byte(this.#lineEnd);
  }

  #addBad(name: string, lineNumber: number, line: Uint8Array, error: Error): void {
    this.#diagnostics.badLine(name, lineNumber, error);
    if (this.#onError === 'null') this.#write(this.#empty);
    if (this.#onError === 'keep') {
      this.#writer.bytes(line, 0, line.length);
      this.#writer.byte(this.#lineEnd);
    }
    this.#hasStopped = this.#onError === 'fail';
  }
}
