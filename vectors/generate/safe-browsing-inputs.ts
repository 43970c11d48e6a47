import { BLOCK_LENGTHS, grid, type Input, LONG_LENGTHS, ofLength, range } from './grid.ts';
import { DOMAINS, ESCAPED_DOMAINS, IPV4_HOSTS, IPV6_ADDRESSES } from './hosts.ts';
import { generated, SEED } from './random.ts';

/** A URL as bytes that are not UTF-8: each character stands for the byte of its number. */
export interface Bytes {
  readonly bytes: string;
}

const hex = (code: number): string => code.toString(16).padStart(2, '0');
const asBytes = (bytes: string): Bytes => ({ bytes });

/** The examples of both pages: inputs, as facts. */
const PAGE_EXAMPLES: readonly (Input | Bytes)[] = [
  'http://host/%25%32%35',
  'http://host/%25%32%35%25%32%35',
  'http://host/%2525252525252525',
  'http://host/asdf%25%32%35asd',
  'http://host/%%%25%32%35asd%%',
  'http://www.google.com/',
  'http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/',
  'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
  'http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B',
  'http://3279880203/blah',
  'http://www.google.com/blah/..',
  'www.google.com/',
  'www.google.com',
  'http://www.evil.com/blah#frag',
  'http://www.GOOgle.com/',
  'http://www.google.com.../',
  'http://www.google.com/foo\tbar\rbaz\n2',
  'http://www.google.com/q?',
  'http://www.google.com/q?r?',
  'http://www.google.com/q?r?s',
  'http://evil.com/foo#bar#baz',
  'http://evil.com/foo;',
  'http://evil.com/foo?bar;',
  asBytes('http://\x01\x80.com/'),
  'http://notrailingslash.com',
  'http://www.gotaport.com:1234/',
  '  http://www.google.com/  ',
  'http:// leadingspace.com/',
  'http://%20leadingspace.com/',
  '%20leadingspace.com/',
  'https://www.securesite.com/',
  'http://host.com/ab%23cd',
  'http://host.com//twoslashes?more//slashes',
  'http://a.b.c/1/2.html?param=1',
  'http://a.b.c.d.e.f.g/1.html',
  'http://1.2.3.4/1/',
  'http://a.b.com/1/2.html?param=1',
  'http://a.b.c.d.e.f.com/1.html',
  'http://example.co.uk/1',
  'http://[2001:0db8:0000::1]/',
  'http://[::ffff:1.2.3.4]/',
  'http://[64:ff9b::1.2.3.4]/',
];

const TABS_AND_LINE_ENDS = ['\t', '\n', '\r', '\r\n'].flatMap((each) => [
  `ht${each}tp://h/`,
  `http:${each}//h/`,
  `http://h${each}.com/`,
  `http://h/a${each}b?c${each}d`,
  `http://h/a%${each}62`,
  `http://h/a%6${each}2`,
  `${each}http://h/${each}`,
  `http://h/.${each}./b`,
]);

const FRAGMENTS = [
  'http://h#',
  'http://h/#',
  'http://h/a#b',
  'http://h/a #b',
  'http://h/a?b#c?d',
  'http://h/a#b#c',
  'http://u:p#w@h/',
  'http://h%23/',
  'http://h/%23a',
  'http://h/%2523a',
  '#',
  '#a',
  'http#://h/',
  'http://#h/',
];

const ESCAPES = [
  ...range(0, 9).flatMap((depth) => [
    `http://h/%${'25'.repeat(depth)}41`,
    `http://h/?%${'25'.repeat(depth)}41`,
    `http://%${'25'.repeat(depth)}41/`,
  ]),
  ...[
    '%',
    '%%',
    '%2',
    '%zz',
    '%%41',
    '%%34%31',
    '%2%35',
    '%2541',
    '%25%34%31',
    '%%%',
    '%4%31',
    '%u0041',
    '%4G',
    '%G4',
    '%0a',
    '%09',
    '%00',
    '%20',
    '%7f',
    '%7F',
    '%80',
    '%ff',
    '%FF',
    '%c3%bc',
    '%E4%BD%A0',
    '%23',
    '%2523',
    '%25',
    '%2525',
    '%3f',
    '%3F/..',
    '%2f',
    '%2F..%2F',
    '%2e',
    '%2e%2e',
    '%252e%252e/b',
    '%5c',
    '%26%3d%2b',
    '%7e%21%40%24%5e%2a',
    '%2500',
    '%25%30%30',
  ].flatMap((each) => [`http://h/a${each}`, `http://h/a/${each}/b`, `http://h/?a${each}b`]),
  'http%3A%2F%2Fhost.com%2Fp',
  'http://good.com%2F@evil.com/',
  'http://host.com%2Fa/b',
  'http://host.com%3A8080/a',
  'http://a%40b.com/p',
  'http://host.com%3Fq=1/p',
  'http://host.com/a%3Fb?c=d',
  'http://host.com/a%3F/../b',
  'http://host.com/a%2523/%252e%252e/b',
  'http://host.com/x%2F..%2Fy',
  'http://host.com/?q=%252Fa%26b',
  '%68%74%74%70://h/',
  'http:%2f/h/',
  'http%3a//h/',
];

const AROUND = [
  ...range(0, 0x21).map((code) => `${String.fromCharCode(code)}http://h/a${String.fromCharCode(code)}`),
  'http://h/a%20',
  '%20http://h/',
  '\u00a0http://h/',
  'http://h/\u00a0',
  '\ufeffhttp://h/',
  '\ufeff\ufeffhttp://h/',
  'http://h/\ufeff',
  asBytes('\xef\xbb\xbfhttp://h/'),
  asBytes('\xef\xbbhttp://h/'),
  '',
  ' ',
  '\t',
  '/',
  '?',
  '\\',
];

const SCHEMES = [
  ...grid(
    ['http', 'HTTP', 'https', 'ftp', 'ws', 'foo', 'file', 'a+b-c.d'],
    [':', ':/', '://', ':///', ':\\\\', ''],
    ['host.com/p'],
  ),
  'host.com',
  'host.com:80',
  'host.com:80/p',
  'host.com:80?q',
  'host.com:80#f',
  'host.com:80\\p',
  'host.com:',
  'host.com:x',
  'host.com:80x',
  'localhost:80',
  'LOCALHOST:80/p',
  'localhost:x',
  'localhost',
  'host:80',
  '1.2.3.4:80/p',
  '1host:80/p',
  '//host.com/p',
  '///host.com',
  '\\\\host.com\\p',
  '/host.com/p',
  'http',
  'http:',
  'http:/',
  'http://',
  'http:///',
  'http:////',
  ':',
  '://',
  '://h/',
  'h://',
  '-a://h/',
  'a_b://h/',
  'mailto:someone@example.com',
  'javascript:alert(1)',
  'data:text/html,x',
  'blob:http://host.com/x',
  'about:blank',
  'http:host.com',
  '[::1]',
  '[::1]:80/p',
  'user@host.com/p',
  'user:pass@host.com/p',
];

const AUTHORITIES = [
  ...grid(['http://'], ['', '@', 'u@', 'u:p@', ':80', ':', 'u@:80'], ['', '/p']),
  ...grid(
    ['http://'],
    ['u@', 'u:p@', ':@', '@', 'a@b@', 'u%40v@', 'u/v@', 'u?v@', 'evil.com\\@', ''],
    ['host.com'],
    ['', ':', ':80', ':99999', ':80:90', ':8a', ':%38'],
    ['/p'],
  ),
];

const HOST_DOTS = grid(
  ['http://'],
  ['', '.', '..', '...', '%2e'],
  ['host', 'a.b', 'a..b', 'a...b', '1.2.3.4', '1..2.3.4', ''],
  ['', '.', '..', '%2E%2e'],
  ['/p'],
);

const DOT_PIECES = ['.', '..', '...', 'a', '', '%2e', '%252E.'];

const PATHS = [
  ...grid(['http://h/a/'], DOT_PIECES, ['/'], DOT_PIECES),
  ...grid(['http://h/'], DOT_PIECES, ['', '/', '/b']),
  ...[
    '',
    '//',
    '///a',
    '/a//',
    '/a//b',
    '/a//../b',
    '/a/.//b',
    '/a/..//b',
    '/../../a',
    '/a/b/../../../c',
    '/a/..b/c',
    '/a./b',
    '/.a',
    '/..a',
    '/a/b/..?c/../d',
    '?a//b/../c',
    '/?a/./b',
    '/a?',
    '/a??',
    '/?',
    '?',
    '?q',
    '/a?b?c',
    '/a;b',
    '/a\\b',
    '\\a\\b',
    '/a\\..\\b',
    '/a%5c..%5cb',
    '/a/%2F/b',
    '/%2f%2F',
    '/a%2f../b',
    '/a/./././b',
    '/a/../../../',
    '/..',
    '/.',
    '/a/b/c/d/e/f/g/h/..',
  ].map((each) => `http://h.com${each}`),
];

/** All 256 bytes where the page escapes or decides: those from 0x80 on are not UTF-8 by themselves. */
const EVERY_BYTE: readonly (Input | Bytes)[] = range(0, 256).flatMap((code) => {
  const byte = String.fromCharCode(code);
  const urls = [`http://h/a${byte}b?c${byte}d`, `http://a${byte}b/`];
  return [...(code < 0x80 ? urls : urls.map(asBytes)), `http://a%${hex(code)}b/c%${hex(code)}d?%${hex(code)}`];
});

const BYTES = [
  '\xc3\xbc',
  '\xc3',
  '\xbc',
  '\xc3\xbc\x80',
  '\xe4\xbd\xa0',
  '\xf0\x9f\x98\x80',
  '\xed\xa0\x80',
  '\xc0\xaf',
  '\xf4\x90\x80\x80',
  '\xff\xfe',
  '\xe3\x80\x82',
  '\xef\xbc\x8f',
  '\xef\xbc\x85\x34\x31',
  '\xc2\xa0',
].flatMap((each) =>
  [
    `http://a${each}b/`,
    `http://${each}.com/`,
    `http://h/${each}?${each}`,
    `${each}http://h/`,
    `http://${each}@h/`,
    `${each}.com:80/`,
  ].map(asBytes),
);

/** How many components host and path have, with a query and without. */
const COMPONENTS = [1, 2, 3, 4, 5, 6, 7, 9].flatMap((hosts) =>
  [0, 1, 2, 3, 4, 5, 7].flatMap((paths) => {
    const host = [...'abcdefghi'].slice(9 - hosts).join('.');
    const url = `http://${host}/${[...'1234567'].slice(0, paths).join('/')}`;
    return hosts < 4 ? [url, `${url}?q`, `${url}/`] : [paths % 2 === 0 ? url : `${url}?q`];
  }),
);

/** Hosts under suffixes of every kind in the Public Suffix List: plain, two labels, wildcard, exception, private, and none. */
export const SUFFIX_HOSTS: readonly string[] = grid(
  ['', 'a.', 'b.a.', 'e.d.c.b.a.'],
  [
    'com',
    'uk',
    'co.uk',
    'example.co.uk',
    'ck',
    'www.ck',
    'x.ck',
    'kawasaki.jp',
    'city.kawasaki.jp',
    'x.kawasaki.jp',
    'github.io',
    'user.github.io',
    'blogspot.com',
    's3.amazonaws.com',
    'compute.amazonaws.com',
    'unlisted-tld',
    'localhost',
    'xn--p1ai',
    '\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444',
    '\u516c\u53f8.cn',
    'k12.ma.us',
    '1.2.3.4',
    'arpa',
    'example.GITHUB.io',
    'com.',
  ],
);

const LENGTHS: readonly Input[] = BLOCK_LENGTHS.filter((length) => length < 260).map((length) =>
  ofLength('http://h/', length + 7),
);

const LONG: readonly Input[] = [
  ...LONG_LENGTHS.map((length) => ofLength('http://h/', length)),
  ...LONG_LENGTHS.slice(0, 4).map((length) => ofLength('http://h/?q=', length)),
  [
    ['http://h/%', 1],
    ['25', 2000],
    ['41', 1],
  ],
  [
    ['http://h/', 1],
    ['%', 5000],
    ['41', 1],
  ],
  [
    ['http://h/', 1],
    ['a/', 50_000],
    ['../', 50_001],
    ['b', 1],
  ],
  [
    ['http://h/', 1],
    ['/', 100_000],
  ],
  [
    ['http://', 1],
    ['.', 100_000],
    ['h/', 1],
  ],
  [
    ['http://', 1],
    ['a.', 20_000],
    ['com/', 1],
  ],
  [
    ['http://', 1],
    ['\u00fc', 1000],
    ['/', 1],
  ],
  [
    ['http://', 1],
    ['\u00fc', 1001],
    ['/', 1],
  ],
  [
    ['http://h/', 1],
    ['\u00fc', 30_000],
  ],
  [
    ['http://', 1],
    ['@', 50_000],
    ['h/', 1],
  ],
  [
    [' ', 5000],
    ['http://h/', 1],
    [' ', 5000],
  ],
  [
    ['http://[', 1],
    [':', 5000],
    [']/', 1],
  ],
  [
    ['http://h:', 1],
    ['9', 5000],
    ['/', 1],
  ],
  [
    ['http://', 1],
    ['9', 5000],
    ['/', 1],
  ],
];

const GENERATED = generated(
  130,
  [
    ['', '', ' ', '\t'],
    ['http://', 'http://', 'HTTPS://', 'https:', '', '//'],
    ['', '', '', 'u@', 'u:p@', 'good.com%2F@', 'good.com\\@'],
    [
      'example.com',
      'a.b.example.co.uk',
      'EXAMPLE.com',
      'h',
      'user.github.io',
      'b\u00fccher.example',
      '1.2.3.4',
      '0x7f.1',
      '010.1',
      '256.1',
      '[::1]',
      '[::ffff:1.2.3.4]',
      'a..b.com',
      '.a.com.',
      'a%2eb.com',
      '\uff11.2.3.4',
      'a b.com',
      '',
    ],
    ['', '', '', ':80', ':', ':x'],
    ['', '/', '/a/b/', '/./', '/a/../', '\\a', '//', '/%7e', '/%252e%252E/'],
    ['', 'x', '\u00e9', 'a b', '..', '.', '%zz', '%25', '"<>`{}^|', '\\', '%00'],
    ['', '', '?', '?a=b', '?a//../b', '?\u00e9 ', '?%2525', '#f', '?q#f'],
  ],
  SEED + 1,
);

/** Inputs by clause: the steps of the pages in their order. */
export const SAFE_BROWSING_INPUTS: Readonly<Record<string, readonly (Input | Bytes)[]>> = {
  'examples of the pages': PAGE_EXAMPLES,
  'tabs and line ends': TABS_AND_LINE_ENDS,
  fragment: FRAGMENTS,
  unescaping: ESCAPES,
  'around the URL': AROUND,
  scheme: SCHEMES,
  'userinfo and port': AUTHORITIES,
  'host: internationalized': grid(['http://'], DOMAINS, ['/']),
  'host: escaped': grid(['http://'], ESCAPED_DOMAINS, ['/']),
  'host: dots': HOST_DOTS,
  'host: IPv4': grid(['http://'], IPV4_HOSTS, ['/']),
  'host: IPv6': [
    ...grid(['http://['], IPV6_ADDRESSES, [']/']),
    'http://[::1',
    'http://[::1]a/',
    'http://[::1]:80/',
    'http://%5B::1%5D/',
    'http://[::1%5D/',
    'http://::1/p',
  ],
  path: PATHS,
  escaping: EVERY_BYTE,
  'bytes that are no text': BYTES,
  expressions: COMPONENTS,
  'host suffixes': grid(['http://'], SUFFIX_HOSTS, ['/']),
  'block lengths': LENGTHS,
  limits: LONG,
  generated: GENERATED,
};

/** Each counts as U+FFFD: in a file of their own, as those of the URL Standard. */
export const LONE_SURROGATES: readonly Input[] = [
  '\ud800',
  '\udfff',
  '\ude00\ud83d',
  '\ud83d\t\ude00',
  'a\udc00b',
].flatMap((each) => [`http://h/${each}?${each}`, `http://${each}/`, `http://h/${each}/../x`, `${each}http://h/`]);
