import { wordsOfBytes } from '../../digest/words.ts';
import { hasSimd, type Width } from '../../kernel/kernel.ts';
import { kernelName } from '../../kernel/open.ts';
import type { OnError } from '../rows/on-error.ts';
import type { Records } from '../rows/open-framing.ts';
import type { HashedRows } from '../stage/hashes.ts';
import type { OpenBatchWriter } from './batch.ts';
import type { ColumnarRecordsOptions } from './columnar-records.ts';
import { type Format, RowByRow } from './format.ts';
import { fieldTemplate, hasForms, type LineFormatName, templateOf } from './line-template.ts';
import { type AddedField, RecordFormat } from './record-format.ts';
import { bin, type CanonicalForms, digestOf, ROW_FORMATS, textOf, writeHex } from './row-formats.ts';

/** What `--format` takes, and what comes out for each row. */
export const HASH_FORMATS = {
  text: '<hex>  <line as given> (default)',
  hex: '',
  u64: '',
  tsv: 'line, canonical form, hex, profile; \\t \\n \\r and \\\\ escaped',
  ndjson: 'url, canonical, hash, u64 (strings), profile, error',
  bin: '',
  arrow: 'an Arrow IPC stream of url, hash, u64, i64; parquet: the same',
  parquet: '',
} as const;

export type HashFormatName = keyof typeof HASH_FORMATS;

export interface HashFormatOptions {
  readonly format: HashFormatName;
  readonly width: Width;
  readonly lineEnd: number;
  /** Rows that are records, which pass through. */
  readonly records: Records | undefined;
  /** Do records gain the canonical form too? */
  readonly addsCanonical: boolean;
  readonly canonicalForms: CanonicalForms;
  /** How records become columns. */
  readonly columns: Pick<ColumnarRecordsOptions, 'hashName' | 'isTyped' | 'tell'>;
}

/** @throws {MissingPackageError} */
export async function openHashFormat(options: HashFormatOptions): Promise<Format<HashedRows>> {
  const { format, width, lineEnd, records, canonicalForms } = options;
  if (records !== undefined)
    return isColumnar(format) ? openColumnarRecords(format, records, options) : openRecordFormat(records, options);
  if (isColumnar(format)) {
    const { LINE_SCHEMA, LineColumns } = await import('./line-columns.ts');
    const { ColumnarLines } = await import('./columnar-lines.ts');
    const open = await openColumnar(format, width, canonicalForms.profile);
    return new ColumnarLines(new LineColumns(width, format === 'parquet'), open(LINE_SCHEMA));
  }
  if (format === 'bin') return new PackedHashes(bin, lineEnd);
  return openLineFormat(format, options);
}

/** One line per row. */
async function openLineFormat(format: LineFormatName, options: HashFormatOptions): Promise<Format<HashedRows>> {
  const { lineEnd, canonicalForms } = options;
  const rowFormat = ROW_FORMATS[format](canonicalForms);
  const template = templateOf(format, canonicalForms.profile);
  if (!hasSimd(kernelName()) || template === undefined) return new RowByRow(rowFormat, lineEnd);
  const { WholeLines } = await import('./whole-lines.ts');
  return new WholeLines(format, { lineEnd, template, rowFormat });
}

/** Records that gain the hash alone are written many at once. */
async function openRecordFormat(records: Records, options: HashFormatOptions): Promise<Format<HashedRows>> {
  const { format, addsCanonical } = options;
  if (!hasSimd(kernelName()) || addsCanonical) return new RecordFormat(records, fieldsOf(options));
  const { HashInsertion } = await import('./hash-insertion.ts');
  const name = format === 'u64' ? 'u64' : 'hex';
  const columns = fieldTemplate(name, records.delimiter, '');
  const members = fieldTemplate(name, ',"urlsum":"', '"');
  return new RecordFormat(records, fieldsOf(options), new HashInsertion(columns, members));
}

/** Does it take the canonical forms that `HashStage` may keep? */
export function takesForms(format: HashFormatName): boolean {
  return hasSimd(kernelName()) && hasForms(format);
}

type ColumnarFormatName = 'arrow' | 'parquet';

/** Is it written in batches of its own, so that one thread must write them all? */
export function isColumnar(format: HashFormatName): format is ColumnarFormatName {
  return format === 'arrow' || format === 'parquet';
}

/** Records with their own columns. @throws {MissingPackageError} */
async function openColumnarRecords(
  format: ColumnarFormatName,
  records: Records,
  { width, canonicalForms, addsCanonical, columns }: HashFormatOptions,
): Promise<Format<HashedRows>> {
  const { ColumnarRecords } = await import('./columnar-records.ts');
  const { openRecordReader } = await import('./record-reader.ts');
  return new ColumnarRecords({
    reader: await openRecordReader(records),
    width,
    ...columns,
    open: await openColumnar(format, width, canonicalForms.profile),
    hasLengths: format === 'parquet',
    canonicalOf: addsCanonical ? (url) => textOrNone(canonicalForms.formOf(url)) : undefined,
  });
}

function textOrNone(form: ReturnType<CanonicalForms['formOf']>): string | undefined {
  return typeof form === 'string' ? form : undefined;
}

/** @throws {MissingPackageError} */
async function openColumnar(format: ColumnarFormatName, width: Width, profile: string): Promise<OpenBatchWriter> {
  if (format === 'arrow') return (await import('./arrow.ts')).openArrow(width, profile);
  return (await import('./parquet.ts')).openParquet(width, profile);
}

function fieldsOf({ format, addsCanonical, canonicalForms }: HashFormatOptions): AddedField<HashedRows>[] {
  const hash: AddedField<HashedRows> = {
    name: 'urlsum',
    write(out, { column }, row) {
      if (format === 'u64') out.text(wordsOfBytes(digestOf(column, row)).join('-'));
      else writeHex(out, column, row);
    },
  };
  return addsCanonical ? [hash, canonicalField(canonicalForms)] : [hash];
}

/** Empty where there is none: under `--on-error keep`, of a row that has a hash all the same. */
function canonicalField({ formOf }: CanonicalForms): AddedField<HashedRows> {
  return {
    name: 'canonical',
    write(out, { rows }, row, spell) {
      const canonical = formOf(textOf(rows, row));
      out.text(spell(typeof canonical === 'string' ? canonical : ''));
    },
  };
}

/** Packed hashes: a block's are its column, as it lies in memory. */
class PackedHashes extends RowByRow<HashedRows> {
  block({ column, problems }: HashedRows, onError: OnError): Uint8Array | undefined {
    return problems.length === 0 || onError === 'null' || onError === 'keep' ? column.bytes : undefined;
  }
}
