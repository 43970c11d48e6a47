import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as expressionLines from '../../assembly/expression-lines/layout.ts';
import * as expressions from '../../assembly/expressions/layout.ts';
import * as jsonLines from '../../assembly/json-lines/layout.ts';
import * as kernel from '../../assembly/layout.ts';
import * as lines from '../../assembly/lines/layout.ts';

interface Configuration {
  readonly options: { readonly initialMemory: number };
  readonly targets: {
    readonly simd: { readonly initialMemory: number };
    readonly lines: { readonly initialMemory: number };
    readonly 'expression-lines': { readonly initialMemory: number };
    readonly module: { readonly memoryBase: number };
  };
}

const tests = suite('the layout of memory');

const area = (name: string, start: number, byteLength: number) => ({ name, start, end: start + byteLength });
const perRow = (name: string, start: number, byteLength: number) => area(name, start, byteLength * kernel.ROW_CAPACITY);

const KERNEL = [
  area('SCANNED', kernel.SCANNED, 20),
  area('STATE', kernel.STATE, 32),
  area('BLOCK', kernel.BLOCK, 64),
  area('UNICODE_ROWS', kernel.UNICODE_ROWS, kernel.UNICODE_ROWS_BYTES),
  area('UNICODE_VERSION', kernel.UNICODE_VERSION, 4),
  area('LABEL', kernel.LABEL, 4 * kernel.DOMAIN_LIMIT),
  area('SCHEDULE', kernel.SCHEDULE, 64 * 16),
  area('CONSTANTS', kernel.CONSTANTS, 72 * 4),
  area('BUCKETS', kernel.BUCKETS, kernel.BUCKET_BYTES * kernel.LONG_BLOCK_COUNT),
  area('KEEP', kernel.KEEP, 144),
  area('END_MARK', kernel.END_MARK, 144),
  perRow('SPANS', kernel.SPANS, 8),
  perRow('PENDING', kernel.PENDING, 4),
  perRow('DIGESTS', kernel.DIGESTS, 32),
  perRow('ROW_STARTS', kernel.ROW_STARTS, 4),
  area('ROW_ENDS', kernel.ROW_ENDS, 4 * kernel.ROW_CAPACITY + kernel.LINE_END_SLACK_BYTES),
  perRow('LISTED', kernel.LISTED, 16),
  area('TEXT', kernel.TEXT, kernel.TEXT_END + kernel.SLACK_BYTES - kernel.TEXT),
  area('SCRATCH', kernel.SCRATCH, kernel.SCRATCH_END + kernel.SLACK_BYTES - kernel.SCRATCH),
  area('MARKS', kernel.MARKS, 32_768),
  area('HOST_MARKS', kernel.HOST_MARKS, 32_768),
  area('SITES', kernel.SITES, kernel.SITES_BYTES + kernel.SLACK_BYTES),
  area('DOMAIN_HEADS', kernel.DOMAIN_HEADS, 4 * kernel.DOMAIN_SLOTS),
  area('DOMAINS', kernel.DOMAINS, kernel.DOMAIN_SLOTS * kernel.DOMAIN_BYTES + kernel.SLACK_BYTES),
  area('LETTERS', kernel.LETTERS, 4 * kernel.LETTER_COUNT),
];

/** The areas of the module of expressions, which has spans and text where the kernel has them. */
const EXPRESSIONS = [
  area('STATE', expressions.STATE, 8),
  area('PATH_ENDS', expressions.PATH_ENDS, 4 * (2 + expressions.PATH_PREFIX_LIMIT)),
  perRow('SPANS', kernel.SPANS, 8),
  area('ROW_BOUNDS', expressions.ROW_BOUNDS, 4 * (kernel.ROW_CAPACITY + 1) + kernel.LINE_END_SLACK_BYTES),
  area('TEXT', kernel.TEXT, expressions.TEXT_END + kernel.SLACK_BYTES - kernel.TEXT),
  perRow('SPAN_ENDS', expressions.SPAN_ENDS, 4),
];

/** The areas of the module that writes expressions, which are copied to where the module above and the kernel have them. */
const EXPRESSION_LINES = [
  area('WRITTEN_LENGTH', expressionLines.WRITTEN_LENGTH, 4),
  perRow('SPANS', kernel.SPANS, 8),
  perRow('DIGESTS', kernel.DIGESTS, 32),
  area('TEXT', kernel.TEXT, expressions.TEXT_END + kernel.SLACK_BYTES - kernel.TEXT),
  perRow('SPAN_ENDS', expressionLines.SPAN_ENDS, 4),
  perRow('LINES_ENDS', expressionLines.LINES_ENDS, 4),
  area('WRITTEN', expressionLines.WRITTEN, expressionLines.WRITTEN_BYTES),
];

const JSON_LINES = [
  area('STOPPED', jsonLines.STOPPED, 4),
  area('NAME_ENDS', jsonLines.NAME_ENDS, 2 * jsonLines.NAME_CAPACITY),
  area('NAMES', jsonLines.NAMES, jsonLines.NAMES_BYTES),
  area('STARTS', jsonLines.STARTS, 4 * jsonLines.ROW_CAPACITY),
  area('ENDS', jsonLines.ENDS, 4 * jsonLines.ROW_CAPACITY),
  area('CLOSING_BRACES', jsonLines.CLOSING_BRACES, 4 * jsonLines.ROW_CAPACITY),
  area('VALUE_ENDS', jsonLines.VALUE_ENDS, 4 * jsonLines.ROW_CAPACITY),
  area('LINES', jsonLines.LINES, jsonLines.LINES_BYTES + 64),
  area('VALUES', jsonLines.VALUES, jsonLines.LINES_BYTES + 64),
];

/** The areas that the module `lines` divides SCRATCH into. */
const LINES = [
  area('STOPPED', lines.STOPPED, 4),
  area('TEMPLATE', lines.TEMPLATE, lines.TEMPLATE_BYTES + kernel.SLACK_BYTES),
  perRow('KEPT', lines.KEPT, 4),
  area('WRITTEN', lines.WRITTEN, lines.WRITTEN_END - lines.WRITTEN),
];

const CONFIGURATION = JSON.parse(readFileSync('asconfig.json', 'utf8')) as Configuration;
const PAGE_BYTES = 65_536;

tests('each area ends before the next begins, and each address holds one thing', () => {
  const { targets } = CONFIGURATION;
  for (const [first, areas, end] of [
    [1024, KERNEL, kernel.MEMORY_BYTES],
    [kernel.SCRATCH, LINES, kernel.SCRATCH_END],
    [1024, EXPRESSIONS, expressions.SUFFIXES],
    [1024, EXPRESSION_LINES, targets['expression-lines'].initialMemory * PAGE_BYTES - kernel.SLACK_BYTES],
    [1024, JSON_LINES, CONFIGURATION.options.initialMemory * PAGE_BYTES],
  ] as const) {
    const bounds = [...areas.flatMap((each) => [each.start, each.end]), end];
    assert.ok(bounds[0]! >= first);
    assert.equal(
      bounds,
      bounds.toSorted((one, other) => one - other),
      areas.map(({ name, start, end }) => `${name} ${start}-${end}`).join('\n'),
    );
  }
});

tests(
  'modules that share the kernel’s addresses have its memory, and the module of every language lies after it',
  () => {
    const { targets } = CONFIGURATION;
    for (const { initialMemory } of [targets.simd, targets.lines])
      assert.is(initialMemory * PAGE_BYTES, kernel.MEMORY_BYTES);
    assert.is(targets.module.memoryBase, kernel.MEMORY_BYTES);
  },
);

tests('marks fit: a bit for each byte that may be scanned, a step more, and what a look-up reads after them', () => {
  const step = 4096;
  assert.ok((kernel.MARKED_BYTES + step) / 8 <= kernel.HOST_MARKS - kernel.MARKS);
  assert.ok(kernel.MARKED_BYTES < kernel.TEXT_END - kernel.TEXT);
  assert.is(kernel.ROWS, kernel.TEXT + kernel.ROW_CAPACITY + 16);
});

tests.run();
