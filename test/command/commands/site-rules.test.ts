import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SiteRules } from '../../../src/core/sites/site-rules.ts';
import { file } from '../../support/scratch.ts';
import { textOf } from '../command.ts';

const tests = suite('urlsum site-rules');

const RULES = file('sites.txt', '# a comment\nwww.b.example/x* sort\na.example drop t ; fold www\na.example drop s\n');
const { id } = SiteRules.parse('a.example drop s t; fold www\nb.example/x* sort');

tests('prints the canonical text after its hash; the output is a file of the same rules', () => {
  const { status, stdout } = textOf(['site-rules', RULES]);
  const text = `# 2 lines, site-rules=${id}\na.example drop s t; fold www\nb.example/x* sort\n`;
  assert.equal([status, stdout], [0, text]);
  assert.is(textOf(['site-rules', file('again.txt', stdout)]).stdout, text);
  assert.match(textOf(['canon', '--site-rules', RULES, '--stats=json'], 'http://a/\n').stderr, `;site-rules=${id}"`);
  assert.is(textOf(['site-rules', file('none.txt', '\n')]).stdout.startsWith('# 0 lines, '), true);
});

tests('prints the line that each URL takes', () => {
  const { status, stdout, stderr } = textOf([
    'site-rules',
    RULES,
    'https://www.A.example/?q',
    'http://b.example/xy',
    'bad',
    'http://b.example/',
    'ftp://a.example/',
  ]);
  assert.is(status, 1);
  assert.equal(stdout.split('\n'), [
    ...['a.example drop s t; fold www\thttps://www.A.example/?q', 'b.example/x* sort\thttp://b.example/xy'],
    ...['\thttp://b.example/', '\tftp://a.example/', ''],
  ]);
  assert.match(stderr, /^urlsum: not a URL: "bad"/);
});

tests('the options of a form say by which bytes a line is selected, and what a URL lacks', () => {
  const rules = file('selected.txt', 'a.example/~x* sort\na.example drop t\n*/x* fold www\n');
  const text = 'a.example/~x* sort\na.example drop t\n*/x* fold www';
  for (const [flags, options, url, line] of [
    [[], {}, 'http://a.example/%7Ex', 'a.example drop t'],
    [['--fold', 'escapes'], { fold: ['escapes'] }, 'http://a.example/%7Ex', 'a.example/~x* sort'],
    [['--fold', 'session'], { fold: ['session'] }, 'http://a.example/;cfid=1/../~x', 'a.example/~x* sort'],
    [['--base', 'http://a.example/'], { base: 'http://a.example/' }, '~xy', 'a.example/~x* sort'],
    [['--default-scheme', 'https'], { defaultScheme: 'https' }, 'a.example:8080/~x', 'a.example/~x* sort'],
    [['--preset', 'page-2026'], { preset: 'page-2026' }, 'http://b.example/x', '*/x* fold www'],
    [['--unicode', '17'], { unicode: 17 }, 'http://a.example/x', 'a.example drop t'],
  ] as const) {
    const siteRules = SiteRules.parse(text);
    assert.is(siteRules.lineOf(url, options), line, url);
    assert.is(siteRules.lineOf(url, { ...options, siteRules }), line, url);
    assert.is(textOf(['site-rules', ...flags, rules, url]).stdout, `${line}\t${url}\n`);
  }
  assert.match(
    textOf(['site-rules', '--fold', 'escapes', rules]).stderr,
    'by the options of a form, and none is given',
  );
  assert.match(textOf(['site-rules', '--site-rules', rules, rules]).stderr, "unknown option '--site-rules'");
});

tests('a wrong line ends it', () => {
  const wrong = file('wrong.txt', 'a.example sort\nA.example sort\n');
  const { status, stdout, stderr } = textOf(['site-rules', wrong]);
  assert.equal([status, stdout], [2, '']);
  assert.match(stderr, `urlsum: ${wrong}: line 2 of the site rules: HOST must be`);
  assert.match(textOf(['site-rules']).stderr, 'site-rules needs a file');
  assert.is(textOf(['site-rules', `${wrong}.none`]).status, 2);
});

tests('converts filters, and counts and names those that it leaves out', () => {
  const regexes = Array.from({ length: 12 }, (_, index) => `||h${index}.example^$removeparam=/x/\n`).join('');
  const filters = file('filters.txt', `! t\n||b.example^$removeparam=s\n||a.example^$removeparam=t\n${regexes}`);
  const { status, stdout, stderr } = textOf(['site-rules', '--input', 'adblock', filters]);
  assert.is(status, 0);
  assert.is(stdout.replace(/^#.*\n/, ''), 'a.example drop t\nb.example drop s\n');
  const lines = stderr.trimEnd().split('\n');
  assert.is(lines.length, 12);
  assert.is(lines[0], `urlsum: ${filters}:4: left out: a regular expression: ||h0.example^$removeparam=/x/`);
  assert.equal(lines.slice(-2), [
    `urlsum: ${filters}: 2 filters converted, 12 left out`,
    'urlsum:         12 a regular expression',
  ]);
  assert.is(textOf(['site-rules', '--input', 'adblock', '--all-errors', filters]).stderr.split('\n').length, 15);
  const { stdout: taken } = textOf(['site-rules', '--input', 'adblock', filters, 'http://a.example/']);
  assert.is(taken, 'a.example drop t\thttp://a.example/\n');
});

tests('a list that becomes no rule ends with 1', () => {
  for (const [format, list] of [
    ['adblock', '||a.example^\n'],
    ['adblock', ''],
    ['clearurls', '{"providers":{}}'],
  ] as const) {
    const path = file('nothing', list);
    const { status, stdout, stderr } = textOf(['site-rules', '--input', format, path]);
    assert.equal([status, stdout.startsWith('# 0 lines, ')], [1, true], list);
    assert.match(stderr, `urlsum: ${path} has no filter that becomes a rule\n`);
  }
});

tests.run();
