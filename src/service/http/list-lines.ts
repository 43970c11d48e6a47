import { createHash } from 'node:crypto';
import { LINE_FEED, NUMBER_SIGN } from '../../core/bytes/code-points.ts';
import { concatBytes, GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { asciiText, decodeLine } from '../../core/bytes/text.ts';
import { HASH_BYTES } from '../../specs/safe-browsing/expressions.ts';
import { listEntries } from '../../specs/safe-browsing/list-entry.ts';
import { sortedPrefixes } from '../lists/sorted-prefixes.ts';

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

/** Says why a list is not the one that its mark was made for. */
function markProblem(list: Uint8Array, mark: EndMark, entryCount: number): string | undefined {
  if (mark.entryCount !== entryCount)
    return `the end mark counts ${mark.entryCount} entries, but ${entryCount} come before it`;
  if (mark.checksum === undefined || mark.checksum === checksumOf(list.subarray(0, mark.at))) return undefined;
  return 'the SHA-256 in the end mark is not that of the lines before it';
}

function checksumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A line that cannot be part of a list. */
export class LineError extends RangeError {
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.line = line;
  }
}

/** The time that requests wait, in milliseconds, while a list is made of its file. */
const SLICE_MS = 10;

/**
 * Hashes the entries of a list of lines, and sorts them by their first bytes, then each part for itself. That takes
 * seconds, and other work goes on meanwhile.
 *
 * @returns 32 bytes for each entry, packed, ascending, each once
 * @throws {LineError} on a line that cannot be listed, an end mark that is wrong, and lines after it
 */
export async function sortedHashes(list: Uint8Array): Promise<Uint8Array> {
  const parts = Array.from({ length: 256 }, () => new GrowingBytes(HASH_BYTES));
  const slices = new TimeSlices();
  let entryCount = 0;
  let mark: EndMark | undefined;
  for (let start = 0, number = 1; start < list.length; number++) {
    const found = list.indexOf(LINE_FEED, start);
    const end = found === -1 ? list.length : found;
    const line = list.subarray(start, end);
    if (mark !== undefined && !isBlank(line)) throw new LineError(number, 'the line follows the end mark of the list');
    mark ??= markIn(line, start);
    const problem = mark && markProblem(list, mark, entryCount);
    if (problem !== undefined) throw new LineError(number, problem);
    for (const hash of hashesOf(line, number)) {
      parts[hash[0]!]!.bytes(hash);
      entryCount++;
    }
    start = end + 1;
    if (slices.isOver) await slices.next();
  }
  const sorted: Uint8Array[] = [];
  for (const part of parts) {
    sorted.push(sortedPrefixes(part.written, HASH_BYTES));
    if (slices.isOver) await slices.next();
  }
  return concatBytes(sorted);
}

/** Divides long work into slices of time, between which the event loop does what has come in meanwhile. */
class TimeSlices {
  #end = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#end = performance.now() + SLICE_MS;
  }
}

/** Blank lines and comments have no hashes. */
function hashesOf(line: Uint8Array, number: number): Uint8Array[] {
  try {
    return isBlank(line) ? [] : listEntries(line).entries.map(({ hash }) => hash);
  } catch (error) {
    throw new LineError(number, (error as Error).message, error);
  }
}

function isBlank(line: Uint8Array): boolean {
  return line.length === 0 || decodeLine(line).trim() === '';
}
