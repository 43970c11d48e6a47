import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listEntries, SafeBrowsingUrlError } from '../../../src/entries/safe-browsing.ts';
import { cases, halvedCases, random } from '../../support/seed.ts';

const test = suite('safe-browsing: rules of ad blockers, and lines as people paste them');
const next = random();
const oneOf = <T>(all: readonly T[]): T => all[next(all.length)]!;
const someOf = <T>(all: readonly T[]): T[] => all.filter(() => next(all.length) < 2);

type Options = Parameters<typeof listEntries>[1];

/** The entries of a line, or the kinds of what is left out, or the reason of a refusal. */
function read(line: string, options: Options): readonly string[] {
  try {
    const { entries, leftOut } = listEntries(line, options);
    return entries.length > 0 ? entries.map(({ expression }) => expression) : leftOut;
  } catch (error) {
    if (!(error instanceof SafeBrowsingUrlError)) throw error;
    return [error.reason, error.message];
  }
}

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
      const found = read(rule, { input });
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
    assert.equal(read(isBare ? pattern : `${pattern}$all`, { input: 'adblock' }).slice(0, 2), expected, pattern);
    if (!pattern.includes('/x') && !pattern.includes('$')) continue;
    assert.match(
      read(pattern, { input: 'adblock' }).join(),
      /^(?:pathRules|portRules|patterns|unknownModifiers)$/,
      pattern,
    );
  }
});

test('what nobody sees around a line is left out, and within a host it is named; so are marks that were pasted', () => {
  const unseen = ['\u00a0', '\u200b', '\ufeff', '\u2060', '\u200e', '\u3000', '\u2009', '\u00ad', ' ', '\t'];
  const marks = [
    '\u201c',
    '\u201d',
    '\u2018',
    '\u2019',
    '\u00ab',
    '\u00bb',
    '\u2022',
    '\u25cf',
    '\u2013',
    '\u2014',
    '(',
    ')',
    '"',
    "'",
    '`',
    ';',
    ',',
  ];
  const named = (mark: string) => `U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  for (let count = halvedCases(2000); count > 0; count--) {
    const name = host();
    const input = oneOf(['lines', 'auto'] as const);
    const around = `${someOf(unseen).join('')}${name}${oneOf(['', '/', '/x'])}${someOf(unseen).join('')}`;
    assert.equal(read(around, { input }), read(around.replace(/[^\x21-\x7e]/g, ''), { input }), JSON.stringify(around));
    const mark = oneOf(marks);
    const at = next(2) === 0 && mark !== '"' ? 0 : name.length; // a " before it begins a row of a table
    const pasted = name.slice(0, at) + mark + name.slice(at);
    const [reason, message = ''] = read(pasted, { input });
    assert.is(reason, 'host-character', pasted);
    assert.ok(message.includes(`cannot contain ${named(mark)}`), message);
    const hidden = oneOf(unseen.slice(0, 8).filter((each) => each !== '\u3000'));
    const within = name.slice(0, 2) + hidden + name.slice(2);
    assert.ok(read(within, { input })[1]?.includes(named(hidden)), JSON.stringify(within));
  }
  assert.is(read('joe@gmail.example', {})[0], 'email-address');
  assert.equal(read('http://joe@gmail.example/', {}), ['gmail.example/']);
  assert.equal(read('http://evil.example/X_(y)', {}), ['evil.example/X_(y)']);
  assert.is(read('http://evil.example/x)', {})[0], 'unbalanced');
});

test('a defanged URL is refused with the option that reads it, as which it is the URL; its path stays as it is', () => {
  for (let count = halvedCases(2000); count > 0; count--) {
    const [name, port, path] = [host(), oneOf(['', ':8080']), oneOf(['', '/', '/a[.]b', '/x(.)y?q=hxxp://z'])];
    const scheme = oneOf(['http', 'https', '']);
    const [open, close] = oneOf([
      ['[', ']'],
      ['(', ')'],
      ['{', '}'],
    ] as const);
    const dot = oneOf([`${open}.${close}`, `${open}dot${close}`, `${open}DOT${close}`]);
    const at = name.lastIndexOf('.');
    const shown = name.slice(0, at).replaceAll('.', () => oneOf(['.', dot])) + dot + name.slice(at + 1);
    const before =
      scheme === '' ? '' : scheme.replace('http', oneOf(['hxxp', 'hXXp', 'http'])) + oneOf(['://', '[:]//', '[://]']);
    const line = `${before}${shown}${port}${path}`;
    const url = `${scheme === '' ? '' : `${scheme}://`}${name}${port}${path}`;
    for (const input of ['lines', 'auto'] as const) {
      assert.is(read(line, { input })[0], 'defanged', line);
      assert.equal(read(line, { input, refang: true }), read(url, { input }), line);
    }
  }
});

test('auto reads each line as the reader of its format does, and lines of name servers', () => {
  for (let count = cases(500); count > 0; count--) {
    const name = host();
    for (const [line, input] of [
      [name, 'lines'],
      [`https://${name}/a?b`, 'lines'],
      [`0.0.0.0 ${name} # x`, 'hosts'],
      [`::1\t${name}`, 'hosts'],
      [`||${name}^$all`, 'adblock'],
      [`${name}##.ad`, 'adblock'],
      ['! comment', 'adblock'],
      ['[Adblock Plus 2.0]', 'adblock'],
    ] as const)
      assert.equal(read(line, { input: 'auto' }), read(line, { input }), line);
    for (const line of [
      `address=/${name}/`,
      `address=/${name}/0.0.0.0`,
      `local=/${name}/`,
      `address=/${name}/192.0.2.7`,
      `*.${name}`,
      `+.${name}`,
      `*.${name} CNAME .`,
      `local-zone: "${name}" always_nxdomain`,
      `local-zone: "${name}." static`,
      `local-data: "${name} A 0.0.0.0"`,
      `${name} CNAME . ; why`,
      `${name}\t300 IN CNAME *.`,
      `${name} CNAME rpz-drop.`,
      `.${name}`,
    ]) {
      assert.equal(read(line, { input: 'auto' }), [`${name}/`], line);
      if (!/^[.+*]/.test(line)) assert.is(read(line, { input: 'lines' })[0], 'resolver-line', line);
    }
    for (const line of ['$TTL 300', '@ SOA a. b. 1 2 3 4 5', ' NS localhost.', 'server:', 'no-resolv', 'cache-size=0'])
      assert.equal(read(line, { input: 'auto' }), ['directives'], line);
    for (const line of ['32.4.3.2.1.rpz-ip CNAME .', '24.0.2.0.192.rpz-nsip CNAME .', `address=/*${name}/`])
      assert.equal(read(line, { input: 'auto' }), ['patterns'], line);
    for (const line of [`${name} CNAME wall.example.`, `local-data: "${name} A 192.0.2.7"`, `${name} A 192.0.2.7`])
      assert.equal(read(line, { input: 'auto' }), ['otherAnswers'], line);
    for (const line of [`server=/${name}/#`, `local-zone: "${name}" transparent`, `${name} CNAME rpz-passthru.`])
      assert.is(read(line, { input: 'auto' })[0], 'exception', line);
  }
});

test.run();
