import type { FileHandle } from 'node:fs/promises';
import type { Cutter } from '../../core/bytes/lines.ts';
import { quote } from '../../core/quote.ts';
import type { Batch } from './batch.ts';

/** A block of whole rows, with the framing's state for it. */
export interface Block {
  readonly block: Uint8Array;
  readonly state: unknown;
}

/** A file that is opened once, when it is first asked for. */
export interface NamedFile {
  readonly name: string;
  opened(): Promise<FileHandle>;
}

/** Rules by which an input is cut into rows: lines, text between NULs, records of a table, JSON lines, CDX, logs. */
export interface Framing {
  /** Yields the blocks of a file that is read in a way of its own; `count` is told of bytes that were read. */
  blocksOf?(input: NamedFile, count: (byteLength: number) => void): AsyncIterable<Block>;
  /** Makes the text that is cut into rows of the text of an input, which may then be markup. */
  transform?(text: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Returns the cutter of one input. */
  cutter(): Cutter;
  /**
   * Returns the state that `batches` needs with a block: plain data, for threads that have not seen the blocks before.
   * `before` is the state of the block before it in the same input.
   *
   * @throws where the first block does not fit
   */
  stateOf?(block: Uint8Array, before: unknown): unknown;
  /** Yields the rows of a block of whole rows, the last of which may lack its line end. */
  batches(block: Uint8Array, state: unknown): Iterable<Batch>;
}

/** The form of rows that are records. They pass through and gain the results. */
export interface Records {
  readonly kind: 'csv' | 'delimited' | 'json' | 'cdx' | 'log';
  readonly delimiter: string;
  /** The column of a table, by number from 1 or by name; or the dotted path of a JSON field. */
  readonly column: string;
}

/** The form of rows, in the input and in the output. */
export interface RowForm {
  /** Line feed or NUL. */
  readonly lineEnd: number;
  /** The form of rows that are records, which pass through; undefined if each line is a value. */
  readonly records: Records | undefined;
  /** The fields that records gain, and so must not have. */
  readonly added: readonly AddedName[];
}

/** A field that records gain: the name of its column in a header, and of its member in a JSON object. */
export interface AddedName {
  readonly column: string;
  readonly member: string;
  /** The advice where records have such a field already. */
  readonly remedy: string;
}

/** Names a field that is not the hash. */
export function addedName(name: string, remedy = 'rename that one'): AddedName {
  return { column: name, member: `urlsum_${name}`, remedy };
}

/** A Buffer finds bytes and makes strings several times as fast as what else does. */
export function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, length);
}

/** Names that a message lists at most. */
const LISTED_LIMIT = 100;

/** Lists names in a message. */
export function quotedNames(names: readonly string[]): string {
  const listed = names.slice(0, LISTED_LIMIT).map((name) => quote(name));
  return [...listed, ...(names.length > LISTED_LIMIT ? ['…'] : [])].join(', ');
}
