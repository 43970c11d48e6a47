import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { effectsOf, type RuleEntries } from '../../../src/command/work/list-entries.ts';
import { listEntries, SafeBrowsingUrlError } from '../../../src/entries/safe-browsing.ts';
import { cases, halvedCases, random } from '../../seed.ts';

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
const HARMLESS = ['match-case', '_', '___', 'reason=malware'];
const OF_PARTIES = ['third-party', '3p', '~third-party', 'first-party', '1p', 'popup', 'strict3p'];
const OF_TYPES = ['script', 'image', 'xhr', 'subdocument', '~stylesheet', 'ping', 'font', 'css', 'media', 'frame'];
const NARROWING: Readonly<Record<string, readonly string[]>> = {
  rulesForSites: ['domain=a.example|~b.example', 'from=a.example', 'to=x.example', 'denyallow=c.example', 'app=x'],
  rulesForRequests: ['method=get', 'header=x:y', 'ipaddress=1.2.3.4', 'client=x', 'dnstype=A'],
  rulesThatChange: [
    'removeparam=x',
    'csp=script-src none',
    'replace=/a/b/',
    'cookie',
    'redirect-rule=noop',
    'permissions=x',
  ],
  unknownModifiers: ['foo', 'documents', 'important=2x', 'allx'].filter((name) => name !== 'important=2x'),
};

test('a rule for a host is an entry if and only if it blocks the page of the host', () => {
  for (let count = halvedCases(4000); count > 0; count--) {
    const name = host();
    const important = someOf(['important']);
    const [page, parties, types] = [someOf(OF_PAGE), someOf(OF_PARTIES), someOf(OF_TYPES)];
    const kind = next(3) === 0 ? oneOf(Object.keys(NARROWING)) : undefined;
    const narrowing = kind === undefined ? [] : [oneOf(NARROWING[kind]!)];
    const modifiers = [...important, ...page, ...parties, ...types, ...narrowing, ...someOf(HARMLESS)];
    const shuffled = modifiers.sort(() => next(3) - 1);
    const pattern = oneOf([`||${name}^`, `|https://${name}^`, `://${name}/`, `||${name}^*`, `http://${name}/`]);
    const rule = shuffled.length === 0 ? pattern : `${pattern}$${shuffled.join(',')}`;
    const isOfPage =
      narrowing.length === 0 &&
      (types.length === 0 || page.length > 0) &&
      (parties.length === 0 || page.length > 0 || important.length > 0);
    for (const input of ['adblock', 'auto'] as const) {
      if (input === 'auto' && /^[^|]/.test(rule)) continue; // could be a URL
      const found = read(rule, { input });
      if (isOfPage) assert.equal(found, [`${name}/`], rule);
      else assert.match(found.join(), /^(?:rules\w+|unknownModifiers)$/, rule);
      if (kind !== undefined && types.length + parties.length === 0) assert.equal(found, [kind], rule);
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
    ['||evil.example', 'patterns'],
    ['||*.evil.example^', 'patterns'],
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

test('exceptions and badfilter act on all rules of a list, as the documentation says of each pair of them', () => {
  const hosts = ['example', 'a.example', 'b.a.example', 'c.b.a.example', 'xa.example'];
  for (let count = cases(1500); count > 0; count--) {
    const rules = Array.from({ length: next(8) + 1 }, (): RuleEntries => {
      const name = oneOf(hosts);
      const effect = oneOf(['block', 'block', 'exception', 'badfilter'] as const);
      const isImportant = next(3) === 0;
      const isOfException = effect === 'exception' || (effect === 'badfilter' && next(2) === 0);
      const key = `${isOfException ? '@@' : ''}||${name}^${isImportant ? '$important' : ''}`;
      return { effect, isImportant, key, expressions: [`${name}/`] };
    });
    const isLive = ({ key }: RuleEntries) => !rules.some((each) => each.effect === 'badfilter' && each.key === key);
    const isBelow = (one: RuleEntries, other: RuleEntries) =>
      `.${one.expressions[0]}`.endsWith(`.${other.expressions[0]}`);
    const blocks = rules.filter(({ effect }) => effect === 'block');
    const exceptions = rules.filter((rule) => rule.effect === 'exception' && isLive(rule));
    const expected = blocks.map(
      (rule) =>
        isLive(rule) && !exceptions.some((each) => isBelow(rule, each) && (each.isImportant || !rule.isImportant)),
    );
    const { stands, idle } = effectsOf(rules);
    assert.equal(stands, expected);
    const left = blocks.filter((_, at) => expected[at]);
    const isIdle = (exception: RuleEntries) =>
      left.some((rule) => {
        const isWanted = left.some((each) => each.isImportant && each.expressions[0] === rule.expressions[0]);
        const isAbove = rule.expressions[0] !== exception.expressions[0] && isBelow(exception, rule);
        return isAbove && (exception.isImportant || !isWanted);
      });
    assert.equal(
      idle,
      exceptions.filter(isIdle).map(({ key }) => key),
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
      `local-zone: "${name}" always_nxdomain`,
      `local-zone: "${name}." static`,
      `local-data: "${name} A 0.0.0.0"`,
      `${name} CNAME . ; why`,
      `${name}\t300 IN CNAME *.`,
      `.${name}`,
    ]) {
      assert.equal(read(line, { input: 'auto' }), [`${name}/`], line);
      if (!line.startsWith('.')) assert.is(read(line, { input: 'lines' })[0], 'resolver-line', line);
    }
    for (const line of ['$TTL 300', '@ SOA a. b. 1 2 3 4 5', ' NS localhost.', 'server:', `server=/${name}/9.9.9.9`])
      assert.equal(read(line, { input: 'auto' }), ['directives'], line);
    for (const line of ['32.4.3.2.1.rpz-ip CNAME .', '24.0.2.0.192.rpz-nsip CNAME .', `${name} CNAME wall.example.`])
      assert.equal(read(line, { input: 'auto' }), ['patterns'], line);
  }
});

test.run();
