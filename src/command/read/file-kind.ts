import { asciiText } from '../../core/bytes/text.ts';
import { type Call, shellText, wordsOf } from '../arguments/call.ts';

/** What makes rows of a file that is not what the run reads; plain data, which threads post. */
export interface Remedy {
  /** The command line of a program that prints rows of FILE, or of standard input without that word. */
  readonly program?: string;
  /** What urlsum is given in place of all options that say how rows are read, or of those with the names `without`. */
  readonly options?: readonly string[];
  readonly without?: readonly string[];
  /** Whether the program reads no standard input. */
  readonly needsFile?: boolean;
}

/** An input is of another kind than the run reads. Whoever knows its name says what reads it. */
export class WrongKind extends Error {
  readonly remedy: Remedy | undefined;

  constructor(sentence: string, remedy?: Remedy) {
    super(sentence);
    this.remedy = remedy;
  }
}

/** What a remedy is for. */
export interface RemediedInput {
  readonly name: string;
  /** How its bytes are packed: the name of the program that unpacks them. */
  readonly packing?: string | undefined;
  /** The command line that reads it, if it is one of its operands. */
  readonly call?: Call | undefined;
}

/** Options that say how rows are read. */
const ROW_OPTIONS = ['column', 'csv', 'tsv', 'delimiter', 'json', 'cdx', 'log', 'links'];

/** Returns `; try: ` and a command line for this file with the options of this run, or nothing if none is right. */
export function trying(remedy: Remedy | undefined, { name, packing, call }: RemediedInput): string {
  if (remedy === undefined || call === undefined) return '';
  const { program, options, without = options && ROW_OPTIONS, needsFile = false } = remedy;
  const file = name === '-' ? '' : operandText(name);
  const isUnpacked = packing !== undefined;
  const isOfRows = options?.some((option) => ROW_OPTIONS.includes(option.replace('--', ''))) === true;
  if ((needsFile && (file === '' || isUnpacked)) || (isOfRows && call.command === '--check')) return '';
  const urlsum = [...wordsOf(call, without), ...(options ?? []).map(shellText)];
  if (program === undefined) return `; try: ${[...urlsum, ...(file === '' ? [] : [file])].join(' ')}`;
  const unpacking = isUnpacked ? [withFile(`${packing} -dc FILE`, file)] : [];
  const reading = withFile(program, isUnpacked ? '' : file);
  return `; try: ${[...unpacking, reading, urlsum.join(' ')].join(' | ')}`;
}

/** A name that begins with a hyphen would be an option. */
function operandText(name: string): string {
  return shellText(name.startsWith('-') ? `./${name}` : name);
}

function withFile(program: string, file: string): string {
  return program.replace(/ (< )?FILE/, (_, arrow = '') => (file === '' ? '' : ` ${arrow}${file}`));
}

/** The kind of a file that is not text in UTF-8, by its first bytes. */
export interface FileKind {
  readonly name: string;
  /** What makes rows of such a file, or of one that begins with these bytes. */
  readonly remedy?: Remedy;
  remedyFor?(start: Uint8Array): Remedy | undefined;
  /** What the file is for, where nothing makes rows of it. */
  readonly advice?: string;
}

export const UTF_16 = 'UTF-16';
const LINKS: Remedy = { options: ['--links'] };
const ARROW = { advice: 'a script that writes its column of URLs as lines reads it, with pyarrow for example' };

/** The records that have a URL, once for a request and once for its response. */
const WARC: Remedy = {
  program: "warcio index -f warc-target-uri FILE | grep -v '^{}$'",
  options: ['--json', 'warc-target-uri'],
};

/**
 * Signatures, in hex: each byte a value, one of several, a range of values, or `..` for any. A UTF-8 text whose first
 * line is a URL begins with none of them: they contain control characters, bytes above 0x7f or a `<`, except those of
 * bzip2 and WARC, and no scheme ends within those.
 */
const SIGNATURES: readonly (readonly [pattern: string, kind: FileKind])[] = [
  // RFC 1952, section 2.3.1: ID1, ID2, and CM, of which only 8 is in use
  ['1f 8b 08', unpackedBy('gzip', 'gzip -dc FILE')],
  // RFC 8878, sections 3.1.1 and 3.1.2: a frame, or a skippable one before it
  ['28 b5 2f fd', unpackedBy('zstd', 'zstd -dc FILE')],
  ['50-5f 2a 4d 18', unpackedBy('zstd', 'zstd -dc FILE')],
  ['fd 37 7a 58 5a 00', unpackedBy('xz', 'xz -dc FILE')],
  ['42 5a 68 31-39 31 41 59 26 53 59', unpackedBy('bzip2', 'bzip2 -dc FILE')],
  ['42 5a 68 31-39 17 72 45 38 50 90', unpackedBy('bzip2', 'bzip2 -dc FILE')],
  ['04 22 4d 18', unpackedBy('lz4', 'lz4 -dc FILE')],
  ['02 21 4c 18', unpackedBy('lz4', 'lz4 -dc FILE')],
  ['50 4b 03|05 04|06', { name: 'a zip archive', remedy: { program: 'unzip -p FILE', needsFile: true } }],
  ['37 7a bc af 27 1c', { name: 'a 7z archive', remedy: { program: '7z x -so FILE', needsFile: true } }],
  // PAR1, and the first field of a Thrift struct: an i32, in page headers as in footers
  ['50 41 52 31 15', { name: 'Parquet', advice: '-f NAME reads the column of that name' }],
  ['41 52 52 4f 57 31 00 00', { name: 'an Arrow file', ...ARROW }],
  ['ff ff ff ff .. .. .. 00', { name: 'an Arrow stream', ...ARROW }],
  // with a byte order mark it is decoded
  ['ff fe', { name: UTF_16, remedy: {} }],
  ['fe ff', { name: UTF_16, remedy: {} }],
  ['68 00 74 00 74 00 70 00', { name: UTF_16, remedy: { options: ['--encoding', 'utf-16le'] } }],
  ['00 68 00 74 00 74 00 70', { name: UTF_16, remedy: { options: ['--encoding', 'utf-16be'] } }],
  // "SQLite format 3" and a NUL (its file format, 1.3)
  ['53 51 4c 69 74 65 20 66 6f 72 6d 61 74 20 33 00', { name: 'an SQLite database', remedyFor: sqliteRemedy }],
  // ISO 28500, 5.1; its headers would read as URLs of the scheme WARC-Target-URI
  ['57 41 52 43 2f 30-31 2e', { name: 'a WARC file', remedy: WARC }],
  // what a pattern of the shell takes in beside lists
  ['7f 45 4c 46', { name: 'an ELF program' }],
  ['89 50 4e 47 0d 0a 1a 0a', { name: 'a PNG image' }],
  ['ff d8 ff', { name: 'a JPEG image' }],
  ['25 50 44 46 2d', { name: 'a PDF document' }],
  // <!DOCTYPE, <html or <head, in either case, or a comment
  ['3c 21 44|64 4f|6f 43|63 54|74 59|79 50|70 45|65', { name: 'HTML', remedy: LINKS }],
  ['3c 48|68 54|74 4d|6d 4c|6c', { name: 'HTML', remedy: LINKS }],
  ['3c 48|68 45|65 41|61 44|64', { name: 'HTML', remedy: LINKS }],
  ['3c 21 2d 2d', { name: 'HTML', remedy: LINKS }],
  // <?xml, and without it feeds, <feed, <rss and <opml, and sitemaps, <urlset and <sitemapindex
  ['3c 3f 78 6d 6c', { name: 'XML', remedy: LINKS }],
  ['3c 66 65 65 64', { name: 'XML', remedy: LINKS }],
  ['3c 72 73 73', { name: 'XML', remedy: LINKS }],
  ['3c 6f 70 6d 6c', { name: 'XML', remedy: LINKS }],
  ['3c 75 72 6c 73 65 74', { name: 'XML', remedy: LINKS }],
  ['3c 73 69 74 65 6d 61 70 69 6e 64 65 78', { name: 'XML', remedy: LINKS }],
  // urlsumIX and urlsumHL, each with its version: the option before the file's name may have been forgotten
  ['75 72 6c 73 75 6d 49 58 01-ff 00 00 00', { name: 'a hash index', advice: '--against reads it' }],
  // the manifest of an index that grows
  ['75 72 6c 73 75 6d 20 69 6e 64 65 78 20 31-39', { name: 'a hash index', advice: '--against reads it' }],
  ['75 72 6c 73 75 6d 48 4c 01-ff 00 00 00', { name: 'a list of prefixes', advice: 'urlsum lookup --list reads it' }],
];

function unpackedBy(name: string, program: string): FileKind {
  return { name, remedy: { program } };
}

/** Returns the kind of a file that begins with these bytes, or 'undecided' if more of them are needed. */
export function fileKindOf(start: Uint8Array): FileKind | 'undecided' | undefined {
  const markup = start.subarray(startOfMarkup(start));
  const startFor = (pattern: string) => (pattern.startsWith(LESS_THAN) ? markup : start);
  const possible = SIGNATURES.filter(([pattern]) => matchesStart(pattern, startFor(pattern)));
  const whole = possible.find(([pattern]) => bytesOf(pattern).length <= startFor(pattern).length);
  if (whole !== undefined) return whole[1];
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

/** By what is there: lines that come one by one are not to wait for so many bytes. */
function archiveKindOf(start: Uint8Array): FileKind | undefined {
  const text = asciiText(start.subarray(0, 512));
  if (text.startsWith('ustar', USTAR_AT)) return { name: 'a tar archive', remedy: { program: 'tar -xOf - < FILE' } };
  return ARC_START.test(text) ? { name: 'an ARC file', remedy: WARC } : undefined;
}

/** Whether `--links` reads it. */
export function isMarkup({ remedy }: FileKind): boolean {
  return remedy === LINKS;
}

/** Returns the error for an input that is of this kind and begins with these bytes. */
export function notText({ name, remedy, remedyFor, advice }: FileKind, start: Uint8Array): WrongKind {
  const sentence = `it is ${name}, not lines of text${advice === undefined ? '' : `; ${advice}`}`;
  return new WrongKind(sentence, remedy ?? remedyFor?.(start));
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

/** Bytes of a database in which its tables are looked for: the pages of the schema come first. */
const SCHEMA_BYTES = 1 << 16;
const TABLE = /CREATE TABLE (?:IF NOT EXISTS )?["'`[]?([A-Za-z_]\w*)["'`\]]?\s*\(/g;
const URL_COLUMN = /[(,]\s*["'`[]?(url|uri|href|link|loc|page_url|address)["'`\]]?\s+[a-z]/i;

/** Returns the query of a column of URLs, in the browsers' table of pages if there is one. */
function sqliteRemedy(start: Uint8Array): Remedy | undefined {
  const text = asciiText(start.subarray(0, SCHEMA_BYTES));
  const tables = [...text.matchAll(TABLE)].flatMap(({ index, 0: opening, 1: table = '' }) => {
    const columns = text.slice(index + opening.length - 1, index + opening.length + 4096).split('CREATE ', 1)[0]!;
    const [, column] = URL_COLUMN.exec(columns) ?? [];
    return column === undefined ? [] : [{ table, column }];
  });
  const found = tables.find(({ table }) => /^(?:moz_places|urls|pages)$/.test(table)) ?? tables[0];
  if (found === undefined) return undefined;
  const { table, column } = found;
  return { program: `sqlite3 FILE 'SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL'`, needsFile: true };
}
