import { LEFT_BRACE, LINE_FEED, SPACE } from '../../core/bytes/code-points.ts';
import { withoutLineEnd } from '../../core/bytes/lines.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { counted, quote } from '../../core/quote.ts';
import { type BatchBuilder, HEADING } from './batch.ts';
import type { AddedName, Framing } from './framing.ts';
import { jsonScanner, mustLack, objectAdder, recordLines } from './json-lines.ts';
import { withKnownStart } from './lines.ts';
import { isNotWholeJson } from './text-kind.ts';

/** A header begins with the delimiter and a name. */
const CAPTION_START = Buffer.from(' CDX ');

/** The letter of the original URL in a header. */
const URL_LETTER = 'a';
/** The index of the URL in all common forms, and of the object in CDXJ: so many spaces come before it. */
const URL_INDEX = 2;
/** Fields of a record: of Wayback's server, and of both common forms; wget's has 11, with the URL as its key, too. */
const FIELD_COUNTS = [7, 9, 11];

/** The field of the original URL in an object of CDXJ. */
const URL_FIELD = ['url'];

/**
 * Indexes of web archives, recognised line by line: CDX, `N b a m s k r V g`, `N b a m s k r M S V g`, wget's
 * `a b a m s k r M V g u` or `N b a m s k S` of Wayback's server, with spaces between; CDXJ, a key, a time and a JSON
 * object. A CDX header stays as it is wherever it comes: files are joined.
 *
 * @see https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/
 * @see https://github.com/webrecorder/cdxj-indexer
 */
export function cdxRecords(kernel: Kernel, skipsBlank: boolean, added: readonly AddedName[]): Framing {
  const members = added.map(({ member }) => member);
  const addObject = objectAdder(URL_FIELD, added);
  const scanner = jsonScanner(URL_FIELD, members, URL_INDEX);
  const lines = recordLines(kernel, scanner, skipsBlank, (builder, block, start, end) => {
    const fields = fieldsIn(block, start, end);
    const isJson = block[fields.urlStart] === LEFT_BRACE;
    if (isCaption(block, start)) addCaption(builder, block, start, end);
    else if (isJson) addObject(builder, block, start, end, fields.urlStart);
    else addRecord(builder, start, end, fields);
    return isJson;
  });
  return withKnownStart(lines, (start) => isStartOfCdx(start, added));
}

/** Whether records can gain these names; false if it takes more of the input to tell. @throws where they cannot */
function isStartOfCdx(start: Uint8Array, added: readonly AddedName[]): boolean {
  const feed = isNotWholeJson(start) ? start.indexOf(LINE_FEED) : -1;
  if (feed === -1) return false;
  const end = withoutLineEnd(start, 0, feed + 1);
  if (isCaption(start, 0)) {
    const letters = lettersIn(start, 0, end);
    const taken = added.find(({ column }) => letters.includes(column));
    if (taken !== undefined) throw new Error(`it already has a column ${quote(taken.column)}: ${taken.remedy}`);
  } else mustLack(start.subarray(fieldsIn(start, 0, end).urlStart, end), added);
  return true;
}

/** The fields of a line [start, end): how many they are, and where that of the URL is. */
interface Fields {
  readonly fieldCount: number;
  readonly urlStart: number;
  readonly urlEnd: number;
}

/** Finds the fields of a line, up to the third if that is a JSON object. */
function fieldsIn(block: Uint8Array, start: number, end: number): Fields {
  let fieldCount = 1;
  let urlStart = end;
  let urlEnd = end;
  for (let at = start; at < end; at++) {
    if (block[at] !== SPACE) continue;
    if (fieldCount === URL_INDEX) urlStart = at + 1;
    else if (fieldCount === URL_INDEX + 1) urlEnd = at;
    fieldCount++;
    if (block[urlStart] === LEFT_BRACE) break;
  }
  return { fieldCount, urlStart, urlEnd };
}

function addRecord(builder: BatchBuilder, start: number, end: number, { fieldCount, urlStart, urlEnd }: Fields): void {
  if (!FIELD_COUNTS.includes(fieldCount)) {
    const found = `it has ${counted(fieldCount, 'field')}, not 7, 9 or 11`;
    return builder.addMalformed(start, end, `not a CDX record: ${found}`);
  }
  builder.add(start, end, urlStart, urlEnd);
}

function isCaption(block: Uint8Array, start: number): boolean {
  return block[start] === SPACE && CAPTION_START.every((byte, index) => block[start + index] === byte);
}

function lettersIn(block: Uint8Array, start: number, end: number): string[] {
  return Buffer.from(block.subarray(start + CAPTION_START.length, end))
    .toString('latin1')
    .split(' ');
}

function addCaption(builder: BatchBuilder, block: Uint8Array, start: number, end: number): void {
  const letters = lettersIn(block, start, end);
  if (letters[URL_INDEX] === URL_LETTER) return builder.addOther(start, end, 'heading', HEADING);
  const index = letters.indexOf(URL_LETTER);
  const found = index === -1 ? 'no original URL' : `the original URL in field ${index + 1}, not ${URL_INDEX + 1}`;
  builder.addMalformed(start, end, `this header of CDX says that records have ${found}`);
}
