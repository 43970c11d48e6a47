import { EVERY_SITE, type SiteLine, SiteRulesError, siteLines, textOfSiteLines } from '../../core/sites/site-rules.ts';
import { escapedName, nameProblem } from '../../core/url/parameters.ts';

/** Why a part of a list is left out. */
type LeftOutReason =
  | 'not about a parameter'
  | 'a whole site'
  | 'another filter'
  | 'an exception'
  | 'not a whole host'
  | 'a host that begins with www'
  | 'another modifier'
  | 'every parameter'
  | 'all parameters but one'
  | 'a regular expression'
  | 'not a name';

/** What is left out, and where it stands: the number of its line from 1, or a name. */
export interface LeftOut {
  readonly place: number | string;
  readonly text: string;
  readonly reason: LeftOutReason;
}

/** Site rules that were made of a list. */
export interface Converted {
  /** Lines of site rules. */
  readonly text: string;
  /** How many filters they say. */
  readonly count: number;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Makes site rules of the plain filters of AdGuard and uBlock Origin that remove a parameter from the pages of a host and
 * its subdomains, `||HOST^$removeparam=NAME`, or of every site, `$removeparam=NAME`. Comments and blank lines are skipped, all else is left out. A blocker
 * applies the filters for every site and for all parent domains, and site rules one line: each host gets their names, too.
 *
 * @see https://adguard.com/kb/general/ad-filtering/create-own-filters/#removeparam-modifier
 */
export function siteRulesOfFilters(text: string): Converted {
  const leftOut: LeftOut[] = [];
  const namesOf = new Map<string, string[]>();
  let count = 0;
  for (const [index, given] of text.split(/\r?\n/).entries()) {
    const filter = given.trim();
    if (filter === '' || /^(?:!|\[|#(?![#@$?%]))/.test(filter)) continue;
    const read = lineOfFilter(filter);
    if (typeof read === 'string') {
      leftOut.push({ place: index + 1, text: filter, reason: read });
      continue;
    }
    count++;
    const host = read.host || EVERY_SITE;
    const names = namesOf.get(host) ?? [];
    namesOf.set(host, names);
    names.push(...read.drop);
  }
  return { text: rulesOfHosts(namesOf), count, leftOut };
}

/** Returns the text of rules that drop the names of each host, of its parents and of every site from its pages. */
export function rulesOfHosts(namesOf: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...namesOf.keys()].map((host) =>
    ruleLine(
      host,
      parentsOf(host).flatMap((name) => namesOf.get(name) ?? []),
    ),
  );
  return textOfSiteLines(siteLines(lines.join('\n')));
}

const MODIFIER = 'removeparam';

function lineOfFilter(filter: string): SiteLine | LeftOutReason {
  const dollar = filter.search(/\$(?:[^$]*,)?removeparam(?:[=,]|$)/);
  if (dollar === -1) return 'another filter';
  if (filter.startsWith('@@')) return 'an exception';
  const pattern = filter.slice(0, dollar);
  const host = pattern === '' || pattern === '*' ? EVERY_SITE : /^\|\|([^/^*|]+)\^$/.exec(pattern)?.[1];
  if (host === undefined) return 'not a whole host';
  if (/^www\./i.test(host)) return 'a host that begins with www'; // the rules of a host are those of the host without it
  const options = filter.slice(dollar + 1);
  const [, modifier, value = ''] = /^([^=]*)=?(.*)$/.exec(options)!;
  if (/^[/|]/.test(value)) return 'a regular expression'; // uBlock Origin reads |NAME as /^NAME/
  if (modifier !== MODIFIER || value.includes(',')) return 'another modifier';
  if (value === '') return 'every parameter';
  if (value.startsWith('~')) return 'all parameters but one';
  if (/[*\\]|\s#/.test(value) || nameProblem(value) !== undefined) return 'not a name';
  return lineOrReason(host, value);
}

function lineOrReason(host: string, name: string): SiteLine | LeftOutReason {
  try {
    return siteLines(ruleLine(host.toLowerCase(), [name]))[0]!;
  } catch (error) {
    if (error instanceof SiteRulesError) return 'not a whole host';
    throw error;
  }
}

function ruleLine(host: string, names: readonly string[]): string {
  return `${host} drop ${names.map(escapedName).join(' ')}`;
}

/** Returns a host, its parent domains, and what stands for every site. */
function parentsOf(host: string): string[] {
  const labels = host.split('.');
  return [...new Set([...labels.map((_, index) => labels.slice(index).join('.')), EVERY_SITE])];
}

/** A provider of `data.min.json`: what it says of the URLs that match its pattern. */
interface Provider {
  readonly urlPattern?: unknown;
  readonly completeProvider?: unknown;
  readonly rules?: unknown;
  readonly rawRules?: unknown;
  readonly exceptions?: unknown;
  readonly redirections?: unknown;
}

/**
 * Makes site rules of the data of ClearURLs. Its patterns and names are regular expressions: those become rules that
 * mean a host and its subdomains, or every site, and names of which there are few enough to write out. All else is left
 * out, each expression by itself. It compares names without case; rules compare them as they are written.
 *
 * @throws {SyntaxError} on what is not JSON, or has no providers
 * @see https://docs.clearurls.xyz/latest/specs/rules/
 */
export function siteRulesOfClearUrls(text: string): Converted {
  const { providers } = Object(JSON.parse(text)) as { readonly providers?: Readonly<Record<string, Provider>> };
  if (Object(providers) !== providers) throw new SyntaxError('it has no "providers"');
  const leftOut: LeftOut[] = [];
  const namesOf = new Map<string, string[]>();
  let count = 0;
  for (const [place, provider] of Object.entries(providers!)) {
    const host = hostOf(String(provider.urlPattern));
    const others = [...listOf(provider.rawRules), ...listOf(provider.exceptions), ...listOf(provider.redirections)];
    for (const expression of others) leftOut.push({ place, text: expression, reason: 'not about a parameter' });
    if (provider.completeProvider === true) leftOut.push({ place, text: 'completeProvider', reason: 'a whole site' });
    for (const rule of listOf(provider.rules)) {
      const names = host === undefined ? undefined : namesIn(rule);
      if (names === undefined)
        leftOut.push({ place, text: rule, reason: host === undefined ? 'not a whole host' : 'a regular expression' });
      else {
        count++;
        namesOf.set(host!, [...(namesOf.get(host!) ?? []), ...names]);
      }
    }
  }
  return { text: rulesOfHosts(namesOf), count, leftOut };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Returns the HOST of a pattern: that of all subdomains of a name that is written out, or of every URL. */
function hostOf(pattern: string): string | undefined {
  if (pattern === '.*') return EVERY_SITE;
  const [, written] = /^\^https\?:\\?\/\\?\/\(\?:\[a-z0-9-\]\+\\\.\)\*\?((?:[a-z0-9-]|\\\.)+)$/.exec(pattern) ?? [];
  const host = written?.replaceAll('\\.', '.');
  return host === undefined || host.startsWith('www.') || !isHost(host) ? undefined : host;
}

function isHost(host: string): boolean {
  try {
    return siteLines(`${host} sort`).length === 1;
  } catch (error) {
    if (error instanceof SiteRulesError) return false;
    throw error;
  }
}

/** More names than an expression writes out: with each optional part they double. */
const NAME_LIMIT = 64;

/** Returns the names that an expression matches: of letters, `x?`, `(?:x|y)` and `(?:x)?`; undefined for others. */
function namesIn(expression: string): string[] | undefined {
  let names = [''];
  for (let rest = expression; rest !== ''; ) {
    const [part, group, letter, optional] = /^(?:\(\?:([\w%|-]+)\)|([\w%-]))(\?)?(?![*+{?])/.exec(rest) ?? [];
    if (part === undefined) return undefined;
    const choices = [...(group ?? letter!).split('|'), ...(optional === undefined ? [] : [''])];
    names = names.flatMap((name) => choices.map((choice) => name + choice));
    if (names.length > NAME_LIMIT) return undefined;
    rest = rest.slice(part.length);
  }
  const decoded = names.map((name) => name.replaceAll('%3F', '?'));
  return decoded.some((name) => name.includes('%') || nameProblem(name) !== undefined) ? undefined : decoded;
}
