import { DIGESTS } from '../../../assembly/layout.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { openKernel } from '../../kernel/open.ts';
import { ExpressionBatch, type ExpressionRows } from '../../safe-browsing/batch.ts';
import { canonicalForm } from '../../safe-browsing/canonicalize.ts';
import { SafeBrowsingUrlError } from '../../safe-browsing/error.ts';
import { HASH_BYTES, SHORTEST_PREFIX } from '../../safe-browsing/hashes.ts';
import { InputBytes } from '../../safe-browsing/input.ts';
import type { Profile, Settings } from '../../safe-browsing/settings.ts';
import { ByteWriter } from '../format/byte-writer.ts';
import { blocksOf, type Input, inputsOf } from '../input/inputs.ts';
import { StandardOutput } from '../output/standard-output.ts';
import { eachLine } from '../rows/each-row.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';
import { oneOf, parseOptions } from '../terminal/options.ts';
import { UsageError } from '../terminal/usage.ts';
import type { LineForm } from './line-run.ts';
import { reported } from './reported.ts';

const TAB = 0x09;

type ProfileName = 'web-risk' | 'safe-browsing';

/** `urlsum expressions`: a line out for each expression of each line. */
export async function expressions(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    profile: { type: 'string', default: 'safe-browsing' },
    mode: { type: 'string', default: 'spec' },
    hash: { type: 'boolean', default: false },
    prefix: { type: 'string' },
    'icann-suffixes': { type: 'boolean', default: false },
    explain: { type: 'string' },
  });
  const settings: Settings = {
    profile: profileOf(oneOf('profile', values.profile, ['web-risk', 'safe-browsing'])),
    mode: oneOf('mode', values.mode, ['spec', 'browser', 'union']),
    privateSuffixes: !values['icann-suffixes'],
  };
  const width = values.prefix === undefined ? (values.hash ? HASH_BYTES : 0) : prefixOf(values.prefix);
  if (values.explain !== undefined)
    return (await import('./explain.ts')).explain(values.explain, settings, positionals, diagnostics);
  const run = new ExpressionsRun(settings, width, diagnostics);
  for (const input of inputsOf(positionals)) await run.add(input);
}

/** For `urlsum canon`. */
export function canonicalLine(profile: ProfileName, mode: 'spec' | 'browser'): LineForm {
  const reading = { profile: profileOf(profile), mode };
  return (line) => {
    const canonical = canonicalForm(line, reading);
    return typeof canonical === 'string' ? canonical : new SafeBrowsingUrlError(line, canonical);
  };
}

function profileOf(name: ProfileName): Profile {
  return name === 'safe-browsing' ? 'v5' : name;
}

function prefixOf(value: string): number {
  const byteLength = /^[0-9]{1,2}$/.test(value) ? Number(value) : 0;
  if (byteLength >= SHORTEST_PREFIX && byteLength <= HASH_BYTES) return byteLength;
  throw new UsageError(`--prefix must be a number of bytes from ${SHORTEST_PREFIX} to ${HASH_BYTES}, not '${value}'`);
}

class ExpressionsRun {
  readonly #kernel: Kernel = openKernel();
  readonly #output = new StandardOutput();
  readonly #writer = new ByteWriter();
  readonly #input = new InputBytes();
  readonly #batch: ExpressionBatch;
  readonly #width: number;
  readonly #diagnostics: Diagnostics;
  /** Lines of all inputs so far. */
  #lineCount = 0;

  constructor(settings: Settings, width: number, diagnostics: Diagnostics) {
    this.#batch = new ExpressionBatch(this.#kernel, width, settings, (rows) => this.#write(rows));
    this.#width = width;
    this.#diagnostics = diagnostics;
  }

  async add(input: Input): Promise<void> {
    const linesBefore = this.#lineCount;
    for await (const block of reported(blocksOf(input), this.#diagnostics)) {
      eachLine(block, (start, end) => this.#addLine(input.name, linesBefore, block, start, end));
      this.#batch.flush();
      await this.#output.write(this.#writer.take());
    }
  }

  #addLine(name: string, linesBefore: number, block: Uint8Array, start: number, end: number): void {
    this.#lineCount++;
    this.#input.setBytes(block, start, end);
    const added = this.#batch.add(block, this.#input.start, end, this.#lineCount);
    if (typeof added === 'number') return;
    this.#diagnostics.badLine(
      name,
      this.#lineCount - linesBefore,
      new SafeBrowsingUrlError(block.subarray(start, end), added),
    );
  }

  #write({ count, text, starts, ends, inputs }: ExpressionRows): void {
    for (let row = 0; row < count; row++) {
      const digest = DIGESTS + row * this.#batch.kernelWidth;
      this.#writer.text(String(inputs[row]));
      this.#writer.byte(TAB);
      this.#writer.bytes(text, starts[row]!, ends[row]!);
      if (this.#width > 0) this.#writer.byte(TAB);
      this.#writer.hex(this.#kernel.memory.bytes, digest, digest + this.#width);
      this.#writer.byte(LINE_FEED);
    }
  }
}
