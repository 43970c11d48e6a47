import { ASCII, BLOCK_LENGTHS, grid, type Input, LONG_LENGTHS, ofLength, range } from './grid.ts';
import { DOMAINS, ESCAPED_DOMAINS, IPV4_HOSTS, IPV6_ADDRESSES } from './hosts.ts';
import { generated, SEED } from './random.ts';

const character = (code: number): string => String.fromCharCode(code);
const SPECIAL_SCHEMES = ['http', 'https', 'ws', 'wss', 'ftp', 'file'];
const DOTS = ['.', '..', '%2e', '%2E', '.%2e', '%2e.', '%2E%2e', '...', 'a', ''];
const NON_ASCII = ['\u0080', '\u00a0', '\u00ad', '\u00e9', 'e\u0301', '\u07ff', '\u0800', '\u200d', '\u2028', '\u20ac', '\ufdd0', '\ufeff', '\ufffd', '\ufffe', '\uffff', '\u{10000}', '\u{1f600}', '\u{e0001}', '\u{10ffff}'];

/** The table of url-hash itself. */
const URL_HASH_TABLE = [
  'hTTpS://example.com/', 'https://Example.COM/', 'https://ex\u00e2mple.com/', 'https://example\u00a7.com/', 'http://example.com:80/', 'https://example.com:443/',
  'https://example.com/foo/../bar/./baz.jpg', 'https://example.com', 'https://example.com/hello world', 'https://example.com/?q=hello world', 'https://example.com/?q=hello#to world', 'https://doc.rust-lang.org/',
];

const SCHEMES = [
  ...grid([...SPECIAL_SCHEMES, 'HTTP', 'hTtPs', 'foo', 'Foo', 'a', 'a1+-.b', 'gopher', 'blob', 'view-source'], ['://example.com/x', ':', '://', ':///x', '://example.com:80/', ':/x', ':x']),
  '', ' ', '#', '?', '/', '//', '.', ':', '://', 'example.com', 'example.com/', '//example.com/', '1http://a/', '+a:b', '-a:b', '.a:b', 'a_b:c', 'a b:c', '\u00e9:a', 'ht\u00e9tp://a/', 'http', 'http//a', 'localhost:80', 'a:', 'A:b',
];

/** Slashes of both kinds behind a scheme. */
const SLASHES = grid(['http:', 'file:', 'foo:'], ['', '/', '//', '///', '////', '\\', '\\\\', '/\\', '\\/', '\\\\\\'], ['example.com\\a/b']);

const TRIMMED = [
  ...range(0, 0x21).map((code) => `${character(code)}http://example.com/${character(code)}`),
  ...['\x7f', '\u0080', '\u00a0', '\u2028', '\u3000', '\ufeff'].flatMap((each) => [`${each}http://example.com/`, `http://example.com/${each}`]),
  '  \t\n http://example.com/ \r\n ', 'foo: x ', 'foo:x\x00', '\x00', ' \n ',
];

const TABS_AND_NEWLINES = ['\t', '\n', '\r', '\r\n', '\t\t'].flatMap((each) => [
  `ht${each}tp://example.com/`, `http${each}://example.com/`, `http:${each}//example.com/`, `http:/${each}/example.com/`, `http://exa${each}mple.com/`, `http://example.com:8${each}0/`, `http://us${each}er@example.com/`,
  `http://example.com/a${each}b?c${each}d#e${each}f`, `http://example.com/%4${each}1`, `http://example.com/.${each}./a`, `http://[::${each}1]/`, `http://1.${each}2/`, `foo:a${each}b`, `http://b\u00fc${each}cher.example/`,
]);

const AUTHORITIES = grid(['http', 'foo'], ['://'], [
  'u@h', 'u:p@h', ':p@h', 'u:@h', ':@h', '@h', 'u:p:q@h', 'u@v@h', 'u:p@v:q@h', '@@h', 'u%40v@h', 'U%3aV@h', '\u00fc:\u00f6@h', 'u@h:8080', 'u:p@h:80', 'u:p@[::1]:81', 'u@', 'u:p@', '@', ':', ':@', ':80', 'u@:80', '@:80', 'u\\v@h', 'u/v@h', 'u?v@h', 'u#v@h', '[@h', 'u@h@', 'u p@h',
], ['/x', '']);

const PORTS = [
  ...grid(SPECIAL_SCHEMES.slice(0, 5), ['://h:'], ['21', '80', '443'], ['/']),
  ...grid(['http://h:', 'foo://h:'], ['', '0', '00', '000', '080', '0080', '00000000000000000080', '1', '65535', '65536', '065535', '99999', '100000', '4294967376', '18446744073709551696', '8o', 'o8', '-1', '+80', '80 ', ' 80', '8 0', '0x50', '8.0', '80:80', '\u0661', '%38', 'a', ':', '80\\'], ['/', '']),
  'http://1.2.3.4:80/', 'http://[::1]:80/', 'http://[::1]80/', 'http://[::1]:', 'http://[::1]:a/', 'file://h:80/', 'file://h:/', 'foo://h:80/', 'foo://:80/', 'foo://h:21/', 'https://h:0443/',
];

const DOT_SEGMENTS = [
  ...grid(['http://h/a/'], DOTS, ['/'], DOTS), ...grid(['http://h/'], DOTS), ...grid(['http://h/'], DOTS, ['/']), ...grid(['foo://h/a/'], DOTS, ['', '/b']), ...grid(['foo:/'], DOTS, ['', '//b']), ...grid(['file:///C:/'], DOTS, ['', '/..', '/../..']),
  'foo://h', 'foo://h?q', 'foo:/', 'foo:/..//h', 'foo:/.//h', 'foo:/a/..//h', 'foo:////h', 'foo:/.', 'http://h/a/b/c/../../../../../d', 'http://h/.a/..b/a./b..', 'http://h//', 'http://h///a//../b', 'http://h/..\\a\\.\\b', 'http://h/%2e%2e%2f', 'http://h/%252e', 'http://h/%2e%2', 'http://h/a%2f..', 'http://h/%2', 'http://h/%', 'http://h/%zz', 'http://h/%c3%BC', 'http://h/%7e%7E',
];

const PATHS_AND_TAILS = [
  'http://h', 'http://h?', 'http://h#', 'http://h?#', 'http://h/?', 'http://h/#', 'http://h/?#', 'http://h?q', 'http://h#f', 'http://h?q#f', 'http://h#f?q', 'http://h/a?b?c#d#e', 'http://h/?a/../b', 'http://h/#a/../b', 'foo://h?', 'foo:a?#', 'foo:/a?b#c', "http://h/?'", "foo://h/?'", "ws://h/?'", "http://h/'#'", 'http://h/?%', 'http://h/#%zz', 'http://h/?\u00e9#\u00e9', 'http://h/?a+b&c=d;e',
  ...NON_ASCII.flatMap((each) => [`http://h/${each}?${each}#${each}`, `foo:${each}?${each}#${each}`, `foo://${each}/`, `http://${each}:${each}@h/`]),
];

/** Every ASCII character wherever a set of characters is escaped, refused, or ends a part. */
const EVERY_CHARACTER = ASCII.flatMap((each) => [
  `http://a${each}b/`, `foo://a${each}b/`, `http://a${each}b:c${each}d@h/`, `http://h/a${each}b?c${each}d#e${each}f`, `foo://h/a${each}b?c${each}d#e${each}f`, `foo:a${each}b?c${each}d#e${each}f`,
]);

const OPAQUE_PATHS = [
  'mailto:someone@example.com', 'MAILTO:Someone@Example.COM', 'data:text/plain,hello world', 'data:,a b ', 'javascript:alert(1)', 'urn:isbn:0451450523', 'about:blank', 'tel:+1-201-555-0123', 'blob:https://example.com/1', 'news:comp.lang',
  'foo: ', 'foo:x ', 'foo:x  ?q', 'foo:x #f', 'foo:x  ?q#f', 'foo:x%20', 'foo:x?q #f', 'foo:x \t#f', 'foo:\\a', 'foo:a/../b', 'foo:a\\b', 'foo:.', 'foo:..', 'foo:%41%zz', 'foo:"<>`{}^|', 'foo:\u00e9', 'foo:C|/a', 'http:a', 'https:a:80', 'ws:',
];

const OPAQUE_HOSTS = grid(['foo://'], ['H', 'EXAMPLE.com', '1.2.3.4', '0x7f.1', '256.1', 'a%41', 'a%zz', '%00', '\u00fc', '\u00ad', 'xn--a', '[::1]', '[::1', '[1.2.3.4]', 'a..b', '.', '-', '_', 'a|b', 'a^b', 'a"b', 'a`b', 'a{b}', "a'b", 'a*b']);

const FILE_URLS = grid(['file:', 'FILE:'], ['', '/', '//', '///', '////', '//h/', '//H', '//localhost/', '//LOCALHOST', '//%6Cocalhost/', '//127.1/', '//[::1]/', '//b\u00fccher/', '//u@h/', '//h:80/', '//C|', '//a b/', '///C|/', '///c:', '/C|', '/C:\\', 'C|/', 'C:', 'C|a', 'C:?q', 'C|#f', '\\\\h\\', '\\C|\\'], ['', 'a/../b', '../..', '..?q#f']);

const LABEL = 1000;
const LIMITS: readonly Input[] = [
  [['http://', 1], ['\u00fc', LABEL], ['/', 1]], [['http://', 1], ['\u00fc', LABEL + 1], ['/', 1]], [['http://', 1], ['a', LABEL], ['\u00fc/', 1]],
  [['http://', 1], ['a', LABEL + 1], ['/', 1]], [['http://\u00fc.', 1], ['a', LABEL + 1], ['/', 1]], [['http://\u00fc.xn--', 1], ['a', LABEL], ['/', 1]], [['http://', 1], ['\u00fc.', 600], ['/', 1]],
  [['http://h:', 1], ['0', 4000], ['80/', 1]], [['http://h:', 1], ['9', 4000], ['/', 1]], [['http://', 1], ['0', 4000], ['1/', 1]], [['http://', 1], ['9', 4000], ['/', 1]], [['http://', 1], ['1.', 2000], ['1/', 1]],
  [['http://h/', 1], ['a/', 5000], ['../', 5001], ['b', 1]], [['http://h/', 1], ['%2e%2E/', 5000], ['b', 1]], [['http://h/', 1], [' ', 5000], ['x', 1]], [['foo:', 1], [' ', 5000], ['#', 1]], [['http:', 1], ['/', 5000], ['h', 1]], [['http://', 1], ['@', 5000], ['h', 1]],
  [['\x01', 5000], ['http://h/', 1], ['\x20', 5000]], [['http://h/', 1], ['\t\n\r', 5000], ['a', 1]], [['http://h/', 1], ['\u4e2d', 100_000]], [['http://h/?', 1], ['\u00e9', 30_000], ['#', 1], ['\u{1f600}', 30_000]], [['foo:', 1], ['\u20ac', 40_000]], [['http://[', 1], [':', 5000], [']/', 1]], [['http://[', 1], ['0', 5000], [']/', 1]],
];

const LENGTHS: readonly Input[] = [...range(12, 50), ...BLOCK_LENGTHS, ...LONG_LENGTHS].map((length) => ofLength('http://a.b/', length));

/** As long, and with the slash behind the host or an escape to come: what is hashed is longer than what is read. */
const GROWING: readonly Input[] = BLOCK_LENGTHS.filter((length) => length < 135).flatMap((length) => [ofLength('http://', length), ofLength('http://a.b/ ', length), ofLength('foo:\u00e9', length)]);

const GENERATED = generated(420, [
  ['', '', '', ' ', '\t'],
  ['http:', 'https:', 'HTTPS:', 'ws:', 'file:', 'foo:', 'ftp:', ''],
  ['//', '//', '//', '/', '', '\\\\', '///'],
  ['', '', '', 'user@', 'u:p@', '%40@', '\u00fc:\u00f6@', ':@'],
  ['example.com', 'EXAMPLE.com', 'h', 'b\u00fccher.example', '\u4f8b\u3048.\u30c6\u30b9\u30c8', 'xn--bcher-kva.example', '1.2.3.4', '0x7f.1', '[::1]', '[2001:DB8::0:1]', 'a%2eb', 'a..b', 'a_b', '\uff11.2', '', 'a|b', '999'],
  ['', '', '', ':80', ':443', ':8080', ':', ':x'],
  ['', '/', '/a/b', '/./', '/a/../', '\\a', '//', '/%7e', '/%2e%2E/'],
  ['', 'x', '\u00e9', 'a b', '..', '.', '%zz', '"<>`{}', '^|\\', '\u{1f600}', "'"],
  ['', '', '?', '?a=b', "?'<>#", '?\u00e9 "', '?%20%'],
  ['', '', '#', '#f', '#\u00e9 `', '#a#b', '#<>"'],
], SEED);

/** Inputs without a base, by clause: the anchors of the URL Standard, and a few names of our own. */
export const URL_INPUTS: Readonly<Record<string, readonly Input[]>> = {
  'url-hash table': URL_HASH_TABLE,
  'scheme-state': SCHEMES,
  'special-authority-slashes-state': SLASHES,
  'c0-control-or-space': TRIMMED,
  'ascii-tab-or-newline': TABS_AND_NEWLINES,
  'authority-state': AUTHORITIES,
  'concept-domain-to-ascii': grid(['http://'], DOMAINS, ['/']),
  'percent-decoded domain': grid(['http://'], ESCAPED_DOMAINS, ['/']),
  'concept-opaque-host-parser': OPAQUE_HOSTS,
  'concept-ipv4-parser': grid(['http://'], IPV4_HOSTS, ['/']),
  'concept-ipv6-parser': [...grid(['http://['], IPV6_ADDRESSES, [']/']), 'http://[::1', 'http://::1]/', 'http://[::1]a/', 'http://a[::1]/', 'foo://[1:0:0:2:0:0:0:3]/', 'http://%5B::1]/', 'http://[]/', 'http://[/]'],
  'port-state': PORTS,
  'path-state': DOT_SEGMENTS,
  'query-state and fragment-state': PATHS_AND_TAILS,
  'percent-encode sets': EVERY_CHARACTER,
  'opaque-path-state': OPAQUE_PATHS,
  'file-state': FILE_URLS,
  'block lengths': LENGTHS,
  'block lengths, growing': GROWING,
  limits: LIMITS,
  generated: GENERATED,
};

/** Lone surrogates, each of which counts as U+FFFD: a file of their own, since not every JSON parser takes them. */
export const LONE_SURROGATE_INPUTS: readonly Input[] = ['\ud800', '\udbff', '\udc00', '\udfff', '\ude00\ud83d', '\ud83d\ud83d\ude00', '\ud83d\n\ude00', '\ud83d\ude00\ude00', 'a\ud800b'].flatMap((each) => [
  `http://h/${each}`, `http://h/?${each}`, `http://h/#${each}`, `http://${each}:${each}@h/`, `http://${each}/`, `foo://${each}/`, `foo:${each}`, `foo:/${each}?${each}#${each}`, `file:///${each}`, `${each}http://h/`, `http://h/${each}/../x`,
]);

const BASES = [
  'http://a/b/c/d;p?q', 'https://u:p@example.com:8443/a/b?q#f', 'file:///C:/a/b', 'file://host/share/x', 'foo://h:80/a/b', 'foo:/a/b', 'mailto:someone@example.com?q#f', 'foo:///', 'http://h',
];

/** RFC 3986 section 5.4 and what browsers see besides. */
const REFERENCES = [
  'g:h', 'g', './g', 'g/', '/g', '//g', '?y', 'g?y', '#s', 'g#s', 'g?y#s', ';x', 'g;x', 'g;x?y#s', '', '.', './', '..', '../', '../g', '../..', '../../', '../../g', '../../../g', '../../../../g', '/./g', '/../g', 'g.', '.g', 'g..', '..g', './../g', './g/.', 'g/./h', 'g/../h', 'g;x=1/./y', 'g;x=1/../y', 'g?y/./x', 'g?y/../x', 'g#s/./x', 'g#s/../x', 'http:g', 'http:/g', 'http:///g',
  ' ', '?', '#', '\\g', '\\\\g', '/\\g', '//', '///g', '//g:80', '//:80', '//u@', '/C|/x', 'C|/x', 'C|', '//C:/x', 'file:x', 'file:/x', 'file:', 'FOO:x', '\u00e9?\u00e9#\u00e9', ' g ', '\tg\n', '%2e%2e/g', '//b\u00fccher/', '//256.1/', '//a b/',
];

const FAILING_BASES = ['', 'a', '/a', '//a', 'http://', 'http://a b/', 'http://h:x/', 'http://256.1/', ' ', '#f'];

/** Inputs with a base. */
export const BASED_INPUTS: readonly (readonly [base: string, input: string])[] = [
  ...BASES.flatMap((base) => REFERENCES.map((input) => [base, input] as const)),
  ...FAILING_BASES.flatMap((base) => ['g', 'http://h/'].map((input) => [base, input] as const)),
];
