import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LINES_BYTES, ROW_CAPACITY } from '../../../assembly/json-lines/layout.ts';
import { MALFORMED, NO_BRACE, VALUE } from '../../../src/command/read/batch.ts';
import type { Framing } from '../../../src/command/read/framing.ts';
import {
  type JsonScanner,
  jsonLines,
  jsonScanner,
  objectAdder,
  recordLines,
} from '../../../src/command/read/json-lines.ts';
import { BATCH_BYTES } from '../../../src/core/bulk/hash-rows.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { cases, random } from '../../support/seed.ts';
import { batchesOf, spanAt } from '../rows.ts';

const test = suite('cli: the strings in JSON lines');
const next = random();

const SYNTAX = String.raw`{ } [ ] : , " \ {"url": {"a":{"url": "url" "a" "u\u0072l" {} [] {"b":1}`;
const VALUES = String.raw`"" "x" "\ud800" "é" "\n" "__proto__" true false null 0 -0 1.5 1e5 1E+5`;
const WRONG = String.raw`01 1. .5 - 1e \u00 \x tru nulll é`;

/** Parts of JSON, and of what is almost JSON, to be joined at random. */
const PIECES: readonly string[] = [
  ...[SYNTAX, VALUES, WRONG].flatMap((pieces) => pieces.split(' ')),
  ...[' ', '\t', '\r', '\n', '"\u2028"', '\ufeff', '\0', '"\u0001"'],
];

const STRINGS = [
  '',
  'x',
  'a"b',
  'http://a/\n',
  'é',
  '\u{1f600}',
  '\u007f',
  '\u0080',
  'x'.repeat(15),
  'x'.repeat(16),
  'y'.repeat(40),
];

function string(text: string): string {
  const json = JSON.stringify(text);
  const escaped = () => (next(2) === 0 ? '\\/' : '\\u002f');
  const spelt = next(4) === 0 ? json.replaceAll('/', escaped) : json;
  return next(6) === 0
    ? spelt.replace(/[a-z]/, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : spelt;
}

function value(depth: number): string {
  const kind = next(depth > 3 ? 5 : 8);
  if (kind < 3) return string(STRINGS[next(STRINGS.length)]!);
  if (kind < 5) return ['-1.5e3', 'null', 'true', 'false', '0', '12.50', '1E-9'][next(7)]!;
  if (kind === 5) return `[${Array.from({ length: next(3) }, () => value(depth + 1)).join(' , ')}]`;
  return object(depth + 1);
}

function object(depth: number): string {
  const name = () => string(['url', 'url', 'url', 'a', 'a', 'b', 'é', 'urlurl'][next(8)]!);
  const members = Array.from({ length: next(6) }, () => `${name()}${[':', ' : '][next(2)]}${value(depth)}`);
  return `${[' ', '', ''][next(3)]}{${members.join([',', ' ,\t'][next(2)])}}${['\r', '', ' '][next(3)]}`;
}

/** Mostly objects; some with a byte that does not belong there, some without any order. */
function line(): Buffer {
  const kind = next(8);
  if (kind === 0) return Buffer.from(Array.from({ length: next(12) }, () => PIECES[next(PIECES.length)]).join(''));
  const bytes = Buffer.from(object(0));
  if (kind > 2) return bytes;
  const at = next(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([next(256)]), bytes.subarray(at + next(2))]);
}

/**
 * Returns what JSON.parse finds in a line: undefined where it is not an object; its value, where it has such a string.
 */
function parsed(text: Uint8Array, names: readonly string[]): { readonly value: string | undefined } | undefined {
  try {
    let found: unknown = JSON.parse(decode(text));
    const isObject = (each: unknown): each is Record<string, unknown> =>
      typeof each === 'object' && each !== null && !Array.isArray(each);
    if (!isObject(found)) return undefined;
    for (const name of names) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    return { value: typeof found === 'string' ? found : undefined };
  } catch {
    return undefined; // not JSON
  }
}

const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** The lines with what WebAssembly finds, and by JavaScript alone. */
function framingsOf(names: readonly string[]): readonly Framing[] {
  const addObject = objectAdder(names, []);
  const withoutScanner = recordLines(openKernel(), undefined, false, (builder, block, start, end) =>
    addObject(builder, block, start, end, start),
  );
  return [jsonLines(openKernel(), names.join('.'), false), withoutScanner];
}

const counts = { 'not an object': 0, missing: 0, found: 0 };

function check(block: Buffer, names: readonly string[]): void {
  for (const framing of framingsOf(names)) checkWith(framing, block, names);
}

function checkWith(framing: Framing, block: Buffer, names: readonly string[]): void {
  const lines = block.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  let firstNumber = 0;
  for (const { rows, values, kinds, closingBraces, problems, ...batch } of batchesOf(framing, [block])) {
    assert.is(batch.firstNumber, firstNumber);
    const problemOf = new Map(problems.map((problem) => [problem.row, problem]));
    assert.is(batch.isLong, values.ends[batch.length - 1]! - values.starts[0]! > BATCH_BYTES);
    assert.ok(batch.length > 0 && (!batch.isLong || batch.length === 1));
    for (let row = 0; row < batch.length; row++) {
      const line = lines[firstNumber + row]!;
      const [start, end, brace] = [rows.starts[row]!, rows.ends[row]!, closingBraces[row]!];
      const expected = parsed(Buffer.from(line, 'latin1'), names);
      const what = line.length > 1000 ? '' : `${names.join('.')} of ${JSON.stringify(line)}`;
      const isLast = firstNumber + row === lines.length - 1 && block.at(-1) !== 10;
      assert.is(block.toString('latin1', start, end), isLast ? line : line.replace(/\r$/, ''), what);
      assert.is(kinds[row], expected?.value === undefined ? MALFORMED : VALUE, what);
      assert.is(decode(spanAt(values, row)), decode(Buffer.from(expected?.value ?? '')), what);
      counts[expected === undefined ? 'not an object' : expected.value === undefined ? 'missing' : 'found']++;
      if (expected?.value === undefined) {
        const message = expected === undefined ? 'not a JSON object' : 'the object has no string in the field ';
        assert.ok(problemOf.get(row)?.message.startsWith(message), what);
      } else assert.not(problemOf.has(row), what);
      if (expected === undefined) {
        assert.is(brace, NO_BRACE, what);
      } else {
        assert.is(block[brace], 0x7d, what);
        assert.match(block.toString('latin1', brace + 1, end), /^\s*$/, what);
      }
    }
    firstNumber += batch.length;
  }
  assert.is(firstNumber, lines.length);
}

const PATHS = [['url'], ['a', 'url'], ['é'], ['a', 'b', 'url'], ['']];

test('agrees with JSON.parse, line by line, whatever the block', () => {
  for (let round = 0; round < cases(400); round++) {
    const lines = Array.from({ length: 1 + next(60) }, () => line().toString('latin1').replaceAll('\n', ' '));
    check(Buffer.from(lines.join('\n') + ['', '\n', '\r\n'][next(3)], 'latin1'), PATHS[next(5)]!);
  }
  assert.ok(counts['not an object'] > 4000 && counts.missing > 4000 && counts.found > 800, JSON.stringify(counts));
});

test('every cut of a line', () => {
  const line = Buffer.from(' {"a":{"url":"x\\u00e9\\"","b":[1,-0.5e-3,{"url":null}]},"url":"http://é/","t":true} ');
  const cuts = Array.from({ length: line.length }, (_, end) => line.subarray(0, end + 1));
  const block = Buffer.concat(cuts.flatMap((cut) => [cut, Buffer.from('\n')]));
  for (const names of [['url'], ['a', 'url']]) {
    check(block, names);
    for (const cut of cuts) check(cut, names);
  }
});

test('the last of several names counts, at every depth', () => {
  for (const [text, names, expected] of [
    ['{"url":"x","url":1}', ['url'], 'missing'],
    ['{"url":1,"url":"x"}', ['url'], 'found'],
    ['{"a":{"url":"x"},"a":{}}', ['a', 'url'], 'missing'],
    ['{"a":{"url":"x"},"a":1}', ['a', 'url'], 'missing'],
    ['{"a":1,"a":{"url":"x"}}', ['a', 'url'], 'found'],
  ] as const) {
    const before = counts[expected];
    for (const end of ['', '\n']) check(Buffer.from(text + end), names);
    assert.is(counts[expected] - before, 4, text);
  }
});

const DEEP = (depth: number) => Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)},"url":"x"}\n`);

test('objects as deep as JSON.parse takes them, and deeper', () => {
  for (const depth of [1, 100, 1000]) check(DEEP(depth), ['url']);
  for (const framing of framingsOf(['url'])) {
    const [batch] = Array.from(batchesOf(framing, [DEEP(1e6)]), ({ length, kinds }) => [length, kinds[0]]);
    assert.equal(batch, [1, parsed(DEEP(1e6), ['url']) === undefined ? MALFORMED : VALUE]);
  }
});

// Lines longer than the scanner's memory: a step from one way to the other is no growth.
test('time is linear in the length of a line, whatever it holds', () => {
  for (const [what, input] of Object.entries({
    brackets: (length: number) => DEEP(length / 64),
    members: (length: number) => Buffer.from(`{${'"a":1,'.repeat(length)}"url":"x"}\n`),
    escapes: (length: number) => Buffer.from(`{"url":"${'\\u00e9'.repeat(length)}"}\n`),
    'ends of strings': (length: number) => Buffer.from(`{"url":"${'\\"'.repeat(length)}"}\n`),
    spaces: (length: number) => Buffer.from(`{"url":"x"}${' '.repeat(16 * length)}\n`),
    'many lines': (length: number) => Buffer.from('{"url":"\\u00e9"}\n{"url":"x"}\n'.repeat(length / 16)),
  }))
    for (const framing of framingsOf(['url']))
      mustBeLinear(what, input, (block) => Array.from(batchesOf(framing, [block]), ({ length }) => length));
});

/** The values of all lines, with '?' for each that is left to JavaScript. */
function valuesFound(scanner: JsonScanner, text: string): string[] {
  const found: string[] = [];
  const block = Buffer.from(text);
  scanner.begin(block);
  for (let at = 0; at < block.length; ) {
    const lines = scanner.next(at);
    const lineEnd = block.indexOf(0x0a, at);
    lines?.valueEnds.forEach((end, row) => {
      const start = row === 0 ? 0 : lines.valueEnds[row - 1]! + 1;
      found.push(decode(lines.values.subarray(start, end)));
      assert.is(lines.values[end], 0x0a);
    });
    if (lines === undefined) found.push('?');
    at = lines?.next ?? (lineEnd === -1 ? block.length : lineEnd + 1);
  }
  return found;
}

test('most lines take the fast way, and those that are rare do not', () => {
  const scanner = jsonScanner(['url'], ['key', 'key_canonical'], 0);
  if (scanner === undefined) return console.log('no SIMD here');
  const fast = [
    '{"url":"http://a/"}',
    ' {"a":[1,{"url":2}],"url":"\\u0026\\/"}\r',
    '{"url":1,"x":{"key":1},"ke":0,"url":"é"}',
  ];
  const slow = [
    ...['{"url":"\\u00e9"}', '{"\\u0075rl":"x"}', '{"é":1,"url":"x"}', '[]', '{"url":1}', '', '{"url":"é\\/"}'],
    ...['{"url":"x"', '{"url":"x","key":1}', '{"key_canonical":null,"url":"x"}'],
  ];
  assert.equal(valuesFound(scanner, [...fast, ...slow].join('\n')), ['http://a/', '&/', 'é', ...slow.map(() => '?')]);
});

test('more lines, longer lines and deeper objects than fit at once', () => {
  check(Buffer.from('{"url":"x"}\n'.repeat(2 * ROW_CAPACITY + 1)), ['url']);
  check(Buffer.from('\n'.repeat(ROW_CAPACITY + 5)), ['url']);
  for (const length of [LINES_BYTES - 12, LINES_BYTES - 11, LINES_BYTES - 10, LINES_BYTES, 2 * LINES_BYTES]) {
    const long = `{"url":"${'x'.repeat(length)}"}`;
    check(Buffer.from(`{"url":"a"}\n${long}\n{"url":"b"}\n${long}`), ['url']);
  }
  for (const depth of [61, 62, 63, 64, 65, 1000])
    check(Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)},"url":"x"}\n`), ['url']);
  check(Buffer.from('{"url":"x"}'), Array(40).fill('url'));
  check(Buffer.from('{"url":"x"}'), ['u'.repeat(5000)]);
});

test('objects after spaces, as in CDXJ', () => {
  const scanner = jsonScanner(['url'], [], 2);
  if (scanner === undefined) return console.log('no SIMD here');
  const text = 'a b {"url":"x"}\na  {"url":"y"}\n {"url":"z"}\na {"url":"z"}\n  {"url":"z"}\na b  {"url":"z"}\na';
  assert.equal(valuesFound(scanner, text), ['x', 'y', '?', '?', '?', '?', '?']);
});

/** The values of lines, as units of bytes. */
function valuesOf(path: string, text: string): string[] {
  const batches = batchesOf(jsonLines(openKernel(), path, false), [Buffer.from(text, 'latin1')]);
  return Array.from(batches, ({ values, length }) =>
    Array.from({ length }, (_, row) => spanAt(values, row).toString('latin1')),
  ).flat();
}

/** Pieces of a JSON string as units of bytes, and the bytes that each means. */
const BYTES: readonly (readonly [written: string, meant: string])[] = [
  ...['a', '\xe9', '\xff', '\xc3\xa9', '\xf4\x8f\xbf\xa9', '\xed\xa0\x80', '\xf4\x8f'].map(
    (raw) => [raw, raw] as const,
  ),
  ['\\u00e9', '\xc3\xa9'],
  ['\\udbff\\udfe9', '\xf4\x8f\xbf\xa9'],
  ['\\udbff', '\xef\xbf\xbd'],
  ['\\\\udbff\\udfe9', '\\udbff\xef\xbf\xbd'],
];

test('every value of JSON lines has the bytes that it is written with, whatever reads the line', () => {
  const values = Array.from({ length: cases(400) }, () =>
    Array.from({ length: 1 + next(5) }, () => BYTES[next(BYTES.length)]!),
  );
  for (const field of ['"url"', '"\\u0075rl"']) {
    const lines = values.map((pieces) => `{${field}:"${pieces.map(([written]) => written).join('')}"}\n`);
    const found = valuesOf('url', lines.join(''));
    const expected = values.map((pieces) => pieces.map(([, meant]) => meant).join(''));
    assert.equal(found, expected);
  }
});

test('a.b is field b of a, or else the field of that name', () => {
  const [nested, literal] = ['{"page":{"url":"http://a/"}}', '{"page.url":"http://b/","page":null}'];
  const both = '{"page.url":"http://b/","page":{"url":"http://a/"}}';
  assert.equal(valuesOf('page.url', `${nested}\n${literal}\n${both}\n`), ['http://a/', 'http://b/', 'http://a/']);
});

test.run();
