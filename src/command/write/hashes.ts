import { HEX, LINE, WORDS } from '../../../assembly/lines/layout.ts';
import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { appendHex, hexOfBytes } from '../../core/bytes/hex.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import { wordsOfBytes } from '../../core/digest/digest.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import type { Failure } from '../../core/url/failure.ts';
import { type GroupKey, groupKeyOf } from '../../specs/sites/site.ts';
import type { HashIndexBuilder } from '../../store/hash-index/hash-index-builder.ts';
import { type Batch, givenIn, MALFORMED_RECORD, NULL } from '../read/batch.ts';
import { type AddedName, addedName, type RowForm } from '../read/framing.ts';
import { EMPTY, type Format, type Results, type RowFormat, rowByRow, unitsOf } from '../work/results.ts';
import { fits, LINE_FIELDS, type LineFormatName, lineWriter, templateOf } from './line-writer.ts';
import { type AddedField, RecordFormat } from './records.ts';

/** The uses that a format is fit for. */
interface FormatFacts {
  /** Whether records can be written in it: they gain the hash. */
  readonly forRecords?: boolean;
  /** Whether its rows have fields for what `--add` names. */
  readonly hasGroupKeys?: boolean;
  /** Whether it is not for a terminal. */
  readonly isBinary?: boolean;
}

/** The values of `--format`. */
export const HASH_FORMATS = {
  text: { forRecords: true },
  hex: { forRecords: true },
  u64: { forRecords: true },
  tsv: { hasGroupKeys: true },
  ndjson: { hasGroupKeys: true },
  bin: { isBinary: true },
  line: { forRecords: true },
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

interface AddedFields {
  /** Whether records gain the canonical form, too. */
  readonly canonical: boolean;
  readonly hashName: string | undefined;
  /** The names of other columns that rows gain. */
  readonly add?: readonly GroupKey[];
}

/** Names what records gain: the hash, and perhaps the canonical form and group keys. */
export function addedNames({ canonical, hashName, add = [] }: AddedFields): AddedName[] {
  const groupKeys = add.map((groupKey) => nameOfText(groupKey, hashName));
  return [nameOf(hashName ?? DEFAULT_HASH_NAME), ...(canonical ? [canonicalName(hashName)] : []), ...groupKeys];
}

/** Names the canonical form that records gain. */
export function canonicalName(hashName: string | undefined): AddedName {
  return nameOfText('canonical', hashName);
}

function nameOfText(text: string, hashName = DEFAULT_HASH_NAME): AddedName {
  return nameOf(`${hashName}_${text}`);
}

function nameOf(name: string): AddedName {
  return { column: name, member: name, remedy: 'choose another name with --hash-name' };
}

/** Opens the format of the flags in which a plan writes rows. */
export function openHashFormat(
  { kernel, lineEnd, records, added }: RowForm & { readonly kernel: Kernel },
  { format, add = [] }: { readonly format: HashFormatName; readonly add?: readonly GroupKey[] },
  forms: CanonicalForms,
): Format {
  const names = records === undefined ? add.map((groupKey) => addedName(groupKey)) : added.slice(1);
  const texts = addedTexts(names, add, forms);
  if (records !== undefined) {
    if (format === 'line') return new RecordFormat(records, []);
    const hash = { name: added[0]!, write: format === 'u64' ? writeWords : writeHex };
    return new RecordFormat(records, [hash, ...texts.map(textField)]);
  }
  if (format === 'bin') return PACKED_HASHES;
  const writeRow = ROW_FORMATS[format](forms, lineEnd, texts);
  const fields = LINE_FIELDS[format](forms.profile);
  const isWritten = kernel.name === 'simd' && add.length === 0 && fits(templateOf(fields));
  return isWritten ? lineWriter(kernel, fields, lineEnd, writeRow) : rowByRow(writeRow);
}

/** An invalid row that is kept has a hash, and an empty text for its canonical form. */
function textField({ name, groupKey, of }: AddedText): AddedField {
  const none = groupKey === undefined ? '' : undefined;
  return { name, textOf: ({ batch }, row) => of(textOf(batch, row)) ?? none };
}

/** Writes packed hashes. If all rows of a batch are kept, these are its digests as they are in memory. */
export const PACKED_HASHES: Format = {
  write({ batch, digests, width }, { rows: kept, count }, out) {
    if (count === batch.length) return out.bytes(digests, 0, count * width);
    for (let index = 0; index < count; index++) out.fewBytes(digests, kept[index]! * width, (kept[index]! + 1) * width);
  },
};

/** The pages of an index, all written at the end. */
export function indexPages(builder: HashIndexBuilder): Format {
  return {
    write(results, { rows, count, fields }) {
      const units = unitsOf(results);
      if (results.counts['unicodeHosts'] !== undefined) builder.addUnicodeHosts();
      for (let index = 0; index < count; index++) {
        const row = rows[index]!;
        if (fields[row] !== EMPTY) builder.addAt(units, (row * results.width) / 4);
      }
    },
    *end() {
      yield* builder.pages();
      builder.close();
    },
  };
}

/**
 * Returns the texts that rows gain, by their names: perhaps the canonical form, and then the `groupKeys`, each of the
 * canonical form.
 */
function addedTexts(names: readonly AddedName[], groupKeys: readonly GroupKey[], forms: CanonicalForms): AddedText[] {
  const form = ofLast((url) => formOrNone(forms, url));
  return names.map((name, index) => {
    const groupKey = groupKeys[index - (names.length - groupKeys.length)];
    return { name, groupKey, of: groupKey === undefined ? form : (url) => groupKeyOrNone(groupKey, form(url)) };
  });
}

function formOrNone({ formOf }: CanonicalForms, url: string): string | undefined {
  const form = formOf(url);
  return typeof form === 'string' ? form : undefined;
}

function groupKeyOrNone(groupKey: GroupKey, form: string | undefined): string | undefined {
  return form === undefined ? undefined : (groupKeyOf(groupKey, form) ?? undefined);
}

/** Keeps the last result: several texts of a row need its form. */
function ofLast<T>(compute: (url: string) => T): (url: string) => T {
  let last: { readonly url: string; readonly result: T } | undefined;
  return (url) => {
    if (last?.url !== url) last = { url, result: compute(url) };
    return last.result;
  };
}

/** Bytes of a line that fit in a string of V8 however they are escaped: six characters per byte at most. */
const WHOLE_BYTES = Math.floor((2 ** 29 - 24) / 6);
const CUT_BYTES = 1 << 10;

/** The canonical forms that structured formats show with each hash. */
interface CanonicalForms {
  /** The name of the canonical form. */
  readonly profile: string;
  formOf(url: string): string | Failure;
}

/** A text that rows gain besides their hash. */
interface AddedText {
  readonly name: AddedName;
  /** The part of the form that is the text; undefined for all of it. */
  readonly groupKey: GroupKey | undefined;
  /** Returns the text for a URL, or undefined if there is none. */
  of(url: string): string | undefined;
}

/** The formats of one line per row, by name. */
export const ROW_FORMATS: Readonly<
  Record<LineFormatName, (forms: CanonicalForms, lineEnd: number, texts?: readonly AddedText[]) => RowFormat>
> = {
  text: fieldByField('text'),
  line: fieldByField('line'),
  hex: fieldByField('hex'),
  u64: fieldByField('u64'),
  tsv:
    ({ profile, formOf }, lineEnd, texts = []) =>
    (out, results, row, field) => {
      const line = textOf(results.batch, row);
      const canonical = formOf(line);
      out.text(`${escapeTsv(line)}\t${typeof canonical === 'string' ? escapeTsv(canonical) : ''}\t`);
      if (field !== EMPTY) writeHex(out, results, row);
      out.text(`\t${profile}`);
      for (const { of } of texts) out.text(`\t${escapeTsv(of(line) ?? '')}`);
      out.byte(lineEnd);
    },
  ndjson:
    ({ profile, formOf }, lineEnd, texts = []) =>
    (out, results, row, field) => {
      const url = textOf(results.batch, row);
      const isNull = results.batch.kinds[row] === NULL;
      const canonical = formOf(url);
      const hash = digestOf(results, row);
      const record = {
        url: isNull ? null : url,
        canonical: typeof canonical === 'string' ? canonical : null,
        hash: field === EMPTY ? null : hexOfBytes(hash),
        u64: field === EMPTY ? null : wordsOfBytes(hash).map(String),
        profile,
        ...Object.fromEntries(texts.map(({ name, of }) => [name.column, of(url) ?? null])),
        ...(typeof canonical === 'string' ? {} : { error: isNull ? MALFORMED_RECORD : canonical.reason }),
      };
      out.text(JSON.stringify(record));
      out.byte(lineEnd);
    },
};

/** The fields that need no escapes. That of the hash is empty where the row has none. */
const FIELDS: Readonly<Record<number, RowFormat>> = {
  [HEX](out, results, row, field) {
    if (field !== EMPTY) writeHex(out, results, row);
  },
  [WORDS](out, results, row, field) {
    if (field !== EMPTY) writeWords(out, results, row);
  },
  [LINE](out, { batch: { rows } }, row) {
    out.bytes(rows.bytes, rows.starts[row]!, rows.ends[row]!);
  },
};

function fieldByField(name: LineFormatName) {
  return ({ profile }: CanonicalForms, lineEnd: number): RowFormat => {
    const fields = LINE_FIELDS[name](profile);
    return (out, results, row, field) => {
      for (const each of fields) {
        if (typeof each === 'string') out.text(each);
        else FIELDS[each]!(out, results, row, field);
      }
      out.byte(lineEnd);
    };
  };
}

/** Returns a row's value as text, or all of a malformed row; cut, with an ellipsis, if it may not fit in a string. */
export function textOf(batch: Batch, row: number): string {
  const given = givenIn(batch, row);
  return given.length <= WHOLE_BYTES ? decodeLine(given) : `${decodeLine(given.subarray(0, CUT_BYTES))}…`;
}

export function writeHex(out: GrowingBytes, { digests, width }: Results, row: number): void {
  appendHex(out, digests, row * width, (row + 1) * width);
}

export function writeWords(out: GrowingBytes, results: Results, row: number): void {
  out.text(wordsOfBytes(digestOf(results, row)).join('-'));
}

export function digestOf({ digests, width }: Results, row: number): Uint8Array {
  return digests.subarray(row * width, (row + 1) * width);
}

const TSV_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escapeTsv(line: string): string {
  return line.replace(/[\\\t\n\r]/g, (character) => TSV_ESCAPES[character]!);
}
