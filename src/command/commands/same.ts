import { type Comparison, compare, type Remedy } from '../../specs/explain/comparison.ts';
import { type Row, tableText } from '../arguments/diagnostics.ts';
import { group, toggle } from '../arguments/flag.ts';
import { formFlags, shellWords } from '../arguments/shell.ts';
import { URL_FLAGS, urlOptions } from '../arguments/url-flags.ts';
import { usageFault } from '../fault.ts';
import { print } from '../write/output.ts';
import { action } from './command.ts';

/** `urlsum same`: whether two URLs have one key. */
export const SAME = action({
  examples: [
    ['https://a.example/?utm_id=1 https://a.example', 'what differs, what unites'],
    ['--preset page-2026 http://a.example/#b http://a.example/', 'under options'],
  ],
  operands: 'URL URL',
  about: [
    'Says whether two URLs have one key under the options, which parts of their canonical forms differ, and which ' +
      'preset, fold or rule would make them one: each that does alone, or else a few together, with their clauses. ' +
      'Exit status: 0, one key; 1, two keys, or not a URL; 2, wrong usage.',
  ],
  flags: { ...URL_FLAGS, ...group('Output', { json: toggle('print the comparison as JSON') }) },
  async run({ json, ...values }, operands, { diagnostics }) {
    const [first, second, ...more] = operands;
    if (first === undefined || second === undefined || more.length > 0)
      throw usageFault(`same needs two URLs, not ${operands.length}`);
    const comparison = compare(first, second, urlOptions(values));
    await print(json ? `${JSON.stringify(comparison)}\n` : textOf(comparison));
    if (!comparison.isSame) diagnostics.failed();
  },
});

function textOf({ isSame, profile, explanations, differences, remedies }: Comparison): string {
  const [{ canonical, hash }] = explanations;
  if (isSame)
    return tableText([
      ['one key', profile],
      ['canonical', canonical],
      ['hash', hash],
    ]);
  return tableText([
    ['two keys', profile],
    ...explanations.map((each, at): Row => [at === 0 ? 'first' : 'second', each.canonical ?? rejected(each)]),
    ...differences.flatMap((each): Row[] => [
      [each.part, each.first ?? 'none'],
      ['', each.second ?? 'none'],
    ]),
    ...(remedies.length === 0 ? [['one key with', 'no preset, fold or rule'] as const] : remedies.flatMap(rowsOf)),
  ]);
}

function rejected({ input, failure }: Comparison['explanations'][number]): string {
  return `${input} (rejected: ${failure!.sentence})`;
}

function rowsOf({ added, steps }: Remedy): Row[] {
  return [
    ['one key with', shellWords(formFlags(added))],
    ...steps.map(({ change, clause }): Row => ['', `${change}: ${clause.name}`]),
  ];
}
