import { schemeOf } from '../safe-browsing/page-reading.ts';
import { oracleOf } from '../url/unicode-oracles.ts';

const { basicURLParse, serializeURL } = oracleOf(17).whatwgUrl;

/**
 * What a browser visits for a URL of which each character is a byte, by an independent parser of the URL
 * Standard, without fragment, and without userinfo and port unless it is to be whole; undefined where it visits no host.
 */
export function visited(binary: string, isWhole = false): string | undefined {
  const url = binary
    .replace(/^\xef\xbb\xbf/, '')
    .replace(/[\t\r\n]/g, '')
    .replace(/^[\0-\x20]+/, '')
    .replace(/[\0-\x20]+$/, '');
  const text = url.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  const lacksScheme = /^[^/\\]/.test(url) && schemeOf(url) === null;
  const record = basicURLParse(lacksScheme ? `http://${text}` : text);
  if (record === null || !['http', 'https', 'ws', 'wss', 'ftp'].includes(record.scheme)) return undefined;
  const left = isWhole ? {} : { username: '', password: '', port: null };
  return serializeURL(Object.assign(record, left, { fragment: null }));
}
