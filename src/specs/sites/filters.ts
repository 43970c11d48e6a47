import { EVERY_SITE, nameWord, type SiteLine } from '../../core/sites/site-line.ts';
import { SiteRulesError, siteLines, textOfSiteLines } from '../../core/sites/site-rules.ts';
import { nameProblem, unescapedName } from '../../core/url/parameter-names.ts';
import { hostPatternOf, hostsOn, parentsOf, partsOf } from '../safe-browsing/ad-block-rule.ts';

/** The reason why a part of a list is left out. */
type LeftOutReason =
  | 'not about a parameter'
  | 'a whole site'
  | 'another filter'
  | 'an exception'
  | 'not a whole host'
  | 'not a path'
  | 'a host that begins with www'
  | 'another modifier'
  | 'every parameter'
  | 'all parameters but one'
  | 'a regular expression'
  | 'not a name';

/** A filter that is left out, and where it stands: the number of its line from 1, or a name. */
export interface LeftOut {
  readonly place: number | string;
  readonly text: string;
  readonly reason: LeftOutReason;
}

/** Site rules that were made of a list. */
export interface Converted {
  /** Lines of site rules. */
  readonly text: string;
  /** The number of filters that they say. */
  readonly count: number;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Makes site rules of the filters of AdGuard and uBlock Origin that remove parameters by their names from the pages of
 * a host and its subdomains, `||HOST^$removeparam=NAME`, from those whose paths begin so,
 * `||HOST/PATH$removeparam=NAME`, or from every site, `$removeparam=NAME`. Comments and blank lines are skipped, all
 * else is left out.
 *
 * @see https://adguard.com/kb/general/ad-filtering/create-own-filters/#removeparam-modifier
 */
export function siteRulesOfFilters(text: string): Converted {
  const leftOut: LeftOut[] = [];
  const drops = new Drops();
  let count = 0;
  for (const [index, given] of text.split(/\r?\n/).entries()) {
    const filter = given.trim();
    if (filter === '' || /^(?:!|\[|#(?![#@$?%]))/.test(filter)) continue;
    const read = linesOfFilter(filter);
    if (typeof read === 'string') leftOut.push({ place: index + 1, text: filter, reason: read });
    else {
      count++;
      for (const { host, path, settings } of read) drops.add(host, path, settings.drop);
    }
  }
  return { text: drops.text(), count, leftOut };
}

/**
 * Names that are dropped from the pages of a host whose paths begin so. A blocker applies all that fit a page, and site
 * rules one line: that of the longest HOST, then of the longest PATH, which therefore gets the names of all others.
 */
class Drops {
  readonly #namesOf = new Map<string, string[]>();
  readonly #pathsOf = new Map<string, Set<string>>();
  readonly #pathLengths = new Set<number>();

  add(host: string, path: string, drop: readonly string[]): void {
    const names = this.#namesOf.get(host + path) ?? [];
    this.#namesOf.set(host + path, names);
    names.push(...drop);
    this.#pathsOf.set(host, (this.#pathsOf.get(host) ?? new Set()).add(path));
    this.#pathLengths.add(path.length);
  }

  /** Returns the text of the lines. */
  text(): string {
    const lines = [...this.#pathsOf.keys()].flatMap((host) => {
      const hosts = parentsOf(host);
      return [...this.#linePathsOf(host, hosts)].map((path) =>
        ruleLine(
          host,
          path,
          hosts.flatMap((parent) => this.#namesFor(parent, path).flat()),
        ),
      );
    });
    return textOfSiteLines(siteLines(lines.join('\n')));
  }

  /** Returns the paths of a host, and those of its parents where its own line would hide theirs. */
  #linePathsOf(host: string, hosts: readonly string[]): Set<string> {
    const paths = hosts.flatMap((parent) => [...(this.#pathsOf.get(parent) ?? [])]);
    return new Set(paths.filter((path) => this.#namesFor(host, path).length > 0));
  }

  /** Returns the names that a host drops from the pages of a path: a list for each PATH that begins it. */
  #namesFor(host: string, path: string): string[][] {
    const lengths = [...this.#pathLengths].filter((length) => length <= path.length);
    return lengths.flatMap((length) => {
      const names = this.#namesOf.get(host + path.slice(0, length));
      return names === undefined ? [] : [names];
    });
  }
}

function linesOfFilter(filter: string): SiteLine[] | LeftOutReason {
  const { isException, pattern, modifiers } = partsOf(filter);
  const at = modifiers.findIndex((modifier) => /^removeparam(?:=|$)/.test(modifier));
  if (at === -1) return 'another filter';
  if (isException) return 'an exception';
  const address = addressOf(pattern);
  if (address === undefined) return 'not a whole host';
  const value = modifiers[at]!.slice('removeparam='.length);
  if (/^[/|]/.test(value)) return 'a regular expression'; // uBlock Origin reads |NAME as /^NAME/
  const others = modifiers.filter((modifier, index) => index !== at && !OF_PAGES.test(modifier));
  const hosts = others.every((modifier) => DOMAINS.test(modifier)) ? hostsOn(address.host, others) : undefined;
  if (!hosts?.length) return 'another modifier';
  if (value === '') return 'every parameter';
  if (value.startsWith('~')) return 'all parameters but one';
  if (/[*\\]|\s#/.test(value)) return 'not a name';
  const names = value.split('|').map(unescapedName);
  if (names.some((name) => name.includes('*') || nameProblem(name) !== '')) return 'not a name';
  return linesOrReason(hosts, address.path, names);
}

/** Modifiers that leave all pages of a filter. */
const OF_PAGES = /^(?:|doc|document|important)$/;
/** Modifiers that narrow a filter to hosts by their names. */
const DOMAINS = /^(?:domain|from)=[^~*#|]+(?:\|[^~*#|]+)*$/i;

/** Returns HOST and PATH of a pattern: of every page, of a host, or of a host and the beginning of paths. */
function addressOf(pattern: string): Pick<SiteLine, 'host' | 'path'> | undefined {
  if (pattern === '' || pattern === '*') return { host: '', path: '/' };
  const { anchor, host, port, rest } = hostPatternOf(pattern) ?? {};
  const [, path] = /^(\^|\/[^*^|?]*)\**$/.exec(rest ?? '') ?? [];
  if (anchor !== '||' || port !== undefined || path === undefined) return undefined;
  return { host: host!.toLowerCase(), path: path === '^' ? '/' : path };
}

function linesOrReason(hosts: readonly string[], path: string, names: readonly string[]): SiteLine[] | LeftOutReason {
  if (hosts.some((host) => host.startsWith('www.'))) return 'a host that begins with www'; // a HOST means that without it
  try {
    return hosts.flatMap((host) => siteLines(ruleLine(host, path, names.map(nameWord))));
  } catch (error) {
    if (error instanceof SiteRulesError) return error.reason === 'path' ? 'not a path' : 'not a whole host';
    throw error;
  }
}

function ruleLine(host: string, path: string, words: readonly string[]): string {
  return `${host || EVERY_SITE}${path === '/' ? '' : `${path}*`} drop ${words.join(' ')}`;
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
  const { providers } = Object(JSON.parse(text)) as {
    readonly providers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  if (Object(providers) !== providers) throw new SyntaxError('it has no "providers"');
  const leftOut: LeftOut[] = [];
  const drops = new Drops();
  let count = 0;
  for (const [place, provider] of Object.entries(providers!)) {
    const host = hostOf(String(provider['urlPattern']));
    for (const kind of ['rawRules', 'exceptions', 'redirections'])
      for (const text of listOf(provider[kind])) leftOut.push({ place, text, reason: 'not about a parameter' });
    if (provider['completeProvider'] === true)
      leftOut.push({ place, text: 'completeProvider', reason: 'a whole site' });
    for (const rule of listOf(provider['rules'])) {
      const names = host === undefined ? undefined : namesIn(rule);
      if (names === undefined)
        leftOut.push({ place, text: rule, reason: host === undefined ? 'not a whole host' : 'a regular expression' });
      else {
        count++;
        drops.add(host!, '/', names.map(nameWord));
      }
    }
  }
  return { text: drops.text(), count, leftOut };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Returns the host of a pattern: that of all subdomains of a name that is written out, or '' for every URL. */
function hostOf(pattern: string): string | undefined {
  if (pattern === '.*') return '';
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

/** The most names that an expression is written out to: with each optional part they double. */
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
  return decoded.some((name) => name.includes('%') || nameProblem(name) !== '') ? undefined : decoded;
}
