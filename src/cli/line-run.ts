import { decodeLine } from '../bulk/text.ts';
import { ByteWriter } from './byte-writer.ts';
import type { Diagnostics } from './diagnostics.ts';
import { blocksOf, type Input, inputsOf } from './input.ts';
import type { ErrorWay } from './options.ts';
import { Output } from './output.ts';
import { eachLine } from './rows.ts';

const LINE_FEED = 0x0a;

/** What is written for a line, its line feed included, or why there is nothing to write. */
export type LineForm = (line: string) => string | Error;

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

  /** Reads one input to its end; false where a bad line ends the run. An unreadable input does not. */
  async add(input: Input): Promise<boolean> {
    let firstLine = 1;
    const blocks = blocksOf(input)[Symbol.asyncIterator]();
    for (;;) {
      const next = await blocks.next().catch((error: unknown) => {
        this.#diagnostics.trouble(input.name, error);
        return { done: true } as const;
      });
      if (next.done) return true;
      firstLine += this.#addBlock(input.name, next.value, firstLine);
      await this.#output.write(this.#writer.take());
      if (this.#hasStopped) return false;
    }
  }

  #addBlock(name: string, block: Uint8Array, firstLine: number): number {
    let count = 0;
    eachLine(block, (start, end, row) => {
      count++;
      const form = this.#form(decodeLine(block.subarray(start, end)));
      if (typeof form === 'string') return this.#writer.text(form);
      this.#diagnostics.badLine(name, firstLine + row, form);
      this.#hasStopped = this.#way === 'fail';
      if (this.#way === 'keep') this.#writer.bytes(block, start, end);
      if (this.#way === 'null') this.#writer.text(this.#empty);
      if (this.#way === 'null' || this.#way === 'keep') this.#writer.byte(LINE_FEED);
      return !this.#hasStopped;
    });
    return count;
  }
}
