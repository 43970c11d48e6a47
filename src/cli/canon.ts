import { decodeLine } from '../bulk/text.ts';
import { canonicalForm } from '../url/canonicalize.ts';
import { UrlError } from '../url/error.ts';
import { ByteWriter } from './byte-writer.ts';
import type { Diagnostics } from './diagnostics.ts';
import { blocksOf, type Input, inputsOf } from './input.ts';
import { ERROR_WAYS, type ErrorWay, oneOf, parseOptions } from './options.ts';
import { Output } from './output.ts';
import { eachLine } from './rows.ts';
import { UsageError } from './usage.ts';

const LINE_FEED = 0x0a;

const PROFILES = ['url', 'web-risk', 'safe-browsing'] as const;

/** What is printed for the bytes of a line, or why there is nothing. */
export type LineForm = (line: Uint8Array) => string | Error;

/** `urlsum canon`: the canonical form of each line. */
export async function canon(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    profile: { type: 'string', default: 'url' },
    mode: { type: 'string' },
    'on-error': { type: 'string', default: 'null' },
  });
  const form = await formOf(oneOf('profile', values.profile, PROFILES), values.mode);
  const run = new CanonRun(form, oneOf('on-error', values['on-error'], ERROR_WAYS), diagnostics);
  for (const input of inputsOf(positionals)) {
    if (!(await run.add(input))) break;
  }
}

async function formOf(profile: (typeof PROFILES)[number], mode: string | undefined): Promise<LineForm> {
  if (profile !== 'url') return (await import('./expressions.ts')).canonicalLine(profile, oneOf('mode', mode ?? 'spec', ['spec', 'browser']));
  if (mode !== undefined) throw new UsageError('--mode belongs to the profiles web-risk and safe-browsing');
  return urlForm;
}

function urlForm(bytes: Uint8Array): string | Error {
  const line = decodeLine(bytes);
  const canonical = canonicalForm(line);
  return typeof canonical === 'string' ? canonical : new UrlError(line, canonical);
}

class CanonRun {
  readonly #output = new Output();
  readonly #writer = new ByteWriter();
  readonly #form: LineForm;
  readonly #way: ErrorWay;
  readonly #diagnostics: Diagnostics;
  #hasStopped = false;

  constructor(form: LineForm, way: ErrorWay, diagnostics: Diagnostics) {
    this.#form = form;
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
      const canonical = this.#form(block.subarray(start, end));
      if (typeof canonical === 'string') return this.#writer.text(`${canonical}\n`);
      this.#diagnostics.badLine(name, firstLine + row, canonical);
      this.#hasStopped = this.#way === 'fail';
      if (this.#way === 'keep') this.#writer.bytes(block, start, end);
      if (this.#way === 'null' || this.#way === 'keep') this.#writer.byte(LINE_FEED);
      return !this.#hasStopped;
    });
    return count;
  }
}
