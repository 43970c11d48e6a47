import { UrlBatch } from '../../../src/core/bulk/hash-rows.ts';
import type { HashColumn } from '../../../src/core/digest/column.ts';

/** Returns how the rows of the columns that `hash` makes came about: as they stood, rewritten by the kernel. */
export function countsOf(hash: () => HashColumn): { readonly provenCount: number; readonly rewrittenCount: number } {
  const own = UrlBatch.prototype.hash;
  let [provenCount, rewrittenCount] = [0, 0];
  UrlBatch.prototype.hash = function (width) {
    provenCount += this.provenCount;
    rewrittenCount += this.rewrittenCount;
    return own.call(this, width);
  };
  try {
    hash();
  } finally {
    UrlBatch.prototype.hash = own;
  }
  return { provenCount, rewrittenCount };
}
