import type { random } from './seed.ts';

type Next = ReturnType<typeof random>;

/** URLs of every kind, our own: what stands in where no corpus is beside the project. */
export const SAMPLE_URLS: readonly string[] = [
  'https://example.com/',
  'https://example.com',
  'HTTP://User:Pass@Example.COM:80/a/../b?c=d#e',
  'http://example.com:8080/x',
  'https://example.com?q',
  'https://example.com#f',
  'https://example.com/a b/c?d e#f g',
  'http://192.168.0.1/',
  'http://0x7f.1/',
  'http://[2001:DB8::1]:443/',
  'http://[::ffff:1.2.3.4]/',
  'https://bücher.example/ä?ö#ü',
  'https://xn--bcher-kva.example/',
  'https://faß.example/',
  'http://example.com/%7Efoo/%zz/%',
  'http://example.com/.well-known/x',
  'http://example.com/a/./b/%2e%2E/c',
  'http://example.com\\a\\b',
  'file:///etc/passwd',
  'file:///C|/x',
  'file://localhost/x',
  'file://host/share/..',
  'mailto:someone@example.com',
  'data:text/plain,hello world ?x',
  'javascript:alert(1)',
  'urn:isbn:0451450523',
  'ftp://ftp.example.org:21/file;type=i',
  'ws://example.com:80/chat',
  'blob:https://example.com/1',
  'http://a.b-c_d.example./x',
  "http://example.com/'?'#'",
  'http://example.com/"<>`{}^|?"<>`{}^|#"<>`{}^|',
  'http://1.2.3.4.5/',
  'http://256.1/',
  'http://example.com:65536/',
  'http://exa mple.com/',
  'http://',
  'http:///',
  '//example.com/',
  'example.com/path',
  '',
  '?',
  'http://user@/',
  'http://example.com/\u{1f600}?\u{1f600}#\u{1f600}',
  'http://example.com/\ud800',
  'web+demo:/.//not-a-host/',
  'non-special://h:80/..//x',
  'https://例え.テスト/パス',
];

const INSERTED = [
  ...['%', '%2e', '%2E', '.', '..', '/', '/./', '//', '\\', '?', '#', '@', ':', ':80', ':443', ':0', '[', ']', '|'],
  ...['^', '`', '{', "'", '"', '<', ' ', '\t', '\n', '\r', '\0', '\x1f', '\x7f', 'é', 'ß', '\u00ad', '\u200d', '中'],
  ...['。', '\u{10ffff}', '\ud800', '\ufeff', '\ufffd', 'xn--', 'xn--a', '0x', '1.', '.1', 'A', 'Z', '_', '~'],
  ...['\u212a', 'ı', '١'],
];

/** One to four edits: characters put in, taken out, doubled, changed in case, or swapped for a neighbour's. */
export function mutated(url: string, next: Next): string {
  let text = url;
  for (let edits = 1 + next(4); edits > 0; edits--) {
    const at = next(text.length + 1);
    const end = Math.min(text.length, at + 1 + next(3));
    const part = text.slice(at, end);
    const edited = [
      INSERTED[next(INSERTED.length)]! + part,
      '',
      part + part,
      part.toUpperCase(),
      String.fromCharCode(next(128)),
      String.fromCharCode(next(0x10000)),
    ][next(6)]!;
    text = text.slice(0, at) + edited + text.slice(end);
  }
  return text;
}

// A line is one piece of each list: those that the kernel tells apart, more often those with which it is sure.
const SCHEMES = [
  ...['http:', 'http:', 'https:', 'https:', 'ftp:', 'ws:', 'wss:', 'file:', 'file:', 'file:', 'HTTP:', 'hTTps:'],
  ...['FTP:', 'WS:', 'File:'],
  ...['mailto:', 'data:', 'javascript:', 'urn:', 'foo:', 'foo:', 'f+o-o.1:', 'FOO:', 'httpx:', 'ftps:', 'w:', 'wsss:'],
  ...['', ':', '1:', ' http:', '\x00http:', 'ht\ttp:', 'files:', 'about:', 'blob:http:'],
];
const SLASHES = ['//', '//', '//', '//', '', '/', '///', '\\\\', '\\/', '/\\', '\\/\\/', '//\t', '////', '\\'];
const HOSTS = [
  ...['e', 'example.com', 'a.b.de', 'WWW.Example.COM', 'a_b-c', '1.2.3.4', 'x1', 'a.1', 'a.0x', '0x1', '1.2.3', 'a.ca'],
  ...['localhost', 'LOCALHOST', 'C|', 'c:', '', '', 'e.', '.', '..', 'xn--a', 'bücher', 'a%41', 'u@e', 'u:p@e'],
  ...['[::1]'],
  ...['a b', 'a^b', `${'a.'.repeat(27)}com`, `${'a.'.repeat(28)}com`, `${'a.'.repeat(31)}com`, `${'a'.repeat(64)}.de`],
  ...['1', '256.1.1.1', '01.1.1.1', 'a.b\\c', 'a\tb', 'e\u00ad', '\u{1f600}'],
];
const PORTS = [
  ...['', '', '', '', ':', ':80', ':443', ':21', ':81', ':0', ':080', ':65535', ':65536', ':99999999999', ':8a'],
];
const PIECES = [
  ...['a', 'b/c', '/', '/', '//', '/.', '/..', '/./', '/../', '/.x', '/..x', '/%2e', '/%2E', '/%2', '/%20', '.', '%'],
  ...['?', '?', '#', '#', '&', 'a=b', 'utm_id=1', '&utm_id=2', '\\', '\\.', '\\..\\', "'", '"', '<', '>', '`', '{}'],
  ...['|', '^', ' ', '  ', '\t', '\r', '\x00', '\x1f', '\x7f', 'é', '中', '\u{1f600}', ':', '@', '[', ';', ',', '~'],
  ...['x'.repeat(25), 'x'.repeat(57), `${'y/'.repeat(64)}z`, 'C|', 'C:', '/C|/'],
];

/** A line that looks like a URL in most of its parts. */
export function assembled(next: Next): string {
  const one = (pieces: readonly string[]) => pieces[next(pieces.length)]!;
  let line = one(SCHEMES) + one(SLASHES) + one(HOSTS) + (next(3) === 0 ? one(PORTS) : '');
  if (next(4) > 0) line += next(8) === 0 ? '\\' : '/';
  for (let count = next(5); count > 0; count--) line += one(PIECES);
  return next(12) === 0 ? `${line} ` : line;
}
