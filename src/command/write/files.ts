import { concatBytes } from '../../core/bytes/growing-bytes.ts';
import { HashList, type HashListOptions } from '../../service/lists/hash-list.ts';
import type { IndexBuilder } from '../../store/hash-index/index-builder.ts';
import type { ListEntries } from '../work/list-entries.ts';
import { EMPTY, type KeptRows, type ResultBatch, unitsOf } from '../work/stage.ts';
import type { Format } from './format.ts';

// Formats whose output is one file, written at the end.

export class IndexPages implements Format {
  readonly #builder: IndexBuilder;

  constructor(builder: IndexBuilder) {
    this.#builder = builder;
  }

  write(results: ResultBatch, { rows, count, fields }: KeptRows): void {
    const units = unitsOf(results);
    if (results.counts['unicodeHosts'] !== undefined) this.#builder.addUnicodeHosts();
    for (let index = 0; index < count; index++) {
      const row = rows[index]!;
      if (fields[row] !== EMPTY) this.#builder.add(units, (row * results.width) / 4);
    }
  }

  *end(): Generator<Uint8Array> {
    yield* this.#builder.pages();
    this.#builder.close();
  }
}

export class ListFile implements Format<ListEntries> {
  readonly #pieces: Uint8Array[] = [];
  readonly #width: number;
  readonly #options: HashListOptions;
  /** Entries with the same prefix as another entry; known at the end. */
  mergedCount = 0;

  constructor(width: number, options: HashListOptions) {
    this.#width = width;
    this.#options = options;
  }

  write({ prefixes }: ListEntries): void {
    if (prefixes.length > 0) this.#pieces.push(prefixes);
  }

  *end(): Generator<Uint8Array> {
    const list = HashList.from(concatBytes(this.#pieces), this.#width, this.#options);
    this.mergedCount = list.mergedCount;
    yield list.toBytes();
  }
}
