import { isJsonLines } from '../../src/command/read/text-kind.ts';
import { type Cutter, LineBlocks } from '../../src/core/bytes/lines.ts';
import { type HashColumn, UrlHasher, type Width } from '../../src/index.ts';
import { formOptions } from '../form.ts';
import type { FileOptions } from '../state.ts';
import { type ChunkStream, joined } from './chunks.ts';
import { columnMissing, framingOf, recordsIn } from './records.ts';

/** Whole rows of a file and their hashes: row r is [starts[r], ends[r]) of the bytes, without its line end. */
export interface HashedBlock {
  readonly bytes: Uint8Array;
  readonly column: HashColumn;
  readonly starts: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  /** Where the field goes that each record gains; undefined: rows are lines. */
  readonly places: ArrayLike<number> | undefined;
  /** Rows that are not records, and why; they have no hash. */
  readonly malformed: ReadonlyMap<number, string>;
  /** Of a table, before the first of its blocks. */
  readonly header: Uint8Array | undefined;
  /** Rows of the file before this block, the header among them. */
  readonly rowsBefore: number;
}

/** How the text of a file becomes rows with hashes. */
interface BlockReader {
  readonly endOf: Cutter | undefined;
  read(block: Uint8Array, isFirst: boolean): Omit<HashedBlock, 'rowsBefore'>;
}

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const NOTHING: ReadonlyMap<number, string> = new Map();

/** The blocks of a text, each good until the next is asked for. @throws {Error} where options and text do not fit */
export async function* hashedBlocks(text: ChunkStream, options: FileOptions): AsyncGenerator<HashedBlock> {
  const reader = openReader(options);
  const blocks = new LineBlocks(reader.endOf);
  let rowsBefore = 0;
  let isFirst = true;
  const hashed = (block: Uint8Array) => {
    const read = reader.read(block, isFirst);
    if (read.header !== undefined) rowsBefore++;
    const numbered = { ...read, rowsBefore };
    rowsBefore += read.column.length;
    isFirst = false;
    return numbered;
  };
  for await (const chunk of text) {
    const block = blocks.push(chunk);
    if (block.length > 0) yield hashed(block);
  }
  const rest = blocks.end();
  if (rest.length > 0) yield hashed(rest);
}

function openReader(options: FileOptions): BlockReader {
  const { rows, column, base, width } = options;
  const hashing = { width, ...formOptions(options), ...(base === '' ? {} : { base }) };
  if (rows === 'lines') return lineReader(new UrlHasher({ ...hashing, rowBounds: true }));
  if (rows === 'json' && column === '') throw new Error('JSON lines need the name of a field');
  return recordReader(options, new UrlHasher(hashing));
}

function lineReader(hasher: UrlHasher<Width>): BlockReader {
  return {
    endOf: undefined,
    read(block, isFirst) {
      if (isFirst && isJsonLines(block) === true)
        throw new Error('it is JSON lines, not one URL per line; choose JSON lines, and a field');
      // that of the file is gone, so another is part of its line: hashLines is to leave out this one
      const bytes = beginsWithMark(block) ? joined(BYTE_ORDER_MARK, block) : block;
      const column = hasher.hashLines(bytes);
      const [starts, ends] = [column.rowStarts!, column.rowEnds!];
      return { bytes, column, starts, ends, places: undefined, malformed: NOTHING, header: undefined };
    },
  };
}

function beginsWithMark(block: Uint8Array): boolean {
  return BYTE_ORDER_MARK.every((byte, at) => block[at] === byte);
}

function recordReader(options: FileOptions, hasher: UrlHasher<Width>): BlockReader {
  const framing = framingOf(options);
  let state: unknown;
  return {
    endOf: framing.cutter(),
    read(block) {
      if (options.column === '') throw columnMissing(block);
      state = framing.stateOf?.(block, state);
      const { values, ...records } = recordsIn(framing, block, state);
      return { ...records, bytes: block, column: hasher.hashMany(values) };
    },
  };
}
