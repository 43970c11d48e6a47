import type { KeepFlag } from '../../hashed-uri/options.ts';
import { parse } from '../../hashed-uri/parse.ts';
import { HashedUriSet } from '../../hashed-uri/set.ts';
import { openTextFormat } from '../format/texts.ts';
import { hashedUriForm, matchForm } from '../stage/hashed-uri-forms.ts';
import { TextStage } from '../stage/texts.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';
import { choice, group, oneOf, parsed, text, texts, type ValuesOf } from '../terminal/flag.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { lineCommand } from './command.ts';
import { addListFiles } from './hashed-uri-list.ts';
import { ALL_LINE_FLAGS, EXPLAIN_FLAG, linePlan } from './line-flags.ts';
import type { Plan } from './plan.ts';

const VARIANTS = {
  N: 'equal URIs may get different hashes (default)',
  P: 'different URIs may get equal hashes',
  both: 'with --match, both variants (its default)',
} as const;

const FLAGS = {
  ...group('Hashed URIs', {
    variant: choice('V', VARIANTS, undefined, 'variant of the canonical form:'),
    algorithm: choice(
      'NAME',
      { sha1: '', md5: '' },
      undefined,
      'sha1 (default) or md5; neither hides a URI that can be guessed',
    ),
    keep: parsed<readonly KeepFlag[] | undefined>(
      'PARTS',
      'parts to keep: frag, query, or frag,query',
      undefined,
      partsOf,
    ),
    base: text('URI', 'resolve relative URIs against URI'),
    match: texts(
      'HASHED',
      'print match, no-match or unsupported, and the line; repeat it for several. HASHED names its flags and algorithm',
    ),
    matchFile: texts('LIST', 'the same for each line of LIST', { isPath: true }),
  }),
  ...ALL_LINE_FLAGS,
  ...EXPLAIN_FLAG,
};

/** `urlsum hashed-uri`: the hashed URI of each line, or whether it matches one of those given. */
export const HASHED_URI = lineCommand({
  examples: [
    ['uris.txt', 'a hashed URI for each line'],
    ['--keep frag,query --algorithm md5 uris.txt', 'keep the fragment and the query'],
    ['--match "$hashed" uris.txt', 'the lines that match a hashed URI'],
    ['--match-file blocked.txt uris.txt', 'the same for a list'],
  ],
  operands: '[FILE…]',
  about: [
    'Prints the hashed URI of each URI (draft-feather-hashed-uri-03). With --match, a run without a match fails.',
  ],
  flags: FLAGS,
  plan: (values, operands, diagnostics) =>
    values.match.length === 0 && values.matchFile.length === 0
      ? hashPlan(values, operands)
      : matchPlan(values, operands, diagnostics),
  async explain(url, { variant = 'N', algorithm = 'sha1', keep = [], base }) {
    const variants = variant === 'both' ? (['N', 'P'] as const) : [variant];
    const options = variants.map(
      (each) => ({ specification: 'hashed-uri', variant: each, algorithm, keep, base }) as const,
    );
    return (await import('./explain.ts')).explainUrl(url, ...options);
  },
});

type Values = ValuesOf<typeof FLAGS>;

async function hashPlan(values: Values, operands: readonly string[]): Promise<Plan> {
  const lines = await linePlan(values, operands);
  const { algorithm = 'sha1', keep = [], base } = values;
  const variant = oneOf('--variant', values.variant ?? 'N', ['N', 'P']);
  return {
    ...lines,
    stage: new TextStage(hashedUriForm({ variant, keep, base }, algorithm), lines.lineEnd),
    openFormat: () => openTextFormat(lines, 'hashed'),
    facts: () => ({ profile: `hashed-uri-${variant.toLowerCase()}` }),
  };
}

async function matchPlan(values: Values, operands: readonly string[], diagnostics: Diagnostics): Promise<Plan> {
  const lines = await linePlan(values, operands);
  if (values.algorithm !== undefined || values.keep !== undefined)
    throw new UsageError('a hashed URI says its algorithm and what to keep itself');
  if (lines.threadCount !== 1) throw new UsageError('--match and --jobs exclude each other');
  const list = new HashedUriSet(values.match.map(parse), { variant: values.variant ?? 'both', base: values.base });
  await addListFiles(list, values.matchFile, diagnostics);
  return {
    ...lines,
    stage: new TextStage(matchForm(list, lines.records === undefined), lines.lineEnd),
    openFormat: () => openTextFormat(lines, 'match'),
    facts: () => ({}),
    // As grep does: a run that matched nothing has failed
    conclude({ matched = 0 }) {
      for (const hashed of list.unsupported)
        diagnostics.failed(`${hashed}: cannot be matched: ${hashed.problems.join(', ')}`);
      if (matched === 0) diagnostics.failed();
    },
  };
}

function partsOf(keep: string, option: string): KeepFlag[] {
  return keep === '' ? [] : keep.split(',').map((part) => oneOf(option, part, ['frag', 'query']));
}
