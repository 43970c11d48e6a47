// Reads profiles as src/core/url/profile.ts does, and what URLs are read by.

import { parseUrl } from '../../src/core/url/parser';
import { formDecoded, QueryVariance } from '../../src/core/url/query-variance';
import { escapedNames, nameProblem, sortedNames, unescapedName } from '../../src/core/url/parameter-names';
import { TRACKING_2026 } from '../../src/core/url/parameters';
import { Form } from './form';
import { FOLD_NAMES } from '../../src/core/url/folds';
import { EXCLUDES_ALL, EXCLUDES_BUT_ROUTES, EXCLUDES_NONE } from '../../src/core/url/page-form';
import { foldsOf, PageSettings } from '../../src/core/url/page-settings';
import { PageRules } from './pages';
import { SiteRules } from './site-rules';

let reason: string = '';

/** Says why what was to be configured last is refused: a word of ProfileError, or of what is wrong, and more. */
export function refusal(): string { return reason; }

function refuse(why: string): bool {
  reason = why;
  return false;
}

/** Returns what a profile, a base and a default scheme choose, or null; '' stands for no base, and for no scheme. */
export function configured(profile: string, base: string, defaultScheme: string, known: SiteRules | null): Form | null {
  const form = new Form();
  const reader = new ProfileReader(known);
  if (!reader.read(profile)) return null;
  if (base != '' && defaultScheme != '') {
    refuse('base: it cannot be combined with a default scheme');
    return null;
  }
  if (defaultScheme != '' && defaultScheme != 'http' && defaultScheme != 'https') {
    refuse('default-scheme: it must be http or https');
    return null;
  }
  form.unicode = reader.unicode;
  form.defaultScheme = defaultScheme;
  const rules = new PageRules(reader.run, reader.fragment, reader.sites, reader.variance);
  if (rules.changesForms) form.rules = rules;
  form.excludeFragment = reader.fragment == EXCLUDES_ALL && !rules.excludesFragments;
  if (base == '') return form;
  const url = parseUrl(base, null, '', form.unicode, null);
  form.base = url;
  return url.reason == '' || refuse('base: ' + url.reason) ? form : null;
}

/** Settings, in the order of profiles. */
const SETTINGS: string[] = [
  'exclude-fragment', 'drop-list', 'drop-params', 'keep-params', 'fold', 'no-vary-search', 'site-rules', 'sort-params',
];

class ProfileReader {
  unicode: i32 = 18;
  fragment: i32 = EXCLUDES_NONE;
  readonly run: PageSettings = new PageSettings();
  sites: SiteRules | null = null;
  variance: QueryVariance | null = null;
  private readonly known: SiteRules | null;
  private hasDrops: bool = false;
  private hasOtherValues: bool = false;
  /** The settings as profiles spell them. */
  private readonly spelled: string[] = ['', '', '', '', '', '', '', ''];

  constructor(known: SiteRules | null) { this.known = known; }

  read(profile: string): bool {
    const settings = profile.split(';');
    const start = settings[0];
    if (start == 'url/1+unicode17') this.unicode = 17;
    else if (start != 'url/1+unicode18')
      return refuse((start.startsWith('url/') ? 'other-version: ' : 'not-a-profile: ') + start);
    for (let index = 1; index < settings.length; ++index) if (!this.readSetting(settings[index])) return false;
    if (!this.isCombination()) return refuse('not-a-profile: settings have values that they cannot have, or cannot be combined');
    let spelling = start;
    for (let index = 0; index < SETTINGS.length; ++index)
      if (this.spelled[index] != '') spelling += ';' + this.spelled[index];
    return spelling == profile || refuse('other-spelling: ' + spelling);
  }

  /** Notes a value that none of its option is: what is wrong with other settings is said first. */
  private defer(): string {
    this.hasOtherValues = true;
    return '';
  }

  private isCombination(): bool {
    if (this.hasOtherValues) return false;
    const run = this.run, sites = this.sites;
    if (run.keep.length > 0 && this.hasDrops) return false;
    if (this.variance === null) return true;
    if (run.asksForParameters) return false;
    if (sites !== null)
      for (let index = 0; index < sites.rules.length; ++index) if (sites.rules[index].asksForParameters) return false;
    return true;
  }

  private readSetting(text: string): bool {
    const equals = text.indexOf('=');
    const name = equals == -1 ? text : text.slice(0, equals);
    const value = equals == -1 ? '' : text.slice(equals + 1);
    const place = SETTINGS.indexOf(name);
    if (place == -1) return refuse('not-a-profile: ' + text);
    const written = this.take(place, value);
    if (written === null) return false;
    this.spelled[place] = written == '' ? name : name + '=' + written;
    return true;
  }

  /** Takes the value of a setting, and returns it as profiles spell it; null for one that cannot be. */
  private take(place: i32, value: string): string | null {
    const isRead = place == 0 ? this.takeFragment(value) : place == 1 ? this.takeList(value) : true;
    if (!isRead) return null;
    if (place == 2 || place == 3) return this.takeNames(value, place == 2);
    if (place == 4) return this.takeFolds(value);
    if (place == 5) return this.takeVariance(value);
    if (place == 6) return this.takeSites(value);
    if (place == 7) this.run.isSorted = true;
    return place == 7 ? '' : value;
  }

  private takeFragment(value: string): bool {
    if (value != '' && value != 'but-routes') return refuse('not-a-profile: exclude-fragment=' + value);
    this.fragment = value == '' ? EXCLUDES_ALL : EXCLUDES_BUT_ROUTES;
    return true;
  }

  private takeList(value: string): bool {
    if (value != 'tracking-2026') return refuse('unknown-list: ' + value);
    this.run.drop = TRACKING_2026.split(' ').concat(this.run.drop);
    this.hasDrops = true;
    return true;
  }

  private takeNames(value: string, dropsThem: bool): string {
    const names = value.split(',');
    for (let index = 0; index < names.length; ++index) {
      names[index] = unescapedName(names[index]);
      if (nameProblem(names[index]) != '') return this.defer();
    }
    const escaped = escapedNames(sortedNames(names));
    if (dropsThem) this.run.drop = this.run.drop.concat(escaped);
    else this.run.keep = escaped;
    if (dropsThem) this.hasDrops = true;
    return escaped.join(',');
  }

  private takeFolds(value: string): string {
    const folds = value.split(',');
    for (let index = 0; index < folds.length; ++index) {
      const fold = FOLD_NAMES.indexOf(folds[index]);
      if (fold == -1) return this.defer();
      this.run.folds |= 1 << fold;
    }
    return foldsOf(this.run.folds).join(',');
  }

  /** Reads `key-order`, `except`, `except(NAME,…)` and `params(NAME,…)`. */
  private takeVariance(value: string): string {
    const isSorted = value == 'key-order' || value.startsWith('key-order,');
    const rest = isSorted ? value.slice('key-order,'.length) : value;
    const hasNames = (rest.startsWith('except(') || rest.startsWith('params(')) && rest.endsWith(')');
    if (!hasNames && rest != 'except' && !(isSorted && rest == '')) return this.defer();
    const names = hasNames ? rest.slice('except('.length, -1).split(',') : [];
    for (let index = 0; index < names.length; ++index) names[index] = formDecoded(names[index]);
    const sorted = sortedNames(names);
    this.variance = new QueryVariance(sorted, !rest.startsWith('except'), isSorted);
    const list = rest.slice(0, 'except'.length) + (hasNames ? '(' + escapedNames(sorted).join(',') + ')' : '');
    if (!isSorted) return list;
    return list == '' ? 'key-order' : 'key-order,' + list;
  }

  private takeSites(value: string): string | null {
    const known = this.known;
    if (known !== null && known.id == value && known.rules.length > 0) {
      this.sites = known;
      return value;
    }
    refuse('unknown-rules: ' + value);
    return null;
  }
}
