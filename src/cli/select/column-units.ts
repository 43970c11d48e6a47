import type { HashColumn } from '../../digest/column.ts';
import { unitsOf } from '../../hash-index/word-order.ts';

/** The 32-bit units of the column that is at work: a view takes longer to make than a look-up in memory. */
export class ColumnUnits {
  #column: HashColumn | undefined;
  #units: Uint32Array = new Uint32Array(0);

  of(column: HashColumn): Uint32Array {
    if (this.#column !== column) {
      this.#column = column;
      this.#units = unitsOf(column);
    }
    return this.#units;
  }
}
