import { concatBytes } from '../../bytes/concat.ts';
import { HashList, type HashListOptions } from '../../safe-browsing/lists/hash-list.ts';
import type { ListEntries } from '../stage/list-entries.ts';
import type { Format } from './format.ts';

const NOTHING = new Uint8Array(0);

/** Prefixes go into a list, which comes out at the end. */
export class ListFile implements Format<ListEntries> {
  readonly #pieces: Uint8Array[] = [];
  readonly #width: number;
  readonly #options: HashListOptions;
  /** Entries whose prefix another entry has too; known at the end. */
  mergedCount = 0;

  constructor(width: number, options: HashListOptions) {
    this.#width = width;
    this.#options = options;
  }

  block({ prefixes }: ListEntries): Uint8Array {
    this.#pieces.push(prefixes);
    return NOTHING;
  }

  /** Every block comes whole: nothing is selected among its rows. */
  row(): void {}

  take(): Uint8Array {
    return NOTHING;
  }

  *end(): Generator<Uint8Array> {
    const list = HashList.from(concatBytes(this.#pieces), this.#width, this.#options);
    this.mergedCount = list.mergedCount;
    yield list.toBytes();
  }
}
