import { oracleOf } from '../core/url/unicode-oracles.ts';
import { schemeOf } from '../specs/safe-browsing/page-reading.ts';

const { basicURLParse, serializeURL } = oracleOf(17).whatwgUrl;

/** The URL that a browser visits, without fragment: with userinfo and port, and without. */
export interface Visited {
  readonly whole: string;
  readonly bare: string;
}

/** Readings by what is visited: two profiles have the same inputs, some of which are long. */
const VISITED = new Map<string, Visited | undefined>();

/**
 * Returns what a browser visits for a URL of which each character is a byte, by an independent parser of the URL
 * Standard; undefined where it visits no host.
 */
export function visited(binary: string): Visited | undefined {
  if (!VISITED.has(binary)) VISITED.set(binary, visitedBy(binary));
  return VISITED.get(binary);
}

function visitedBy(binary: string): Visited | undefined {
  const url = binary
    .replace(/^\xef\xbb\xbf/, '')
    .replace(/[\t\r\n]/g, '')
    .replace(/^[\0-\x20]+/, '')
    .replace(/[\0-\x20]+$/, '');
  const text = url.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  const lacksScheme = /^[^/\\]/.test(url) && schemeOf(url) === null;
  const record = basicURLParse(lacksScheme ? `http://${text}` : text);
  if (record === null || !['http', 'https', 'ws', 'wss', 'ftp'].includes(record.scheme)) return undefined;
  const whole = serializeURL(Object.assign(record, { fragment: null }));
  const bare = serializeURL(Object.assign(record, { username: '', password: '', port: null }));
  return { whole, bare };
}
