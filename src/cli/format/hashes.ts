import type { GrowingBytes } from '../../bytes/growing-bytes.ts';
import type { Kernel, Width } from '../../kernel/index.ts';
import type { Records, RowForm } from '../rows/framing.ts';
import type { AddedName } from '../rows/names.ts';
import type { KeptRows, ResultBatch } from '../stage/stage.ts';
import type { OpenBatchWriter } from './batch.ts';
import { type Format, rowByRow } from './format.ts';
import { addedFields, fits, LineWriter, lineFields, templateOf } from './line-writer.ts';
import { type AddedField, HashInsertion, RecordFormat } from './records.ts';
import { type CanonicalForms, ROW_FORMATS, textOf, writeHex, writeWords } from './row-text.ts';

/** The values of `--format`, with what each writes for a row where that is worth a line of the help. */
export const HASH_FORMATS = {
  text: '',
  hex: '',
  u64: '',
  tsv: 'line, canonical form, hex, profile; \\t \\n \\r and \\\\ escaped',
  ndjson: 'url, canonical, hash, u64 (strings), profile, error',
  bin: '',
  arrow: '',
  parquet: '',
} as const;

export type HashFormatName = keyof typeof HASH_FORMATS;

const DEFAULT_HASH_NAME = 'urlsum';

export interface AddedFields {
  readonly format: HashFormatName;
  /** Whether records gain the canonical form, too. */
  readonly canonical: boolean;
  readonly hashName: string | undefined;
}

/** Names what records gain: the hash, and perhaps the canonical form. */
export function addedNames({ format, canonical, hashName }: AddedFields): AddedName[] {
  const name = hashName ?? DEFAULT_HASH_NAME;
  const form = `${name}_canonical`;
  const remedy = 'choose another name with --hash-name';
  const hash = { column: name, member: name, remedy };
  if (!canonical) return [hash];
  return [hash, { column: hashName === undefined && !isColumnar(format) ? 'canonical' : form, member: form, remedy }];
}

/** The values of flags that choose a format of hashes. */
export interface HashFormatValues {
  readonly format: HashFormatName;
  readonly width: Width;
  /** Whether columns of numbers and booleans are found in records. */
  readonly types: boolean;
  /** Tells the user what a columnar file leaves out. */
  tell(message: string): void;
}

/** What a plan says of rows. */
type HashPlan = RowForm & { readonly kernel: Kernel };

/** @throws where an optional peer dependency is not installed */
export async function openHashFormat(plan: HashPlan, values: HashFormatValues, forms: CanonicalForms): Promise<Format> {
  const { kernel, lineEnd, records } = plan;
  const { format } = values;
  if (isColumnar(format)) return openColumnarFormat(format, plan, values, forms);
  if (records !== undefined) return openRecordFormat(records, plan, format, forms);
  if (format === 'bin') return new PackedHashes();
  const writeRow = ROW_FORMATS[format](forms, lineEnd);
  const fields = lineFields(format, forms.profile);
  const isWritten = kernel.name === 'simd' && fits(templateOf(fields));
  return isWritten ? new LineWriter(kernel, fields, lineEnd, writeRow) : rowByRow(writeRow);
}

/** Records that gain only the hash are written many at once. */
function openRecordFormat(
  records: Records,
  { kernel, added: names }: HashPlan,
  format: HashFormatName,
  forms: CanonicalForms,
): Format {
  const added = addedFieldsOf(names, format, forms);
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

type ColumnarFormatName = 'arrow' | 'parquet';

/** Whether the format has batches of its own, so that one thread must write them all. */
export function isColumnar(format: HashFormatName): format is ColumnarFormatName {
  return format === 'arrow' || format === 'parquet';
}

/** @throws where an optional peer dependency is not installed */
async function openColumnarFormat(
  format: ColumnarFormatName,
  { records, added }: HashPlan,
  { width, types, tell }: HashFormatValues,
  forms: CanonicalForms,
): Promise<Format> {
  const open = await openColumnar(format, width, forms.profile);
  const hasLengths = format === 'parquet';
  if (records === undefined) {
    const { ColumnarLines, LINE_SCHEMA } = await import('./columnar-lines.ts');
    return new ColumnarLines(width, hasLengths, open(LINE_SCHEMA));
  }
  const { ColumnarRecords } = await import('./columnar-records.ts');
  const { openRecordReader } = await import('./record-reader.ts');
  const canonicalOf = added.length > 1 ? (url: string) => textOrNone(forms.formOf(url)) : undefined;
  return new ColumnarRecords({
    reader: await openRecordReader(records),
    width,
    isTyped: types,
    tell,
    hashName: added[0]!.member,
    open,
    hasLengths,
    canonicalOf,
  });
}

function textOrNone(form: ReturnType<CanonicalForms['formOf']>): string | undefined {
  return typeof form === 'string' ? form : undefined;
}

/** @throws where an optional peer dependency is not installed */
async function openColumnar(format: ColumnarFormatName, width: Width, profile: string): Promise<OpenBatchWriter> {
  try {
    if (format === 'arrow') return await (await import('./arrow.ts')).openArrow(width, profile);
    return await (await import('./parquet.ts')).openParquet(width, profile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const name = format === 'arrow' ? 'apache-arrow' : 'hyparquet-writer';
    throw new Error(`--format ${format} needs the package ${name}: npm install ${name}, with --global if urlsum is`, {
      cause: error,
    });
  }
}

function addedFieldsOf(
  [hash, canonical]: readonly AddedName[],
  format: HashFormatName,
  forms: CanonicalForms,
): AddedField[] {
  const field: AddedField = { name: hash!, write: format === 'u64' ? writeWords : writeHex };
  return canonical === undefined ? [field] : [field, canonicalField(canonical, forms)];
}

/** Writes an empty text if there is no canonical form: `--on-error keep` gives invalid rows a hash, too. */
function canonicalField(name: AddedName, { formOf }: CanonicalForms): AddedField {
  return {
    name,
    write(out, { rows }, row, _field, spell) {
      const canonical = formOf(textOf(rows, row));
      out.text(spell(typeof canonical === 'string' ? canonical : ''));
    },
  };
}

/** Writes packed hashes. If all rows of a batch are kept, these are its digests as they are in memory. */
class PackedHashes implements Format {
  write({ rows, digests, width }: ResultBatch, { rows: kept, count }: KeptRows, out: GrowingBytes): void {
    if (count === rows.length) return out.bytes(digests, 0, count * width);
    for (let index = 0; index < count; index++) out.fewBytes(digests, kept[index]! * width, (kept[index]! + 1) * width);
  }
}
