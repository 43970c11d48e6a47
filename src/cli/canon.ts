import { decodeLine } from '../bulk/text.ts';
import { canonicalForm } from '../url/canonicalize.ts';
import { UrlError } from '../url/error.ts';
import { ByteWriter } from './byte-writer.ts';
import { type Diagnostics, TROUBLE } from './diagnostics.ts';
import { blocksOf, type Input, inputsOf } from './input.ts';
import { LINES, ZERO_LINES } from './line-rows.ts';
import { ERROR_WAYS, type ErrorWay, oneOf, parseOptions } from './options.ts';
import { openOutput, type Output } from './output.ts';
import { eachLine } from './rows.ts';

/** `urlsum canon`: the canonical form of each line. */
export async function canon(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    profile: { type: 'string', default: 'url' },
    'on-error': { type: 'string', default: 'null' },
    zero: { type: 'boolean', short: 'z', default: false },
    out: { type: 'string' },
  });
  oneOf('profile', values.profile, ['url']);
  const way = oneOf('on-error', values['on-error'], ERROR_WAYS);
  const output = await openOutput(values.out);
  const run = new CanonRun(way, values.zero, output, diagnostics);
  try {
    for (const input of inputsOf(positionals)) {
      if (!(await run.add(input))) break;
    }
    run.end();
  } finally {
    await output.end(run.isWhole && diagnostics.status < TROUBLE);
  }
}

class CanonRun {
  readonly #output: Output;
  readonly #writer = new ByteWriter();
  readonly #way: ErrorWay;
  readonly #isZero: boolean;
  readonly #diagnostics: Diagnostics;
  #hasStopped = false;
  #isWhole = false;

  constructor(way: ErrorWay, isZero: boolean, output: Output, diagnostics: Diagnostics) {
    this.#way = way;
    this.#isZero = isZero;
    this.#output = output;
    this.#diagnostics = diagnostics;
  }

  /** Everything that was to come out has come out. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  end(): void {
    this.#isWhole = !this.#hasStopped;
  }

  async add(input: Input): Promise<boolean> {
    let firstLine = 1;
    for await (const block of blocksOf(input, this.#diagnostics, this.#isZero ? ZERO_LINES : LINES)) {
      firstLine += this.#addBlock(input.name, block, firstLine);
      await this.#output.write(this.#writer.take());
      if (this.#hasStopped) return false;
    }
    return true;
  }

  #addBlock(name: string, block: Uint8Array, firstLine: number): number {
    const lineEnd = this.#isZero ? 0x00 : 0x0a;
    let count = 0;
    eachLine(block, (start, end, row) => {
      count++;
      const line = decodeLine(block.subarray(start, end));
      const canonical = canonicalForm(line);
      if (typeof canonical === 'string') this.#writer.text(canonical);
      if (typeof canonical === 'string') return this.#writer.byte(lineEnd);
      this.#diagnostics.badLine(name, firstLine + row, new UrlError(line, canonical));
      this.#hasStopped = this.#way === 'fail';
      if (this.#way === 'keep') this.#writer.bytes(block, start, end);
      if (this.#way === 'null' || this.#way === 'keep') this.#writer.byte(lineEnd);
      return !this.#hasStopped;
    }, lineEnd);
    return count;
  }
}
