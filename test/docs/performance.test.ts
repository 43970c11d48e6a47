// The figures of docs/performance.md that follow from others, and its length.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const tests = suite('docs/performance.md');

const DOCUMENT = readFileSync('docs/performance.md', 'utf8');
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

const rounded = (value: number) => Number(value.toPrecision(2));

tests('the chance of a collision is that of the birthday bound, to two digits', () => {
  const table = TABLES.find(([head]) => head!.join() === 'URLs,8 bytes,16 bytes')!;
  const oneIn = (bytes: number, pairs: number) => 1 / -Math.expm1(-pairs / 2 ** (8 * bytes));
  for (const [urls, ...cells] of table.slice(1)) {
    const [factor, exponent] = /^(?:(\d) · )?10\^(\d+)$/.exec(urls!)!.slice(1);
    const n = Number(factor ?? 1) * 10 ** Number(exponent);
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

tests('it has at most 2,000 words, those of its tables included', () => {
  const words = DOCUMENT.split(/[\s|]+/).filter((word) => /\w/.test(word));
  assert.ok(words.length <= 2000, `${words.length} words`);
});

tests.run();
