import { readFileSync } from 'node:fs';
import normalizeUrl from 'normalize-url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalize } from '../../../src/index.ts';

const tests = suite('parameters beside other tools');
const HOST = 'example.com';

/** The rows of the table in docs/parameters.md: a URL, and what each tool makes of it. */
const ROWS = Array.from(readFileSync('docs/parameters.md', 'utf8').matchAll(/^\| `(\S+)` +\|((?:[^|]+\|){6})$/gm))
  .map(([, given, cells]) => ({ given: given!, cells: cells!.split('|').map((cell) => cell.trim()) }))
  .filter(({ cells }) => cells.at(-2)!.startsWith('`/'));

const whole = (text: string) => `http://${text.startsWith('/') ? HOST : ''}${text}`;

/** Returns what a function makes of a URL, and of the result, as a cell of the table has it. */
function told(given: string, applied: (url: string) => string): readonly string[] {
  const url = whole(given);
  const once = applied(url);
  const twice = applied(once);
  return once === url ? [] : [once, ...(twice === once ? [] : [twice])];
}

const read = (cell: string) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, text]) => whole(text!));

const COLUMNS: readonly ((url: string) => string)[] = [
  (url) => canonicalize(url, { dropList: 'tracking-2026', sortParams: true }),
  normalizeUrl,
  (url) => canonicalize(url, { noVarySearch: 'key-order, params=("utm_source" "utm_id" "fbclid")' }),
];

tests(
  'docs/parameters.md says of 30 URLs what urlsum, normalize-url and No-Vary-Search make of them, once and twice',
  () => {
    assert.is(ROWS.length, 30);
    for (const { given, cells } of ROWS)
      for (const [column, applied] of COLUMNS.entries())
        assert.equal(told(given, applied), read(cells[column]!), given);
  },
);

tests('these three are idempotent on them', () => {
  const again = COLUMNS.map((applied) => ROWS.filter(({ given }) => told(given, applied).length > 1).length);
  assert.equal(again, [0, 0, 0]);
});

tests.run();
