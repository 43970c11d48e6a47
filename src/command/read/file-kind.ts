/** The kind of a file that is not text in UTF-8, by its first bytes. */
export interface FileKind {
  readonly name: string;
  /** A command that makes lines of such a file. */
  readonly remedy: string;
}

interface Signature extends FileKind {
  /** Bytes in hex, each a value, one of two, a range of values, or `..` for any. */
  readonly pattern: string;
}

const ARROW_REMEDY = 'a script that writes its column of URLs as lines, with pyarrow for example';

const HTML_REMEDY = `grep -oE 'href="[^"]+"' FILE | cut -d '"' -f 2 | urlsum --base URL`;
const XML_REMEDY = "grep -oE '<loc>[^<]+' FILE | cut -c 6- | urlsum, for a sitemap";

/**
 * A UTF-8 text whose first line is a URL begins with none of these: they contain control characters, bytes above 0x7f
 * or a `<`, except those of bzip2 and WARC, and no scheme ends within those.
 */
const SIGNATURES: readonly Signature[] = [
  // RFC 1952, section 2.3.1: ID1, ID2, and CM, of which only 8 is in use
  { name: 'gzip', pattern: '1f 8b 08', remedy: 'gzip -dc FILE | urlsum' },
  // RFC 8878, sections 3.1.1 and 3.1.2: a frame, or a skippable one before it
  { name: 'zstd', pattern: '28 b5 2f fd', remedy: 'zstd -dc FILE | urlsum' },
  { name: 'zstd', pattern: '50-5f 2a 4d 18', remedy: 'zstd -dc FILE | urlsum' },
  { name: 'xz', pattern: 'fd 37 7a 58 5a 00', remedy: 'xz -dc FILE | urlsum' },
  { name: 'bzip2', pattern: '42 5a 68 31-39 31 41 59 26 53 59', remedy: 'bzip2 -dc FILE | urlsum' },
  { name: 'bzip2', pattern: '42 5a 68 31-39 17 72 45 38 50 90', remedy: 'bzip2 -dc FILE | urlsum' },
  { name: 'lz4', pattern: '04 22 4d 18', remedy: 'lz4 -dc FILE | urlsum' },
  { name: 'lz4', pattern: '02 21 4c 18', remedy: 'lz4 -dc FILE | urlsum' },
  { name: 'a zip archive', pattern: '50 4b 03 04', remedy: 'unzip -p FILE | urlsum' },
  { name: 'a zip archive', pattern: '50 4b 05 06', remedy: 'unzip -p FILE | urlsum' },
  { name: 'a 7z archive', pattern: '37 7a bc af 27 1c', remedy: '7z x -so FILE | urlsum' },
  // PAR1, and the first field of a Thrift struct: an i32, in page headers as in footers
  {
    name: 'Parquet',
    pattern: '50 41 52 31 15',
    remedy: 'urlsum --column url FILE, by the name of its column of URLs',
  },
  { name: 'an Arrow file', pattern: '41 52 52 4f 57 31 00 00', remedy: ARROW_REMEDY },
  { name: 'an Arrow stream', pattern: 'ff ff ff ff .. .. .. 00', remedy: ARROW_REMEDY },
  { name: 'UTF-16', pattern: 'ff fe 01-ff 00', remedy: 'iconv -f UTF-16 -t UTF-8 FILE | urlsum' },
  { name: 'UTF-16', pattern: 'fe ff 00 01-ff', remedy: 'iconv -f UTF-16 -t UTF-8 FILE | urlsum' },
  { name: 'UTF-16', pattern: '68 00 74 00 74 00 70 00', remedy: 'iconv -f UTF-16LE -t UTF-8 FILE | urlsum' },
  { name: 'UTF-16', pattern: '00 68 00 74 00 74 00 70', remedy: 'iconv -f UTF-16BE -t UTF-8 FILE | urlsum' },
  // "SQLite format 3" and a NUL (its file format, 1.3)
  {
    name: 'an SQLite database',
    pattern: '53 51 4c 69 74 65 20 66 6f 72 6d 61 74 20 33 00',
    remedy: "sqlite3 FILE 'SELECT url FROM pages' | urlsum",
  },
  // ISO 28500, 5.1; its headers would read as URLs of the scheme WARC-Target-URI
  {
    name: 'a WARC file',
    pattern: '57 41 52 43 2f 30-31 2e',
    remedy: "zgrep -a '^WARC-Target-URI:' FILE | cut -d ' ' -f 2 | tr -d '\\r' | urlsum",
  },
  // <!DOCTYPE, <html or <head, in either case, or a comment
  { name: 'HTML', pattern: '3c 21 44|64 4f|6f 43|63 54|74 59|79 50|70 45|65', remedy: HTML_REMEDY },
  { name: 'HTML', pattern: '3c 48|68 54|74 4d|6d 4c|6c', remedy: HTML_REMEDY },
  { name: 'HTML', pattern: '3c 48|68 45|65 41|61 44|64', remedy: HTML_REMEDY },
  { name: 'HTML', pattern: '3c 21 2d 2d', remedy: HTML_REMEDY },
  // <?xml, and without it feeds, <feed and <rss, and sitemaps, <urlset and <sitemapindex
  { name: 'XML', pattern: '3c 66 65 65 64', remedy: XML_REMEDY },
  { name: 'XML', pattern: '3c 72 73 73', remedy: XML_REMEDY },
  { name: 'XML', pattern: '3c 3f 78 6d 6c', remedy: XML_REMEDY },
  { name: 'XML', pattern: '3c 75 72 6c 73 65 74', remedy: XML_REMEDY },
  { name: 'XML', pattern: '3c 73 69 74 65 6d 61 70 69 6e 64 65 78', remedy: XML_REMEDY },
  // urlsumIX and urlsumHL, each with its version: the option before the file's name may have been forgotten
  { name: 'a hash index', pattern: '75 72 6c 73 75 6d 49 58 01-ff 00 00 00', remedy: 'urlsum --against FILE' },
  {
    name: 'a list of prefixes',
    pattern: '75 72 6c 73 75 6d 48 4c 01-ff 00 00 00',
    remedy: 'urlsum lookup --list FILE',
  },
];

/** Returns the kind of a file that begins with these bytes, or 'undecided' if more of them are needed. */
export function fileKindOf(start: Uint8Array): FileKind | 'undecided' | undefined {
  const markup = start.subarray(startOfMarkup(start));
  const startFor = (pattern: string) => (pattern.startsWith(LESS_THAN) ? markup : start);
  const possible = SIGNATURES.filter(({ pattern }) => matchesStart(pattern, startFor(pattern)));
  const whole = possible.find(({ pattern }) => bytesOf(pattern).length <= startFor(pattern).length);
  if (whole !== undefined) return whole;
  return possible.length > 0 ? 'undecided' : tarKindOf(start);
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
const TAR: FileKind = { name: 'a tar archive', remedy: 'tar -xOf FILE | urlsum' };

/** By what is there: lines that come one by one are not to wait for so many bytes. */
function tarKindOf(start: Uint8Array): FileKind | undefined {
  return 'ustar'.split('').every((letter, at) => start[USTAR_AT + at] === letter.charCodeAt(0)) ? TAR : undefined;
}

/** Returns the error for an input that is of this kind. */
export function notText({ name, remedy }: FileKind): Error {
  return new Error(`it is ${name}, not lines of text; try: ${remedy}`);
}

/** Returns the kind of a file of which no more is read, or undefined for text: if it is not certain, it is text. */
export function certainKindOf(start: Uint8Array): FileKind | undefined {
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
