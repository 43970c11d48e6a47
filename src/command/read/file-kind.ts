import { asciiText } from '../../core/bytes/text.ts';
import { INPUT_KINDS, type InputKind } from './input-kind.ts';

/**
 * Signatures, in hex: each byte a value, one of several, a range of values, or `..` for any. A UTF-8 text whose first
 * line is a URL begins with none of them: they contain control characters, bytes above 0x7f or a `<`, except those of
 * bzip2 and WARC, and no scheme ends within those.
 */
const SIGNATURES: readonly (readonly [pattern: string, kind: keyof typeof INPUT_KINDS])[] = [
  // RFC 1952, section 2.3.1: ID1, ID2, and CM, of which only 8 is in use
  ['1f 8b 08', 'gzip'],
  // RFC 8878, sections 3.1.1 and 3.1.2: a frame, or a skippable one before it
  ['28 b5 2f fd', 'zstd'],
  ['50-5f 2a 4d 18', 'zstd'],
  ['fd 37 7a 58 5a 00', 'xz'],
  ['42 5a 68 31-39 31 41 59 26 53 59', 'bzip2'],
  ['42 5a 68 31-39 17 72 45 38 50 90', 'bzip2'],
  ['04 22 4d 18', 'lz4'],
  ['02 21 4c 18', 'lz4'],
  ['50 4b 03|05 04|06', 'zip'],
  ['37 7a bc af 27 1c', 'sevenZip'],
  // PAR1, and the first field of a Thrift struct: an i32, in page headers as in footers
  ['50 41 52 31 15', 'parquet'],
  ['41 52 52 4f 57 31 00 00', 'arrowFile'],
  ['ff ff ff ff .. .. .. 00', 'arrowStream'],
  // with a byte order mark it is decoded
  ['ff fe', 'utf16'],
  ['fe ff', 'utf16'],
  ['68 00 74 00 74 00 70 00', 'utf16'],
  ['00 68 00 74 00 74 00 70', 'utf16'],
  // "SQLite format 3" and a NUL (its file format, 1.3)
  ['53 51 4c 69 74 65 20 66 6f 72 6d 61 74 20 33 00', 'sqlite'],
  // ISO 28500, 5.1; its headers would read as URLs of the scheme WARC-Target-URI
  ['57 41 52 43 2f 30-31 2e', 'warc'],
  // what a pattern of the shell takes in beside lists
  ['7f 45 4c 46', 'elf'],
  ['89 50 4e 47 0d 0a 1a 0a', 'png'],
  ['ff d8 ff', 'jpeg'],
  ['25 50 44 46 2d', 'pdf'],
  // <!DOCTYPE, <html or <head, in either case, or a comment
  ['3c 21 44|64 4f|6f 43|63 54|74 59|79 50|70 45|65', 'html'],
  ['3c 48|68 54|74 4d|6d 4c|6c', 'html'],
  ['3c 48|68 45|65 41|61 44|64', 'html'],
  ['3c 21 2d 2d', 'html'],
  // <?xml, and without it feeds, <feed, <rss and <opml, and sitemaps, <urlset and <sitemapindex
  ['3c 3f 78 6d 6c', 'xml'],
  ['3c 66 65 65 64', 'xml'],
  ['3c 72 73 73', 'xml'],
  ['3c 6f 70 6d 6c', 'xml'],
  ['3c 75 72 6c 73 65 74', 'xml'],
  ['3c 73 69 74 65 6d 61 70 69 6e 64 65 78', 'xml'],
  // urlsumIX and urlsumHL, each with its version: the option before the file's name may have been forgotten
  ['75 72 6c 73 75 6d 49 58 01-ff 00 00 00', 'index'],
  // the manifest of an index that grows
  ['75 72 6c 73 75 6d 20 69 6e 64 65 78 20 31-39', 'index'],
  ['75 72 6c 73 75 6d 48 4c 01-ff 00 00 00', 'list'],
];

/** Returns the kind of a file that begins with these bytes, or 'undecided' if more of them are needed. */
export function fileKindOf(start: Uint8Array): InputKind | 'undecided' | undefined {
  const markup = start.subarray(startOfMarkup(start));
  const startFor = (pattern: string) => (pattern.startsWith(LESS_THAN) ? markup : start);
  const possible = SIGNATURES.filter(([pattern]) => matchesStart(pattern, startFor(pattern)));
  const whole = possible.find(([pattern]) => bytesOf(pattern).length <= startFor(pattern).length);
  if (whole !== undefined) return INPUT_KINDS[whole[1]];
  return possible.length > 0 ? 'undecided' : archiveKindOf(start);
}

const LESS_THAN = '3c';
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const WHITE_SPACE = [0x09, 0x0a, 0x0d, 0x20];

/** Markup may come after so many bytes of white space; more of them would be read again with each chunk. */
const WHITE_SPACE_LIMIT = 256;

/** Returns the place after a byte order mark and white space. */
function startOfMarkup(start: Uint8Array): number {
  const isMarked = BYTE_ORDER_MARK.every((byte, at) => at >= start.length || start[at] === byte);
  const first = isMarked ? Math.min(BYTE_ORDER_MARK.length, start.length) : 0;
  let at = first;
  while (at - first < WHITE_SPACE_LIMIT && WHITE_SPACE.includes(start[at]!)) at++;
  return at;
}

/** A tar archive says "ustar" after the fields of its first file, whose name is padded with zeros (POSIX, pax). */
const USTAR_AT = 257;
/** The URL-record of the first document in an ARC file, which describes the file. */
const ARC_START = /^filedesc:\/\/\S* \S+ \d{14} text\/plain \d+\r?\n/;

/** Returns the kind by the bytes that are there: lines that come one by one are not to wait for so many. */
function archiveKindOf(start: Uint8Array): InputKind | undefined {
  const text = asciiText(start.subarray(0, 512));
  if (text.startsWith('ustar', USTAR_AT)) return INPUT_KINDS.tar;
  return ARC_START.test(text) ? INPUT_KINDS.arc : undefined;
}

/** Whether `--links` reads a kind of input. */
export function isMarkup(kind: InputKind): boolean {
  return kind === INPUT_KINDS.html || kind === INPUT_KINDS.xml;
}

/** Returns the kind of a file of which no more is read, or undefined for text: if it is not certain, it is text. */
export function certainKindOf(start: Uint8Array): InputKind | undefined {
  const kind = fileKindOf(start);
  return kind === 'undecided' ? undefined : kind;
}

/** Compares as many bytes as `start` has. */
function matchesStart(pattern: string, start: Uint8Array): boolean {
  return bytesOf(pattern).every((byte, at) => at >= start.length || isIn(byte, start[at]!));
}

function bytesOf(pattern: string): string[] {
  return pattern.split(' ');
}

function isIn(byte: string, value: number): boolean {
  if (byte === '..') return true;
  if (byte.includes('|')) return byte.split('|').some((each) => isIn(each, value));
  const [low, high = low] = byte.split('-').map((digits) => Number.parseInt(digits, 16));
  return value >= low! && value <= high!;
}
