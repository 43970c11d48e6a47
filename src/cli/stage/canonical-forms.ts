import { CanonicalLines } from '../../bulk/canonical-lines.ts';
import { addLines } from '../../bulk/lines.ts';
import type { Canonicalizing } from '../../bulk/row-sink.ts';
import { addRows } from '../../bulk/rows.ts';
import type { Rows } from '../rows/framing.ts';
import { countsOf } from './hashes.ts';
import { type Counts, type RowProblem, type Stage, withMalformed } from './stage.ts';
import type { Texts } from './texts.ts';
import { UrlProblem } from './url-problem.ts';

/** The canonical form of each URL and a line end after it. */
export class CanonicalStage implements Stage<CanonicalTexts> {
  readonly #canonicalizing: Canonicalizing;
  readonly #lineEnd: number;
  readonly #lines: CanonicalLines;

  constructor(canonicalizing: Canonicalizing, lineEnd: number) {
    this.#canonicalizing = canonicalizing;
    this.#lineEnd = lineEnd;
    this.#lines = new CanonicalLines(canonicalizing, lineEnd);
  }

  run(rows: Rows): CanonicalTexts {
    const { values } = rows;
    this.#lines.clear();
    if ('lines' in values) addLines(this.#canonicalizing, values.lines, this.#lines);
    else addRows(this.#canonicalizing, values.bytes, values.offsets, this.#lines);
    return new CanonicalTexts(rows, this.#lines, this.#lineEnd);
  }
}

class CanonicalTexts implements Texts {
  readonly rows: Rows;
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly problems: readonly RowProblem[];
  readonly counts: Counts;
  readonly #lineEnd: number;
  #ends: Uint32Array | undefined;

  constructor(rows: Rows, lines: CanonicalLines, lineEnd: number) {
    const { bytes, rowCount, invalidRows } = lines;
    this.rows = rows;
    this.bytes = bytes;
    this.length = rowCount;
    this.problems = withMalformed(
      rows,
      invalidRows.map((invalid) => new UrlProblem(invalid)),
    );
    this.counts = countsOf(rowCount, lines);
    this.#lineEnd = lineEnd;
  }

  /** Found when they are asked for: whole blocks need none. No canonical form holds a line end. */
  get ends(): Uint32Array {
    return (this.#ends ??= endsIn(this.bytes, this.#lineEnd, this.length));
  }
}

function endsIn(bytes: Uint8Array, lineEnd: number, count: number): Uint32Array {
  const ends = new Uint32Array(count);
  for (let row = 0, end = 0; row < count; row++) ends[row] = end = bytes.indexOf(lineEnd, end) + 1;
  return ends;
}
