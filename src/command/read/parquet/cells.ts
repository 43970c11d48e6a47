import type { ParquetType, SchemaElement, SchemaTree } from 'hyparquet';
import type { GrowingBytes } from '../../../core/bytes/growing-bytes.ts';
import type { FieldType, RecordField, TimeUnit } from '../record-field.ts';
import type { LeafCursor } from './leaf-cursor.ts';
import { isList, isMap } from './schema.ts';

export function fieldOf(node: SchemaTree): RecordField {
  const isNested = node.children.length > 0 || node.element.repetition_type === 'REPEATED';
  return { name: node.element.name, ...(isNested ? { type: 'json' } : fieldTypeOf(node.element)) };
}

/** Returns the type of a leaf. @throws where its values are stored as no such values are */
function fieldTypeOf(element: SchemaElement): FieldType {
  const type = declaredTypeOf(element);
  if (isStored(type, element)) return type;
  throw new Error('a column has no type, or one that is stored in another way');
}

/** Whether values are stored as the format says, with what it takes to spell them. */
function isStored(declared: FieldType, { type, type_length: byteLength }: SchemaElement): boolean {
  const isInteger = type === 'INT32' || type === 'INT64';
  if (declared.type === 'decimal') {
    const { precision, scale } = declared;
    return (isInteger || isBytes(type)) && precision <= MAX_DECIMAL_DIGITS && scale >= 0 && scale <= precision;
  }
  if (declared.type === 'date') return type === 'INT32';
  if (declared.type === 'time') return isInteger && declared.unit !== undefined;
  if (declared.type === 'timestamp') return type === 'INT96' || (type === 'INT64' && declared.unit !== undefined);
  if (declared.type === 'int' || declared.type === 'uint') return [8, 16, 32, 64].includes(declared.bits);
  if (declared.type === 'float')
    return type === 'FLOAT' || type === 'DOUBLE' || (isBytes(type) && byteLength === HALF_BYTES);
  return type === 'BOOLEAN' || isBytes(type);
}

function isBytes(type: ParquetType | undefined): boolean {
  return type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY';
}

const HALF_BYTES = 2;

/** Returns the logical type of a leaf, or the older converted one, or how it is stored. */
function declaredTypeOf(element: SchemaElement): FieldType {
  const { type, type_length: byteLength, logical_type: logical, converted_type: converted } = element;
  if (logical?.type === 'DECIMAL') return { type: 'decimal', precision: logical.precision, scale: logical.scale ?? 0 };
  if (converted === 'DECIMAL')
    return { type: 'decimal', precision: element.precision ?? DECIMAL_DIGITS, scale: element.scale ?? 0 };
  if (logical?.type === 'DATE' || converted === 'DATE') return { type: 'date' };
  if (logical?.type === 'TIME' || logical?.type === 'TIMESTAMP')
    return {
      type: logical.type === 'TIME' ? 'time' : 'timestamp',
      unit: UNITS[logical.unit]!,
      isUtc: logical.isAdjustedToUTC,
    };
  if (converted?.startsWith('TIME'))
    return {
      type: converted.startsWith('TIMESTAMP') ? 'timestamp' : 'time',
      unit: converted.endsWith('MILLIS') ? 'millisecond' : 'microsecond',
      isUtc: true,
    };
  if (type === 'INT96') return { type: 'timestamp', unit: 'nanosecond', isUtc: false };
  if (type === 'INT32' || type === 'INT64') return integerOf(element);
  if (type === 'BOOLEAN') return { type: 'boolean' };
  if (type === 'FLOAT' || logical?.type === 'FLOAT16') return { type: 'float', bits: 32 };
  if (type === 'DOUBLE') return { type: 'float', bits: 64 };
  if (type === 'FIXED_LEN_BYTE_ARRAY') return { type: 'bytes', byteLength, isUuid: logical?.type === 'UUID' };
  if (logical?.type === 'JSON' || converted === 'JSON') return { type: 'json' };
  const isText = ['STRING', 'ENUM', 'UTF8'].includes(logical?.type ?? converted ?? '');
  return isText ? { type: 'string' } : { type: 'bytes', byteLength: undefined, isUuid: false };
}

const DECIMAL_DIGITS = 38;
/** More are in no format that has decimals. */
const MAX_DECIMAL_DIGITS = 76;
const UNITS: Readonly<Record<string, TimeUnit>> = { MILLIS: 'millisecond', MICROS: 'microsecond', NANOS: 'nanosecond' };

function integerOf({ type, logical_type: logical, converted_type: converted }: SchemaElement): FieldType {
  if (logical?.type === 'INTEGER')
    return { type: logical.isSigned ? 'int' : 'uint', bits: logical.bitWidth as 8 | 16 | 32 | 64 };
  const [, unsigned, bits] = /^(U?)INT_(\d+)$/.exec(converted ?? '') ?? ['', '', type === 'INT32' ? '32' : '64'];
  return { type: unsigned === 'U' ? 'uint' : 'int', bits: Number(bits) as 8 | 16 | 32 | 64 };
}

/**
 * Returns the function that writes the next cell of a column as the member of a record, spelled as record-field.ts
 * says, and moves its leaves past it.
 */
export function cellWriter(node: SchemaTree, leaves: readonly LeafCursor[]): (out: GrowingBytes) => void {
  const field = fieldOf(node);
  const [leaf] = leaves;
  if (leaf!.leaf.node !== node || leaf!.leaf.maxRepetition > 0) {
    const { textOf } = nodeReader(node, leaves, TOP);
    return (out) => {
      out.text(textOf());
      if (leaves.some(({ repetition }) => repetition > 0)) throw new Error('it is damaged: lists have no common end');
    };
  }
  const textOf = leafWriter(field, false);
  return (out) => {
    const cell = leaf!.value;
    leaf!.pass();
    if (cell === null) out.text('null');
    else if (field.type === 'string') writeString(out, cell as Uint8Array);
    else out.text(textOf(cell));
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Writes bytes as a string of JSON: those that are not UTF-8 stay as they are. */
function writeString(out: GrowingBytes, bytes: Uint8Array): void {
  const room = out.room(6 * bytes.length + 2);
  let to = out.length;
  room[to++] = QUOTE;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) {
      room[to++] = byte;
    } else {
      const escaped = JSON.stringify(String.fromCharCode(byte));
      for (let index = 1; index < escaped.length - 1; index++) room[to++] = escaped.charCodeAt(index);
    }
  }
  room[to++] = QUOTE;
  out.length = to;
}

/** Reads the next entries of some leaves, in which a node has one value, and spells it in JSON. */
interface NodeReader {
  readonly leaves: readonly LeafCursor[];
  readonly textOf: () => string;
}

/** The levels at which a node has a value, and another one in the same list. */
interface Levels {
  readonly definition: number;
  readonly repetition: number;
}

const TOP: Levels = { definition: 0, repetition: 0 };

function levelsIn({ definition, repetition }: Levels, { element: { repetition_type: type } }: SchemaTree): Levels {
  return {
    definition: definition + (type === 'REQUIRED' ? 0 : 1),
    repetition: repetition + (type === 'REPEATED' ? 1 : 0),
  };
}

/** Lists are arrays; structs and maps with text keys are objects. */
function nodeReader(node: SchemaTree, all: readonly LeafCursor[], above: Levels): NodeReader {
  const levels = levelsIn(above, node);
  const reader = valueReader(node, all, levels);
  const { leaves, textOf } = reader;
  if (node.element.repetition_type === 'REPEATED') return listReader(reader, levels);
  if (levels.definition === above.definition || node.children.length === 0) return reader;
  return { leaves, textOf: () => (leaves[0]!.definition < levels.definition ? passed(leaves, 'null') : textOf()) };
}

/** Reads a node that has a value, or is a leaf. */
function valueReader(node: SchemaTree, all: readonly LeafCursor[], levels: Levels): NodeReader {
  const [child] = node.children;
  if (child === undefined) return leafReader(node, all);
  if (isList(node)) return listReader(elementReader(child, all, levels), levelsIn(levels, child));
  if (isMap(node)) return mapReader(child, all, levelsIn(levels, child));
  const readers = node.children.map((each) => nodeReader(each, all, levels));
  const members = readers.map(({ textOf }, index) => {
    const head = `${JSON.stringify(node.children[index]!.element.name)}:`;
    return () => head + textOf();
  });
  return { leaves: leavesOf(readers), textOf: () => `{${members.map((member) => member()).join(',')}}` };
}

function leafReader(node: SchemaTree, all: readonly LeafCursor[]): NodeReader {
  const leaf = all.find((each) => each.leaf.node === node)!;
  const textOf = leafWriter(fieldTypeOf(node.element), true);
  return {
    leaves: [leaf],
    textOf() {
      const { value } = leaf;
      leaf.pass();
      return value === null ? 'null' : textOf(value);
    },
  };
}

/** The elements of a list are in its repeated field, or are that field. */
function elementReader(repeated: SchemaTree, all: readonly LeafCursor[], above: Levels): NodeReader {
  const levels = levelsIn(above, repeated);
  const [element] = repeated.children;
  return element === undefined ? leafReader(repeated, all) : nodeReader(element, all, levels);
}

function listReader(element: NodeReader, levels: Levels): NodeReader {
  const textsOf = repeatedTexts(element, levels);
  return { leaves: element.leaves, textOf: () => `[${textsOf().join(',')}]` };
}

/** Returns the function that spells all values of a repeated node. */
function repeatedTexts({ leaves, textOf }: NodeReader, { definition, repetition }: Levels): () => string[] {
  const first = leaves[0]!;
  return () => {
    if (first.definition < definition) return passed(leaves, []);
    const texts = [textOf()];
    while (first.repetition >= repetition) texts.push(textOf());
    return texts;
  };
}

function mapReader(entries: SchemaTree, all: readonly LeafCursor[], levels: Levels): NodeReader {
  const [key, value] = entries.children.map((node) => nodeReader(node, all, levels));
  const hasTextKeys = fieldOf(entries.children[0]!).type === 'string';
  const leaves = [...key!.leaves, ...(value?.leaves ?? [])];
  const textOf = () => {
    const [name, text] = [key!.textOf(), value?.textOf() ?? 'null'];
    if (hasTextKeys && name === 'null') throw new Error('it is damaged: a map has a key that is null');
    return hasTextKeys ? `${name}:${text}` : `{"key":${name},"value":${text}}`;
  };
  const textsOf = repeatedTexts({ leaves, textOf }, levels);
  return { leaves, textOf: () => (hasTextKeys ? `{${textsOf().join(',')}}` : `[${textsOf().join(',')}]`) };
}

/** Moves the leaves past an entry without a value. */
function passed<T>(leaves: readonly LeafCursor[], result: T): T {
  for (const leaf of leaves) leaf.pass();
  return result;
}

function leavesOf(readers: readonly NodeReader[]): LeafCursor[] {
  return readers.flatMap(({ leaves }) => leaves);
}

type TextOf = (cell: unknown) => string;

/** Spells a value. In nested columns, which are JSON, times are in ISO 8601. */
function leafWriter(type: FieldType, isInner: boolean): TextOf {
  if (type.type === 'string') return (cell) => JSON.stringify(textOfBytes(cell));
  if (type.type === 'json') return jsonText;
  if (type.type === 'boolean') return String;
  if (type.type === 'float') return floatText;
  if (type.type === 'decimal') return (cell) => decimalText(integerIn(cell), type.scale);
  if (type.type === 'uint') return (cell) => String(BigInt.asUintN(type.bits, BigInt(cell as number)));
  if (type.type === 'bytes') return (cell) => JSON.stringify(Buffer.from(cell as Uint8Array).toString('base64'));
  if (isInner && type.type === 'date')
    return (cell) => isoTime(86_400n * BigInt(cell as number), 0).replace(/T.*"/, '"');
  if (isInner && type.type === 'timestamp')
    return (cell) => isoTime(cell as bigint, DIGITS[type.unit]).replace('Z', type.isUtc ? 'Z' : '');
  return String;
}

function textOfBytes(cell: unknown): string {
  return Buffer.from(cell as Uint8Array).toString();
}

/** A column of JSON may hold what is none: that is a string. Its line feeds are white space (RFC 8259, section 7). */
function jsonText(cell: unknown): string {
  const text = textOfBytes(cell);
  try {
    JSON.parse(text);
  } catch {
    return JSON.stringify(text);
  }
  return text.replaceAll(/[\r\n]/g, ' ');
}

function floatText(cell: unknown): string {
  const value = cell instanceof Uint8Array ? halfFloat(cell) : (cell as number);
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return `"${value}"`;
}

/** IEEE 754, binary16, the lower byte first. */
function halfFloat([low = 0, high = 0]: Uint8Array): number {
  const [exponent, fraction] = [(high >> 2) & 31, ((high & 3) << 8) | low];
  const size = exponent === 0 ? fraction / 2 ** 24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  const value = exponent < 31 ? size : fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  return high < 128 ? value : -value;
}

/** Decimals are integers, or bytes of one, the highest first, in two's complement. */
function integerIn(cell: unknown): bigint {
  if (!(cell instanceof Uint8Array)) return BigInt(cell as number | bigint);
  if (cell.length > DECIMAL_BYTES) throw new Error('a decimal has too many digits');
  return cell.length === 0 ? 0n : BigInt.asIntN(8 * cell.length, BigInt(`0x${Buffer.from(cell).toString('hex')}`));
}

/** Of MAX_DECIMAL_DIGITS. */
const DECIMAL_BYTES = 32;

function decimalText(units: bigint, scale: number): string {
  if (scale === 0) return String(units);
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const DIGITS: Readonly<Record<TimeUnit, number>> = { millisecond: 3, microsecond: 6, nanosecond: 9 };
/** The most milliseconds before or after 1970 that a Date has. */
const DATE_LIMIT = 8.64e15;

/** ISO 8601 in UTC, with `digits` digits of a second. A time that no Date has stays a number. */
function isoTime(units: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const rest = ((units % perSecond) + perSecond) % perSecond;
  const milliseconds = Number((units - rest) / perSecond) * 1000;
  if (Math.abs(milliseconds) > DATE_LIMIT) return String(units);
  const fraction = digits === 0 ? '' : `.${String(rest).padStart(digits, '0')}`;
  return `"${new Date(milliseconds).toISOString().slice(0, -'.000Z'.length)}${fraction}Z"`;
}
