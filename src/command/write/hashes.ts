import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import type { Kernel, Width } from '../../core/kernel/kernel.ts';
import type { PlaceName } from '../../specs/sites/site.ts';
import type { Records, RowForm } from '../read/framing.ts';
import { type AddedName, addedName } from '../read/names.ts';
import type { KeptRows, ResultBatch } from '../work/stage.ts';
import { addedTexts } from './added-texts.ts';
import { type Format, rowByRow } from './format.ts';
import { addedFields, fits, LineWriter, lineFields, templateOf } from './line-writer.ts';
import { type AddedField, HashInsertion, RecordFormat } from './records.ts';
import { type AddedText, type CanonicalForms, ROW_FORMATS, textOf, writeHex, writeWords } from './row-text.ts';

/** What a format is fit for. */
interface FormatFacts {
  /** Whether records can be written in it: they gain the hash. */
  readonly forRecords?: boolean;
  /** Whether its rows have fields for what `--add` names. */
  readonly hasPlaces?: boolean;
  /** Whether it is not for a terminal. */
  readonly isBinary?: boolean;
}

/** The values of `--format`. */
export const HASH_FORMATS = {
  text: { forRecords: true },
  hex: { forRecords: true },
  u64: { forRecords: true },
  tsv: { hasPlaces: true },
  ndjson: { hasPlaces: true },
  bin: { isBinary: true },
} as const satisfies Readonly<Record<string, FormatFacts>>;

export type HashFormatName = keyof typeof HASH_FORMATS;

export function factsOf(format: HashFormatName): FormatFacts {
  return HASH_FORMATS[format];
}

/** Lists the formats that are fit for something, in a message. */
export function formatsFor(fact: keyof FormatFacts): string {
  const names = (Object.keys(HASH_FORMATS) as HashFormatName[]).filter((name) => factsOf(name)[fact]);
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

const DEFAULT_HASH_NAME = 'urlsum';

export interface AddedFields {
  /** Whether records gain the canonical form, too. */
  readonly canonical: boolean;
  readonly hashName: string | undefined;
  /** What else rows gain. */
  readonly add?: readonly PlaceName[];
}

/** Names what records gain: the hash, and perhaps the canonical form and places. */
export function addedNames({ canonical, hashName, add = [] }: AddedFields): AddedName[] {
  const name = hashName ?? DEFAULT_HASH_NAME;
  const form = `${name}_canonical`;
  const remedy = 'choose another name with --hash-name';
  const hash = { column: name, member: name, remedy };
  const column = hashName === undefined ? 'canonical' : form;
  const places = add.map((place) => ({ column: `${name}_${place}`, member: `${name}_${place}`, remedy }));
  return [hash, ...(canonical ? [{ column, member: form, remedy }] : []), ...places];
}

/** The values of flags that choose a format of hashes. */
export interface HashFormatValues {
  readonly format: HashFormatName;
  readonly width: Width;
  readonly add?: readonly PlaceName[];
}

/** What a plan says of rows. */
type HashPlan = RowForm & { readonly kernel: Kernel };

export function openHashFormat(plan: HashPlan, values: HashFormatValues, forms: CanonicalForms): Format {
  const { kernel, lineEnd, records, added } = plan;
  const { format, add = [] } = values;
  const names = records === undefined ? add.map((place) => addedName(place)) : added.slice(1);
  const texts = addedTexts(names, add, forms);
  if (records !== undefined) return openRecordFormat(records, plan, format, texts);
  if (format === 'bin') return new PackedHashes();
  const writeRow = ROW_FORMATS[format](forms, lineEnd, texts);
  const fields = lineFields(format, forms.profile);
  const isWritten = kernel.name === 'simd' && add.length === 0 && fits(templateOf(fields));
  return isWritten ? new LineWriter(kernel, fields, lineEnd, writeRow) : rowByRow(writeRow);
}

/** Records that gain only the hash are written many at once. */
function openRecordFormat(
  records: Records,
  { kernel, added: names }: HashPlan,
  format: HashFormatName,
  texts: readonly AddedText[],
): Format {
  const added = [{ name: names[0]!, write: format === 'u64' ? writeWords : writeHex }, ...texts.map(textField)];
  const { member } = added[0]!.name;
  if (kernel.name !== 'simd' || added.length > 1 || member.length > INSERTED_NAME_LIMIT)
    return new RecordFormat(records, added);
  const name = format === 'u64' ? 'u64' : 'hex';
  const columns = templateOf(addedFields(name, records.delimiter, ''));
  const members = templateOf(addedFields(name, `,"${member}":"`, '"'));
  return new RecordFormat(records, added, new HashInsertion(kernel, columns, members));
}

/** The fields of longer names have no room where many are written at once. */
const INSERTED_NAME_LIMIT = 32;

/** An invalid row that is kept has a hash, and an empty text for its canonical form. */
function textField({ name, place, of }: AddedText): AddedField {
  const none = place === undefined ? '' : undefined;
  return { name, textOf: ({ rows }, row) => of(textOf(rows, row)) ?? none };
}

/** Writes packed hashes. If all rows of a batch are kept, these are its digests as they are in memory. */
class PackedHashes implements Format {
  write({ rows, digests, width }: ResultBatch, { rows: kept, count }: KeptRows, out: GrowingBytes): void {
    if (count === rows.length) return out.bytes(digests, 0, count * width);
    for (let index = 0; index < count; index++) out.fewBytes(digests, kept[index]! * width, (kept[index]! + 1) * width);
  }
}
