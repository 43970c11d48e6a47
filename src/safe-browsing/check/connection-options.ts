import { mustBeString, wrongKind } from '../../argument.ts';

// A fetch that cannot work fails each time, which reads as a network that is down; and its error may quote the URL or
// the header that it was given, with the key in it. Hence all is checked once, and no error here quotes a value.

/** RFC 9110, 5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110, 5.5; the characters stand for bytes. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Those of the connection (RFC 9110, 7.6.1), which fetch sets itself: Node's refuses a request that has one. */
const OF_CONNECTION = ['connection', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** @returns the server's URL with a slash at its end */
export function serverBase(server: string): string {
  mustBeString('server', server);
  if (!URL.canParse(server)) throw new RangeError('server must be an absolute URL, of http or https');
  const { protocol, username, password, search, hash, origin, pathname } = new URL(server);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RangeError(`server must be a URL of http or https, not of ${protocol}`);
  if (username !== '' || password !== '')
    throw new RangeError('server must not have credentials: fetch refuses them; headers has room for a key');
  if (search !== '' || hash !== '') throw new RangeError('server must not have a query or a fragment');
  return `${origin}${pathname}${pathname.endsWith('/') ? '' : '/'}`;
}

/** @returns a copy */
export function mustBeHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  // an instance of Headers has no keys: those in it would not be sent
  if (Object.prototype.toString.call(headers) !== '[object Object]')
    throw wrongKind('headers', 'an object of strings by their names', headers);
  for (const [name, value] of Object.entries(headers)) mustBeHeader(name, value);
  return { ...headers };
}

function mustBeHeader(name: string, value: string): void {
  if (!TOKEN.test(name)) throw new RangeError('headers has a name that is not a token of HTTP');
  if (OF_CONNECTION.includes(name.toLowerCase()))
    throw new RangeError(`headers must not have ${name}, which belongs to the connection`);
  mustBeString(`headers[${JSON.stringify(name)}]`, value);
  if (FIELD_VALUE.test(value)) return;
  throw new RangeError(`headers[${JSON.stringify(name)}] has a character that no header can have`);
}
