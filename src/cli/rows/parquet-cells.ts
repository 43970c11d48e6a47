import { isUtf8 } from 'node:buffer';
import type { ParquetParsers, SchemaElement } from 'hyparquet';

const DAY_MILLISECONDS = 86_400_000;
/** The most milliseconds before or after 1970 that a Date has. */
const DATE_LIMIT = 8.64e15;

/** JSON that is written as it was read: parsing it would lose digits. */
class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Makes texts of what the package would make dates, which have milliseconds alone. */
export const parquetParsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (time) => isoTime(time, 1000n),
  timestampFromMicroseconds: (time) => isoTime(time, 1_000_000n),
  timestampFromNanoseconds: (time) => isoTime(time, 1_000_000_000n),
  dateFromDays: (days) => isoDate(days),
  jsonFromBytes: (bytes) => jsonOf(bytes),
  geometryFromBytes: (bytes) => bytes,
  geographyFromBytes: (bytes) => bytes,
};

/** ISO 8601 in UTC, with as many digits of a second as the unit has. A time that no Date has stays a number. */
function isoTime(time: bigint, unitsPerSecond: bigint): string | bigint {
  const rest = ((time % unitsPerSecond) + unitsPerSecond) % unitsPerSecond;
  const milliseconds = Number((time - rest) / unitsPerSecond) * 1000;
  if (Math.abs(milliseconds) > DATE_LIMIT) return time;
  const digits = String(unitsPerSecond).length - 1;
  return `${new Date(milliseconds).toISOString().slice(0, -'.000Z'.length)}.${String(rest).padStart(digits, '0')}Z`;
}

function isoDate(days: number): string | number {
  const milliseconds = days * DAY_MILLISECONDS;
  if (Math.abs(milliseconds) > DATE_LIMIT) return days;
  return new Date(milliseconds).toISOString().split('T')[0]!;
}

/** What is not JSON is a text. */
function jsonOf(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return undefined;
  const text = Buffer.from(bytes).toString();
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return new JsonText(text.replaceAll(/[\r\n]/g, ' ')); // white space: strings of JSON have no line feed (RFC 8259, 7)
}

/** Returns the function that spells a cell of a column in JSON. A double has a point, so that it stays one. */
export function parquetCellText({ type, logical_type: logical }: SchemaElement): (cell: unknown) => string {
  if (type === 'DOUBLE' || type === 'FLOAT') return (cell) => (typeof cell === 'number' ? doubleText(cell) : 'null');
  if (logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC) return (cell) => jsonText(cell).replace('Z', ''); // a time of day anywhere
  return jsonText;
}

function doubleText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function jsonText(cell: unknown): string {
  if (typeof cell === 'string') return JSON.stringify(cell);
  if (cell === null || cell === undefined) return 'null';
  if (typeof cell === 'bigint' || typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : 'null';
  if (cell instanceof JsonText) return cell.text;
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? 'null' : JSON.stringify(cell);
  if (cell instanceof Uint8Array) return JSON.stringify(Buffer.from(cell).toString(isUtf8(cell) ? 'utf8' : 'hex'));
  if (Array.isArray(cell) || ArrayBuffer.isView(cell))
    return `[${Array.from(cell as ArrayLike<unknown>, jsonText).join(',')}]`;
  const members = Object.entries(cell as object).map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`);
  return `{${members.join(',')}}`;
}
