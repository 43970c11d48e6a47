// What `findLines` does with each set of line ends in 16 bytes, by running the module itself: 2^16 sets, in each quarter
// of the 64 bytes of a step, with each state that the step before may leave. A step carries nothing on but the number of
// rows and where the last line began, so what holds of one step holds of any number.
import { ROW_CAPACITY, ROW_ENDS, ROW_STARTS, SCANNED_END, TEXT } from '../../../../assembly/layout.ts';

interface FindLines {
  readonly memory: WebAssembly.Memory;
  findLines(start: number, end: number, lineEnd: number): number;
}

const STEP_BYTES = 64;
const CARRIAGE_RETURN = 0x0d;
/** Where the state before a step ends, and the step begins. */
const BEFORE_BYTES = 32 * STEP_BYTES;
/** The bytes of the step and of what follows it, whose line ends are after the end. */
const AFTER_BYTES = 2 * STEP_BYTES;

/** The rows before the step: no line; or all rows but three, and a line that is open. */
const STATES = [0, ROW_CAPACITY - 3] as const;

/**
 * Compares one set of line ends with a loop over the bytes.
 *
 * @param filler what the other bytes are: carriage returns before each line end, or none
 * @throws where a row or the count is another
 */
export function tryLineEnds(
  { memory, findLines }: FindLines,
  set: number,
  quarter: number,
  filler: number,
  lineEnd: number,
  rowsBefore: (typeof STATES)[number],
): void {
  const bytes = new Uint8Array(memory.buffer);
  const start = TEXT + (rowsBefore === 0 ? BEFORE_BYTES : 0);
  bytes.fill(lineEnd, TEXT, TEXT + rowsBefore);
  bytes.fill(filler, TEXT + rowsBefore, TEXT + BEFORE_BYTES + AFTER_BYTES);
  const step = TEXT + BEFORE_BYTES;
  for (let bit = 0; bit < 16; bit++) if ((set >> bit) & 1) bytes[step + 16 * quarter + bit] = lineEnd;
  // the text ends with a line, within the step or after it, and more line ends follow
  const last = step + 16 * (quarter + 1) + (set % 40);
  bytes.fill(lineEnd, last, last + STEP_BYTES);
  const count = findLines(start, last + 1, lineEnd);

  let [row, line] = [rowsBefore as number, rowsBefore === 0 ? start : TEXT + rowsBefore];
  const [starts, ends] = [ROW_STARTS, ROW_ENDS].map((at) => new Uint32Array(memory.buffer, at, ROW_CAPACITY));
  for (let at = step; at <= last && row < ROW_CAPACITY; at++) {
    if (bytes[at] !== lineEnd) continue;
    const hasReturn = lineEnd === 0x0a && at > line && bytes[at - 1] === CARRIAGE_RETURN;
    const isRight = starts![row] === line && ends![row] === at - Number(hasReturn);
    if (!isRight) throw new Error(`row ${row} of the set ${set} in quarter ${quarter} is not where its line is`);
    line = at + 1;
    row++;
  }
  const scannedEnd = new Uint32Array(memory.buffer, SCANNED_END, 1)[0];
  if (count !== row || scannedEnd !== line) throw new Error(`${count} rows of ${row} to ${scannedEnd}, not ${line}`);
}

/** Tries every set; `isWhole` in each quarter and with each line end, otherwise in one of them in turn. */
export function tryAllLineEnds(kernel: FindLines, isWhole: boolean): number {
  let count = 0;
  for (let set = 0; set < 2 ** 16; set++)
    for (const filler of [0x78, CARRIAGE_RETURN])
      for (const rowsBefore of STATES)
        for (let turn = 0; turn < (isWhole ? 8 : 1); turn++) {
          const which = isWhole ? turn : (set ^ (set >> 8)) % 8;
          tryLineEnds(kernel, set, which % 4, filler, which < 4 ? 0x0a : 0, rowsBefore);
          count++;
        }
  return count;
}
