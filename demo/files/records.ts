import { decodeLine } from '../../src/bytes/utf8.ts';
import { CsvRecords, QUOTE } from '../../src/cli/rows/csv-records.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const RIGHT_BRACE = 0x7d;

/** The rows of a block: row r is [starts[r], ends[r]) of its bytes. */
export interface Records {
  readonly starts: number[];
  readonly ends: number[];
  /** Where the field goes that a record gains. */
  readonly places: number[];
  /** What is hashed of each. */
  readonly values: string[];
  /** Rows that are not records, and why. */
  readonly malformed: Map<number, string>;
}

/** How a file is cut into records. It is for one file, and sees its blocks in order. */
export interface RecordReader {
  /** Rows before the first that is hashed. */
  readonly headerCount: number;
  /** Where the last whole record ends in bytes that begin with one. */
  endOf(bytes: Uint8Array): number;
  /** Takes the header off the first block. @throws {Error} where the column is not there */
  headerOf(block: Uint8Array): Uint8Array | undefined;
  read(block: Uint8Array): Records;
}

/** Not a URL under any base: it stands for the value of what is not a record. */
const NO_URL = 'https://';

function noRecords(): Records {
  return { starts: [], ends: [], places: [], values: [], malformed: new Map() };
}

/** Records of RFC 4180, of which one column is hashed: by its number, from 1, or its name in the header. */
export class CsvReader implements RecordReader {
  readonly headerCount: number;
  readonly #cutter = new CsvRecords(0);
  readonly #column: string;
  #index: number;
  #fieldCount: number | undefined;

  constructor(column: string) {
    const isNumber = /^[1-9][0-9]*$/.test(column);
    this.headerCount = isNumber ? 0 : 1;
    this.#column = column;
    this.#index = isNumber ? Number(column) - 1 : -1;
  }

  endOf(bytes: Uint8Array): number {
    while (this.#cutter.next(bytes, false));
    return this.#cutter.release();
  }

  headerOf(block: Uint8Array): Uint8Array | undefined {
    const { record, fields, malformation } = firstRecord(block);
    if (this.headerCount === 0) return this.#mustHaveColumn(fields.length);
    if (malformation !== undefined) throw new Error(`its header is not a record: ${malformation}`);
    this.#index = fields.indexOf(this.#column);
    this.#fieldCount = fields.length;
    if (this.#index !== -1) return record;
    const problem =
      this.#column === ''
        ? 'CSV needs the name or number of a column; it has'
        : `it has no column ${quoted(this.#column)} but`;
    throw new Error(`${problem} ${listed(fields)}${withSpace(columnsHint(fields))}`);
  }

  read(block: Uint8Array): Records {
    const records = noRecords();
    const scan = new CsvRecords(this.#index);
    while (scan.next(block, true)) {
      const problem = this.#problem(scan);
      if (problem !== undefined) records.malformed.set(records.starts.length, problem);
      records.starts.push(scan.start);
      const end = withoutLineEnd(block, scan.start, scan.end);
      records.ends.push(end);
      records.places.push(end);
      records.values.push(problem === undefined ? unquoted(block.subarray(scan.fieldStart, scan.fieldEnd)) : NO_URL);
    }
    return records;
  }

  #mustHaveColumn(fieldCount: number): undefined {
    if (this.#index < fieldCount || fieldCount === 0) return;
    throw new Error(`it has no column ${this.#index + 1}: its first record has ${columns(fieldCount)}`);
  }

  #problem({ malformation, fieldCount }: CsvRecords): string | undefined {
    if (malformation !== undefined) return `not a record: ${malformation}`;
    this.#fieldCount ??= fieldCount;
    if (fieldCount !== this.#fieldCount)
      return `not a record of this table: it has ${columns(fieldCount)}, not ${this.#fieldCount}`;
    if (this.#index < fieldCount) return undefined;
    return `not a record with a column ${this.#index + 1}: it has ${columns(fieldCount)}`;
  }
}

interface FirstRecord {
  readonly record: Uint8Array;
  /** Their texts; none where it is malformed, or not there. */
  readonly fields: readonly string[];
  readonly malformation: string | undefined;
}

export function firstRecord(block: Uint8Array): FirstRecord {
  const scan = new CsvRecords(0);
  const record = block.subarray(0, scan.next(block, true) ? scan.end : 0);
  const { malformation, fieldCount } = scan;
  const fieldTexts = (_: unknown, index: number) => fieldText(record, index);
  return {
    record,
    fields: malformation === undefined ? Array.from({ length: fieldCount }, fieldTexts) : [],
    malformation,
  };
}

function fieldText(record: Uint8Array, index: number): string {
  const scan = new CsvRecords(index);
  scan.next(record, true);
  return unquoted(record.subarray(scan.fieldStart, scan.fieldEnd));
}

/** Without the quotation marks around it, and with one for each two in it. */
function unquoted(field: Uint8Array): string {
  const text = decodeLine(field);
  return field[0] === QUOTE ? text.slice(1, -1).replaceAll('""', '"') : text;
}

/** What to do where a table has one column: its columns may be parted by another character, or it is none. */
export function columnsHint([only, second]: readonly string[]): string | undefined {
  if (only === undefined || second !== undefined) return undefined;
  const [delimiter] = /[;\t|]/.exec(only) ?? [];
  if (delimiter !== undefined)
    return `Its columns seem to be separated by ${delimiter === '\t' ? 'tabs' : quoted(delimiter)}, not commas: urlsum --delimiter reads such a file.`;
  return /^[a-z][a-z0-9+.-]*:/i.test(only) ? 'If it has one URL per line, choose lines.' : undefined;
}

function withSpace(hint: string | undefined): string {
  return hint === undefined ? '' : `. ${hint}`;
}

/** Of names that a message has room for. */
const LISTED_NAMES = 10;
const NAME_UNITS = 40;

function listed(names: readonly string[]): string {
  const more = names.length > LISTED_NAMES ? ` and ${names.length - LISTED_NAMES} more` : '';
  return `${names.slice(0, LISTED_NAMES).map(quoted).join(', ')}${more}`;
}

function quoted(name: string): string {
  return JSON.stringify(name.length <= NAME_UNITS ? name : `${name.slice(0, NAME_UNITS)}…`);
}

function columns(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}

function withoutLineEnd(bytes: Uint8Array, start: number, end: number): number {
  const feed = end > start && bytes[end - 1] === LINE_FEED ? end - 1 : end;
  return feed > start && bytes[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed;
}

/** One object per line, whose value is a string in the field that `path` names: `a.b` in an object in `a`. */
export class JsonReader implements RecordReader {
  readonly headerCount = 0;
  readonly #path: string;
  readonly #names: readonly string[];

  constructor(path: string) {
    this.#path = path;
    this.#names = path.split('.');
  }

  endOf(bytes: Uint8Array): number {
    return bytes.lastIndexOf(LINE_FEED) + 1;
  }

  headerOf(): undefined {}

  read(block: Uint8Array): Records {
    const records = noRecords();
    for (let start = 0, end: number; start < block.length; start = end + 1) {
      const line = lineAt(block, start);
      end = start + line.length;
      const value = this.#valueOf(line);
      if (value instanceof Error) records.malformed.set(records.starts.length, value.message);
      records.starts.push(start);
      records.ends.push(end);
      records.places.push(block.lastIndexOf(RIGHT_BRACE, end));
      records.values.push(value instanceof Error ? NO_URL : value);
    }
    return records;
  }

  #valueOf(line: Uint8Array): string | Error {
    const object = objectIn(line);
    if (object === undefined) return new Error('not a JSON object');
    let value: unknown = object;
    for (const name of this.#names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    return typeof value === 'string' ? value : new Error(`the object has no string in the field ${quoted(this.#path)}`);
  }
}

/** From `start` to the next line feed, or the end. */
export function lineAt(bytes: Uint8Array, start: number): Uint8Array {
  const feed = bytes.indexOf(LINE_FEED, start);
  return bytes.subarray(start, feed === -1 ? bytes.length : feed);
}

type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a line is. */
export function objectIn(line: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(decodeLine(line));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
