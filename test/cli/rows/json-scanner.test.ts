import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LINES_BYTES, ROW_CAPACITY } from '../../../assembly/json-lines/layout.ts';
import { jsonLines } from '../../../src/cli/rows/json-lines.ts';
import { JsonScanner } from '../../../src/cli/rows/json-scanner.ts';
import { random } from '../../seed.ts';
import { PIECES } from './json-pieces.ts';

const test = suite('cli: the strings in JSON lines, many at once');
const next = random();

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

/** What JSON.parse finds in each line: undefined where it is not an object with such a string. */
function parsed(text: Buffer, names: readonly string[]): string | undefined {
  try {
    let found: unknown = JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(text));
    const isObject = (each: unknown): each is Record<string, unknown> =>
      typeof each === 'object' && each !== null && !Array.isArray(each);
    if (!isObject(found)) return undefined;
    for (const name of names) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined; // not JSON
  }
}

const decode = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

function check(block: Buffer, names: readonly string[]): void {
  const rows = jsonLines(names.join('.'), false).rows(block);
  const { bytes, offsets } = rows.values as { readonly bytes: Uint8Array; readonly offsets: Uint32Array };
  const lines = block.toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  assert.is(offsets.length, lines.length + 1);
  rows.eachRow((start, end, row) => {
    const expected = parsed(Buffer.from(lines[row]!, 'latin1'), names);
    const what = `${names.join('.')} of ${JSON.stringify(lines[row])}`;
    assert.is(rows.malformed.has(row), expected === undefined, what);
    if (expected === undefined) return;
    assert.is(decode(bytes.subarray(offsets[row], offsets[row + 1])), decode(Buffer.from(expected)), what);
    assert.is(block[rows.closingBraceOf!(row)], 0x7d, what);
    assert.match(block.toString('latin1', rows.closingBraceOf!(row) + 1, end), /^\s*$/, what);
    assert.is(
      block.toString('latin1', start, end),
      lines[row]!.replace(/\r$/, (found) => (row < lines.length - 1 || block.at(-1) === 10 ? '' : found)),
    );
  });
}

test('agrees with JSON.parse, line by line, whatever the block', () => {
  for (let round = 0; round < 400; round++) {
    const names = [['url'], ['a', 'url'], ['é'], ['a', 'b', 'url'], ['']][next(5)]!;
    const lines = Array.from({ length: 1 + next(60) }, () => line().toString('latin1').replaceAll('\n', ' '));
    check(Buffer.from(lines.join('\n') + ['', '\n', '\r\n'][next(3)], 'latin1'), names);
  }
});

/** The values of all lines, with '?' for each that is left to JavaScript. */
function valuesFound(scanner: JsonScanner, text: string): string[] {
  const found: string[] = [];
  scanner.eachLine(Buffer.from(text), {
    found: ({ values, valueEnds }) =>
      valueEnds.forEach((end, row) => void found.push(decode(values.subarray(valueEnds[row - 1] ?? 0, end)))),
    other: () => void found.push('?'),
  });
  return found;
}

test('most lines take the fast way, and those that are rare do not', () => {
  const scanner = JsonScanner.of(['url'], 0);
  if (scanner === undefined) return console.log('no SIMD here');
  const fast = ['{"url":"http://a/"}', ' {"a":[1,{"url":2}],"url":"\\u0026\\/"}\r', '{"url":1,"x":{},"url":"é"}'];
  const slow = [
    '{"url":"\\u00e9"}',
    '{"\\u0075rl":"x"}',
    '{"é":1,"url":"x"}',
    '[]',
    '{"url":1}',
    '',
    '{"url":"é\\/"}',
    '{"url":"x"',
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
  const scanner = JsonScanner.of(['url'], 2);
  if (scanner === undefined) return console.log('no SIMD here');
  const text = 'a b {"url":"x"}\na  {"url":"y"}\n {"url":"z"}\na {"url":"z"}\n  {"url":"z"}\na b  {"url":"z"}\na';
  assert.equal(valuesFound(scanner, text), ['x', 'y', '?', '?', '?', '?', '?']);
});

test.run();
