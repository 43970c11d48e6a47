import { HASH_BYTES } from '../../specs/safe-browsing/hash-prefix.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import { choice, group, parsed, toggle, type ValuesOf } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
import { LINES } from '../work/texts.ts';
import { lineCommand } from './command.ts';
import { expressionStage } from './expression-lines.ts';
import { ALL_LINE_FLAGS, ANY_SCHEME, EXPLAIN_FLAG, ORIGIN_FLAGS } from './line-flags.ts';
import { linePlan } from './line-plan.ts';
import {
  libraryProfile,
  lookupFacts,
  SAFE_BROWSING_PROFILES,
  SUFFIX_FLAGS,
  settingsIn,
} from './safe-browsing-flags.ts';

const MODES = {
  spec: 'the steps of the specification on the line as given (default)',
  browser: 'the same on what a browser would visit',
  union: 'the expressions of both',
} as const;

const FLAGS = {
  ...group('Expressions', {
    profile: choice('PROFILE', SAFE_BROWSING_PROFILES, 'safe-browsing', 'specification of the expressions:'),
    mode: choice('MODE', MODES, 'spec', 'how a URL is read:'),
    ...SUFFIX_FLAGS,
    hash: toggle('add a tab and the SHA-256 of the expression in hex'),
    prefix: parsed('BYTES', 'add its first 4 to 32 bytes instead', undefined, NUMBER.prefixBytes),
  }),
  ...ALL_LINE_FLAGS,
  ...ORIGIN_FLAGS,
  ...EXPLAIN_FLAG,
};

/** `urlsum expressions`: one output line for each expression of each input line. */
export const EXPRESSIONS = lineCommand({
  examples: [
    ['urls.txt', 'line number, tab, expression'],
    ['--prefix 4 urls.txt', 'add the first 4 bytes of its hash'],
    ['--mode union --hash urls.txt', 'for both readings of a URL'],
    ['--profile web-risk urls.txt', 'the expressions of Web Risk'],
    ['--explain https://a.example/1?q', 'show each step, and how modes differ'],
  ],
  operands: '[FILE…]',
  about: [
    'Prints the expressions that Web Risk or Safe Browsing look up for each URL. Line numbers count through all ' +
      'files. A line without a host has no expressions.',
  ],
  flags: FLAGS,
  async plan(values, inputs) {
    const lines = await linePlan({ ...values, ...ANY_SCHEME }, inputs);
    const shownBytes = values.prefix ?? (values.hash ? HASH_BYTES : 0);
    const settings = settingsOf(values);
    const options = { settings, shownBytes, lineEnd: lines.lineEnd, keepsInvalid: lines.onError === 'keep' };
    return {
      ...lines,
      stage: expressionStage(lines.kernel, options),
      openFormat: () => LINES,
      isNumbered: true,
      facts: () => lookupFacts(values.profile, settings.suffixList),
    };
  },
  explain: async (url, values) => (await import('./explain.ts')).explainReadings(url, settingsOf(values)),
});

function settingsOf(values: ValuesOf<typeof FLAGS>): Settings {
  return settingsIn(values, libraryProfile(values.profile));
}
