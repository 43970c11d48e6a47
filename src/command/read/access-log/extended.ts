import { type Grammar, type Reading, saidBy } from './grammar.ts';
import { authorityOf, type LoggedRequest, NO_REQUEST, Problem } from './request.ts';

// The extended format of the W3C, whose `#Fields:` directive names the columns: https://www.w3.org/TR/WD-logfile.html

/** Columns that have a part of the URL: the first that is there counts. */
const PARTS = {
  method: ['cs-method'],
  url: ['cs-uri'],
  scheme: ['cs-uri-scheme', 'cs-protocol'],
  host: ['x-host-header', 'cs-host', 'cs(Host)'],
  port: ['cs-uri-port'],
  serverPort: ['s-port'],
  path: ['cs-uri-stem', 'cs-uri-path'],
  query: ['cs-uri-query'],
  status: ['sc-status'],
} as const;

/** The columns of a log: plain data. */
export interface Columns {
  readonly names: readonly string[];
  /** Whether a program of Microsoft's, or one that is not known, has written the log. */
  readonly isIis: boolean;
}

/** A client cannot write a directive where records begin with one of these. */
const OF_SERVER = /^(?:date|time|time-taken|timestamp|bytes|s-.+)$/i;

/** Whether no record can begin with a word of a client's. */
export function beginsWithServer({ names }: Columns): boolean {
  return names.length > 0 && OF_SERVER.test(names[0]!);
}

/** Makes the grammar of lines with these columns. */
export function extendedGrammar(columns: Columns): Grammar {
  const { names } = columns;
  const places = placesOf(names);
  const escaping = names.includes('x-edge-location') ? CLOUDFRONT : columns.isIis ? IIS : NONE;
  return {
    read(line) {
      const readings = fieldsIn(line, names.length).map((fields) => requestIn(fields, places, escaping));
      const [first] = readings;
      const isCertain = readings.every((each) => JSON.stringify(each) === JSON.stringify(first));
      return isCertain ? first : TWO_READINGS;
    },
  };
}

const TWO_READINGS = new Problem('the line can be read in two ways, with and without quotation marks around fields');

type Places = Readonly<Partial<Record<keyof typeof PARTS, number>>>;

function placesOf(names: readonly string[]): Places {
  return Object.fromEntries(
    Object.entries(PARTS).flatMap(([part, all]) => {
      const name = all.find((each) => names.includes(each));
      return name === undefined ? [] : [[part, names.indexOf(name)]];
    }),
  );
}

/** Returns the fields of a line in each way that gives so many: as they are, and some of them in quotes. */
function fieldsIn(line: string, count: number): readonly (readonly string[])[] {
  const hasTabs = line.includes('\t');
  const plain = line.split(hasTabs ? '\t' : ' ').map(withoutQuotes);
  const quoted = hasTabs || !line.includes('"') ? [] : quotedFields(line);
  return [plain, quoted].filter(({ length }) => length === count);
}

/** The next field of a line, in quotation marks or without any, and the space after it. */
const FIELD = /("(?:[^"]|"")*"|[^" ][^ ]*)(?: |$)/y;

/** Returns no fields where a quotation mark is not closed. */
function quotedFields(line: string): readonly string[] {
  const fields: string[] = [];
  for (FIELD.lastIndex = 0; FIELD.lastIndex < line.length; ) {
    const field = FIELD.exec(line)?.[1];
    if (field === undefined) return [];
    fields.push(withoutQuotes(field));
  }
  return fields;
}

function withoutQuotes(field: string): string {
  return /^".+"$/s.test(field) ? field.slice(1, -1).replaceAll('""', '"') : field;
}

/** Functions that undo the escapes of a path and of a query. */
interface PartEscaping {
  path(text: string): string;
  query(text: string): string;
}

const NONE: PartEscaping = { path: (text) => text, query: (text) => text };

/** IIS writes a space in a path as a plus sign. */
const IIS: PartEscaping = { ...NONE, path: (text) => text.replaceAll('+', ' ') };

/**
 * Characters that CloudFront escapes, the percent sign among them. The others are escapes of the URL and stay.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
const CLOUDFRONT_ESCAPE = /%(2[02357]|3[CE]|5[BCDE]|60|7[BCDE])/gi;
const CLOUDFRONT: PartEscaping = { path: withoutCloudFrontEscapes, query: withoutCloudFrontEscapes };

function withoutCloudFrontEscapes(text: string): string {
  return text.replace(CLOUDFRONT_ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function requestIn(fields: readonly string[], places: Places, escaping: PartEscaping): Reading {
  const valueOf = (part: keyof typeof PARTS) => saidBy(fields[places[part] ?? fields.length]);
  const [method = '', status, host, path] = [valueOf('method'), valueOf('status'), valueOf('host'), valueOf('path')];
  const port = valueOf('port');
  const isTunnel = method === 'CONNECT' && host !== undefined && (path === undefined || path === '/');
  if (isTunnel) return { method, target: authorityOf(host, port), status };
  const query = valueOf('query')?.replace(/^\?/, '');
  const target =
    valueOf('url') ?? (path && escaping.path(path) + (query === undefined ? '' : `?${escaping.query(query)}`));
  if (target === undefined) return NO_REQUEST;
  const scheme = valueOf('scheme');
  const parts = { method, target, scheme: scheme === 'grpcs' ? 'https' : scheme, status };
  return { ...parts, ...originIn(host, port, valueOf('serverPort')) };
}

/** A port of the request is part of its URL. That of the server is not: Host has a port where it is not the usual one. */
function originIn(
  host: string | undefined,
  port: string | undefined,
  serverPort: string | undefined,
): Partial<LoggedRequest> {
  return port === undefined ? { authority: host, port: serverPort } : { host, port };
}

/** The first columns that CloudFront has always written. Others come after them. */
const CLOUDFRONT_NAMES = (
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) ' +
  'cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol'
).split(' ');

/** Reads lines of CloudFront without the directive that names their columns. */
export function cloudFrontGrammar(): Grammar {
  const places = placesOf(CLOUDFRONT_NAMES);
  return {
    read(line) {
      if (!/^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z][\w-]*\t\d+\t/.test(line)) return undefined;
      const fields = line.split('\t');
      return fields.length < CLOUDFRONT_NAMES.length ? undefined : requestIn(fields, places, CLOUDFRONT);
    },
  };
}
