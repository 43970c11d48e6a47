import { type Comparison, compare } from '../../specs/explain/comparison.ts';
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
    const [first = '', second = ''] = operands;
    if (operands.length !== 2) throw usageFault(`same needs two URLs, not ${operands.length}`);
    const comparison = compare(first, second, urlOptions(values));
    await print(json ? `${JSON.stringify(comparison)}\n` : tableText(rowsOf(comparison)));
    if (!comparison.isSame) diagnostics.failed();
  },
});

function rowsOf({ isSame, profile, explanations, differences, remedies }: Comparison): Row[] {
  const [first, second] = explanations.map(
    ({ canonical, input, failure }) => canonical ?? `${input} (rejected: ${failure.sentence})`,
  );
  if (isSame) return Object.entries({ 'one key': profile, canonical: first, hash: explanations[0].hash });
  return [
    ...Object.entries({ 'two keys': profile, first, second }),
    ...differences.flatMap(({ part, first = 'none', second = 'none' }): Row[] => [
      [part, first],
      ['', second],
    ]),
    ...remedies.flatMap(({ added, steps }): Row[] => [
      ['one key with', shellWords(formFlags(added))],
      ...steps.map(({ change, clause }): Row => ['', `${change}: ${clause.name}`]),
    ]),
    ['one key with', remedies.length === 0 ? 'no preset, fold or rule' : undefined],
  ];
}
