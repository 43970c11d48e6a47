/** A kind of input that a run does not read as it is. */
export interface InputKind {
  readonly name: string;
  /** The program or option that reads it. */
  readonly reader: string;
  /** The section of docs/ that shows how. */
  readonly section: string;
}

const OTHERS = 'bulk.md#files-of-other-kinds';
const LINKS = 'bulk.md#pages-bookmarks-sitemaps-and-feeds';
const CRAWLS = 'bulk.md#crawls-json-lines-cdx-cdxj';
const LINES = 'command.md#lines';

const UNPACKED = 'unpack it first';
const DECODED = 'decode it first';
const NOTHING = 'nothing reads URLs in it';
const BY_JQ = 'jq makes JSON lines of it';
const BY_PYARROW = 'pyarrow makes Parquet of it';
const BY_WARCIO = 'warcio makes JSON lines of it, and --cdx reads its index';
const BY_LINKS = '--links reads it';

export const INPUT_KINDS = {
  gzip: kind('gzip', 'one layer is unpacked, so unpack the others first', OTHERS),
  zstd: kind('zstd', 'zstd -dc unpacks it', OTHERS),
  xz: kind('xz', UNPACKED, OTHERS),
  bzip2: kind('bzip2', UNPACKED, OTHERS),
  lz4: kind('lz4', UNPACKED, OTHERS),
  zip: kind('a zip archive', UNPACKED, OTHERS),
  sevenZip: kind('a 7z archive', UNPACKED, OTHERS),
  tar: kind('a tar archive', UNPACKED, OTHERS),
  parquet: kind('Parquet', '-f NAME reads the column of that name', 'bulk.md#parquet'),
  arrowFile: kind('an Arrow file', BY_PYARROW, OTHERS),
  arrowStream: kind('an Arrow stream', BY_PYARROW, OTHERS),
  sqlite: kind('an SQLite database', 'sqlite3 makes lines of a column', OTHERS),
  warc: kind('a WARC file', BY_WARCIO, OTHERS),
  arc: kind('an ARC file', BY_WARCIO, OTHERS),
  utf16: kind('UTF-16', '--encoding utf-16le or utf-16be reads it', 'bulk.md#encodings'),
  html: kind('HTML', BY_LINKS, LINKS),
  xml: kind('XML', BY_LINKS, LINKS),
  markdown: kind('Markdown', 'a program that makes HTML of it makes it readable with --links', LINKS),
  mail: kind('a mail', 'a mail program saves the HTML in it', LINKS),
  quotedPrintable: kind('HTML in quoted-printable, as in a mail', DECODED, LINKS),
  base64: kind('base64, as in a mail', DECODED, LINKS),
  php: kind('PHP', 'the page that it makes can be read', LINKS),
  text: kind('text without markup', 'urlsum reads lines of URLs without an option', LINKS),
  elf: kind('an ELF program', NOTHING, OTHERS),
  png: kind('a PNG image', NOTHING, OTHERS),
  jpeg: kind('a JPEG image', NOTHING, OTHERS),
  pdf: kind('a PDF document', NOTHING, OTHERS),
  index: kind('a hash index', '--against reads it', 'bulk.md#look-ups---against'),
  list: kind('a list of prefixes', 'urlsum lookup --list reads it', 'safe-browsing-lists.md#look-ups'),
  har: kind('a HAR file', BY_JQ, OTHERS),
  jsonStrings: kind('a JSON array of strings', 'jq makes lines of it', OTHERS),
  jsonRows: kind('a JSON array of arrays', 'jq makes CSV of it', OTHERS),
  jsonArray: kind('a JSON array', BY_JQ, OTHERS),
  json: kind('JSON over several lines', BY_JQ, OTHERS),
  urls: kind('lines of URLs', 'urlsum reads them without an option', LINES),
  jsonLines: kind('JSON lines', '--json FIELD reads a field of them', CRAWLS),
  cdx: kind('the index of a web archive', '--cdx reads it', CRAWLS),
  log: kind('an access log', '--log reads it', 'logs.md#formats'),
  table: kind('a table', '--csv, --tsv or --delimiter CHAR with -f COLUMN reads a column', 'bulk.md#tables'),
  endsInLf: kind('lines that end in LF, not in NUL', 'urlsum without -z reads them', LINES),
  endsInNul: kind('lines that end in NUL, not in LF', '-z reads them', LINES),
  endsInCr: kind('lines that end in CR, not in LF', 'tr makes lines of them', OTHERS),
  relativeLink: kind('a relative link', '--base URL resolves it', LINKS),
  reference: kind('a URL without its scheme', '--default-scheme https reads a host, --base URL a path', LINES),
} as const;

function kind(name: string, reader: string, section: string): InputKind {
  return { name, reader, section };
}

/** Says what reads a kind of input, and where the documents show it. */
export function readerOf({ reader, section }: InputKind): string {
  return `${reader} (docs/${section})`;
}

/** Makes the error for an input of a kind that the run does not read. */
export function wrongKind(kind: InputKind): Error {
  return new Error(`it is ${kind.name}; ${readerOf(kind)}`);
}
