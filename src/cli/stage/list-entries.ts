import { digestOfBytes } from '../../digest/digest.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { HASH_BYTES } from '../../safe-browsing/hashes.ts';
import { InputBytes } from '../../safe-browsing/input.ts';
import { EntryReader } from '../../safe-browsing/list-entry.ts';
import type { Reading } from '../../safe-browsing/settings.ts';
import type { SuffixList } from '../../safe-browsing/suffix-list.ts';
import type { Rows } from '../rows/framing.ts';
import { eachValue } from '../rows/values.ts';
import { ByteWriter } from './byte-writer.ts';
import { SafeBrowsingProblem } from './safe-browsing-problem.ts';
import { type Counts, type Results, type RowProblem, type Stage, withMalformed } from './stage.ts';
import type { Transfer } from './transfer.ts';

/** Prefixes of the entries of a block's rows, packed; rows without one have none. */
export interface ListEntries extends Results {
  readonly prefixes: Uint8Array<ArrayBuffer>;
}

/** The hash prefix of what each URL is listed as. */
export class ListEntryStage implements Stage<ListEntries> {
  readonly #kernel: Kernel;
  readonly #width: number;
  readonly #reader: EntryReader;
  readonly #input = new InputBytes();
  readonly #writer = new ByteWriter();

  constructor(kernel: Kernel, width: number, reading: Reading, suffixList: SuffixList) {
    this.#kernel = kernel;
    this.#width = width;
    this.#reader = new EntryReader(reading, suffixList);
  }

  run(rows: Rows): ListEntries {
    const problems: RowProblem[] = [];
    let [length, publicSuffixes] = [0, 0];
    eachValue(rows.values, (bytes, start, end, row) => {
      length++;
      if (rows.malformed.has(row)) return;
      this.#input.setBytes(bytes, start, end);
      const expression = this.#reader.expressionOf(bytes, this.#input.start, end);
      if (!(expression instanceof Uint8Array)) {
        problems.push(new SafeBrowsingProblem(row, bytes.subarray(start, end), expression));
        return;
      }
      this.#write(expression);
      if (this.#reader.hasPublicSuffix()) publicSuffixes++;
    });
    const counts: Counts = publicSuffixes === 0 ? {} : { publicSuffixes };
    const prefixes = Uint8Array.from(this.#writer.take());
    return { rows, length, problems: withMalformed(rows, problems), counts, prefixes };
  }

  #write(expression: Uint8Array): void {
    this.#writer.bytes(digestOfBytes(this.#kernel, expression, HASH_BYTES), 0, this.#width);
  }
}

/** The report of a block has its problems: here the prefixes are all that counts. */
export const ENTRIES_TRANSFER: Transfer<ListEntries, Uint8Array<ArrayBuffer>> = {
  messageOf: ({ prefixes }) => prefixes,
  buffersOf: ({ buffer }) => [buffer],
  resultsOf: (rows, prefixes) => ({ rows, length: 0, problems: [], prefixes }),
};
