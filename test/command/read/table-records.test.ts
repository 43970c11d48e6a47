import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CSV, EVERY, type Field, TableRecords, valueOf } from '../../../src/command/read/table-records.ts';
import { type DefinedRecord, definedRecords } from '../../support/csv-definition.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { hasProgram } from '../../support/programs.ts';
import { halvedCases, random, SCALE } from '../../support/seed.ts';

const tests = suite('TableRecords');

/** The records that are found where the bytes come in pieces, each given with those before it that are still needed. */
function scanned(text: string, cuts: readonly number[], limitBytes?: number): DefinedRecord[] {
  const bytes = Buffer.from(text, 'latin1');
  const found: DefinedRecord[] = [];
  const scans = [0, 1, 2, 3].map((column) => new TableRecords(CSV, column, limitBytes));
  let kept = 0;
  for (const end of [...cuts, bytes.length]) {
    const isEnd = end === bytes.length;
    const piece = bytes.subarray(kept, end);
    while (scans.map((scan) => scan.next(piece, isEnd)).every(Boolean)) found.push(recordOf(scans, piece));
    const released = scans.map((scan) => scan.release());
    assert.equal(new Set(released).size, 1);
    kept += released[0]!;
    if (isEnd) break;
  }
  return found;
}

/** Each scan keeps the bounds of another column. */
function recordOf(scans: readonly TableRecords[], bytes: Buffer): DefinedRecord {
  const [{ start, end, malformation, fieldCount }] = scans as [TableRecords];
  const text = bytes.toString('latin1', start, end);
  if (malformation !== undefined) return { text, malformation };
  const values = scans.slice(0, fieldCount).map((scan) => Buffer.from(valueOf(bytes, scan)).toString('latin1'));
  return { text, fields: [...values, ...Array<string>(Math.max(0, fieldCount - scans.length)).fill('…')] };
}

function withoutFields(records: readonly DefinedRecord[]): DefinedRecord[] {
  return records.map((record) =>
    'fields' in record ? { ...record, fields: record.fields.map((field, index) => (index < 4 ? field : '…')) } : record,
  );
}

const ALPHABET = ['"', '"', '"', ',', '\n', '\r', 'a'];

function* everyText(length: number): Generator<string> {
  if (length === 0) return yield '';
  for (const rest of everyText(length - 1)) for (const letter of new Set(ALPHABET)) yield rest + letter;
}

tests('every text of up to five characters, in a long run six, under a cut', () => {
  let count = 0;
  for (let length = 0; length <= (SCALE >= 10 ? 6 : 5); length++) {
    for (const text of everyText(length)) {
      const expected = withoutFields(definedRecords(text));
      const cut = count++ % (length + 1);
      assert.equal(scanned(text, [cut]), expected, JSON.stringify([text, cut]));
    }
  }
  assert.ok(count > 3900);
});

tests('texts of up to forty characters, cut before every byte and at random places', () => {
  const next = random();
  for (let round = 0; round < halvedCases(4000); round++) {
    const text = Array.from({ length: next(40) }, () => ALPHABET[next(ALPHABET.length)]).join('');
    const expected = withoutFields(definedRecords(text));
    const everywhere = Array.from(text, (_, at) => at);
    const some = everywhere.filter(() => next(6) === 0);
    for (const cuts of [[], some, everywhere])
      assert.equal(scanned(text, cuts), expected, JSON.stringify([text, cuts]));
  }
});

tests('a limit on what is in quotes: the same records for every cut, and nothing lost', () => {
  const next = random();
  for (let round = 0; round < halvedCases(4000); round++) {
    const text = Array.from({ length: next(60) }, () => ALPHABET[next(ALPHABET.length)]).join('');
    const limit = 1 + next(20);
    const whole = scanned(text, [], limit);
    const cuts = Array.from(text, (_, at) => at).filter(() => next(4) === 0);
    assert.equal(scanned(text, cuts, limit), whole, JSON.stringify([text, cuts, limit]));
    assert.is(whole.map((record) => record.text).join(''), text);
    for (const { text: record } of whole) assert.ok(record.slice(0, -1).lastIndexOf('\n') < limit, record);
  }
});

tests('a quotation mark that is left open for longer than the limit costs its line', () => {
  const good = 'b,c\n'.repeat(10);
  const [open, ...rest] = scanned(`a,"x\n${good}`, [], 20);
  assert.equal(open, { text: 'a,"x\n', malformation: 'a quotation mark is left open' });
  assert.is(rest.length, 10);
  const closed = scanned('a,"x\ny"\n', [], 20);
  assert.equal(closed, [{ text: 'a,"x\ny"\n', fields: ['a', 'x\ny'] }]);
});

tests('blocks of whole records hold the same records by themselves', () => {
  const next = random();
  for (let round = 0; round < halvedCases(4000); round++) {
    const text = Array.from({ length: next(60) }, () => ALPHABET[next(ALPHABET.length)]).join('');
    const limit = next(2) === 0 ? undefined : 1 + next(20);
    const whole = scanned(text, [], limit);
    const bytes = Buffer.from(text, 'latin1');
    const cutter = new TableRecords(CSV, 0, limit);
    const blocks: string[] = [];
    for (let kept = 0, end = 0; end < bytes.length; ) {
      end = Math.min(bytes.length, end + 1 + next(12));
      while (cutter.next(bytes.subarray(kept, end), false));
      const length = end === bytes.length ? bytes.length - kept : cutter.release();
      blocks.push(text.slice(kept, kept + length));
      kept += length;
    }
    assert.equal(
      blocks.flatMap((block) => scanned(block, [], limit)),
      whole,
      JSON.stringify([text, blocks, limit]),
    );
  }
});

tests('without quoting, fields are what is between separators; of spaces, several are one', () => {
  const next = random();
  for (let round = 0; round < halvedCases(4000); round++) {
    const separator = [' ', '\t', '"'][next(3)]!;
    const alphabet = [separator, separator, '"', '\n', '\r', 'a'];
    const text = Array.from({ length: next(40) }, () => alphabet[next(alphabet.length)]).join('');
    const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
    const expected = lines.map((line) => {
      const fields = line.replace(/\r?\n$|\r$/, '').split(separator);
      return separator === ' ' ? fields.filter((field) => field !== '') : fields;
    });
    const bytes = Buffer.from(text);
    const scan = new TableRecords({ separator: separator.charCodeAt(0), isQuoted: false }, EVERY);
    const found: string[][] = [];
    while (scan.next(bytes, true))
      found.push(scan.fields.map((field) => Buffer.from(valueOf(bytes, field)).toString()));
    assert.equal(found, expected, JSON.stringify(text));
  }
});

/** Python's reader, which ends a text where it is not a record: null. */
const PYTHON = `
import csv, io, json, sys
def records(text, separator):
    try:
        return [row or [''] for row in csv.reader(io.StringIO(text, newline=''), delimiter=separator, strict=True)]
    except csv.Error:
        return None
print(json.dumps([records(*each) for each in json.load(sys.stdin)]))
`;

tests('records are those of the csv module of Python, and what it refuses has a malformed one', () => {
  if (!hasProgram('python3')) return;
  const next = random();
  const texts = Array.from({ length: halvedCases(4000) }, () => {
    const separator = [',', ';', '\t'][next(3)]!;
    const alphabet = [separator, separator, '"', '"', '\n', '\r\n', 'a', ' ', 'é'];
    return [Array.from({ length: next(40) }, () => alphabet[next(alphabet.length)]).join(''), separator] as const;
  });
  const input = JSON.stringify(texts);
  const found = JSON.parse(execFileSync('python3', ['-c', PYTHON], { input }).toString()) as (string[][] | null)[];
  for (const [index, [text, separator]] of texts.entries()) {
    const bytes = Buffer.from(text);
    const scan = new TableRecords({ separator: separator.charCodeAt(0), isQuoted: true }, EVERY);
    const rows: (string[] | undefined)[] = [];
    const valueIn = (field: Field) => Buffer.from(valueOf(bytes, field)).toString();
    while (scan.next(bytes, true)) rows.push(scan.malformation === undefined ? scan.fields.map(valueIn) : undefined);
    if (found[index] === null) assert.ok(rows.includes(undefined), text);
    else assert.equal(rows, found[index], JSON.stringify(text));
  }
});

tests('linear time: records that would each be read to the end, were they read again', () => {
  for (const unit of ['x","\n', '"\n', '"a"\n', '"a\n', '""', '"', 'a",', '"a" ', '"\r', '\n']) {
    for (const end of ['', '"x'])
      mustBeLinear(
        JSON.stringify([unit, end]),
        (length) => `"${unit.repeat(length / unit.length)}${end}`,
        (text) => assert.ok(scannedCount(text) > 0),
      );
  }
  const spaces = (length: number) => `"${'a'.repeat(length / 3)}${' '.repeat((2 * length) / 3)}`;
  mustBeLinear('spaces after a field left open', spaces, scannedCount);
});

function scannedCount(text: string): number {
  const bytes = Buffer.from(text, 'latin1');
  const scan = new TableRecords(CSV, 0);
  let count = 0;
  for (let kept = 0, end = 0; end < bytes.length; kept += scan.release()) {
    end = Math.min(bytes.length, end + 4096);
    while (scan.next(bytes.subarray(kept, end), end === bytes.length)) count++;
  }
  return count;
}

tests.run();
