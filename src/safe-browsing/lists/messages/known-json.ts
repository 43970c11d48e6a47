import { ListError } from '../error.ts';
import { type DescEnum, type DescField, type DescMessage, ScalarType } from './protobuf.ts';

/** 2^64 has 20 digits: `BigInt` takes more than linear time for a million of them. */
const MAX_DIGITS = 40;

const WIDE = [ScalarType.INT64, ScalarType.UINT64, ScalarType.FIXED64];

/**
 * The fields of a message in JSON that its descriptor knows, as the library is to read them. It drops a name from a list
 * of enums that it does not know, and a threat with a new attribute would lose it: such a name becomes 0 here. What is
 * not known is left out without a look at it: it may be deep, or hold itself.
 *
 * @throws {ListError} on a number of too many digits
 */
export function knownJson(descriptor: DescMessage, json: unknown): unknown {
  if (!isRecord(json) || descriptor.typeName.startsWith('google.protobuf.')) return json;
  const known: Record<string, unknown> = {};
  for (const field of descriptor.fields) {
    for (const name of new Set([field.jsonName, field.name])) {
      if (Object.hasOwn(json, name)) known[name] = knownValue(field, json[name]);
    }
  }
  return known;
}

function isRecord(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function knownValue(field: DescField, value: unknown): unknown {
  if (field.fieldKind === 'message') return knownJson(field.message, value);
  if (field.fieldKind === 'scalar') return WIDE.includes(field.scalar) ? wideNumber(field, value) : value;
  if (field.fieldKind !== 'list' || !Array.isArray(value)) return value;
  if (field.listKind === 'message') return value.map((each) => knownJson(field.message, each));
  return field.listKind === 'enum' ? value.map((each) => knownName(field.enum, each)) : value;
}

function wideNumber({ jsonName }: DescField, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_DIGITS) return value;
  throw new ListError('message', 'message', `${jsonName} has ${value.length} characters, which no number has`);
}

function knownName({ values }: DescEnum, value: unknown): unknown {
  return typeof value === 'string' && !values.some(({ name }) => name === value) ? 0 : value;
}
