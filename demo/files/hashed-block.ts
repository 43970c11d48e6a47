import { ROW_CAPACITY } from '../../assembly/layout.ts';
import { givenIn, HEADING, MALFORMED_RECORD, type RowProblem } from '../../src/command/read/batch.ts';
import { type Framing, quotedNames, type Records } from '../../src/command/read/framing.ts';
import { jsonLines } from '../../src/command/read/json-lines.ts';
import { linesEndingIn } from '../../src/command/read/lines.ts';
import { fieldTexts, TableFraming } from '../../src/command/read/table.ts';
import { CSV, EVERY, TableRecords } from '../../src/command/read/table-records.ts';
import { isJsonLines, isLinesOfUrls } from '../../src/command/read/text-kind.ts';
import {
  BlockReport,
  type Format,
  keepRows,
  type Results,
  rowByRow,
  type Stage,
} from '../../src/command/work/results.ts';
import { hashStage } from '../../src/command/work/urls.ts';
import { PACKED_HASHES, ROW_FORMATS, writeHex } from '../../src/command/write/hashes.ts';
import { RecordFormat } from '../../src/command/write/records.ts';
import { checkedOptions } from '../../src/core/bulk/hasher.ts';
import { LINE_FEED } from '../../src/core/bytes/code-points.ts';
import { GrowingBytes } from '../../src/core/bytes/growing-bytes.ts';
import { LineBlocks } from '../../src/core/bytes/lines.ts';
import { decodeLine } from '../../src/core/bytes/text.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { canonicalForm } from '../../src/core/url/canonicalize.ts';
import { failure, type UrlReason } from '../../src/core/url/failure.ts';
import { profileOfForm } from '../../src/core/url/profile.ts';
import { formOptions } from '../form.ts';
import type { FileOptions } from '../state.ts';
import type { ChunkStream } from './chunks.ts';
import type { BadRow } from './message.ts';

/** The name of the field that records gain. */
const HASH = { column: 'urlsum', member: 'urlsum', remedy: 'the command names the hash by --hash-name' };

/** A block of whole rows, and the output that the command has for them. */
export interface HashedBlock {
  readonly block: Uint8Array;
  readonly report: BlockReport;
  readonly output: Uint8Array<ArrayBuffer>;
  /** The output of each of the first rows. */
  readonly shownRows: readonly ShownRow[];
  /** The rows without a hash that are shown. */
  readonly badRows: readonly BadRow[];
}

interface ShownRow {
  /** The number of the row in the file, from 1. */
  readonly number: number;
  readonly isHeading: boolean;
  readonly output: Uint8Array;
}

/** The longest part of a bad row that is shown, in UTF-16 units. */
const SHOWN_UNITS = 300;

/**
 * Yields the blocks of a text, each valid until the next is asked for.
 *
 * @param shown the numbers of rows that are shown: the first ones, and of those without a hash
 * @throws {Error} where options and text do not fit
 */
export async function* hashedBlocks(
  text: ChunkStream,
  options: FileOptions,
  shown: { readonly rows: number; readonly badRows: number },
): AsyncGenerator<HashedBlock> {
  const work = workOn(options);
  const blocks = new LineBlocks(work.framing.cutter());
  let [rowsBefore, state]: [number, unknown] = [0, undefined];
  let isFirst = true;
  const hashed = (block: Uint8Array): HashedBlock => {
    if (isFirst) mustFit(block, options);
    isFirst = false;
    state = work.framing.stateOf?.(block, state);
    const hashed = hashedBlock(work, block, state, rowsBefore, shown);
    rowsBefore += hashed.report.recordCount;
    return hashed;
  };
  for await (const chunk of text) {
    const block = blocks.push(chunk);
    if (block.length > 0) yield hashed(block);
  }
  const rest = blocks.end();
  if (rest.length > 0) yield hashed(rest);
}

interface FileWork {
  readonly framing: Framing;
  readonly stage: Stage;
  readonly format: Format;
}

function workOn(options: FileOptions): FileWork {
  const { rows, column, format, base, width } = options;
  if (rows === 'json' && column === '') throw new Error('JSON lines need the name of a field');
  const hashing = checkedOptions({ width, ...formOptions(options), ...(base === '' ? {} : { base }) });
  const { kernel, form } = hashing;
  const stage = hashStage(hashing, 'null');
  if (rows !== 'lines') {
    const records: Records = { kind: rows, delimiter: ',', column };
    return {
      framing: recordsOf(kernel, options),
      stage,
      format: new RecordFormat(records, [{ name: HASH, write: writeHex }]),
    };
  }
  const forms = { profile: profileOfForm(form), formOf: (url: string) => canonicalForm(url, hashing.base, form) };
  const framing = linesEndingIn({ lineEnd: LINE_FEED, skipsBlank: false, kernel });
  return {
    framing,
    stage,
    format: format === 'bin' ? PACKED_HASHES : rowByRow(ROW_FORMATS[format](forms, LINE_FEED)),
  };
}

function recordsOf(kernel: Kernel, { rows, column }: FileOptions): Framing {
  if (rows === 'json') return jsonLines(kernel, column, false, [HASH]);
  return new TableFraming(CSV, column, {
    kernel,
    skipsBlank: false,
    comment: 0x23,
    keepsComments: false,
    added: [HASH],
  });
}

/** @throws {Error} where the first block is not what the options read */
function mustFit(block: Uint8Array, { rows, column }: FileOptions): void {
  if (rows === 'lines' && isJsonLines(block) === true)
    throw new Error('it is JSON lines, not one URL per line; choose JSON lines, and a field');
  if (rows === 'lines') isLinesOfUrls(block, LINE_FEED, false);
  if (rows === 'csv' && column === '')
    throw new Error(`CSV needs the name or number of a column; it has ${quotedNames(firstFields(block))}`);
}

function hashedBlock(
  { framing, stage, format }: FileWork,
  block: Uint8Array,
  state: unknown,
  rowsBefore: number,
  shown: { readonly rows: number; readonly badRows: number },
): HashedBlock {
  const report = new BlockReport(block.length);
  const [out, rowOut] = [new GrowingBytes(), new GrowingBytes()];
  const [shownRows, badRows]: [ShownRow[], BadRow[]] = [[], []];
  const kept = { rows: new Uint32Array(ROW_CAPACITY), count: 0, fields: new Uint8Array(ROW_CAPACITY) };
  for (const batch of framing.batches(block, state)) {
    const results = stage(batch, 0);
    keepRows(results, 'null', kept);
    const firstNumber = rowsBefore + batch.firstNumber + 1;
    for (let index = 0; index < kept.count && shownRows.length < shown.rows; index++) {
      const row = kept.rows[index]!;
      format.write(results, { ...kept, rows: Uint32Array.of(row), count: 1 }, rowOut);
      const isHeading = batch.kinds[row] === HEADING;
      shownRows.push({ number: firstNumber + row, isHeading, output: rowOut.take().slice() });
    }
    for (const problem of results.problems.slice(0, shown.badRows - badRows.length))
      badRows.push(badRow(results, problem, firstNumber));
    format.write(results, kept, out);
    report.add(results, 0);
  }
  return { block, report, output: out.take().slice(), shownRows, badRows };
}

/** Says why a row has no hash, in the words of the page. */
function badRow({ batch }: Results, { row, reason, message }: RowProblem, firstNumber: number): BadRow {
  const isMalformed = reason === MALFORMED_RECORD;
  const sentence = isMalformed ? message.replace(` (${reason})`, '') : failure(reason as UrlReason).sentence;
  return { row: firstNumber + row, input: decodeLine(givenIn(batch, row)).slice(0, SHOWN_UNITS), sentence };
}

/** Returns the fields of the first record of a table; none where it is malformed, or not there. */
export function firstFields(block: Uint8Array): string[] {
  const records = new TableRecords(CSV, EVERY);
  if (!records.next(block, true) || records.malformation !== undefined) return [];
  return fieldTexts(block, records);
}
