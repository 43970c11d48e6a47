import { NO_MESSAGE, TEXT, TEXT_END } from '../../assembly/layout.ts';
import { batchesOfRows } from '../bulk/index.ts';
import { writeAscii } from '../bytes/ascii.ts';
import { type Column, ListColumn } from '../bytes/column.ts';
import { GrowingBytes, SLACK_BYTES } from '../bytes/growing-bytes.ts';
import { UrlHasher } from '../index.ts';
import { openKernel } from '../kernel/index.ts';
import { NO_PLACE, type PlaceName, placeOf, writePlace } from '../place/index.ts';
import { ExpressionHasher, canonicalForm as lookupForm, profileName } from '../safe-browsing/index.ts';
import { profileOfForm, type UrlForm } from '../url/index.ts';
import type { OutputName, ServeOptions } from './options.ts';

/** Bytes that canonical forms may add to their rows before new memory is needed. */
const SPARE_BYTES = 1 << 16;

/** The rows of one request, in UTF-8. */
export interface Rows {
  readonly bytes: Uint8Array;
  /** One more offset than rows: row r is bytes [offsets[r], offsets[r + 1]). */
  readonly offsets: Uint32Array;
}

/** The largest request in bytes: one row of this size, with every byte escaped, still fits in a string of V8. */
export const BYTE_LIMIT = 1 << 27;

/** The values that requests are answered with, under the options of one process. */
export interface Output {
  readonly name: OutputName;
  /** Names what is computed: it changes whenever any value could. */
  readonly profile: string;
  /** Bytes of each value; a text counts as values of one byte. */
  readonly width: number;
  column(rows: Rows): Column;
}

export function openOutput(options: ServeOptions): Output {
  const { output: name, width } = options;
  const profile = profileNameOf(options);
  if (name === 'profile') return { name, profile, width: 1, column: (rows) => textColumn(rows, () => profile) };
  if (name === 'canonical') return { name, profile, width: 1, column: canonicalColumnOf(options) };
  if (name === 'host' || name === 'site' || name === 'surt')
    return { name, profile, width: 1, column: (rows) => placeColumn(rows, options.form, name) };
  if (name === 'reason') return { name, profile, width: 1, column: reasonColumnOf(options) };
  if (name === 'expressions') return { name, profile, width, column: expressionColumnOf(options) };
  const hasher = new UrlHasher({ width, ...options.form.options });
  return { name, profile, width, column: ({ bytes, offsets }) => hasher.hashRows(bytes, offsets) };
}

function profileNameOf({ profile, form }: ServeOptions): string {
  return profile === 'url' ? profileOfForm(form) : profileName(profile);
}

function canonicalColumnOf({ profile, form }: ServeOptions): Output['column'] {
  if (profile === 'url') return (rows) => canonicalColumn(rows, form);
  return (rows) => textColumn(rows, (row) => lookupForm(row, { profile, mode: 'spec' }));
}

function textColumn({ bytes, offsets }: Rows, form: (row: Uint8Array) => unknown): Column {
  const column = new ListColumn(1, new GrowingBytes(bytes.length + SPARE_BYTES));
  for (let row = 1; row < offsets.length; row++) addForm(column, form(bytes.subarray(offsets[row - 1], offsets[row])));
  return column.take();
}

/** Why rows have no canonical form; those that have one get no value. */
function reasonColumnOf({ profile, form }: ServeOptions): Output['column'] {
  if (profile === 'url') return (rows) => reasonColumn(rows, form);
  return (rows) =>
    textColumn(rows, (row) => {
      const formOrFailure = lookupForm(row, { profile, mode: 'spec' });
      return typeof formOrFailure === 'string' ? undefined : formOrFailure.reason;
    });
}

function reasonColumn({ bytes, offsets }: Rows, form: UrlForm): Column {
  const column = new ListColumn(1);
  for (const { rowCount, invalidRows } of batchesOfRows({ kernel: openKernel(), form }, bytes, offsets)) {
    let next = 0;
    for (let row = 0; row < rowCount; row++) {
      addForm(column, invalidRows[next]?.row === row ? invalidRows[next++]!.reason : undefined);
    }
  }
  return column.take();
}

function expressionColumnOf({ profile, width }: ServeOptions): Output['column'] {
  if (profile === 'url') throw new RangeError('the profile url has no expressions');
  const hasher = new ExpressionHasher({ profile, width });
  return ({ bytes, offsets }) => hasher.hashRows(bytes, offsets);
}

/**
 * Returns the canonical forms of rows. Those that the kernel proves canonical, or rewrites, are copied from its memory:
 * 0.5 s of processor time per million rows, where the parser alone takes 1.7.
 */
function canonicalColumn({ bytes, offsets }: Rows, form: UrlForm): Column {
  const kernel = openKernel();
  const { spans } = kernel.memory;
  const view = new DataView(kernel.memory.bytes.buffer);
  const column = new ListColumn(1, new GrowingBytes(bytes.length + SPARE_BYTES));
  for (const { rowCount, longForms } of batchesOfRows({ kernel, form }, bytes, offsets)) {
    for (let row = 0; row < rowCount; row++) {
      if (spans[2 * row + 1] === NO_MESSAGE) {
        addForm(column, longForms.get(row));
      } else {
        column.values.words(view, spans[2 * row]!, spans[2 * row + 1]!);
        column.endRow();
      }
    }
  }
  return column.take();
}

/** Returns the host, site or SURT of each row. */
function placeColumn({ bytes, offsets }: Rows, form: UrlForm, name: PlaceName): Column {
  const kernel = openKernel();
  const { memory } = kernel;
  const place = new Uint8Array(TEXT_END - TEXT + SLACK_BYTES);
  const view = new DataView(place.buffer);
  const column = new ListColumn(1, new GrowingBytes(bytes.length + SPARE_BYTES));
  for (const { rowCount, longForms } of batchesOfRows({ kernel, form }, bytes, offsets)) {
    for (let row = 0; row < rowCount; row++) {
      const [start, byteLength] = [memory.spans[2 * row]!, memory.spans[2 * row + 1]!];
      if (byteLength === NO_MESSAGE) {
        const long = longForms.get(row);
        addForm(column, long === undefined ? long : placeOf(name, long));
      } else {
        const length = writePlace(name, memory.bytes, start, start + byteLength, place);
        if (length === NO_PLACE) column.endInvalid();
        else {
          column.values.words(view, 0, length);
          column.endRow();
        }
      }
    }
  }
  return column.take();
}

/** Adds a form, and room for what RowBinary reads after it; one that is not a text is the failure to make one. */
function addForm(column: ListColumn, form: unknown): void {
  if (typeof form !== 'string') return column.endInvalid();
  writeAscii(column.values.room(form.length + SLACK_BYTES), column.values.length, form); // canonical forms are ASCII
  column.values.length += form.length;
  column.endRow();
}
