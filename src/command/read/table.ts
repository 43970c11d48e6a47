import { LINE_FEED, NUMBER_SIGN, QUOTE, SPACE } from '../../core/bytes/code-points.ts';
import { type Cutter, cutterAfter, withoutRecordEnd } from '../../core/bytes/lines.ts';
import { asciiText, decodeLine } from '../../core/bytes/text.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { counted, quote } from '../../core/quote.ts';
import { type Batch, BatchBuilder, HEADING, OMITTED } from './batch.ts';
import { columnNames, directiveLines } from './directives.ts';
import { type AddedName, type Framing, quotedNames } from './framing.ts';
import { isBlank } from './lines.ts';
import { EVERY, type Field, isRagged, type TableForm, TableRecords, valueOf } from './table-records.ts';
import { mustEndIn } from './text-kind.ts';

/** Excel takes the separator from a first line such as `sep=;`. */
interface NamedSeparator {
  readonly separator: number;
  /** The end of that line. */
  readonly end: number;
}

export interface TableOptions {
  readonly kernel: Kernel;
  /** Whether records of spaces and tabs alone are skipped. */
  readonly skipsBlank: boolean;
  /**
   * The byte that comments begin with. They are left out, but for lines with as many fields as the table that are not
   * before its header.
   */
  readonly comment?: number | undefined;
  /** Whether that byte was asked for: by default a table without quoting has comments before its header alone. */
  readonly isCommentGiven?: boolean | undefined;
  /** Whether the separator was asked for: the first line of an input is not to name another one. */
  readonly isSeparatorGiven?: boolean | undefined;
  /** Whether comments are rows whose value is all of them, however many fields they have. */
  readonly keepsComments?: boolean;
  /** The fields that records gain, and so must not have. */
  readonly added?: readonly AddedName[];
  /** The column that says what the values are, if it is wanted. */
  readonly types?: TypeColumn | undefined;
}

/** A column by its number, from 1, or the first of several names that a header has. */
export interface TypeColumn {
  readonly names: readonly string[];
  /** Whether the table must have it. */
  readonly isRequired: boolean;
}

/** The index of the column, the number of fields of a record if it is known, and what comes before records. */
interface TableState {
  readonly index: number;
  /** The index of the column of types. */
  readonly typeIndex: number | undefined;
  readonly fieldCount: number | undefined;
  /** The place of the header or of the first record, after comments and blank lines. */
  readonly preambleEnd: number;
  readonly header: { readonly start: number; readonly isWritten: boolean } | undefined;
  readonly named: NamedSeparator | undefined;
}

/** The records of a table, one column of which is hashed. `column` is its number, from 1, or its name in the header. */
export class TableFraming implements Framing {
  readonly #form: TableForm;
  readonly #isRagged: boolean;
  readonly #column: string;
  /** The number of the column; undefined if it is a name. */
  readonly #number: number | undefined;
  readonly #options: TableOptions;
  /** The header of the first input that has the column. */
  #header: readonly string[] | undefined;
  /** The comment of an input that names its columns. */
  #namedColumns: string | undefined;
  readonly #builder: BatchBuilder;

  constructor(form: TableForm, column: string, options: TableOptions) {
    this.#form = form;
    this.#isRagged = isRagged(form);
    this.#column = column;
    this.#number = /^[1-9][0-9]*$/.test(column) ? Number(column) : undefined;
    this.#options = options;
    this.#builder = new BatchBuilder(options.kernel);
  }

  cutter(): Cutter {
    return cutterOf(this.#form, this.#options);
  }

  /**
   * Reports a column that an input lacks as one error, not one per record.
   *
   * @throws where the table or its header does not fit the options
   */
  stateOf(block: Uint8Array, before: unknown): TableState {
    if (before === undefined) this.#namedColumns = undefined;
    const state = before === undefined ? this.#firstState(block) : this.#laterState(block, before as TableState);
    this.#mustKeepColumns(block);
    return state;
  }

  #firstState(block: Uint8Array): TableState {
    mustEndIn(LINE_FEED, block);
    const named = separatorIn(this.#form, block, this.#options);
    const state =
      this.#number === undefined
        ? this.#nameState(block, this.#column, named)
        : this.#numberState(block, this.#number, named);
    return { ...state, named };
  }

  *batches(block: Uint8Array, state: unknown): Generator<Batch> {
    const builder = this.#builder;
    const { index, typeIndex, header, named, preambleEnd } = state as TableState;
    let { fieldCount } = state as TableState;
    const records = this.#records(index, named);
    builder.begin(block, named && String.fromCharCode(named.separator));
    while (records.next(block, true)) {
      const { start, end } = records;
      if (!builder.hasRoom(1, end - start)) yield { ...builder.take(), typeIndex };
      const rowEnd = withoutRecordEnd(block, start, end);
      if (start === header?.start) {
        builder.addOther(start, rowEnd, 'header', header.isWritten ? HEADING : OMITTED);
      } else if (end <= (named?.end ?? 0) || this.#isLeftOut(block, records, preambleEnd, fieldCount)) {
        builder.addOther(start, rowEnd, 'comment');
      } else if (this.#options.keepsComments === true && this.#isComment(block, start, preambleEnd)) {
        builder.add(start, rowEnd, start, end);
      } else if ((this.#options.skipsBlank || start < preambleEnd) && isBlank(block, start, rowEnd)) {
        builder.addOther(start, rowEnd, 'blank');
      } else {
        if (records.malformation === undefined) fieldCount ??= this.#wanted(records.fieldCount);
        const isQuotedLate = this.#isQuotedAfterSpace(block, records);
        const problem = problemOf(records, index, fieldCount) ?? (isQuotedLate ? QUOTED_LATE : undefined);
        if (problem !== undefined) builder.addMalformed(start, rowEnd, problem);
        else if (records.isDoubled) builder.addValue(start, rowEnd, valueOf(block, records));
        else builder.add(start, rowEnd, records.fieldStart, records.fieldEnd);
      }
    }
    if (builder.length > 0) yield { ...builder.take(), typeIndex };
  }

  #laterState(block: Uint8Array, { index, typeIndex, fieldCount, named: before }: TableState): TableState {
    const named = before && { ...before, end: 0 };
    const later = { index, typeIndex, header: undefined, named };
    if (fieldCount !== undefined) return { ...later, fieldCount, preambleEnd: 0 };
    return { ...later, ...this.#firstRecord(block, named) };
  }

  #numberState(block: Uint8Array, number: number, named: NamedSeparator | undefined) {
    const { fieldCount, preambleEnd } = this.#firstRecord(block, named);
    if (fieldCount !== undefined && number > fieldCount)
      throw new Error(`it has no column ${this.#column}: its first record has ${counted(fieldCount, 'column')}`);
    return {
      index: number - 1,
      typeIndex: this.#typeIndexIn([], fieldCount),
      fieldCount,
      preambleEnd,
      header: undefined,
    };
  }

  #nameState(block: Uint8Array, name: string, named: NamedSeparator | undefined) {
    const { names, start } = this.#headerIn(block, name, named);
    if (this.#header !== undefined && JSON.stringify(names) !== JSON.stringify(this.#header))
      throw new Error('its header differs from that of the first file');
    const index = names.indexOf(name);
    const last = names.lastIndexOf(name);
    if (index === -1) throw new Error(`it has no column ${quote(name)} but ${quotedNames(names)}`);
    if (last !== index)
      throw new Error(`it has two columns ${quote(name)}: name one by its number, -f ${index + 1} or -f ${last + 1}`);
    for (const { column, remedy } of this.#options.added ?? [])
      if (names.includes(column)) throw new Error(`it already has a column ${quote(column)}: ${remedy}`);
    const isWritten = this.#header === undefined;
    this.#header = names;
    const typeIndex = this.#typeIndexIn(names, names.length);
    return {
      index,
      typeIndex,
      fieldCount: this.#wanted(names.length),
      preambleEnd: start,
      header: { start, isWritten },
    };
  }

  #typeIndexIn(header: readonly string[], fieldCount = Number.POSITIVE_INFINITY): number | undefined {
    const { names = [], isRequired = false } = this.#options.types ?? {};
    const [first = ''] = names;
    const isNumber = isRequired && /^[1-9][0-9]*$/.test(first);
    const index = isNumber ? Number(first) - 1 : header.findIndex((name) => names.includes(name));
    if (index >= 0 && index < fieldCount) return index;
    if (isRequired) throw new Error(`it has no column ${quote(first)} of types`);
    return undefined;
  }

  /**
   * Returns the header. It may come after comments and blank lines, or be a comment: the W3C's, Zeek's, or one that has
   * the column.
   */
  #headerIn(block: Uint8Array, name: string, named: NamedSeparator | undefined) {
    const records = this.#records(EVERY, named);
    while (records.next(block, true)) {
      const { start, end, malformation } = records;
      const rowEnd = withoutRecordEnd(block, start, end);
      if (end <= (named?.end ?? 0) || isBlank(block, start, rowEnd)) continue;
      const isComment = block[start] === this.#options.comment;
      const names = isComment ? this.#namesIn(block.subarray(start, rowEnd)) : undefined;
      if (names !== undefined) return { names, start };
      if (malformation !== undefined && !isComment) throw new Error(`its header is not a record: ${malformation}`);
      const texts = malformation === undefined ? fieldTexts(block, records) : [];
      if (!isComment && records.fields.some((field) => this.#isQuotedAfterSpace(block, field)))
        throw new Error(`its header is not a record: ${SPACE_BEFORE_QUOTE}`);
      if (!isComment || (texts.length > 1 && texts.includes(name))) return { names: texts, start };
    }
    return { names: this.#isRagged ? [] : [''], start: 0 };
  }

  /** A log names its columns again where the program that writes it starts again. @throws where they are others then */
  #mustKeepColumns(block: Uint8Array): void {
    if (this.#namedColumns === undefined) return;
    for (const line of directiveLines(block))
      if (columnNames(line) !== undefined && line !== this.#namedColumns)
        throw new Error(`its columns change at ${line}`);
  }

  /** Returns the number of fields that records must have if one has `fieldCount`. */
  #wanted(fieldCount: number): number | undefined {
    return this.#isRagged ? undefined : fieldCount;
  }

  /**
   * Returns the place of the first record that is not malformed, a comment or blank, and the number of its fields if all
   * have as many. After a comment, blank lines do not count as records.
   */
  #firstRecord(block: Uint8Array, named: NamedSeparator | undefined) {
    const records = this.#records(0, named);
    let hasComment = false;
    while (records.next(block, true)) {
      const { start, end, malformation, fieldCount } = records;
      const rowEnd = withoutRecordEnd(block, start, end);
      if (block[start] === this.#options.comment) {
        this.#namesIn(block.subarray(start, rowEnd));
        hasComment = true;
      } else if (malformation === undefined && end > (named?.end ?? 0)) {
        const isPassedOver = (hasComment || this.#options.skipsBlank) && isBlank(block, start, rowEnd);
        if (!isPassedOver) return { fieldCount: this.#wanted(fieldCount), preambleEnd: start };
      }
    }
    return { fieldCount: undefined, preambleEnd: 0 };
  }

  #records(column: number, named: NamedSeparator | undefined): TableRecords {
    return new TableRecords({ ...this.#form, ...named }, column);
  }

  /** Returns the names in a comment that is a header, and keeps it. */
  #namesIn(comment: Uint8Array): readonly string[] | undefined {
    const line = this.#form.isQuoted || this.#options.comment !== NUMBER_SIGN ? '' : decodeLine(comment);
    const names = columnNames(line);
    if (names !== undefined) this.#namedColumns ??= line;
    return names;
  }

  #isComment(block: Uint8Array, start: number, preambleEnd: number): boolean {
    const mayBe = start < preambleEnd || this.#form.isQuoted || this.#options.isCommentGiven === true;
    return mayBe && block[start] === this.#options.comment;
  }

  /** Whether the record is a comment that is left out; `wanted` is the number of fields of the table. */
  #isLeftOut(block: Uint8Array, records: TableRecords, preambleEnd: number, wanted?: number): boolean {
    const { start, fieldCount, malformation } = records;
    if (this.#options.keepsComments === true || !this.#isComment(block, start, preambleEnd)) return false;
    const isBeforeHeader = start < preambleEnd && this.#number === undefined;
    return isBeforeHeader || malformation !== undefined || fieldCount !== wanted;
  }

  /** Whether a quotation mark comes after spaces: to some readers it opens the field, to others it is text. */
  #isQuotedAfterSpace(block: Uint8Array, { fieldStart, fieldEnd }: Field): boolean {
    if (!this.#form.isQuoted || block[fieldStart] !== SPACE || block[fieldStart - 1] === QUOTE) return false;
    let at = fieldStart;
    while (at < fieldEnd && block[at] === SPACE) at++;
    return at < fieldEnd && block[at] === QUOTE;
  }
}

const SPACE_BEFORE_QUOTE = 'a space comes before an opening quotation mark';
const QUOTED_LATE = `not a record: ${SPACE_BEFORE_QUOTE}`;

/** Returns the values of the fields of a record, EVERY one of which is wanted. */
export function fieldTexts(block: Uint8Array, { fields }: TableRecords): string[] {
  return fields.map((field) => decodeLine(valueOf(block, field)));
}

function cutterOf(form: TableForm, options: TableOptions): Cutter {
  if (!form.isQuoted) return cutterAfter(LINE_FEED);
  let records: TableRecords | undefined;
  return (bytes) => {
    if (records === undefined && mayNameSeparator(bytes)) return 0;
    records ??= new TableRecords({ ...form, ...separatorIn(form, bytes, options) }, 0);
    while (records.next(bytes, false));
    return records.release();
  };
}

const NAMING = 'sep=';
const NAMING_BYTES = NAMING.length + 3;

function separatorIn(form: TableForm, start: Uint8Array, options: TableOptions): NamedSeparator | undefined {
  const text = form.isQuoted ? asciiText(start.subarray(0, NAMING_BYTES)) : '';
  const [line, character] = /^sep=([^\r\n"])\r?\n/.exec(text) ?? [];
  if (line === undefined) return undefined;
  const separator = character!.charCodeAt(0);
  return options.isSeparatorGiven === true && separator !== form.separator
    ? undefined
    : { separator, end: line.length };
}

/** Whether it takes more bytes to tell if a table names its separator. */
function mayNameSeparator(start: Uint8Array): boolean {
  return start.length < NAMING_BYTES && asciiText(start.subarray(0, NAMING.length)) === NAMING.slice(0, start.length);
}

/** Says why a record has no value in the column; undefined if it has one. */
function problemOf({ fieldCount, malformation }: TableRecords, index: number, wanted = fieldCount): string | undefined {
  if (malformation !== undefined) return `not a record: ${malformation}`;
  if (fieldCount === wanted && index < fieldCount) return undefined;
  const found = `it has ${counted(fieldCount, 'column')}`;
  return fieldCount === wanted
    ? `not a record with a column ${index + 1}: ${found}`
    : `not a record of this table: ${found}, not ${wanted}`;
}
