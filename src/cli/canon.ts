import { decodeLine } from '../bulk/text.ts';
import { canonicalForm } from '../url/canonicalize.ts';
import { UrlError } from '../url/error.ts';
import { ByteWriter } from './byte-writer.ts';
import type { Diagnostics } from './diagnostics.ts';
import { blocksOf, type Input, inputsOf } from './input.ts';
import { ERROR_WAYS, type ErrorWay, oneOf, parseOptions } from './options.ts';
import { Output } from './output.ts';
import { eachLine } from './rows.ts';

const LINE_FEED = 0x0a;

/** `urlsum canon`: the canonical form of each line. */
export async function canon(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    profile: { type: 'string', default: 'url' },
    'on-error': { type: 'string', default: 'null' },
  });
  oneOf('profile', values.profile, ['url']);
  const run = new CanonRun(oneOf('on-error', values['on-error'], ERROR_WAYS), diagnostics);
  for (const input of inputsOf(positionals)) {
    if (!(await run.add(input))) break;
  }
}

class CanonRun {
  readonly #output = new Output();
  readonly #writer = new ByteWriter();
  readonly #way: ErrorWay;
  readonly #diagnostics: Diagnostics;
  #hasStopped = false;

  constructor(way: ErrorWay, diagnostics: Diagnostics) {
    this.#way = way;
    this.#diagnostics = diagnostics;
  }

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
      const line = decodeLine(block.subarray(start, end));
      const canonical = canonicalForm(line);
      if (typeof canonical === 'string') return this.#writer.text(`${canonical}\n`);
      this.#diagnostics.badLine(name, firstLine + row, new UrlError(line, canonical));
      this.#hasStopped = this.#way === 'fail';
      if (this.#way === 'keep') this.#writer.bytes(block, start, end);
      if (this.#way === 'null' || this.#way === 'keep') this.#writer.byte(LINE_FEED);
      return !this.#hasStopped;
    });
    return count;
  }
}
