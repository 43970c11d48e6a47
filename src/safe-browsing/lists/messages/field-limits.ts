import { ListError } from '../error.ts';
import { BinaryReader, WireType } from './protobuf.ts';

/** How many of a field a message may have in all, and of the fields inside it. */
export interface FieldLimit {
  /** In the plural, for the error. */
  readonly what: string;
  readonly max: number;
  readonly fields?: FieldLimits;
}

/** By field number. */
export type FieldLimits = Readonly<Record<number, FieldLimit>>;

/**
 * Counts messages inside a message before an object is made of any: an empty one takes two bytes there, and some 600
 * in memory.
 *
 * @throws {ListError} where there are too many
 */
export function mustBeWithin(limits: FieldLimits, bytes: Uint8Array): void {
  count(new BinaryReader(bytes), bytes.length, limits, new Map());
}

function count(reader: BinaryReader, end: number, limits: FieldLimits, counts: Map<FieldLimit, number>): void {
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    const limit = limits[number];
    if (limit === undefined) {
      reader.skip(wireType, number);
      continue;
    }
    const found = (counts.get(limit) ?? 0) + 1;
    if (found > limit.max) throw new ListError('message', 'message', `it has more than ${limit.max} ${limit.what}`);
    counts.set(limit, found);
    const innerEnd = endOfBytes(reader, wireType);
    if (limit.fields !== undefined) count(reader, innerEnd, limit.fields, counts);
    reader.pos = innerEnd;
  }
}

/** Where the bytes end that come next. @throws {ListError} where it is not bytes that come, or they are cut */
function endOfBytes(reader: BinaryReader, wireType: WireType): number {
  if (wireType !== WireType.LengthDelimited)
    throw new ListError('message', 'message', `a message inside it has the wire type ${wireType}`);
  const length = reader.uint32();
  if (length <= reader.len - reader.pos) return reader.pos + length;
  throw new ListError('message', 'message', 'a message inside it is cut');
}
