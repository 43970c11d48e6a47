import { visible } from '../../core/bytes/text.ts';
import type { Explanation, Step } from '../../specs/explain/explanation.ts';

/** A line of a table, perhaps without a label. One without a value is left out. */
export type Row = readonly [label: string, value: string | undefined];

/** The longest marked text that a reason quotes, in UTF-16 units. */
const QUOTED_UNITS = 40;

/** Returns the output of `--explain` for one URL: each step with its clause, then the result or the failure. */
export function explanationText(explanation: Explanation): string {
  const { profile, input, steps } = explanation;
  return tableText([['profile', profile], ['given', input], ...steps.flatMap(stepRows), ...resultRows(explanation)]);
}

/** Returns the text after a step, and below it the change and its clause. */
function stepRows({ part, change, clause, text }: Step): Row[] {
  return [
    [part ?? 'URL', text],
    ['', `${change}: ${clause.name}`],
  ];
}

function resultRows({ specification, input, canonical, hash, parts, failure }: Explanation): Row[] {
  if (failure !== undefined) return [['rejected', reasonOf(failure, input)]];
  const spans = specification === 'hash-uri' ? parts : [];
  return [
    ['canonical', canonical],
    ...spans.map(({ name, given }): Row => [name, given && input.slice(...given)]),
    ['hash', hash],
  ];
}

/** Returns `the host holds a forbidden code point: " ", at character 11 (domain-invalid-code-point)`. */
function reasonOf({ sentence, reason, span }: NonNullable<Explanation['failure']>, input: string): string {
  if (span === undefined) return `${sentence} (${reason})`;
  const marked = input.slice(...span);
  const isQuoted = marked !== '' && marked.length <= QUOTED_UNITS;
  return `${sentence}${isQuoted ? `: ${JSON.stringify(marked)}` : ''}, at character ${span[0] + 1} (${reason})`;
}

/** Aligns labels in a column with values after them, and escapes what a terminal would obey. */
export function tableText(rows: readonly Row[]): string {
  const shown = rows.filter(([, value]) => value !== undefined);
  const width = Math.max(...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `${label.padEnd(width)}  ${visible(value!)}\n`).join('');
}
