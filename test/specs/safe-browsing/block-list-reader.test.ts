import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BlockListReader, type EntryInput } from '../../../src/specs/safe-browsing/block-list-reader.ts';
import { EntryReader } from '../../../src/specs/safe-browsing/list-entry.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { cases, random } from '../../support/seed.ts';
import { readEntries } from './read-list.ts';

const test = suite('safe-browsing: lines of block lists');
const next = random();
const oneOf = <T>(all: readonly T[]): T => all[next(all.length)]!;

const readerOf = (input: EntryInput) => new BlockListReader({ input, ignoresExceptions: false, refangs: false });

/** Reads lines: the hosts of each, an exception's with @@ before them, or the kinds, or the reason in brackets. */
function readAll(lines: readonly string[], input: EntryInput = 'auto', reader = readerOf(input)): string[] {
  return lines.map((line) => {
    const found = reader.read(line);
    if ('reason' in found) return `(${found.reason})`;
    const mark = found.rule?.effect === 'exception' ? '@@' : '';
    return [...found.urls.map((url) => mark + url), ...found.leftOut].join(' ');
  });
}

test('the lines of a branch that holds are read, all others left out and counted', () => {
  const lines = [
    ...['||a.example^', '!#if env_firefox', '||b.example^', '!#if true', '||c.example^', '!#endif', '!#else'],
    ...['||d.example^', '!#if cap_of_tomorrow', '||e.example^', '!#else', '||f.example^', '!#endif', '!#endif'],
    ...['||g.example^', '!#endif', '!#else', '||h.example^', '!#include more.txt', '!#if !ext_ublock', '||i.example^'],
  ];
  for (const input of ['adblock', 'auto'] as const)
    assert.equal(readAll(lines, input), [
      ...['a.example', 'directives', 'otherBlockers', 'directives', 'otherBlockers', 'directives', 'directives'],
      ...[
        'd.example',
        'directives',
        'unknownConditions',
        'directives',
        'unknownConditions',
        'directives',
        'directives',
      ],
      ...['g.example', 'directives', 'directives', 'h.example', 'includes', 'directives', 'i.example'],
    ]);
});

test('a rule that goes on in the next line is missed once, and no part of it is an entry', () => {
  const lines = [
    '||a.example^$domain=b.example| \\',
    '    c.example| \\',
    '    d.example',
    'e.example',
    'f.example \\',
    'g.example',
  ];
  for (const input of ['adblock', 'auto'] as const)
    assert.equal(readAll(lines, input), ['continuedRules', '', '', 'e.example', 'continuedRules', 'g.example']);
});

test('names of a zone are below its own, as $ORIGIN or its SOA says it', () => {
  const record = (name: string) => `${name} 300 IN CNAME .`;
  const soa = 'SOA ns. admin. 1 2 3 4 5';
  const open = ['SOA ns. admin. (', '  20261128 ; serial', '', '; when', '  2 3', '  4 5 )'];
  for (const head of [
    ['$ORIGIN rpz.feed.example.'],
    ['$ORIGIN rpz.feed.example.', `@ ${soa}`],
    ['$TTL 60', `rpz.feed.example. IN ${soa}`],
    ['$TTL 60', `RPZ.feed.example. ${open[0]}`, ...open.slice(1)],
  ]) {
    const lines = [
      ...head,
      ...['bad1.example', 'Bad2.example.rpz.feed.example.', '*.bad3.example', 'other.example.', '@'].map(record),
      ...['$ORIGIN sub.rpz.feed.example.', record('bad4'), '$ORIGIN sub', record('bad5')],
    ];
    assert.equal(readAll(lines).slice(head.length), [
      ...['bad1.example', 'bad2.example', 'bad3.example', '(outside-zone)', 'directives'],
      ...['directives', 'bad4.sub', 'directives', 'bad5.sub.sub'],
    ]);
    assert.ok(readAll(head).every((each) => /^(?:directives|comments)$/.test(each)));
  }
  assert.equal(
    readAll(['$INCLUDE more.zone', '  300 IN A 192.0.2.7', ' NS ns.', '; x', 'h.example 1h IN CNAME h.example.']),
    [...['includes', 'otherAnswers', 'directives', 'comments', '@@h.example']],
  );
});

test('blocks that are read by readers of their own, each after the state of those before, are read as one list', () => {
  const some = [
    ...['||a.example^', 'b.example', '!#if env_firefox', '!#if true', '!#else', '!#endif', '!#if nothing_known'],
    ...['    c.example', '||d.example^$domain=x.example| \\', '$ORIGIN rpz.example.', 'e.example.rpz.example. CNAME .'],
    ...[
      'rpz.test. SOA a. b. (',
      ' 1 2 3',
      ' 4 5 )',
      '# x',
      '',
      '@@||f.example^',
      '0.0.0.0 g.example',
      'server=/h.example/#',
    ],
  ];
  for (let count = cases(600); count > 0; count--) {
    const lines = Array.from({ length: next(40) }, () => oneOf(some));
    const end = oneOf(['\n', '\r\n']);
    const scout = readerOf('auto');
    const found: string[] = [];
    for (let at = 0; at < lines.length; ) {
      const block = lines.slice(at, (at += 1 + next(6)));
      const reader = readerOf('auto');
      reader.state = structuredClone(scout.state);
      found.push(...readAll(block, 'auto', reader));
      scout.pass(Buffer.from(block.map((line) => line + end).join('')));
      assert.equal(scout.state, reader.state, JSON.stringify(lines));
    }
    assert.equal(found, readAll(lines), JSON.stringify(lines));
  }
});

const host = () => `h${next(100)}.${oneOf(['evil', 'b-1', '7'])}.example`;

test('auto reads each line as the reader of its format does, and lines of name servers', () => {
  for (let count = cases(500); count > 0; count--) {
    const name = host();
    for (const [line, input] of [
      [name, 'lines'],
      [`https://${name}/a?b`, 'lines'],
      [`0.0.0.0 ${name} # x`, 'hosts'],
      [`::1\t${name}`, 'hosts'],
      [`||${name}^$all`, 'adblock'],
      [`${name}##.ad`, 'adblock'],
      ['! comment', 'adblock'],
      ['[Adblock Plus 2.0]', 'adblock'],
    ] as const)
      assert.equal(readEntries(line, { input: 'auto' }), readEntries(line, { input }), line);
    for (const line of [
      `address=/${name}/`,
      `address=/${name}/0.0.0.0`,
      `local=/${name}/`,
      `address=/${name}/192.0.2.7`,
      `*.${name}`,
      `+.${name}`,
      `*.${name} CNAME .`,
      `local-zone: "${name}" always_nxdomain`,
      `local-zone: "${name}." static`,
      `local-data: "${name} A 0.0.0.0"`,
      `${name} CNAME . ; why`,
      `${name}\t300 IN CNAME *.`,
      `${name} CNAME rpz-drop.`,
      `.${name}`,
    ]) {
      assert.equal(readEntries(line, { input: 'auto' }), [`${name}/`], line);
      if (!/^[.+*]/.test(line)) assert.is(readEntries(line, { input: 'lines' })[0], 'resolver-line', line);
    }
    for (const line of ['$TTL 300', '@ SOA a. b. 1 2 3 4 5', ' NS localhost.', 'server:', 'no-resolv', 'cache-size=0'])
      assert.equal(readEntries(line, { input: 'auto' }), ['directives'], line);
    for (const line of ['32.4.3.2.1.rpz-ip CNAME .', '24.0.2.0.192.rpz-nsip CNAME .', `address=/*${name}/`])
      assert.equal(readEntries(line, { input: 'auto' }), ['patterns'], line);
    for (const line of [`${name} CNAME wall.example.`, `local-data: "${name} A 192.0.2.7"`, `${name} A 192.0.2.7`])
      assert.equal(readEntries(line, { input: 'auto' }), ['otherAnswers'], line);
    for (const line of [`server=/${name}/#`, `local-zone: "${name}" transparent`, `${name} CNAME rpz-passthru.`])
      assert.is(readEntries(line, { input: 'auto' })[0], 'exception', line);
  }
});

/** Ways to make a line long, by what repeats in it. */
const REPEATED = [
  ...[
    'a',
    '!',
    '.',
    'a.',
    '!.',
    '-',
    '*',
    '^',
    '|',
    '||',
    '@@',
    '$',
    '$a,',
    ',',
    '$domain=a|',
    '~a|',
    '#',
    '##',
    ' ',
    '\t',
  ],
  ...[
    ' #',
    '(',
    '[',
    '[.',
    '{',
    '"',
    "'",
    '/',
    '//',
    ':',
    ':/',
    '://',
    '%',
    '%00',
    '=',
    '&',
    '?',
    ';',
    '\\',
    ' \\',
    '0.',
    '0.0.0.0 ',
  ],
  ...[
    '::',
    '1',
    'SOA ',
    'CNAME ',
    'IN ',
    '300 ',
    '_',
    '\xe2\x80\x8b',
    '\xc2\xa0',
    '\xe2',
    '\r',
    '\x00',
    '[dot]',
    '(.)',
    'hxxp',
    '<',
  ],
];
const AROUND: readonly (readonly [string, string])[] = [
  ...([
    ['', ''],
    ['a', '.x'],
    ['a!', '!.x\r'],
    ['||', '^'],
    ['@@||a', '^$important'],
    ['*.', ''],
    ['0.0.0.0 ', ''],
  ] as const),
  ...([
    ['address=/', '/'],
    ['server=/', '/#'],
    ['local-zone: "', '" static'],
    ['', ' CNAME .'],
    ['http://', '/'],
    ['http://a/', '>'],
  ] as const),
  ...([
    ['!#if ', ''],
    ['||a^$', ''],
    ['||a^$domain=', ''],
    ['||a/', '^$doc'],
    ['local-data: "', ' A 0.0.0.0"'],
    ['$ORIGIN ', '.'],
  ] as const),
];

test('a line of any length takes linear time, whatever repeats in it', () => {
  const entries = new EntryReader({ profile: 'v5', mode: 'spec' });
  const readLine = (line: string, input: EntryInput) => {
    const found = readerOf(input).read(line);
    if ('urls' in found) for (const url of found.urls.slice(0, 9)) entries.expressionOf(url);
  };
  for (let count = cases(16); count > 0; count--) {
    const [repeated, [before, after]] = [oneOf(REPEATED), oneOf(AROUND)];
    const input = oneOf(['lines', 'hosts', 'adblock', 'auto'] as const);
    const line = (length: number) => before + repeated.repeat(Math.ceil(length / repeated.length)) + after;
    mustBeLinear(
      `${input}: ${JSON.stringify([before, repeated, after])}`,
      line,
      (text) => readLine(text, input),
      1 << 13,
    );
  }
  mustBeLinear(
    'the marks after a host',
    (length) => `a${'!'.repeat(length)}.x`,
    (line) => readLine(line, 'lines'),
  );
});

test.run();
