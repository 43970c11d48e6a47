import { EVERY_SITE, SiteRulesError, siteLines } from '../../core/sites/site-line.ts';
import { nameProblem } from '../../core/url/parameters.ts';
import { type Converted, type LeftOut, rulesOfHosts } from './adblock.ts';

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
