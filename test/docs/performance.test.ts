// docs/performance.md computes with what was measured: every figure is what its formula says.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const tests = suite('docs/performance.md');

const DOCUMENT = readFileSync('docs/performance.md', 'utf8');
const SIZES = [1e9, 1e10, 1e11];
const HEAD = ['', 'formula', '10^9', '10^10', '10^11'];

type Row = readonly string[];

/** The tables, each with the row of its heads first and without the rule under it. */
const TABLES: readonly (readonly Row[])[] = DOCUMENT.split(/\n\n/)
  .filter((block) => block.startsWith('|'))
  .map((block) =>
    block
      .trim()
      .split('\n')
      .filter((_, line) => line !== 1)
      .map(cellsOf),
  );

function cellsOf(line: string): Row {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function numberOf(text: string): number {
  const number = Number(text.replaceAll(',', ''));
  assert.not(Number.isNaN(number), `'${text}' is not a number`);
  return number;
}

/** Least and greatest, or the one figure where they are the same. */
function rangeOf(text: string): readonly number[] {
  return text.split(' to ').map(numberOf);
}

const measured = new Map<string, readonly number[]>(
  TABLES.filter(([head]) => head![0] === 'symbol').flatMap((table) =>
    table.slice(1).map(([symbol, , value]) => [symbol!.replaceAll('`', ''), rangeOf(value!)]),
  ),
);

/** Returns the value of a formula such as `n · u / 1e9`, with the least or the greatest of what was measured. */
function valueOf(formula: string, n: number, at: (range: readonly number[]) => number): number {
  const expression = formula.replaceAll('`', '').replaceAll('·', '*').replaceAll('^', '**');
  const values = [...measured.values()].map(at);
  return new Function('n', ...measured.keys(), `return ${expression}`)(n, ...values);
}

const rounded = (value: number) => Number(value.toPrecision(2));

const FORMULAS = TABLES.filter(([head]) => head![1] === 'formula');

tests('every figure is what its formula gives, to two digits', () => {
  for (const [head] of FORMULAS) assert.equal(head, HEAD);
  const computed = FORMULAS.flatMap((table) => table.slice(1));
  for (const [what, formula, ...cells] of computed) {
    assert.is(cells.length, SIZES.length, what);
    for (const [index, n] of SIZES.entries()) {
      const least = rounded(valueOf(formula!, n, (range) => range[0]!));
      const greatest = rounded(valueOf(formula!, n, (range) => range.at(-1)!));
      const expected = least === greatest ? [least] : [least, greatest];
      assert.equal(rangeOf(cells[index]!), expected, `${what}: ${formula}, ${n}`);
    }
  }
  assert.is(computed.length, 14);
});

tests('the chance of a collision is that of the birthday bound, to two digits', () => {
  const table = TABLES.find(([head]) => head!.join() === 'URLs,8 bytes,16 bytes')!;
  const oneIn = (bytes: number, pairs: number) => 1 / -Math.expm1(-pairs / 2 ** (8 * bytes));
  for (const [urls, ...cells] of table.slice(1)) {
    const n = valueOf(urls!, 0, ([least]) => least!);
    const chances = [8, 16].map((byteLength) => rounded(oneIn(byteLength, (n * (n - 1)) / 2)));
    assert.equal(
      cells.map((cell) => numberOf(cell.replace(/^1 in /, ''))),
      chances,
      urls,
    );
  }
  assert.is(table.length, 6);
});

tests('one document has a limit for keys of 8 bytes, with the chance of a loss that is computed here', () => {
  const chances = TABLES.find(([head]) => head!.join() === 'URLs,8 bytes,16 bytes')!;
  const [, oneIn] = chances.find(([urls]) => urls === '10^9')!;
  const [rule] = DOCUMENT.match(/^\| +8 \|.*$/m)!;
  assert.match(rule, `deduplication up to 10^9 URLs, where one run in ${oneIn!.replace('1 in ', '')} loses a URL`);
  assert.not.match(readFileSync('docs/engines.md', 'utf8'), /8 {5}\|.*10\^\d/);
  for (const name of ['engines', 'bulk'])
    assert.match(readFileSync(`docs/${name}.md`, 'utf8'), '(performance.md#collisions)');
});

tests('every symbol that was measured is used', () => {
  const formulas = FORMULAS.flatMap((table) => table.slice(1).map((row) => row[1]!));
  for (const symbol of measured.keys())
    assert.ok(
      formulas.some((formula) => new RegExp(`\\b${symbol}\\b`).test(formula)),
      symbol,
    );
});

tests.run();
