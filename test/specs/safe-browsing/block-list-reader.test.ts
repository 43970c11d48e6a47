import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BlockListReader, type EntryInput } from '../../../src/specs/safe-browsing/block-list-reader.ts';
import { conditionOf } from '../../../src/specs/safe-browsing/list-condition.ts';
import { EntryReader } from '../../../src/specs/safe-browsing/list-entry.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { cases, random } from '../../support/seed.ts';

const test = suite('safe-browsing: lines that say something about others');
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

test('an expression of !#if holds, fails or cannot be told: by every value of its names', () => {
  const known = { true: true, false: false, ext_ublock: false, env_firefox: false, adguard_app_windows: false };
  const names = Object.keys(known);
  const made = (depth: number): [text: string, holds: boolean] => {
    const kind = depth === 0 ? 0 : next(4);
    if (kind === 0) {
      const name = oneOf(names);
      return [name, known[name as keyof typeof known]];
    }
    const [one, holds] = made(depth - 1);
    if (kind === 1) return [`!(${one})`, !holds];
    const [other, also] = made(depth - 1);
    return kind === 2 ? [`(${one}) && (${other})`, holds && also] : [`(${one}) || ${other}`, holds || also];
  };
  for (let count = cases(3000); count > 0; count--) {
    const [text, holds] = made(4);
    assert.is(conditionOf(text), holds ? 'holds' : 'fails', text);
    assert.is(conditionOf(`${text} && cap_of_tomorrow`), 'unknown');
  }
  for (const text of ['true || false && false', '!env_mobile && !ext_ublock', '!(true) || true', '!!(true || false)'])
    assert.is(conditionOf(text), 'holds', text);
  for (const text of ['!(false) && false', '!false && !(true) || false', 'false && false || true && !true'])
    assert.is(conditionOf(text), 'fails', text);
  for (const text of [
    '',
    '(',
    'true true',
    'true &&',
    '!',
    '()',
    'true)',
    '|| true',
    'true & true',
    `${'('.repeat(1e6)}`,
  ])
    assert.is(conditionOf(text), 'unknown', text.slice(0, 20));
});

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
