import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reach } from '../../../src/specs/safe-browsing/block-list.ts';
import { reportAbsent } from '../../support/absent.ts';
import { ENGINES } from '../../support/programs.ts';
import { cases, halvedCases, random } from '../../support/seed.ts';
import { readEntries, readList } from './read-list.ts';

const test = suite('safe-browsing: rules of ad blockers');
const next = random();
const oneOf = <T>(all: readonly T[]): T => all[next(all.length)]!;
const someOf = <T>(all: readonly T[]): T[] => all.filter(() => next(all.length) < 2);

const host = () => `h${next(100)}.${oneOf(['evil', 'b-1', '7'])}.example`;

// As the documentation of AdGuard and uBlock Origin has them.
const OF_PAGE = ['all', 'document', 'doc'];
const HARMLESS = ['match-case', '_', '___', 'reason=malware', '~third-party', '~3p', 'first-party', '1p', 'strict1p'];
const OF_TYPES = ['script', 'image', 'xhr', 'subdocument', '~stylesheet', 'ping', 'font', 'css', 'media', 'popup'];
const NARROWING: Readonly<Record<string, readonly string[]>> = {
  rulesForSites: [
    ...['domain=a.example|~b.example', 'from=a.example', 'to=x.example', 'denyallow=c.example', 'app=x'],
    ...['third-party', '3p', 'strict3p', '~first-party', '~1p'],
  ],
  rulesForRequests: ['method=get', 'header=x:y', 'ipaddress=1.2.3.4', 'client=x', 'dnstype=A'],
  rulesThatChange: [
    'removeparam=x',
    'csp=script-src none',
    'replace=/a/b/',
    'cookie',
    'redirect-rule=noop',
    'permissions=x',
  ],
  unknownModifiers: ['foo', 'documents', 'important=2x', 'allx', 'document=1', '~important', '', ' doc', 'DOCUMENT'],
};

test('a rule for a host is an entry if and only if it blocks the page of the host', () => {
  for (let count = halvedCases(4000); count > 0; count--) {
    const name = host();
    const important = someOf(['important']);
    const [page, types] = [someOf(OF_PAGE), someOf(OF_TYPES)];
    const kind = next(3) === 0 ? oneOf(Object.keys(NARROWING)) : undefined;
    const narrowing = kind === undefined ? [] : [oneOf(NARROWING[kind]!)];
    const modifiers = [...important, ...page, ...types, ...narrowing, ...someOf(HARMLESS)];
    const shuffled = modifiers.sort(() => next(3) - 1);
    const pattern = oneOf([`||${name}^`, `|https://${name}^`, `://${name}/`, `||${name}^*`, `http://${name}/`]);
    const rule = shuffled.length === 0 ? pattern : `${pattern}$${shuffled.join(',')}`;
    const isOfPage = narrowing.length === 0 && (types.length === 0 || page.length > 0);
    for (const input of ['adblock', 'auto'] as const) {
      if (input === 'auto' && /^[^|]/.test(rule)) continue; // could be a URL
      const found = readEntries(rule, { input });
      if (isOfPage) assert.equal(found, [`${name}/`], rule);
      else assert.match(found.join(), /^(?:rules\w+|unknownModifiers|patterns|pathRules)$/, rule);
      if (kind !== undefined && types.length === 0 && narrowing[0] !== ' doc') assert.equal(found, [kind], rule);
    }
  }
});

test('addresses, ports, paths and anchors are what they mean, or are named', () => {
  for (const [pattern, ...expected] of [
    ['||192.0.2.1^', '192.0.2.1/'],
    ['192.0.2.1', '192.0.2.1/'],
    ['||[2001:db8::1]^', '[2001:db8::1]/'],
    ['[2001:db8::1]', '[2001:db8::1]/'],
    ['||evil.example|', 'evil.example/'],
    ['||evil.example:8080^', 'portRules'],
    ['||evil.example:8080/x^', 'portRules'],
    ['||evil.example/x^', 'evil.example/x', 'evil.example/x/'],
    ['||evil.example/x/', 'evil.example/x/'],
    ['||evil.example/x/*', 'evil.example/x/'],
    ['||evil.example/x?y=1^', 'evil.example/x?y=1'],
    ['|https://evil.example/x|', 'evil.example/x'],
    ['|https://evil.example/|', 'pathRules'],
    ['||evil.example/x', 'pathRules'],
    ['||evil.example/x*y^', 'pathRules'],
    ['||evil.example/#/x^', 'pathRules'],
    ['||evil.example/$uid7^', 'evil.example/$uid7', 'evil.example/$uid7/'],
    ['||evil.example', 'evil.example/'],
    ['||evil.', 'patterns'],
    ['||*.evil.example^', 'evil.example/'],
    ['*.evil.example', 'evil.example/'],
    ['+.evil.example', 'evil.example/'],
    ['*://*.evil.example/*', 'evil.example/'],
    ['*://evil.example/*', 'evil.example/'],
    ['|evil.example^', 'evil.example/'],
    ['*.js', 'patterns'],
    ['evil.example # why', 'evil.example/'],
    ['evil.example^', 'patterns'],
    ['.evil.example', 'patterns'],
    ['/evil[0-9]/', 'regularExpressions'],
  ] as const) {
    const isBare = !/[|/^]/.test(pattern);
    assert.equal(readEntries(isBare ? pattern : `${pattern}$all`, { input: 'adblock' }).slice(0, 2), expected, pattern);
    if (!pattern.includes('/x') && !pattern.includes('$')) continue;
    assert.match(
      readEntries(pattern, { input: 'adblock' }).join(),
      /^(?:pathRules|portRules|patterns|unknownModifiers)$/,
      pattern,
    );
  }
});

/** Where CI installs the engine: it is executed here alone, and part of nothing that is shipped (GPL-3.0). */
const ENGINE = join(ENGINES, 'ubo-core/node_modules/@gorhill/ubo-core');

/** The parts of the engine that strict blocking takes. */
interface Engine {
  matchRequest(context: unknown, bits: number): 0 | 1 | 2;
  isBlockImportant(): boolean;
  toLogData(): { readonly regex?: string; readonly raw?: string };
}
interface Context {
  type: string;
  readonly url: string;
  fromDetails(details: object): Context;
  getHostname(): string;
}

async function openEngine() {
  const load = (path: string) => import(pathToFileURL(join(ENGINE, path)).href);
  const { StaticNetFilteringEngine } = await load('index.js');
  const { default: engine } = (await load('js/static-net-filtering.js')) as { default: Engine };
  const { FilteringContext } = (await load('js/filtering-context.js')) as { FilteringContext: new () => Context };
  const lists = await StaticNetFilteringEngine.create();
  const context = new FilteringContext();
  return {
    use: (raw: string): Promise<void> => lists.useLists([{ name: 'list', raw }]),
    isBlocked: (url: string) => isBlocked(engine, context.fromDetails({ originURL: url, url, type: 'main_frame' })),
  };
}

/** Whether the page is kept from loading: by a rule for documents, or by one whose match ends with the host. */
function isBlocked(engine: Engine, context: Context): boolean {
  const ofDocuments = engine.matchRequest(context, 0b0011);
  if (ofDocuments === 1 && engine.isBlockImportant()) return true;
  context.type = 'no_type';
  const found = engine.matchRequest(context, 0b0011);
  const isImportant = found === 1 && engine.isBlockImportant();
  const ofAny = found === 1 && !endsWithHost(engine, context) ? 0 : found;
  if (ofDocuments === 0 || (ofAny === 1 && isImportant) || (ofAny === 2 && ofDocuments !== 2)) return ofAny === 1;
  return ofDocuments === 1;
}

function endsWithHost(engine: Engine, context: Context): boolean {
  const { regex, raw = 'x' } = engine.toLogData();
  const { url } = context;
  const match = regex === undefined || !/\w/.test(raw) ? null : new RegExp(regex, 'i').exec(url);
  if (match === null) return false;
  const host = context.getHostname();
  const end = match.index + match[0].length - url.indexOf(host) - host.length;
  return end === 0 || end === 1;
}

const ANCHORS = [
  '||',
  '||',
  '||',
  '||',
  '|http://',
  '://',
  '*://',
  '*.',
  '||*.',
  '*://*.',
  '|',
  '',
  '',
  '0.0.0.0 ',
  '.',
  '+.',
];
const ENDS = [
  '^',
  '^',
  '^',
  '^',
  '',
  '',
  '/',
  '/*',
  '|',
  '^*',
  '/p^',
  '/p|',
  '/p/',
  '/p',
  '/p?x^',
  '^|',
  ':8080^',
  '/|',
  '*',
];
const MODIFIERS = [
  ...[
    'document',
    'doc',
    'all',
    'important',
    '3p',
    'third-party',
    '1p',
    '~3p',
    'first-party',
    '~1p',
    'strict1p',
    'strict3p',
  ],
  ...[
    'popup',
    'script',
    '~script',
    'image',
    'xhr',
    'frame',
    'object',
    'other',
    'ping',
    'media',
    'css',
    'font',
    'ghide',
    '_',
  ],
  ...[
    '~document',
    'document=1',
    '~important',
    '',
    'redirect=noopjs',
    'foo',
    'csp=x',
    'removeparam=x',
    'method=get',
    'cname',
  ],
];

const SAME: Readonly<Record<string, string>> = {
  ...{ '~3p': '1p', 'first-party': '1p', '~1p': '3p', 'third-party': '3p', doc: 'document' },
};

/** A part of the list: what it says, of a host that no other part has, and the pages that it may block. */
interface Part {
  readonly lines: readonly string[];
  readonly urls: readonly string[];
}

function partOf(number: number): Part {
  const host = `p${number}.example`;
  const hosts = [host, `a.${host}`, `b.a.${host}`, `x${host}`];
  const paths = ['/', '/p', '/p?x', '/p/', '/p/q', '/px', '/q'];
  const line = () => {
    const lists = [`domain=${oneOf(hosts)}`, `to=${oneOf(hosts)}|other.example`, `from=~${oneOf(hosts)}`, 'to=example'];
    const given = Array.from({ length: next(4) }, () => (next(5) === 0 ? oneOf(lists) : oneOf(MODIFIERS)));
    const modifiers = [...new Map(given.map((each) => [SAME[each] ?? each, each])).values()]; // it discards repeated ones
    const pattern = oneOf(ANCHORS) + oneOf(hosts.slice(0, 3)) + oneOf(ENDS);
    const mark = next(4) === 0 ? '@@' : '';
    return `${mark}${pattern}${modifiers.length === 0 ? '' : `$${modifiers.join(',')}`}`;
  };
  const urls = hosts.flatMap((each) => paths.map((path) => `http://${each}${path}`));
  const isAlone = next(3) > 0;
  return { urls: [...urls, `http://${host}:8080/`], lines: Array.from({ length: isAlone ? 1 : 1 + next(3) }, line) };
}

/** Whether a rule means a host that its entry finds: the documents say which find more. */
function isMeant(url: string, expression: string, reach: Reach): boolean {
  const [name, host] = [new URL(url).hostname, expression.slice(0, expression.indexOf('/'))];
  return reach === 'whole' || (name === host) === (reach === 'alone');
}

/**
 * Ways in which an entry finds more: | is also for AdGuard's DNS, where a URL has no scheme; a port; a page's query; and
 * a redirected rule for all types, which keeps no page from loading in uBlock Origin.
 */
const FINDS_MORE = /^(?:@@)?(?:\|[^|h]|\+\.)|[|]$|\|\$|\$(?=.*redirect=)(?=.*\ball\b)/;
/** An exception in the syntax of AdGuard's DNS, which uBlock Origin takes for a text. */
const EXEMPTS_MORE = /^@@\+\./;

if (!existsSync(ENGINE)) reportAbsent('@gorhill/ubo-core');
else
  test('a page is listed if and only if it is blocked, unless a line was left out or its entry finds more', async () => {
    const { use, isBlocked: isPageBlocked } = await openEngine();
    const parts = Array.from({ length: cases(2000) }, (_, number) => partOf(number));
    await use(parts.flatMap(({ lines }) => lines).join('\n'));
    let listedCount = 0;
    for (const { lines, urls } of parts) {
      const { isWhole, isExempt, finders: findersOf } = readList(lines, 'adblock');
      const exemptsMore = lines.some((line) => EXEMPTS_MORE.test(line));
      for (const url of urls) {
        const finders = findersOf(url);
        const shown = JSON.stringify({ url, lines });
        if (finders.length > 0) listedCount++;
        if (isPageBlocked(url)) assert.ok(finders.length > 0 || !isWhole || exemptsMore, `passes for clean: ${shown}`);
        else if (isWhole && !isExempt(url) && !lines.some((line) => FINDS_MORE.test(line)) && !url.includes(':8080'))
          for (const { rule, expression } of finders)
            assert.ok(!isMeant(url, expression, rule.reach), `listed: ${shown}`);
      }
    }
    assert.ok(listedCount > parts.length, `${listedCount} pages were listed`);
  });

test.run();
