import { NO_MESSAGE, TEXT, TEXT_END } from '../../assembly/layout.ts';
import { batchesOfRows } from '../core/bulk/hash-rows.ts';
import { UrlHasher } from '../core/bulk/hasher.ts';
import { GrowingBytes, SLACK_BYTES } from '../core/bytes/growing-bytes.ts';
import { writeAscii } from '../core/bytes/text.ts';
import { type Column, ListColumn } from '../core/digest/column.ts';
import type { Width } from '../core/kernel/kernel.ts';
import { openKernel } from '../core/kernel/open.ts';
import type { CompiledOptions } from '../core/url/canonicalize.ts';
import type { UrlForm } from '../core/url/options.ts';
import type { DefaultScheme } from '../core/url/parsed-url.ts';
import { profileOfForm } from '../core/url/profile.ts';
import { canonicalForm as lookupForm } from '../specs/safe-browsing/canonicalize.ts';
import { ExpressionHasher } from '../specs/safe-browsing/hasher.ts';
import { profileName } from '../specs/safe-browsing/suffix-list.ts';
import { NO_GROUP_KEY } from '../specs/sites/group-key.ts';
import { type GroupKey, groupKeyOf, writeGroupKey } from '../specs/sites/site.ts';

export const PROFILES = ['url', 'web-risk', 'v5'] as const;
export const WIDTHS = ['8', '16', '32'] as const;

export type ProfileName = (typeof PROFILES)[number];

/** The settings by which rows are read. */
export interface RowReading {
  readonly profile: ProfileName;
  /** Bytes of each hash; 8 of numbers. */
  readonly width: Width;
  readonly form: UrlForm;
  /** The scheme of a URL that lacks one. */
  readonly defaultScheme?: DefaultScheme | undefined;
}

/** Rows in UTF-8. */
export interface Rows {
  readonly bytes: Uint8Array;
  /** One more offset than rows: row r is bytes [offsets[r], offsets[r + 1]). */
  readonly offsets: Uint32Array;
}

/** Makes the values of rows. */
type ColumnOf = (rows: Rows) => Column;

/** An output: a value that a row can become. */
export interface OutputRow {
  /** The layout of values: `width` bytes of a hash, a number, a text, a list of hashes. */
  readonly values: 'digest' | 'uint64' | 'int64' | 'text' | 'digests';
  /** The profiles that have it; the first is the default. */
  readonly profiles: readonly ProfileName[];
  readonly help: string;
  /** Opens it under one of its profiles. */
  readonly open: (reading: RowReading) => ColumnOf;
}

const URL_ONLY: readonly ProfileName[] = ['url'];

/**
 * Every output. DuckDB's functions in Node, and the packages for engines, are made from it.
 */
export const OUTPUTS = {
  hash: { values: 'digest', profiles: URL_ONLY, help: 'the first bytes of the SHA-256 (default)', open: openHashes },
  u64: { values: 'uint64', profiles: URL_ONLY, help: 'the first 8 as an unsigned integer', open: openHashes },
  i64: { values: 'int64', profiles: URL_ONLY, help: 'the same as a signed integer', open: openHashes },
  canonical: { values: 'text', profiles: PROFILES, help: 'the canonical form', open: openForms },
  expressions: {
    values: 'digests',
    profiles: ['v5', 'web-risk'],
    help: 'the hashes that Safe Browsing looks up',
    open: openExpressions,
  },
  profile: { values: 'text', profiles: PROFILES, help: 'the name of the canonical form', open: openProfiles },
  reason: { values: 'text', profiles: PROFILES, help: 'why it is not a URL, in a word', open: openReasons },
  host: { values: 'text', profiles: URL_ONLY, help: 'the host', open: openerOf('host') },
  site: { values: 'text', profiles: URL_ONLY, help: 'the registrable domain', open: openerOf('site') },
  surt: { values: 'text', profiles: URL_ONLY, help: 'the Sort-friendly URI', open: openerOf('surt') },
} as const satisfies Readonly<Record<string, OutputRow>>;

export type OutputName = keyof typeof OUTPUTS;

/** The bytes that canonical forms may add to their rows before new memory is needed. */
const SPARE_BYTES = 1 << 16;

/** The largest request in bytes: one row of this size, with every byte escaped, still fits in a string of V8. */
export const BYTE_LIMIT = 1 << 27;

export interface OutputOptions extends RowReading {
  readonly output: OutputName;
}

/** The values that rows become, under the same options for all. */
export interface Output {
  readonly name: OutputName;
  /** Names what is computed: it changes whenever any value could. */
  readonly profile: string;
  /** Bytes of each value; a text counts as values of one byte. */
  readonly width: number;
  readonly column: ColumnOf;
}

export function openOutput({ output: name, ...reading }: OutputOptions): Output {
  const { values, open }: OutputRow = OUTPUTS[name];
  return { name, profile: fullProfileOf(reading), width: values === 'text' ? 1 : reading.width, column: open(reading) };
}

function fullProfileOf({ profile, form }: RowReading): string {
  return profile === 'url' ? profileOfForm(form) : profileName(profile);
}

function openHashes({ width, form, defaultScheme }: RowReading): ColumnOf {
  const hasher = new UrlHasher({ width, defaultScheme, ...form.options });
  return ({ bytes, offsets }) => hasher.hashRows(bytes, offsets);
}

function openExpressions({ profile, width }: RowReading): ColumnOf {
  if (profile === 'url') throw new RangeError('expressions are those of Safe Browsing');
  const hasher = new ExpressionHasher({ profile, width });
  return ({ bytes, offsets }) => hasher.hashRows(bytes, offsets);
}

function openProfiles(reading: RowReading): ColumnOf {
  const profile = fullProfileOf(reading);
  return (rows) => textColumn(rows, () => profile);
}

function openForms({ profile, form, defaultScheme }: RowReading): ColumnOf {
  if (profile === 'url') return (rows) => canonicalColumn(rows, { form, base: defaultScheme });
  return (rows) => textColumn(rows, (row) => lookupForm(row, { profile, mode: 'spec' }));
}

function openReasons({ profile, form, defaultScheme }: RowReading): ColumnOf {
  if (profile === 'url') return (rows) => reasonColumn(rows, { form, base: defaultScheme });
  return (rows) =>
    textColumn(rows, (row) => {
      const found = lookupForm(row, { profile, mode: 'spec' });
      return typeof found === 'string' ? undefined : found.reason;
    });
}

function openerOf(name: GroupKey): OutputRow['open'] {
  return ({ form, defaultScheme }) =>
    (rows) =>
      groupKeyColumn(rows, { form, base: defaultScheme }, name);
}

/** Makes a column of ASCII texts; a row of which `textOf` makes anything else has no value. */
export function textColumn({ bytes, offsets }: Rows, textOf: (row: Uint8Array, index: number) => unknown): Column {
  const column = new ListColumn(1, new GrowingBytes(bytes.length + SPARE_BYTES));
  for (let row = 0; row < offsets.length - 1; row++)
    addText(column, textOf(bytes.subarray(offsets[row], offsets[row + 1]), row));
  return column.take();
}

function reasonColumn({ bytes, offsets }: Rows, reading: CompiledOptions): Column {
  const column = new ListColumn(1);
  for (const { rowCount, invalidRows } of batchesOfRows({ kernel: openKernel(), ...reading }, bytes, offsets)) {
    let next = 0;
    for (let row = 0; row < rowCount; row++)
      addText(column, invalidRows[next]?.row === row ? invalidRows[next++]!.reason : undefined);
  }
  return column.take();
}

/**
 * Forms that the kernel proves canonical, or rewrites, are copied from its memory: 0.5 s of processor time per million
 * rows, where the parser alone takes 1.7.
 */
function canonicalColumn(rows: Rows, reading: CompiledOptions): Column {
  const view = new DataView(openKernel().memory.bytes.buffer);
  const add = (column: ListColumn, start: number, byteLength: number) => {
    column.values.words(view, start, byteLength);
    column.endRow();
  };
  return columnOfForms(rows, reading, add, (long) => long);
}

function groupKeyColumn(rows: Rows, reading: CompiledOptions, name: GroupKey): Column {
  const { bytes } = openKernel().memory;
  const groupKey = new Uint8Array(TEXT_END - TEXT + SLACK_BYTES);
  const view = new DataView(groupKey.buffer);
  const add = (column: ListColumn, start: number, byteLength: number) => {
    const length = writeGroupKey(name, bytes, start, start + byteLength, groupKey);
    if (length === NO_GROUP_KEY) return column.endInvalid();
    column.values.words(view, 0, length);
    column.endRow();
  };
  return columnOfForms(rows, reading, add, (long) => groupKeyOf(name, long));
}

/** Adds what `add` makes of forms in the kernel's memory, and `ofLong` of those that have no room there. */
function columnOfForms(
  { bytes, offsets }: Rows,
  reading: CompiledOptions,
  add: (column: ListColumn, start: number, byteLength: number) => void,
  ofLong: (form: string) => unknown,
): Column {
  const kernel = openKernel();
  const { spans } = kernel.memory;
  const column = new ListColumn(1, new GrowingBytes(bytes.length + SPARE_BYTES));
  for (const { rowCount, longForms } of batchesOfRows({ kernel, ...reading }, bytes, offsets)) {
    for (let row = 0; row < rowCount; row++) {
      const byteLength = spans[2 * row + 1]!;
      if (byteLength !== NO_MESSAGE) {
        add(column, spans[2 * row]!, byteLength);
      } else {
        const long = longForms.get(row);
        addText(column, long === undefined ? long : ofLong(long));
      }
    }
  }
  return column.take();
}

/** Adds an ASCII text, and room for what RowBinary reads after it; anything else is the lack of a text. */
function addText(column: ListColumn, text: unknown): void {
  if (typeof text !== 'string') return column.endInvalid();
  writeAscii(column.values.room(text.length + SLACK_BYTES), column.values.length, text);
  column.values.length += text.length;
  column.endRow();
}
