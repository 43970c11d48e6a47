import { ASCII, BLOCK_LENGTHS, grid, type Input, LONG_LENGTHS, ofLength, range } from './grid.ts';
import { IPV6_ADDRESSES } from './hosts.ts';
import { generated, SEED } from './random.ts';

const DRAFT_EXAMPLES = [
  'mailto:clive@demon.net',
  'http://www.thus.net',
  'http://www.thus.net#end',
  'HTTP://www.Thus.net',
  'http://10.20.30.40/a%62c',
  'http://Fred@WWW.Thus.net:0112/Test/index.html',
  'http://111.011.101.001/test//Image.jpeg',
];

const PORTS = grid(
  ['http', 'https', 'ftp', 'telnet', 'gopher', 'nntp', 'wais', 'ldap', 'rtsp', 'foo'],
  ['://H:'],
  ['21', '23', '70', '80', '119', '210', '389', '443', '554', ''],
);

const MORE_PORTS = grid(
  ['ssh', 'ws', 'wss', 'pop', 'imap', 'snews', 'ipp', 'ldaps', 'prospero', 'nfs', 'sip'],
  ['://H:'],
  ['22', '80', '110', '143', '443', '563', '631', '636', '1525', '2049', '5060'],
);

const PORT_FORMS = grid(
  ['http://h:', 'foo://h:'],
  ['0', '00', '080', '0080', '0081', '8080', '000', '99999', '8a', ''],
  ['/', ''],
);

const AUTHORITIES = grid(
  ['http', 'foo'],
  ['://'],
  [
    'User@Host',
    'U:P@Host:80',
    '@Host',
    'Reg,Name',
    'a@B@c',
    'User@',
    ':80',
    'Host:abc',
    '%41b@H',
    '%2FB@H',
    'Host%41',
    'H..x',
    '-',
    '',
    '[',
    '[::1',
    '::1]',
    'a[b]',
    '[::1]x',
    '[::1]:080',
    'U@[::1]',
  ],
  ['/X', ''],
);

const ADDRESSES = grid(
  ['http://', 'foo://'],
  [
    '1.2.3.4',
    '001.002.003.004',
    '0.0.0.0',
    '000.000.000.000',
    '10.020.000.1',
    '999.1.1.1',
    '256.256.256.256',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.x',
    '1.2.3.4.',
    '0x1.2.3.4',
    '00001',
  ],
  [':0080/Index.html'],
);

const SEGMENTS = grid(
  ['http://h'],
  [
    '',
    '/',
    '//',
    '///',
    '/a',
    '//a',
    '/a/',
    '/a//',
    '/a//b',
    '/A//B//',
    '/./a',
    '/../a',
    '/a/./b',
    '/a/../b',
    '/a/.',
    '/;',
    '/a;b=C',
  ],
  ['', '/'],
);

const SUFFIXES = grid(
  ['http://h/A/', 'foo://h/'],
  ['x', 'X', ''],
  [
    '.html',
    '.HTML',
    '.htm',
    '.jpeg',
    '.JPEG',
    '.text',
    '.ram',
    '.ra',
    '.html.html',
    '.htmlx',
    '.htm/',
    '.html/',
    '.%68tml',
    'jpeg',
  ],
);

const INDEXES = grid(
  ['http', 'HTTP', 'https', 'ftp', 'foo'],
  [':', '://h', '://h/A'],
  [
    '/index.htm',
    '/index.html',
    '/INDEX.HTML',
    '/index.html/',
    '//index.htm',
    '/index.htmx',
    '/%69ndex.html',
    '/xindex.html',
    '/index.html;a',
    '/index.html/index.html',
  ],
);

const OPAQUE = [
  'mailto:A@B',
  'MAILTO:A@b?Subject=C',
  'news:Comp.Lang',
  'urn:ISBN:0451450523',
  'urn:a%41b',
  'http:a',
  'HTTP:A/B',
  'data:,A%20b',
  'a:',
  'A:',
  'a:?q',
  'a:#f',
  'a:b#C',
  'a:/B',
  'a://',
  'a:///B',
  'a:////B',
  'file:/X',
  'file:///X',
  'file:////h',
  'FILE://H/X',
  'x-Y.z+1:b',
];

/** Every escape there is, in lower and upper case by turns: only those of unreserved characters are decoded, and only once. */
const ESCAPES = range(0, 256).map((code) => {
  const digits = code.toString(16).padStart(2, '0');
  return `http://h/A%${(code >> 4) % 2 === 0 ? digits : digits.toUpperCase()}`;
});

const ESCAPE_FORMS = [
  'http://h/%2541',
  'http://h/%25%34%31',
  'http://h/%%41',
  'http://h/%4',
  'http://h/%',
  'http://h/%zz',
  'http://h/%4G',
  'https://h/%41%62',
  'ftp://h/%41%62',
  'foo://h/%41%62',
  'http://h/%2F%2f',
  'http://%41@h/',
  'http://%41/',
  'http://h/a%2Fb',
  'foo:%41',
  '%41:a',
  'http:%41',
];

/** Every ASCII character: RFC 2396 section 2.4.3 excludes some wherever they stand. */
const CHARACTERS = ASCII.map((each) => `http://h/a${each}B`);

const EXCLUDED = [
  'http://h/\u00e9',
  'http://b\u00fccher.example/',
  '\u00e9',
  'http://h/\u{1f600}',
  'http://h/a#b#c',
  'http://h/#\u00e9',
  'http://h/?a b',
  '\u00a0http://h/',
  'http://h/a\u2028',
];

const SCHEMES = [
  '',
  'a',
  '/a',
  '//a',
  '?a',
  '#a',
  ':a',
  '1a:b',
  '+a:b',
  'a_b:c',
  'a*b:c',
  '-:b',
  'http',
  'http//a',
  './a:b',
  'a/b:c',
];

const LENGTHS: readonly Input[] = [...BLOCK_LENGTHS, ...LONG_LENGTHS.slice(0, 9)].map((length) =>
  ofLength('http://h/', length),
);

const LIMITS: readonly Input[] = [
  [
    ['http://h/', 1],
    ['/', 20_000],
    ['a', 1],
  ],
  [
    ['http://h/', 1],
    ['%41', 20_000],
  ],
  [
    ['http://h:', 1],
    ['0', 20_000],
    ['80/', 1],
  ],
  [
    ['http://', 1],
    ['0', 20_000],
    ['1.2.3.4/', 1],
  ],
  [
    ['mailto:', 1],
    ['A', 20_000],
  ],
];

const GENERATED = generated(
  160,
  [
    ['http:', 'HTTP:', 'https:', 'foo:', 'ftp:', 'mailto:'],
    ['//', '//', '//', '/', ''],
    ['', '', '', 'Fred@', 'a:B@', '%46red@', '%2F@'],
    ['Example.COM', 'h', '10.020.000.1', '[::1]', '[2001:0DB8::00a]', 'x_y.Z', 'Reg,Name', ''],
    ['', '', ':80', ':0080', ':443', ':8080', ':'],
    ['', '/', '/A', '//b', '/a%62c', '/./x', '/X;y'],
    ['', '/', '/index.html', '/Image.jpeg', '/a.TEXT', '/song.ram', '//', '/index.htm'],
  ],
  SEED + 2,
);

/** URIs from which query and fragment are removed, by clause. */
export const URIS: Readonly<Record<string, readonly Input[]>> = {
  '4.4 and the examples of appendix A': DRAFT_EXAMPLES,
  '4.3 (2): characters': [...CHARACTERS, ...EXCLUDED],
  '4.3 (2): escapes': [...ESCAPES, ...ESCAPE_FORMS],
  '4.3 (2): the scheme': SCHEMES,
  '4.3 (2): opaque URIs': OPAQUE,
  'A (2): authorities': AUTHORITIES,
  'A (2): IPv6': grid(['http://['], IPV6_ADDRESSES, [']:080/']),
  'A (3): default ports': [...PORTS, ...MORE_PORTS, ...PORT_FORMS],
  'A (4) and (5): hosts': ADDRESSES,
  'A (6): empty segments': SEGMENTS,
  'A (7): endings': SUFFIXES,
  'A (8): index': INDEXES,
  'block lengths': LENGTHS,
  limits: LIMITS,
  generated: GENERATED,
};

export const URIS_TO_KEEP: readonly string[] = [
  ...grid(
    ['http://H/A', 'http://H', 'mailto:A@B', 'foo:/A/index.html'],
    ['', '?', '?Q', '?Q%41&r=/a//b.html?x'],
    ['', '#', '#F', '#F%62/..'],
  ),
  'http://h/a?b c',
  'http://h/a#b#c',
  'http://h/?%zz',
  'http://h/#\u00e9',
  'http://h/index.html?q#f',
  'http://h/a.jpeg?b.jpeg#c.jpeg',
  '?q#f',
];

const BASES = ['foo://a/b/c/d;p?q', 'http://H:80/%41/B?Q#F', 'foo://a', 'mailto:A@b#t'];

/** RFC 2396 appendix C, and what is near it. */
const REFERENCES = [
  'g:h',
  'g',
  './g',
  'g/',
  '/g',
  '//g',
  '?y',
  'g?y',
  '#s',
  'g#s',
  'g?y#s',
  ';x',
  'g;x',
  'g;x?y#s',
  '.',
  './',
  '..',
  '../',
  '../g',
  '../..',
  '../../',
  '../../g',
  '',
  '../../../g',
  '../../../../g',
  '/./g',
  '/../g',
  'g.',
  '.g',
  'g..',
  '..g',
  './../g',
  './g/.',
  'g/./h',
  'g/../h',
  'g;x=1/./y',
  'g;x=1/../y',
  'g?y/./x',
  'g?y/../x',
  'g#s/./x',
  'g#s/../x',
  'foo:g',
  '//',
  '///x',
  '?',
  '#',
  'g//h',
  '%2e%2e/g',
  ' ',
  'g h',
  '\u00e9',
  '1:b',
  './1:b',
];

export const RELATIVE_URIS: readonly (readonly [base: string, input: string])[] = [
  ...BASES.flatMap((base) => REFERENCES.map((input) => [base, input] as const)),
  ...['a', '', '//h', 'a b:c', 'http://h/%'].map((base) => [base, 'g'] as const),
];

const MD5 = 'be96302a0468481aca954431cf293e05';
const SHA1 = '87ed28009f511ed7ef630180a229ba257180a481';
const SHA1_WITH_END = '31a79a96e0404778a3b95cb426b04b6114a604a5';
const CANDIDATES = [
  'http://www.thus.net',
  'HTTP://WWW.Thus.NET:80',
  'http://www.thus.net#end',
  'http://www.thus.net/',
  'http://www.thus.net#END',
  'http://www.thus.org',
  'www.thus.net',
  'http://www.thus.net/ ',
];
const HASHED = [
  `hashed:md5=${MD5}`,
  `HASHED:MD5=${MD5.toUpperCase()}`,
  `hashed:sha1=${SHA1}`,
  `hashed:sha1=${SHA1}+frag`,
  `hashed:sha1=${SHA1_WITH_END}+frag`,
  `hashed:sha1=${SHA1_WITH_END}`,
  `hashed:sha1=${SHA1}+query+frag`,
  `hashed:sha256=${SHA1}`,
  `hashed:x-own=${SHA1}`,
  `hashed:sha1=${MD5}`,
  `hashed:md5=${SHA1}`,
  'hashed:md5=00',
  'hashed:md5=',
  `md5=${MD5}`,
  `hashed:md5=${MD5}+port`,
];

/** Candidates, each compared with each of HASHED; those after them need a base. */
export const MATCHES: readonly (readonly [candidate: string, hashed: string, base?: string])[] = [
  ...CANDIDATES.flatMap((candidate) => HASHED.map((hashed) => [candidate, hashed] as const)),
  ['', `hashed:md5=${MD5}`, 'http://www.thus.net'],
  ['#end', `hashed:sha1=${SHA1_WITH_END}+frag`, 'http://www.thus.net'],
  ['x', `hashed:md5=${MD5}`, 'mailto:a'],
  ['x', `hashed:md5=${MD5}`, 'x'],
];

/** URIs that one variant takes for the same and the other may not: a hashed URI of the first, compared with each. */
export const ALIKE: readonly (readonly string[])[] = [
  ['http://h/Test/', 'http://h/test', 'http://H:80/Test/', 'http://h/%54est/', 'http://h/Test//', 'http://h/Test'],
  ['http://h/index.html', 'http://h/', 'http://h', 'http://h/INDEX.HTML', 'https://h/index.html'],
  ['http://1.2.3.4/a.jpeg', 'http://01.02.03.04/a.jpg', 'http://1.2.3.4/A.JPG', 'http://1.2.3.5/a.jpeg'],
  ['http://h/a?q#f', 'http://h/a?Q#F', 'http://h/a?q', 'http://h/a#f', 'http://h/a', 'http://h/a?q#g'],
  ['mailto:A@b', 'MAILTO:A@b', 'mailto:a@b', 'mailto:A%40b'],
];

/** Hashed URIs as texts, good and bad. */
export const HASHED_TEXTS: readonly string[] = [
  ...HASHED,
  ...grid(
    [`hashed:sha1=${SHA1}`],
    ['', '+frag', '+query', '+FRAG', '+Query', '+', '+frags', ' '],
    ['', '+frag', '+query', '+', '-'],
  ),
  ...ASCII.map((each) => `hashed:a${each}b=00`),
  ...ASCII.map((each) => `hashed:md5=0${each}0`),
  '',
  'hashed',
  'hashed:',
  'hashed:=',
  'hashed:=00',
  'hashed:md5',
  'hashed:md5:00',
  'hashed:md5=00=00',
  'hashed://md5=00',
  ' hashed:md5=00',
  'hashed:md5=00 ',
  'hashed:md5=0',
  'hashed:sha-1=00',
  'hashed:SHA1=00',
  'hashed:.=0',
  'hashed:-=0',
  'hashed:x-=0',
  'hashed:constructor=00',
  'ha\u015fhed:md5=00',
  'hashed:md5=\u0660',
  'hashed:\u212a=00',
  `hashed:md5=${MD5}#frag`,
  `hashed:md5=${MD5}?q`,
  `<hashed:md5=${MD5}>`,
  `urn:hashed:md5=${MD5}`,
  ...range(0, 44).map((count) => `hashed:sha1=${'0'.repeat(count)}`),
  ...range(28, 36).map((count) => `hashed:md5=${'f'.repeat(count)}`),
];
