import { hexOfBytes } from '../../bytes/hex.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import type { HashColumn } from '../../digest/column.ts';
import { digestOfBytes } from '../../digest/digest.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { openKernel } from '../../kernel/open.ts';
import { ByteWriter } from '../format/byte-writer.ts';
import { blocksOf, inputsOf } from '../input/inputs.ts';
import { StandardOutput } from '../output/standard-output.ts';
import { eachLine } from '../rows/each-row.ts';
import type { Framing } from '../rows/framing.ts';
import { LINES, ZERO_LINES } from '../rows/lines.ts';
import { hashesOf } from '../stage/hashes.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';
import { parseOptions } from '../terminal/options.ts';
import { reported } from './reported.ts';

/** A line as the text format writes it: hex of 8, 16 or 32 bytes, or none for what is no URL; two spaces; the line. */
const SUM_LINE = /^((?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64})?) {2}(.*)$/is;

/** Reads sums and checks each; a check that found nothing to check has failed. */
export async function check(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    check: { type: 'boolean', short: 'c' },
    quiet: { type: 'boolean', default: false },
    status: { type: 'boolean', default: false },
    zero: { type: 'boolean', short: 'z', default: false },
  });
  const run = new CheckRun(values.quiet, values.status, values.zero);
  const framing = values.zero ? ZERO_LINES : LINES;
  for (const input of inputsOf(positionals)) {
    for await (const block of reported(blocksOf(input, framing.cutter()), diagnostics)) await run.add(block);
  }
  run.end(diagnostics);
}

class CheckRun {
  readonly #kernel: Kernel = openKernel();
  readonly #output = new StandardOutput();
  readonly #writer = new ByteWriter();
  readonly #isQuiet: boolean;
  readonly #isSilent: boolean;
  readonly #framing: Framing;
  readonly #lineEnd: number;
  #checked = 0;
  #mismatched = 0;
  #malformed = 0;

  constructor(isQuiet: boolean, isSilent: boolean, isZero: boolean) {
    this.#isQuiet = isQuiet;
    this.#isSilent = isSilent;
    this.#framing = isZero ? ZERO_LINES : LINES;
    this.#lineEnd = isZero ? 0x00 : 0x0a;
  }

  async add(block: Uint8Array): Promise<void> {
    const expected: string[] = [];
    const urls = new ByteWriter();
    eachLine(
      block,
      (start, end) => {
        const found = SUM_LINE.exec(decodeLine(block.subarray(start, end)));
        if (found === null) return void this.#malformed++;
        expected.push(found[1]!.toLowerCase());
        urls.bytes(block, start + found[1]!.length + 2, end);
        urls.byte(this.#lineEnd);
      },
      this.#lineEnd,
    );
    await this.#output.write(this.#compared(urls.take(), expected));
  }

  end(diagnostics: Diagnostics): void {
    if (this.#malformed > 0) this.#warn(diagnostics, `WARNING: ${this.#malformed} lines are improperly formatted`);
    if (this.#mismatched > 0) this.#warn(diagnostics, `WARNING: ${this.#mismatched} computed hashes did NOT match`);
    if (this.#checked === 0) this.#warn(diagnostics, 'no properly formatted lines found');
  }

  #compared(urls: Uint8Array, expected: readonly string[]): Uint8Array {
    const column = hashesOf(this.#kernel, this.#framing.rows(urls).values, 32);
    eachLine(
      urls,
      (start, end, row) => {
        const isMatch = this.#isMatch(column, row, urls.subarray(start, end), expected[row]!);
        this.#checked++;
        if (!isMatch) this.#mismatched++;
        if (this.#isSilent || (isMatch && this.#isQuiet)) return;
        this.#writer.bytes(urls, start, end);
        this.#writer.text(isMatch ? ': OK' : ': FAILED');
        this.#writer.byte(this.#lineEnd);
      },
      this.#lineEnd,
    );
    return this.#writer.take();
  }

  /** An invalid line has no digits, or those of its own hash, as `--on-error keep` writes them. */
  #isMatch(column: HashColumn, row: number, line: Uint8Array, expected: string): boolean {
    const isInvalid = column.errorAt(row) !== undefined;
    if (expected === '') return isInvalid;
    const digest = isInvalid ? digestOfBytes(this.#kernel, line, 32) : column.bytes.subarray(32 * row, 32 * (row + 1));
    return hexOfBytes(digest, 0, expected.length / 2) === expected;
  }

  #warn(diagnostics: Diagnostics, message: string): void {
    diagnostics.failed(this.#isSilent ? undefined : message);
  }
}
