import { FORM_FLAGS, FORM_OPTIONS, type FormOptions } from '../../core/url/options.ts';
import { optionsOf, ProfileError } from '../../core/url/profile.ts';

// Which flags choose a canonical form, and what a command line of one form lacks for another.

/** Returns the flags that choose a profile. @throws {ProfileError} on one that this build does not compute */
export function flagsOfProfile(profile: string): string {
  return withPreset(flagsOf(optionsOf(profile))).join(' ');
}

/**
 * Says how a command line of one profile becomes one of another: `: add --preset page-2026`. It is '' where this build
 * computes neither, or only the version of Unicode differs.
 */
export function formAdvice(made: string, used: string): string {
  const [wanted, given] = [flagsIfKnown(made), flagsIfKnown(used)];
  if (wanted === undefined || given === undefined) return '';
  const added = withPreset(wanted.filter((flag) => !given.includes(flag)));
  const leftOut = withPreset(given.filter((flag) => !wanted.includes(flag)));
  const advice = [
    ...(added.length > 0 ? [`add ${added.join(' ')}`] : []),
    ...(leftOut.length > 0 ? [`leave out ${leftOut.join(' ')}`] : []),
  ];
  return advice.length === 0 ? '' : `: ${advice.join(', and ')}`;
}

const SITE_RULES = /;site-rules=([0-9a-f]{32})/;

/** Rules for sites are a file, which a profile names by its hash. */
function flagsIfKnown(profile: string): readonly string[] | undefined {
  const [, rules] = SITE_RULES.exec(profile) ?? [];
  const fileFlag = rules === undefined ? [] : [`--${FORM_FLAGS.siteRules.flag} FILE (of the rules ${rules})`];
  try {
    return [...flagsOf(optionsOf(profile.replace(SITE_RULES, ''))), ...fileFlag];
  } catch (error) {
    if (error instanceof ProfileError) return undefined;
    throw error;
  }
}

function flagsOf(options: FormOptions): readonly string[] {
  return FORM_OPTIONS.flatMap(({ name }) => {
    const value = options[name];
    const { kind, flag } = FORM_FLAGS[name];
    if (value === undefined || value === false) return [];
    if (kind === 'switch') return [`--${flag}`];
    if (Array.isArray(value)) return value.map((item) => `--${flag} '${item}'`);
    return [/^[\w.-]+$/.test(String(value)) ? `--${flag} ${value}` : `--${flag} '${value}'`];
  });
}

/** Puts a preset in the place of the flags that it stands for, where all of them are there. */
function withPreset(flags: readonly string[]): readonly string[] {
  for (const { name, standsFor = {} } of FORM_OPTIONS) {
    for (const [value, options] of Object.entries(standsFor)) {
      const meant = flagsOf(options);
      const others = flags.filter((flag) => !meant.includes(flag));
      if (others.length === flags.length - meant.length) return [`--${FORM_FLAGS[name].flag} ${value}`, ...others];
    }
  }
  return flags;
}
