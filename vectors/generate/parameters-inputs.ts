import type { UrlOptions } from '../vector.ts';
import { grid } from './grid.ts';
import { generated, SEED } from './random.ts';

/** Options, and URLs to ask under them. */
export type ParameterInputs = readonly [UrlOptions, readonly string[]];

const queries = (...texts: readonly string[]) => texts.map((text) => `http://h/?${text}`);

/** One name, wherever and however it may be written. */
const DROPPED: ParameterInputs = [
  { dropParams: ['a'] },
  [
    ...grid(
      ['http://h/', 'foo:/p', 'foo://h', 'mailto:x', 'data:,'],
      ['?', '?a', '?a=1&b', '?b&a=', '?a&', '?&a', '?a&a=2&a', '?%61=1#a', '#?a', '#a?a&a'],
    ),
    ...queries('=a', '=', '&', '&&', 'a&&b', '&a&&b&', 'A', 'aa', 'a;b', 'b;a', 'a;b&a;c', 'a?', '?a', 'a?&?&a'),
    ...queries(
      '%41',
      '%2561',
      'a%3D',
      'a%3D1',
      'a%26',
      'a+',
      '+a',
      'a%20',
      '%',
      '%6',
      '%6&1',
      'a%',
      'a=%',
      'a==',
      'a[]',
    ),
    ...queries('a\tb', '\ta', 'a\n&b', ' a', "a'", 'a/', 'a\\', 'a"', '\u00e1', 'a\u0301', '%61%00', '%00a', '%E1'),
    ...queries('amp;a=1', '&amp;a', 'b=a', 'b=1&c=&a', 'a#', 'b#&a', 'b&a#f'),
    'HTTP://H:80?a',
    'http://h?a',
    'http://u:p@h:81/a?a',
    'http://a?b',
    'file:///a?a',
    'javascript:a?a',
    'blob:http://h/?a',
    'no URL?a',
  ],
];

/** Names that are hard to write. */
const NAMES: readonly ParameterInputs[] = [
  [
    { dropParams: ['utm_*'] },
    queries('utm_', 'utm_a=1', 'utm', 'UTM_a', 'xutm_a', 'utm%5Fa', 'utm_*', '%75tm_', 'utm_&utm'),
  ],
  [{ dropParams: ['a b'] }, queries('a+b', 'a%20b', 'a%2Bb', 'a b', 'a%09b', 'a++b', 'a+b=1&c')],
  [{ dropParams: ['+'] }, queries('+', '%2B', '%2b', '%20', '%2B=1&b')],
  [{ dropParams: ['%'] }, queries('%', '%25', '%=1', '%25&b', '%%', '%zz')],
  [{ dropParams: ['%zz', '%4'] }, queries('%zz', '%25zz', '%ZZ', '%z', '%4', '%4=1', '%4&1', '%4%31', '%41', '%254')],
  [{ dropParams: ['='] }, queries('=', '%3D', '%3d=1', '==', 'b=%3D')],
  [{ dropParams: ['&', 'c&d'] }, queries('&', '%26', 'c&d', 'c%26d', 'c%26d=1&c')],
  [{ dropParams: ['#', '?', ';'] }, queries('#', '%23', '?', '%3F', '??', ';', '%3b', ';=1&b')],
  [
    { dropParams: ['\u00e4'] },
    queries('\u00e4', '%C3%A4', '%c3%a4', '%E4', '%C3', '%A4', 'a%CC%88', '\u00c4', '%C3%A4%80'),
  ],
  [{ dropParams: ['\u{1f600}*'] }, queries('\u{1f600}', '%F0%9F%98%80x', '%F0%9F%98', '%F0%9F%98%81', '\u{1f600}=1&b')],
  [{ dropParams: ['\u0000', '\ufffd'] }, queries('%00', '%00=1', '%FF', '%EF%BF%BD', '\ufffd', '%00%00')],
  [{ dropParams: ['a', 'ab*', 'abc', 'b'] }, queries('a', 'ab', 'abc', 'abd', 'b', 'ba', 'c&a&ab&d&b')],
  [{ dropParams: ['b', 'a', 'b'] }, queries('a&b&c', 'c&b')],
];

const SORTED: ParameterInputs = [
  { sortParams: true },
  [
    ...queries(
      'b&a',
      'a&b',
      'b=2&a=1&b=1&a=0',
      'a=2&a=1',
      'b&',
      '&b&&a',
      '=2&=1&',
      'b=&a',
      'B&a',
      'a2&a10',
      'ab&a',
      'a&a%00',
    ),
    ...queries('%62&a', '%61=2&a=1', 'a=1&%61=2', '%41&a', '+b&a', '%20b&a', 'a+&a!', '%7E&z', 'z&%7e', '%25&&%'),
    ...queries(
      'a%FF&a%C3%A4&a',
      '%FF&%F0%9F%98%80&%EF%BF%BD&z',
      '\uffff&\u{10000}',
      '\u00e4&z',
      'b&a#b&a',
      'c;a&b',
      '#b&a',
    ),
    ...grid(['foo:/p', 'mailto:x', 'data:,', 'http://h'], ['?b&a', '?b&a#z&y']),
  ],
];

const LISTED: ParameterInputs = [
  { dropList: 'tracking-2026' },
  [
    ...queries(
      'utm_source=a&id=1',
      'UTM_SOURCE=a',
      'utm_source',
      'utm_x=1&',
      'utm_id=1&',
      'fbclid=a&gclid=b',
      'mkt_tok=1',
    ),
    ...queries('ref=1', 'source=1', 'igshid=1', '__s=1', '_s=1', 'utm%5Fterm=1', 'hsCtaTracking=1', 'hsctatracking=1'),
    'https://example.com/#utm_source=a',
    'https://example.com/?utm_campaign=a#:~:text=b',
  ],
];

const TOGETHER: readonly ParameterInputs[] = [
  [{ excludeFragment: true, dropParams: ['a'] }, queries('a#f', 'a&b#a', '#?a', '?#a')],
  [{ dropList: 'tracking-2026', dropParams: ['id'] }, queries('id&gclid', 'id&x&gclid=1')],
  [{ sortParams: true, dropParams: ['a*', 'utm_id'] }, queries('c&ab&b', 'c&a', 'a&ab', 'utm_id&b&')],
  [{ sortParams: true, dropList: 'tracking-2026', excludeFragment: true }, queries('z&fbclid&y#x', 'fbclid#x', 'b&a#')],
];

const PIECES = [
  'a',
  'b',
  'ab',
  '=',
  '&',
  '&',
  '&',
  '+',
  '%',
  '%61',
  '%2B',
  '%26',
  '%C3%A4',
  '%E4',
  ';',
  '?',
  '1',
  '#',
  '',
  '',
];

const GENERATED: ParameterInputs = [
  { dropParams: ['a', 'b+*', '\u00e4'], sortParams: true },
  generated(120, [['http://h/?', 'foo://h/p?', 'foo:x?'], ...Array.from({ length: 9 }, () => PIECES)], SEED),
];

/** By what they are about. */
export const PARAMETER_INPUTS: Readonly<Record<string, readonly ParameterInputs[]>> = {
  dropParams: [DROPPED, ...NAMES],
  sortParams: [SORTED],
  dropList: [LISTED],
  together: TOGETHER,
  generated: [GENERATED],
};
