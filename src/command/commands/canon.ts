import { otherVersion } from '../../core/url/key-origin.ts';
import { formOf } from '../../core/url/options.ts';
import { optionsOf, ProfileError } from '../../core/url/profile.ts';
import type { ExplainOptions } from '../../specs/explain/explain.ts';
import { SafeBrowsingUrlError } from '../../specs/safe-browsing/failure.ts';
import type { Reading } from '../../specs/safe-browsing/settings.ts';
import { choice, group, text, type ValuesOf } from '../arguments/flag.ts';
import { baseUnder, formFlagOf, URL_FLAGS, urlForm, urlOptions, urlReading } from '../arguments/url-flags.ts';
import { usageFault, usageFaultsFrom } from '../fault.ts';
import { type Form, openChangesFormat, openTextFormat, textStage } from '../work/texts.ts';
import { canonicalStage, changedStage } from '../work/urls.ts';
import { canonicalName } from '../write/hashes.ts';
import { lineCommand } from './command.ts';
import { canonicalUriForm, READING_FLAG, readingsIn } from './hashed-uri.ts';
import { ALL_LINE_FLAGS, EXPLAIN_FLAG, HASH_NAME_FLAG } from './line-flags.ts';
import { linePlan, mustHaveRecords } from './line-plan.ts';
import { isSafeBrowsing, libraryProfile, SAFE_BROWSING_PROFILES } from './safe-browsing-flags.ts';

const CANON_PROFILES = {
  url: 'the WHATWG URL Standard (default)',
  ...SAFE_BROWSING_PROFILES,
  'hashed-uri-n': 'variant N of hashed URIs (draft-feather-hashed-uri-03)',
  'hashed-uri-p': 'variant P',
} as const;

const FLAGS = {
  ...group('Canonical form', {
    profile: choice('PROFILE', CANON_PROFILES, 'url', 'specification of the canonical form:'),
    mode: choice(
      'MODE',
      ['spec', 'browser'],
      undefined,
      'for Safe Browsing: spec (default), the line as given; browser, as visited',
    ),
    ...READING_FLAG,
  }),
  ...URL_FLAGS,
  ...HASH_NAME_FLAG,
  ...ALL_LINE_FLAGS,
  ...group('Selection', {
    changedSince: text('PROFILE', 'print, as given, only lines whose form under this profile was another'),
  }),
  ...EXPLAIN_FLAG,
};

/** `urlsum canon`: the canonical form of each line. */
export const CANON = lineCommand({
  examples: [
    ['urls.txt', 'the canonical form of each line'],
    ['--preset page-2026 urls.txt', 'one form for each page'],
    ['-f url crawl.csv', 'add a column to a table'],
    ['--changed-since url/1+unicode17 urls.txt', 'lines whose key changed'],
    ['--profile safe-browsing --mode browser urls.txt', 'the form of Safe Browsing version 5'],
  ],
  operands: '[FILE…]',
  about: ['Prints the canonical form of each line: one line out per line in, in order.'],
  flags: FLAGS,
  async plan(values, inputs) {
    const { profile, changedSince } = values;
    const form = await formOfTexts(values);
    if (form !== undefined && changedSince !== undefined)
      throw usageFault('--changed-since belongs to the profile url');
    const added = [canonicalName(values.hashName)];
    const lines = await linePlan(values, inputs, { added });
    mustHaveRecords(values.hashName, lines);
    const plan = { ...lines, openFormat: () => openTextFormat(lines) };
    if (form !== undefined) return { ...plan, stage: textStage(form), facts: () => ({ profile }) };
    const reading = urlReading(values);
    if (changedSince !== undefined) return changesPlan(values, changedSince, lines);
    const stage = canonicalStage({ kernel: lines.kernel, ...reading });
    return { ...plan, stage, facts: () => ({ profile: reading.profile }) };
  },
  async explain(url, values) {
    await formOfTexts(values); // refuses flags that exclude each other
    return (await import('./explain.ts')).explainUrl(url, explainOptions(values));
  },
});

type Values = ValuesOf<typeof FLAGS>;

/** The plan of `--changed-since`. An invalid line is written as given, too, where it was valid. */
function changesPlan(values: Values, profile: string, lines: Awaited<ReturnType<typeof linePlan>>) {
  const reading = urlReading(values);
  const isOtherVersion = otherVersion(profile, reading.profile) !== undefined;
  const formOfProfile = () => formOf(optionsOf(profile, reading.form.options.siteRules));
  const form = usageFaultsFrom(ProfileError, formOfProfile, '--changed-since: ');
  const earlier = { form, base: baseUnder(values, form), isOtherVersion };
  return {
    ...lines,
    onError: lines.onError === 'null' ? ('keep' as const) : lines.onError,
    stage: changedStage({ kernel: lines.kernel, ...reading }, earlier),
    openFormat: () => openChangesFormat(lines),
    facts: () => ({ profile: reading.profile }),
  };
}

function hashedUriOptions({ profile, base, reading }: Pick<Values, 'profile' | 'base' | 'reading'>) {
  const variant = profile === 'hashed-uri-n' ? ('N' as const) : ('P' as const);
  return { variant, base, readings: readingsIn(reading) };
}

function explainOptions(values: Values): ExplainOptions {
  const { profile, mode = 'spec' } = values;
  if (profile === 'url') return urlOptions(values);
  if (isSafeBrowsing(profile)) return { specification: libraryProfile(profile), mode };
  throw usageFault('--explain belongs to the profiles url, web-risk and safe-browsing');
}

async function safeBrowsingForm(reading: Reading): Promise<Form> {
  const { canonicalForm } = await import('../../specs/safe-browsing/canonicalize.ts');
  return (value) => {
    const form = canonicalForm(value, reading);
    return typeof form === 'string' ? form : new SafeBrowsingUrlError(value, form);
  };
}

/** Returns the form of any profile but `url`; undefined for that. @throws {Fault} where flags exclude each other */
async function formOfTexts({ profile, mode, base, links, reading, ...flags }: Values): Promise<Form | undefined> {
  if (reading.length > 0 && !profile.startsWith('hashed-uri'))
    throw usageFault('--reading belongs to the profiles hashed-uri-n and hashed-uri-p');
  if (profile === 'url' && mode === undefined) return undefined;
  const formFlag = formFlagOf(urlForm(flags));
  if (formFlag !== undefined) throw usageFault(`${formFlag} belongs to the profile url`);
  if (isSafeBrowsing(profile)) {
    if (base !== undefined && !links) throw usageFault('--base belongs to the profiles url and hashed-uri');
    return safeBrowsingForm({ profile: libraryProfile(profile), mode: mode ?? 'spec' });
  }
  if (mode !== undefined) throw usageFault('--mode belongs to the profiles web-risk and safe-browsing');
  return canonicalUriForm(hashedUriOptions({ profile, base, reading }));
}
