import type { random } from './seed.ts';

// A line is one piece of each list: those that the kernel tells apart, more often those with which it is sure.
const SCHEMES = [
  ...[
    'http:',
    'http:',
    'https:',
    'https:',
    'ftp:',
    'ws:',
    'wss:',
    'file:',
    'file:',
    'file:',
    'HTTP:',
    'hTTps:',
    'FTP:',
    'WS:',
    'File:',
  ],
  ...['mailto:', 'data:', 'javascript:', 'urn:', 'foo:', 'foo:', 'f+o-o.1:', 'FOO:', 'httpx:', 'ftps:', 'w:', 'wsss:'],
  ...['', ':', '1:', ' http:', '\x00http:', 'ht\ttp:', 'files:', 'about:', 'blob:http:'],
];
const SLASHES = ['//', '//', '//', '//', '', '/', '///', '\\\\', '\\/', '/\\', '\\/\\/', '//\t', '////', '\\'];
const HOSTS = [
  ...['e', 'example.com', 'a.b.de', 'WWW.Example.COM', 'a_b-c', '1.2.3.4', 'x1', 'a.1', 'a.0x', '0x1', '1.2.3', 'a.ca'],
  ...[
    'localhost',
    'LOCALHOST',
    'C|',
    'c:',
    '',
    '',
    'e.',
    '.',
    '..',
    'xn--a',
    'bücher',
    'a%41',
    'u@e',
    'u:p@e',
    '[::1]',
  ],
  ...['a b', 'a^b', `${'a.'.repeat(27)}com`, `${'a.'.repeat(28)}com`, `${'a.'.repeat(31)}com`, `${'a'.repeat(64)}.de`],
  ...['1', '256.1.1.1', '01.1.1.1', 'a.b\\c', 'a\tb', 'e\u00ad', '\u{1f600}'],
];
const PORTS = [
  '',
  '',
  '',
  '',
  ':',
  ':80',
  ':443',
  ':21',
  ':81',
  ':0',
  ':080',
  ':65535',
  ':65536',
  ':99999999999',
  ':8a',
];
const PIECES = [
  ...['a', 'b/c', '/', '/', '//', '/.', '/..', '/./', '/../', '/.x', '/..x', '/%2e', '/%2E', '/%2', '/%20', '.', '%'],
  ...['?', '?', '#', '#', '&', 'a=b', 'utm_id=1', '&utm_id=2', '\\', '\\.', '\\..\\', "'", '"', '<', '>', '`', '{}'],
  ...['|', '^', ' ', '  ', '\t', '\r', '\x00', '\x1f', '\x7f', 'é', '中', '\u{1f600}', ':', '@', '[', ';', ',', '~'],
  ...['x'.repeat(25), 'x'.repeat(57), `${'y/'.repeat(64)}z`, 'C|', 'C:', '/C|/'],
];

type Next = ReturnType<typeof random>;

/** A line that looks like a URL in most of its parts. */
export function assembled(next: Next): string {
  const one = (pieces: readonly string[]) => pieces[next(pieces.length)]!;
  let line = one(SCHEMES) + one(SLASHES) + one(HOSTS) + (next(3) === 0 ? one(PORTS) : '');
  if (next(4) > 0) line += next(8) === 0 ? '\\' : '/';
  for (let count = next(5); count > 0; count--) line += one(PIECES);
  return next(12) === 0 ? `${line} ` : line;
}
