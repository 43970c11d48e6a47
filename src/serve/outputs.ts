import { UrlHasher } from '../bulk/hasher.ts';
import { canonicalForm } from '../safe-browsing/canonicalize.ts';
import { ExpressionHasher } from '../safe-browsing/hasher.ts';
import { profileName } from '../safe-browsing/suffix-list.ts';
import { optionsOfForm } from '../url/options.ts';
import { profileOfForm } from '../url/profile.ts';
import { canonicalColumn } from './canonical-column.ts';
import type { OutputName, ServeOptions } from './options.ts';
import { type Column, eachRow, type Rows } from './rows.ts';
import { TextColumnBuilder } from './text-column.ts';

/** What requests are answered with, under the options of one process. */
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
  if (name === 'expressions') return { name, profile, width, column: expressionColumnOf(options) };
  const hasher = new UrlHasher({ width, ...optionsOfForm(options.form) });
  return { name, profile, width, column: ({ bytes, offsets }) => hasher.hashRows(bytes, offsets) };
}

function profileNameOf({ profile, form }: ServeOptions): string {
  return profile === 'url' ? profileOfForm(form) : profileName(profile);
}

function canonicalColumnOf({ profile, form }: ServeOptions): Output['column'] {
  if (profile === 'url') return (rows) => canonicalColumn(rows, form);
  return (rows) => textColumn(rows, (row) => canonicalForm(row, { profile, mode: 'spec' }));
}

function textColumn(rows: Rows, form: (row: Uint8Array) => unknown): Column {
  const column = new TextColumnBuilder(rows.offsets.length - 1, rows.bytes.length);
  for (const row of eachRow(rows)) {
    const text = form(row);
    if (typeof text === 'string') column.addText(text);
    else column.addInvalid();
  }
  return column.build();
}

function expressionColumnOf({ profile, width }: ServeOptions): Output['column'] {
  if (profile === 'url') throw new RangeError('the profile url has no expressions');
  const hasher = new ExpressionHasher({ profile, width });
  return ({ bytes, offsets }) => hasher.hashRows(bytes, offsets);
}
