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
import { NO_PLACE, type PlaceName, placeOf, writePlace } from '../specs/sites/site.ts';

export const PROFILES = ['url', 'web-risk', 'v5'] as const;
export const WIDTHS = ['8', '16', '32'] as const;

export type ProfileName = (typeof PROFILES)[number];

/** What a row can become. */
export interface OutputRow {
  /** How the values are laid out: `width` bytes of a hash, a number, a text, a list of hashes. */
  readonly values: 'digest' | 'uint64' | 'int64' | 'text' | 'digests';
  /** Those that have it; the first is the default. */
  readonly profiles: readonly ProfileName[];
  /** Whether `frames` has it. */
  readonly isFramed: boolean;
  readonly help: string;
}

const URL_ONLY: readonly ProfileName[] = ['url'];

/**
 * Every output, in the order of their codes in the greeting of `frames`. DuckDB's functions in Node, and the packages for
 * engines, are made from it.
 */
export const OUTPUTS = {
  hash: {
    values: 'digest',
    profiles: URL_ONLY,
    isFramed: true,
    help: 'the first bytes of the SHA-256 (default)',
  },
  u64: { values: 'uint64', profiles: URL_ONLY, isFramed: true, help: 'the first 8 as an unsigned integer' },
  i64: { values: 'int64', profiles: URL_ONLY, isFramed: true, help: 'the same as a signed integer' },
  canonical: { values: 'text', profiles: PROFILES, isFramed: true, help: 'the canonical form' },
  expressions: {
    values: 'digests',
    profiles: ['v5', 'web-risk'],
    isFramed: true,
    help: 'the hashes that Safe Browsing looks up',
  },
  profile: {
    values: 'text',
    profiles: PROFILES,
    isFramed: false,
    help: 'the name of the canonical form (rowbinary)',
  },
  reason: { values: 'text', profiles: PROFILES, isFramed: true, help: 'why it is not a URL, in a word' },
  host: { values: 'text', profiles: URL_ONLY, isFramed: true, help: 'the host' },
  site: { values: 'text', profiles: URL_ONLY, isFramed: true, help: 'the registrable domain' },
  surt: { values: 'text', profiles: URL_ONLY, isFramed: true, help: 'the Sort-friendly URI' },
} as const satisfies Readonly<Record<string, OutputRow>>;

export type OutputName = keyof typeof OUTPUTS;

/** Bytes that canonical forms may add to their rows before new memory is needed. */
const SPARE_BYTES = 1 << 16;

/** Rows in UTF-8. */
export interface Rows {
  readonly bytes: Uint8Array;
  /** One more offset than rows: row r is bytes [offsets[r], offsets[r + 1]). */
  readonly offsets: Uint32Array;
}

/** The largest request in bytes: one row of this size, with every byte escaped, still fits in a string of V8. */
export const BYTE_LIMIT = 1 << 27;

export interface OutputOptions {
  readonly output: OutputName;
  readonly profile: ProfileName;
  /** Bytes of each hash; 8 of numbers. */
  readonly width: Width;
  readonly form: UrlForm;
  /** What a URL gets that lacks a scheme. */
  readonly defaultScheme?: DefaultScheme | undefined;
}

/** The values that rows become, under the same options for all. */
export interface Output {
  readonly name: OutputName;
  /** Names what is computed: it changes whenever any value could. */
  readonly profile: string;
  /** Bytes of each value; a text counts as values of one byte. */
  readonly width: number;
  column(rows: Rows): Column;
}

export function openOutput(options: OutputOptions): Output {
  const { output: name, width, form } = options;
  const profile = options.profile === 'url' ? profileOfForm(form) : profileName(options.profile);
  const column = name === 'profile' ? (rows: Rows) => textColumn(rows, () => profile) : columnOf(options);
  return { name, profile, width: OUTPUTS[name].values === 'text' ? 1 : width, column };
}

/** Rows have a canonical form, or a reason why they have none: an output of one has no value for the others. */
function columnOf({ output, profile, form, defaultScheme, width }: OutputOptions): Output['column'] {
  const reading: CompiledOptions = { form, base: defaultScheme };
  if (output === 'host' || output === 'site' || output === 'surt') return (rows) => placeColumn(rows, reading, output);
  if (profile === 'url') {
    if (output === 'canonical') return (rows) => canonicalColumn(rows, reading);
    if (output === 'reason') return (rows) => reasonColumn(rows, reading);
    const hasher = new UrlHasher({ width, defaultScheme, ...form.options });
    return ({ bytes, offsets }) => hasher.hashRows(bytes, offsets);
  }
  const formOf = (row: Uint8Array) => lookupForm(row, { profile, mode: 'spec' });
  if (output === 'canonical') return (rows) => textColumn(rows, formOf);
  if (output === 'reason')
    return (rows) =>
      textColumn(rows, (row) => {
        const found = formOf(row);
        return typeof found === 'string' ? undefined : found.reason;
      });
  const hasher = new ExpressionHasher({ profile, width });
  return ({ bytes, offsets }) => hasher.hashRows(bytes, offsets);
}

function textColumn({ bytes, offsets }: Rows, textOf: (row: Uint8Array) => unknown): Column {
  const column = new ListColumn(1, new GrowingBytes(bytes.length + SPARE_BYTES));
  for (let row = 1; row < offsets.length; row++)
    addText(column, textOf(bytes.subarray(offsets[row - 1], offsets[row])));
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

function placeColumn(rows: Rows, reading: CompiledOptions, name: PlaceName): Column {
  const { bytes } = openKernel().memory;
  const place = new Uint8Array(TEXT_END - TEXT + SLACK_BYTES);
  const view = new DataView(place.buffer);
  const add = (column: ListColumn, start: number, byteLength: number) => {
    const length = writePlace(name, bytes, start, start + byteLength, place);
    if (length === NO_PLACE) return column.endInvalid();
    column.values.words(view, 0, length);
    column.endRow();
  };
  return columnOfForms(rows, reading, add, (long) => placeOf(name, long));
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
