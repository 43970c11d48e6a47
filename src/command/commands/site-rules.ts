import { counted } from '../../core/quote.ts';
import { SiteRules } from '../../core/sites/site-rules.ts';
import { UrlError } from '../../core/url/failure.ts';
import type { Options } from '../../core/url/options.ts';
import { siteRulesOfClearUrls, siteRulesOfFilters } from '../../specs/sites/filters.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { choice, group, toggle } from '../arguments/flag.ts';
import { siteRulesIn, textIn, URL_FLAGS, urlOptions } from '../arguments/url-flags.ts';
import { usageFault, usageFaultsFrom } from '../fault.ts';
import { OptionFile } from '../read/inputs.ts';
import { reasonLines, SHOWN_LIMIT } from '../work/bad-rows.ts';
import { addTo } from '../work/results.ts';
import { print } from '../write/output.ts';
import { action } from './command.ts';

/** The flags of a form but the rules, which are the operand. */
const READING_FLAGS = Object.fromEntries(
  Object.entries(URL_FLAGS).filter(([name]) => name !== 'siteRules'),
) as unknown as Omit<typeof URL_FLAGS, 'siteRules'>;

/** `urlsum site-rules`: what a file of rules says, or the line that each URL takes. */
export const SITE_RULES = action({
  examples: [
    ['sites.txt', 'the canonical text, after its hash'],
    ['sites.txt https://shop.example/a?t=1', 'the line that the URL takes'],
    ['--fold escapes sites.txt http://h/%61', 'the same, after that fold'],
    ['--input adblock filters.txt > sites.txt', 'rules made of a list of filters'],
  ],
  operands: 'FILE [URL…]',
  about: [
    'Reads rules for sites and prints their canonical text, one line per address, after a comment with their number ' +
      'and the hash that names them in profiles. With URLs, it prints for each the line that it takes, or none, a tab ' +
      'and the URL; the options of a form are those that the URLs are canonicalized with.',
    'A wrong line ends it with its number and exit status 2. Filters of AdGuard and uBlock Origin become rules if they ' +
      'are ||HOST^$removeparam=NAME, ||HOST/PATH$removeparam=NAME, or $removeparam=NAME for every site or those of ' +
      'domain=HOST|HOST; NAME|NAME is two names. The others are counted and named on standard error; if none becomes a ' +
      'rule, the exit status is 1.',
  ],
  flags: {
    ...group('Input', {
      input: choice(
        'FORMAT',
        {
          rules: 'HOST[/PATH*] ACTION…; ACTION…',
          adblock: 'filters of AdGuard and uBlock Origin',
          clearurls: 'data.min.json of ClearURLs',
        },
        'rules',
        'what FILE holds; default rules',
      ),
      allErrors: toggle('show every filter that is left out, not the first 10'),
    }),
    ...READING_FLAGS,
  },
  async run({ input, allErrors, ...flags }, [path, ...urls], { diagnostics }) {
    if (path === undefined) throw usageFault('site-rules needs a file');
    const options = urlOptions({ ...flags, siteRules: undefined });
    if (urls.length === 0 && Object.values(options).some((value) => value !== undefined))
      throw usageFault('site-rules reads URLs by the options of a form, and none is given');
    const rules =
      input === 'rules'
        ? siteRulesIn(new OptionFile(path))
        : await converted(path, CONVERTERS[input], allErrors, diagnostics);
    await print(
      urls.length === 0 ? described(rules) : urls.map((url) => taken(rules, url, options, diagnostics)).join(''),
    );
  },
});

function described({ id, size, text }: SiteRules): string {
  return `# ${counted(size, 'line')}, site-rules=${id}\n${text}`;
}

function taken(rules: SiteRules, url: string, options: Options, diagnostics: Diagnostics): string {
  try {
    return `${rules.lineOf(url, options) ?? ''}\t${url}\n`;
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    diagnostics.failed(error.message);
    return '';
  }
}

const CONVERTERS = { adblock: siteRulesOfFilters, clearurls: siteRulesOfClearUrls };

async function converted(
  path: string,
  convert: typeof siteRulesOfFilters,
  showsAll: boolean,
  diagnostics: Diagnostics,
): Promise<SiteRules> {
  const { text, count, leftOut } = usageFaultsFrom(
    SyntaxError,
    () => convert(textIn(new OptionFile(path))),
    `${path}: `,
  );
  const counts: Record<string, number> = {};
  for (const { reason } of leftOut) addTo(counts, reason);
  const shown = showsAll ? leftOut : leftOut.slice(0, SHOWN_LIMIT);
  await diagnostics.tell(shown.map((each) => `${path}:${each.place}: left out: ${each.reason}: ${each.text}`));
  await diagnostics.tell([`${path}: ${count} filters converted, ${leftOut.length} left out`, ...reasonLines(counts)]);
  if (count === 0) diagnostics.failed(`${path} has no filter that becomes a rule`);
  return SiteRules.parse(text);
}
