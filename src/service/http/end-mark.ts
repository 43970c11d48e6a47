import { createHash } from 'node:crypto';
import { LINE_FEED, NUMBER_SIGN } from '../../core/bytes/code-points.ts';
import { asciiText } from '../../core/bytes/text.ts';

/**
 * The last line of a list of lines, which says that it is whole: `# END 1000 entries`, or with the SHA-256 of
 * all bytes before it, `# END 1000 entries, SHA-256 0f1e…`.
 */
export interface EndMark {
  /** The number of entries before it, each counted as often as it occurs. */
  readonly entryCount: number;
  readonly checksum: string | undefined;
  /** The place where its line begins. */
  readonly at: number;
}

const MARK = /^# END (\d{1,15}) entries(?:, SHA-256 ([0-9a-f]{64}))?\s*$/;
/** Bytes of the longest mark, with a line end of two bytes on both sides. */
const LONGEST_MARK_BYTES = 120;

/** Returns the mark at the end of a list; undefined where its last line is another. */
export function endMarkIn(list: Uint8Array): EndMark | undefined {
  const tailAt = Math.max(0, list.length - LONGEST_MARK_BYTES);
  const lineAt = asciiText(list.subarray(tailAt)).trimEnd().lastIndexOf('\n') + 1;
  return markIn(list.subarray(tailAt + lineAt), tailAt + lineAt);
}

function markIn(line: Uint8Array, at: number): EndMark | undefined {
  if (line[0] !== NUMBER_SIGN || line.length > LONGEST_MARK_BYTES) return undefined;
  const [, count, checksum] = MARK.exec(asciiText(line)) ?? [];
  return count === undefined ? undefined : { entryCount: Number(count), checksum, at };
}

/** A line that cannot be part of a list. */
export class LineError extends RangeError {
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** @throws {LineError} on an end mark that was made for another list, and on lines after one */
export function mustFitMarks(list: Uint8Array, entryCount: number): void {
  const last = endMarkIn(list);
  const [first, after] = firstMark(list);
  if (first !== undefined && first.at !== last?.at)
    throw new LineError(lineNumberAt(list, after), 'the line follows the end mark of the list');
  const problem = last && markProblem(list, last, entryCount);
  if (problem !== undefined) throw new LineError(lineNumberAt(list, last!.at), problem);
}

/** Returns the first mark, and the place after its line. */
function firstMark(list: Uint8Array): [mark: EndMark | undefined, after: number] {
  const bytes = Buffer.from(list.buffer, list.byteOffset, list.length);
  for (let at = bytes.indexOf('# END '); at !== -1; at = bytes.indexOf('# END ', at + 1)) {
    if (at > 0 && list[at - 1] !== LINE_FEED) continue;
    const feed = list.indexOf(LINE_FEED, at);
    const after = feed === -1 ? list.length : feed + 1;
    const mark = markIn(list.subarray(at, after), at);
    if (mark !== undefined) return [mark, after];
  }
  return [undefined, list.length];
}

function lineNumberAt(list: Uint8Array, place: number): number {
  let number = 1;
  for (let feed = list.indexOf(LINE_FEED); feed !== -1 && feed < place; feed = list.indexOf(LINE_FEED, feed + 1))
    number++;
  return number;
}

function markProblem(list: Uint8Array, mark: EndMark, entryCount: number): string | undefined {
  if (mark.entryCount !== entryCount)
    return `the end mark counts ${mark.entryCount} entries, but ${entryCount} come before it`;
  if (mark.checksum === undefined || mark.checksum === checksumOf(list.subarray(0, mark.at))) return undefined;
  return 'the SHA-256 in the end mark is not that of the lines before it';
}

function checksumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
