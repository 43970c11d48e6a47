import { hexOfBytes } from '../../core/bytes/hex.ts';
import { quote } from '../../core/quote.ts';
import type { NamedList } from '../../service/lists/list-search.ts';
import { type ExplainOptions, explain } from '../../specs/explain/explain.ts';
import type { Explanation, Step } from '../../specs/explain/explanation.ts';
import { askedExpressions, expressionList, expressions, hashes } from '../../specs/safe-browsing/expressions.ts';
import { mustBeFound } from '../../specs/safe-browsing/failure.ts';
import { HASH_BYTES } from '../../specs/safe-browsing/hash-prefix.ts';
import { READINGS, type Reading, type Settings } from '../../specs/safe-browsing/settings.ts';
import { type Row, tableText } from '../arguments/diagnostics.ts';
import { commandProfile } from './safe-browsing-flags.ts';

/** The output of `--explain`, and whether the run exits with status 1, as it does on such a line. */
export interface ExplainedUrl {
  readonly text: string;
  readonly hasFailed: boolean;
}

/** Explains one URL under one specification. */
export function explainUrl(url: string, options: ExplainOptions): ExplainedUrl {
  const explanation = explain(url, options);
  return { text: explanationText(explanation), hasFailed: explanation.failure !== undefined };
}

type ReadUrl = ReturnType<typeof readUrl>;

/** Explains one URL under the readings asked for, then shows where all four of them differ. */
export function explainReadings(url: string, settings: Settings): ExplainedUrl {
  const all = READINGS.map((reading) => readUrl(url, reading, settings));
  const chosen = all.filter(({ isChosen }) => isChosen);
  const sections = [
    ...chosen.map(({ name, explanation }) => section(`Steps, ${name}`, explanationText(explanation))),
    section('Canonical forms', tableText(all.map(({ name, explanation }) => [name, formIn(explanation)]))),
    section(
      `Expressions, SHA-256, and who looks them up (suffix list ${settings.suffixList.edition})`,
      tableText([...expressionRows(all), ...unionRows(url, settings, all)]),
    ),
  ];
  return { text: sections.join('\n'), hasFailed: all.every(({ explanation }) => explanation.failure !== undefined) };
}

function readUrl(url: string, reading: Reading, { profile, mode, privateSuffixes, suffixList }: Settings) {
  const isProfile = reading.profile === profile;
  return {
    name: nameOf(reading),
    isChosen: isProfile && (reading.mode === mode || mode === 'union'),
    explanation: explain(url, { specification: reading.profile, mode: reading.mode, privateSuffixes, suffixList }),
  };
}

function formIn({ canonical, failure }: Explanation): string | undefined {
  return failure === undefined ? canonical : `rejected: ${failure.sentence}`;
}

/** Returns each expression with its hash and the readings that look it up. */
function expressionRows(all: readonly ReadUrl[]): Row[] {
  const expressions = all.flatMap(({ explanation }) => explanation.expressions ?? []);
  const each = new Map(expressions.map((found) => [found.expression, found]));
  return Array.from(each.values(), (found) => [found.expression, `${found.hash}  ${readersOf(found.readings)}`]);
}

/** Returns the expressions that only the union looks up: those of what a browser visits with user and password. */
function unionRows(url: string, settings: Settings, all: readonly ReadUrl[]): Row[] {
  const known = new Set(all.flatMap(({ explanation }) => explanation.expressions ?? []).map((each) => each.expression));
  if (settings.mode !== 'union' || known.size === 0) return [];
  const hashOf = hashes(url, settings);
  return expressions(url, settings).flatMap((expression, at) =>
    known.has(expression)
      ? []
      : [[expression, `${hexOfBytes(hashOf[at]!)}  ${commandProfile(settings.profile)} union`]],
  );
}

function readersOf(readings: readonly Reading[]): string {
  return readings.length === READINGS.length ? 'all' : readings.map(nameOf).join(', ');
}

function nameOf({ profile, mode }: Reading): string {
  return `${commandProfile(profile)} ${mode}`;
}

function section(title: string, lines: string): string {
  return `${title}\n${lines.replace(/^(?=.)/gm, '  ')}`;
}

/**
 * Shows a URL's expressions, the first half of each hash, and the lists that have it.
 *
 * @throws {SafeBrowsingUrlError} where it is not looked up
 */
export function explainLookup(url: string, settings: Settings, lists: readonly NamedList[]): ExplainedUrl {
  const { hashes, doubt } = mustBeFound(url, askedExpressions(url, settings, 'value'));
  const rows = mustBeFound(url, expressionList(url, settings)).map((expression, row) => {
    const at = HASH_BYTES * row;
    const names = lists.filter(({ list }) => list.hasAt(hashes, at)).map(({ name }) => name);
    return { expression, hex: hexOfBytes(hashes, at, at + 16), names };
  });
  const isListed = rows.some(({ names }) => names.length > 0);
  if (!isListed) mustBeFound(url, doubt);
  return {
    text: tableText(rows.map(({ expression, hex, names }) => [expression, `${hex}  ${names.join(', ')}`.trimEnd()])),
    hasFailed: isListed,
  };
}

/** The longest marked text that a reason quotes, in UTF-16 units. */
const QUOTED_UNITS = 40;

/** Returns the output of `--explain` for one URL: each step with its clause, then the result or the failure. */
function explanationText(explanation: Explanation): string {
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

function resultRows({ input, canonical, hash, failure }: Explanation): Row[] {
  const rejected = failure && reasonOf(failure, input);
  return Object.entries(rejected === undefined ? { canonical, hash } : { rejected });
}

/** Returns `the host holds a forbidden code point: " ", at character 11 (domain-invalid-code-point)`. */
function reasonOf({ sentence, reason, span }: NonNullable<Explanation['failure']>, input: string): string {
  if (span === undefined) return `${sentence} (${reason})`;
  const marked = input.slice(...span);
  const isQuoted = marked !== '' && marked.length <= QUOTED_UNITS;
  return `${sentence}${isQuoted ? `: ${quote(marked)}` : ''}, at character ${span[0] + 1} (${reason})`;
}
