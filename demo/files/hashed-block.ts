import { LineBlocks } from '../../src/bulk/line-blocks.ts';
import { type HashColumn, UrlHasher, type Width } from '../../src/index.ts';
import type { FileOptions } from '../state.ts';
import { type ChunkStream, joined } from './chunks.ts';
import { CsvReader, JsonReader, lineAt, objectIn, type RecordReader } from './records.ts';

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
  readonly headerCount: number;
  readonly endOf: ((bytes: Uint8Array) => number) | undefined;
  read(block: Uint8Array, isFirst: boolean): Omit<HashedBlock, 'rowsBefore'>;
}

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const NOTHING: ReadonlyMap<number, string> = new Map();

/** The blocks of a text, each good until the next is asked for. @throws {Error} where options and text do not fit */
export async function* hashedBlocks(text: ChunkStream, options: FileOptions): AsyncGenerator<HashedBlock> {
  const reader = openReader(options);
  const blocks = new LineBlocks(reader.endOf);
  let rowsBefore = reader.headerCount;
  let isFirst = true;
  const hashed = (block: Uint8Array) => {
    const read = { ...reader.read(block, isFirst), rowsBefore };
    rowsBefore += read.column.length;
    isFirst = false;
    return read;
  };
  for await (const chunk of text) {
    const block = blocks.push(chunk);
    if (block.length > 0) yield hashed(block);
  }
  const rest = blocks.end();
  if (rest.length > 0) yield hashed(rest);
}

function openReader({ rows, column, base, width }: FileOptions): BlockReader {
  const hashing = { width, ...(base === '' ? {} : { base }) };
  if (rows === 'lines') return lineReader(new UrlHasher({ ...hashing, rowBounds: true }));
  if (rows === 'json' && column === '') throw new Error('JSON lines need the name of a field');
  return recordReader(rows === 'csv' ? new CsvReader(column) : new JsonReader(column), new UrlHasher(hashing));
}

function lineReader(hasher: UrlHasher<Width>): BlockReader {
  return {
    headerCount: 0,
    endOf: undefined,
    read(block, isFirst) {
      if (isFirst && isJsonLines(block))
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

/** Are the first two lines both objects? One may stand above a list of URLs. */
function isJsonLines(block: Uint8Array): boolean {
  const first = lineAt(block, 0);
  return objectIn(first) !== undefined && objectIn(lineAt(block, first.length + 1)) !== undefined;
}

function recordReader(records: RecordReader, hasher: UrlHasher<Width>): BlockReader {
  return {
    headerCount: records.headerCount,
    endOf: (bytes) => records.endOf(bytes),
    read(block, isFirst) {
      const header = isFirst ? records.headerOf(block) : undefined;
      const bytes = block.subarray(header?.length ?? 0);
      const { values, ...bounds } = records.read(bytes);
      return { ...bounds, bytes, column: hasher.hashMany(values), header };
    },
  };
}
