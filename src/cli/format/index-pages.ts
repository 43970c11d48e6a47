import type { IndexBuilder } from '../../hash-index/index-builder.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { Row } from '../stage/stage.ts';
import type { Format } from './format.ts';

const NOTHING = new Uint8Array(0);

/** Hashes go into an index, which comes out at the end. */
export class IndexPages implements Format<HashedRows> {
  readonly #builder: IndexBuilder;

  constructor(builder: IndexBuilder) {
    this.#builder = builder;
  }

  block({ column }: HashedRows): Uint8Array {
    this.#builder.addColumn(column);
    return NOTHING;
  }

  row({ column: { bytes, width } }: HashedRows, { row }: Row, hasResult: boolean): void {
    if (hasResult)
      this.#builder.add(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4), (row * width) / 4);
  }

  take(): Uint8Array {
    return NOTHING;
  }

  *end(): Generator<Uint8Array> {
    yield* this.#builder.pages();
    this.#builder.close();
  }
}
