import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SiteRules } from '../../../src/core/sites/site-rules.ts';
import { type Explanation, explain as explanationOf } from '../../../src/entries/explain.ts';
import { canonicalize, profileOf, tryCanonicalize, UrlError, UrlHash } from '../../../src/index.ts';
import { mutated, SAMPLE_URLS } from '../../support/samples.ts';
import { halvedCases, random } from '../../support/seed.ts';
import { checkExplanation, marked, told } from './steps.ts';

const tests = suite('explain: URL Standard');
const MUTATION_COUNT = halvedCases(8_000);

tests('a URL with every part, step by step', () => {
  assert.equal(told(explain('HTTPS://User:@B\u00fccher.Example:443/a/./b/../\u00e7?q=1 2#top')), [
    'scheme: lower-cased: https://User:@B\u00fccher.Example:443/a/./b/../\u00e7?q=1 2#top',
    'password: left out, because it is empty: https://User@B\u00fccher.Example:443/a/./b/../\u00e7?q=1 2#top',
    'host: mapped and normalized by UTS #46, labels beyond ASCII in Punycode: https://User@xn--bcher-kva.example:443/a/./b/../\u00e7?q=1 2#top',
    'port: left out, because it is the default port of https: https://User@xn--bcher-kva.example/a/./b/../\u00e7?q=1 2#top',
    'path: percent-encoded: https://User@xn--bcher-kva.example/a/./b/../%C3%A7?q=1 2#top',
    'path: dot segments resolved: https://User@xn--bcher-kva.example/a/%C3%A7?q=1 2#top',
    'query: percent-encoded: https://User@xn--bcher-kva.example/a/%C3%A7?q=1%202#top',
  ]);
});

/** The sections of docs/parameters.md that explanations of this file cite. */
const cited = new Set<string>();

function explain(...args: Parameters<typeof explanationOf>): Explanation {
  const explanation = explanationOf(...args);
  for (const { clause } of explanation.steps)
    if (clause.name.startsWith('docs/parameters.md, ')) cited.add(clause.name.slice('docs/parameters.md, '.length));
  return explanation;
}

/** The changes of one part. */
function changesOf(part: string, url: string, base?: string): string[] {
  return explain(url, base === undefined ? {} : { base })
    .steps.filter((step) => step.part === part)
    .map(({ text, change, span }) => `${change}: ${span === undefined ? '' : text.slice(...span)}`);
}

tests('hosts', () => {
  assert.equal(changesOf('host', 'http://B%C3%9CCHER.Example/'), [
    'percent-decoded: BÜCHER.Example',
    'mapped and normalized by UTS #46, labels beyond ASCII in Punycode: xn--bcher-kva.example',
  ]);
  assert.equal(changesOf('host', 'http://0X7F.1/'), [
    'lower-cased: 0x7f.1',
    'written as the four decimal parts of the IPv4 address: 127.0.0.1',
  ]);
  assert.equal(changesOf('host', 'http://１.2.3/'), [
    'mapped and normalized by UTS #46: 1.2.3',
    'written as the four decimal parts of the IPv4 address: 1.2.0.3',
  ]);
  assert.equal(changesOf('host', 'http://[0:0::FFFF]/'), [
    'written as the shortest form of the IPv6 address: [::ffff]',
  ]);
  assert.equal(changesOf('host', 'file://localhost/x'), [
    'left empty, because localhost is the empty host of a file: ',
  ]);
  assert.equal(changesOf('host', 'web+demo://h\u00e9ost/'), ['percent-encoded: h%C3%A9ost']);
});

tests('the other parts', () => {
  assert.equal(changesOf('slashes', 'HTTP:\\\\\\h'), [
    'backslashes read as slashes: ///',
    'two slashes written before the authority: //',
  ]);
  assert.equal(changesOf('path', 'HTTP://h'), ['an empty path written as a slash: /']);
  assert.equal(changesOf('port', 'http://h:0080'), ['left out, because it is the default port of http: ']);
  assert.equal(changesOf('port', 'http://h:0081'), ['leading zeroes removed: 81']);
  assert.equal(changesOf('path', 'http://h\\a b\\..\\%2e'), [
    'backslashes read as slashes: /a b/../%2e',
    'percent-encoded: /a%20b/../%2e',
    'dot segments resolved: /',
  ]);
  assert.equal(changesOf('path', 'file:C|/x'), [
    'begun with a slash: /C|/x',
    'drive letter written with a colon: /C:/x',
  ]);
  assert.equal(changesOf('path', 'a:/.//b'), [
    'dot segments resolved: //b',
    'written after /. so that // begins no authority: /.//b',
  ]);
  assert.equal(changesOf('query', "http://h/?'"), ['percent-encoded: %27']);
  assert.equal(told(explain(' ht\ntp://h/')), [
    'whole: spaces and control characters around it removed: ht\ntp://h/',
    'whole: tabs and newlines removed: http://h/',
  ]);
});

tests('what comes from a base, and what is left out on demand', () => {
  assert.equal(told(explain('../x/./y?a b#f', { base: 'http://u@h:81/a/b/c?q', excludeFragment: true })), [
    'whole: resolved against the base URL: http://u@h:81/a/b/../x/./y?a b#f',
    'path: dot segments resolved: http://u@h:81/a/x/y?a b#f',
    'query: percent-encoded: http://u@h:81/a/x/y?a%20b#f',
    'fragment: left out, as asked for: http://u@h:81/a/x/y?a%20b',
  ]);
  assert.is(explain('x', { base: 'http://h/', excludeFragment: true }).profile, profileOf({ excludeFragment: true }));
  assert.throws(
    () => explain('x', { base: 'no url' }),
    (error: unknown) => error instanceof UrlError,
  );
});

tests('parameters that are dropped and sorted, each with its clause', () => {
  const options = { dropList: 'tracking-2026', dropParams: ['sid'], sortParams: true } as const;
  const explanation = explain('http://h?z=1&UTM&utm_id=1&s%69d&a b#f?sid', options);
  assert.equal(told(explanation), [
    'path: an empty path written as a slash: http://h/?z=1&UTM&utm_id=1&s%69d&a b#f?sid',
    'query: percent-encoded: http://h/?z=1&UTM&utm_id=1&s%69d&a%20b#f?sid',
    'query: parameters dropped, as asked for: http://h/?z=1&UTM&a%20b#f?sid',
    'query: parameters sorted by name, as asked for: http://h/?UTM&a%20b&z=1#f?sid',
  ]);
  assert.equal(
    explanation.steps.slice(2).map(({ clause }) => clause.name),
    ['docs/parameters.md, What stays', 'docs/parameters.md, Sorting'],
  );
  assert.is(explanation.profile, profileOf(options));
  assert.equal(told(explain('http://h/?sid', options)), ['query: parameters dropped, as asked for: http://h/']);
  assert.equal(told(explain('mailto:a?sid=1&b', options)), []);
  assert.equal(told(explain('http://h/?b&a=1', { noVarySearch: 'key-order, params=("a")' })), [
    'query: as the header No-Vary-Search has it: http://h/?b=',
  ]);
  assert.equal(told(explain('h/', { defaultScheme: 'https' })), [
    'whole: read with the default scheme https: https://h/',
  ]);
});

tests('folds and rules for sites, each with its clause and the line', () => {
  const siteRules = SiteRules.parse('h.example drop t; fold www\nh.example/p/* sort; fold slash');
  assert.equal(
    told(explain('http://www.h.example/x/index.html/?t', { siteRules, fold: ['https', 'index', 'slash'] })),
    [
      "scheme: http folded to https, as asked for, with the line 'h.example drop t; fold www': https://www.h.example/x/index.html/?t",
      "host: leading www labels removed, as asked for, with the line 'h.example drop t; fold www': https://h.example/x/index.html/?t",
      "path: final slashes removed, as asked for, with the line 'h.example drop t; fold www': https://h.example/x/index.html?t",
      "path: an index file removed, as asked for, with the line 'h.example drop t; fold www': https://h.example/x/?t",
      "path: final slashes removed, as asked for, with the line 'h.example drop t; fold www': https://h.example/x?t",
      "query: parameters dropped, as asked for, with the line 'h.example drop t; fold www': https://h.example/x",
    ],
  );
  const { steps, profile } = explain('http://h.example/p/index.html//?b&a', { siteRules, fold: ['index'] });
  assert.equal(
    steps.map(({ clause, text }) => `${clause.name}: ${text}`),
    [
      'docs/parameters.md, Path: http://h.example/p/index.html?b&a',
      'docs/parameters.md, Path: http://h.example/p/?b&a',
      'docs/parameters.md, Sorting: http://h.example/p/?a&b',
    ],
  );
  assert.is(profile, profileOf({ siteRules, fold: ['index'] }));
  assert.equal(told(explain('http://a.example/a/', { fold: ['slash'] })), [
    'path: final slashes removed, as asked for: http://a.example/a',
  ]);
  assert.equal(
    told(explain('http://a.example/%7e/..;cfid=1/%e6?#%41', { fold: ['empty-query', 'escapes', 'session'] })),
    [
      'whole: escapes spelled as RFC 3986 has them, as asked for: http://a.example/~/..;cfid=1/%E6?#A',
      'path: sessions removed from the path, as asked for: http://a.example/%E6?#A',
      'query: an empty query removed, as asked for: http://a.example/%E6#A',
    ],
  );
});

tests('mutated URLs with folds and rules for sites: the last step leaves what the library gives', () => {
  const next = random();
  const siteRules = SiteRules.parse('example.com fold slash index www\nexample.org/a* drop a* b; sort');
  const paths = ['/', '//', '/index.html', '/a/index.php//', '/x/', '/index.html/index.htm/?b&a'];
  for (let count = 0; count < halvedCases(2000); count++) {
    const host = ['http://www.example.com', 'https://example.org', 'http://www.www.example.net'][next(3)]!;
    const url = mutated(host + paths[next(paths.length)]! + paths[next(paths.length)]!, next);
    const fold = (['https', 'index', 'slash', 'www'] as const).filter(() => next(2) === 0);
    const options = { siteRules, fold, keepParams: ['a', 'b'] };
    checkExplanation(explain(url, options), tryCanonicalize(url, options) ?? undefined);
  }
});

tests('mutated URLs with parameters dropped and sorted: the last step leaves what the library gives', () => {
  const next = random();
  for (let count = 0; count < halvedCases(2000); count++) {
    const url = mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next).replace(
      /(?=#|$)/,
      ['?b=1&utm_id=2&a', '&b&a', ''][next(3)]!,
    );
    const options = {
      dropList: 'tracking-2026',
      dropParams: ['q*'],
      sortParams: next(2) === 0,
      excludeFragment: next(2) === 0,
    };
    checkExplanation(explain(url, options), tryCanonicalize(url, options) ?? undefined);
  }
});

function canonicalOf(url: string, base?: string): string | undefined {
  try {
    return canonicalize(url, { base });
  } catch (error) {
    assert.instance(error, UrlError);
    return undefined;
  }
}

/** The parts lie in order, and nothing but delimiters lies between them: in the input and in the canonical form. */
function checkParts({ input, parts, canonical, failure }: Explanation): void {
  for (const [text, side] of [
    [input, 'given'],
    [canonical, 'canonical'],
  ] as const) {
    let at = 0;
    for (const { name, [side]: span } of parts) {
      if (text === undefined || span === undefined) continue;
      const between = text.slice(at, span[0]);
      assert.match(between, /^[\0- ]*[:@?#\t\n\r]*(?:\/\.)?$/, `${name} of ${JSON.stringify(text)}`);
      at = span[1];
    }
    if (failure === undefined && text !== undefined) assert.match(text.slice(at), /^[\0- ]*$/, JSON.stringify(text));
  }
}

const BASES = ['http://u:p@base.example:81/a/b/c?q#f', 'file:///C:/d/e', 'mailto:x', 'web+demo:/a/..//b', 'https://h'];

tests('samples and mutations, with and without a base: the last step leaves what canonicalize gives', () => {
  const next = random();
  let valid = 0;
  let steps = 0;
  for (let count = 0; count < MUTATION_COUNT; count++) {
    const url =
      count < SAMPLE_URLS.length ? SAMPLE_URLS[count]! : mutated(SAMPLE_URLS[next(SAMPLE_URLS.length)]!, next);
    const base = next(2) === 0 ? undefined : BASES[next(BASES.length)]!;
    const explanation = explain(url, base === undefined ? {} : { base });
    checkExplanation(explanation, canonicalOf(url, base));
    checkParts(explanation);
    valid += explanation.failure === undefined ? 1 : 0;
    steps += explanation.steps.length;
    if (count % 100 === 0 && base === undefined && explanation.canonical !== undefined)
      assert.is(explanation.hash, UrlHash.of(url).hex);
  }
  assert.ok(valid > MUTATION_COUNT / 2 && steps > MUTATION_COUNT, `only ${valid} were URLs, with ${steps} steps`);
});

tests('a failure lies at its place', () => {
  const at = (url: string) => marked(explain(url));
  assert.is(at('http://exa mple.com/'), '10  ');
  assert.is(at('http://ex%41%20mple.com/'), '12 %20');
  assert.is(at('http://u:p@h:80x/'), '15 x');
  assert.is(at('http://h:65536/'), '9 65536');
  assert.is(at('\thttp://[::1/'), '8 [::1');
  assert.is(at('http://a\tb.999/'), '7 a\tb.999');
  assert.is(at('http:///'), '8 ');
  assert.is(at('http://u@/'), '9 ');
  assert.is(at('no url'), '0 ');
});

tests('docs/parameters.md has what was cited, by name', () => {
  const page = readFileSync('docs/parameters.md', 'utf8');
  const names = [
    ...['Hosts without a scheme', 'escapes', 'session', 'https', 'www', 'Path', 'No-Vary-Search'],
    ...['Result', 'What stays', 'Sorting'],
  ];
  assert.equal([...cited].sort(), names.sort());
  for (const name of names) assert.ok(page.includes(`. **${name}.**`) || page.includes(`\n## ${name}\n`), name);
});

tests.run();
