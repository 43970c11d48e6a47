import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linksIn } from '../../../src/command/read/links.ts';
import { parsedUrl } from '../../../src/core/url/parsed-url.ts';
import type { UrlRecord } from '../../../src/core/url/record.ts';
import { hasProgram } from '../../programs.ts';
import { FOLDER, file } from '../../scratch.ts';
import { random } from '../../seed.ts';
import { textOf } from '../command.ts';

const tests = suite('links');

/** The links of a text that comes in pieces of so many bytes. */
async function linksOf(text: string, pieceBytes = Number.POSITIVE_INFINITY, base?: string): Promise<string[]> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  let found = '';
  const against = base === undefined ? undefined : (parsedUrl(base, undefined) as UrlRecord);
  for await (const lines of linksIn(pieces(), against, '\n')) found += Buffer.from(lines).toString();
  return found.split('\n').slice(0, -1);
}

const DOCUMENTS: readonly (readonly [name: string, text: string, links: readonly string[]])[] = [
  [
    'a bookmark export',
    '<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">\n' +
      '<DL><p>\n<DT><A HREF="http://a/?b=1&amp;c=2" ADD_DATE="1">x</A>\n<DD>about\n<DT><A ADD_DATE=1 HREF=\'http://é/\'>y</A>\n</DL><p>',
    ['http://a/?b=1&c=2', 'http://é/'],
  ],
  [
    'a page with what hides links',
    '<html><title><a href="no"></title><script>"<a href=no>"</script><style><a href=no></style><!-- <a href="no"> -->' +
      '<textarea><a href=no></textarea><a href="http://a/">a</a><area href=http://b/ alt=x><link href="no"><img src="no">',
    ['http://a/', 'http://b/'],
  ],
  ['a fragment of a page', '<p>text <a class="x>y" href="http://a/">a</a>', ['http://a/']],
  ['the first of two attributes', '<a href="http://a/" href="http://no/">', ['http://a/']],
  ['white space around a link, and line ends inside', '<a href="\n http://a/\tb\r\nc ">', ['http://a/bc']],
  [
    'XHTML',
    '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "b">]><html xmlns="x"><a href="http://a/"/></html>',
    ['http://a/'],
  ],
  [
    'a sitemap',
    '<?xml version="1.0"?><urlset xmlns:image="i"><url><loc>\n  http://a/?b&amp;c&#38;d\n</loc><lastmod>2026</lastmod>' +
      '<image:image><image:loc>http://no/</image:loc></image:image></url><url><loc/></url>' +
      '<url><loc><![CDATA[http://b/?c&d]]>#e</loc></url></urlset>',
    ['http://a/?b&c&d', 'http://b/?c&d#e'],
  ],
  [
    'an index of sitemaps, with a prefix',
    '<!-- made --><s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>http://a/</s:loc></s:sitemap></s:sitemapindex>',
    ['http://a/'],
  ],
  [
    'RSS',
    '<rss version="2.0"><channel><title><![CDATA[<link>http://no/</link>]]></title><link>http://a/</link>' +
      '<atom:link rel="self" href="http://no/"/><item><link>http://b/</link><guid>http://no/</guid></item></channel></rss>',
    ['http://a/', 'http://b/'],
  ],
  [
    'RSS 1.0',
    '<rdf:RDF xmlns="r"><channel><link>http://a/</link></channel><item><link>http://b/</link></item></rdf:RDF>',
    ['http://a/', 'http://b/'],
  ],
  [
    'Atom',
    '<feed xmlns="a" xml:base="http://h/f/"><link rel="self" href="x"/><entry xml:base="http://no/"><link href="/y?a&amp;b"/></entry></feed>',
    ['http://h/f/x', 'http://h/y?a&b'],
  ],
  [
    'OPML',
    '<opml version="2.0"><body><outline text="a"><outline xmlUrl="http://a/f" htmlUrl="http://a/"/><outline type="link" url="http://b/"/></outline></body></opml>',
    ['http://a/f', 'http://a/', 'http://b/'],
  ],
];

tests('are found in each kind of document, wherever its bytes are cut', async () => {
  for (const [name, text, links] of DOCUMENTS)
    for (const pieceBytes of [Number.POSITIVE_INFINITY, 1, 2, 7])
      assert.equal(await linksOf(text, pieceBytes), links, name);
});

tests('resolve against the base of the page, which is resolved against that of the run', async () => {
  const page = (base: string) =>
    `<html>${base}<a href="b?c">x</a><a href="#d">x</a><a href="mailto:e@f">x</a><a href="">x</a>`;
  for (const [base, ownBase, links] of [
    [undefined, '', ['b?c', '#d', 'mailto:e@f', '']],
    ['http://h/a/', '', ['http://h/a/b?c', 'http://h/a/#d', 'mailto:e@f', 'http://h/a/']],
    [
      'http://h/a/',
      '<base href="../x/"><base href="/no/">',
      ['http://h/x/b?c', 'http://h/x/#d', 'mailto:e@f', 'http://h/x/'],
    ],
    [
      'http://h/a/',
      '<base target=x><base href="data:a">',
      ['http://h/a/b?c', 'http://h/a/#d', 'mailto:e@f', 'http://h/a/'],
    ],
    [undefined, '<base href="http://g/">', ['http://g/b?c', 'http://g/#d', 'mailto:e@f', 'http://g/']],
  ] as const)
    assert.equal(await linksOf(page(ownBase), undefined, base), links, `${base} ${ownBase}`);
});

/** Python's own parsers, of the links that `linksIn` documents. */
const PYTHON = `
import json, sys, html.parser, xml.etree.ElementTree as tree
class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []
    def handle_starttag(self, tag, attributes):
        if tag in ('a', 'area'):
            first = dict(reversed(attributes)).get('href')
            if first is not None:
                self.links.append(first)
def of_page(text):
    page = Page()
    page.feed(text)
    page.close()
    return page.links
def of_sitemap(text):
    return [each.text for each in tree.fromstring(text).iter('loc')]
documents = json.load(sys.stdin)
print(json.dumps([of_page(text) if kind == 'page' else of_sitemap(text) for kind, text in documents]))
`;

tests('are those that Python finds in random pages and sitemaps', async () => {
  if (!hasProgram('python3')) return;
  const next = random();
  const pick = <T>(values: readonly T[]): T => values[next(values.length)]!;
  const some = (values: readonly string[]) => Array.from({ length: next(6) }, () => pick(values)).join('');
  const value = () =>
    `http://a/${some(['b', '?c=d', '&amp;', '&lt;', '&#x2f;', '&eacute;', 'é', '%20', "'", '/', '&quot;', '=', '&nope;'])}`;
  const attribute = () => {
    const name = pick(['href', 'HREF', 'hRef', 'class', 'data-href', 'id']);
    const quoting = next(3);
    if (quoting === 0) return `${name}="${value().replaceAll('"', '')}"`;
    if (quoting === 1) return `${name} = '${value().replaceAll("'", '')}'`;
    return `${name}=${value().replace(/[ "'<=>`]/g, '')}`;
  };
  const tag = () =>
    `<${pick(['a', 'A', 'area', 'b', 'abbr', 'p', 'div', 'link'])} ${Array.from({ length: next(4) }, attribute).join(' ')}${pick(['', ' '])}>`;
  const noise = () =>
    pick([
      'text',
      '<!-- <a href="no"> -->',
      '<script>var a = "<a href=no>";</script>',
      '</p>',
      '<br>',
      ' 1 < 2 ',
      '&amp;',
      '\n',
      '</div>',
      '<style>a > b { }</style>',
    ]);
  const xml = () => value().replace(/&(?:eacute|nope);/g, 'e');
  const loc = () =>
    `<url><loc>${pick([xml, () => `<![CDATA[${xml()}]]>`, () => `${xml()}<![CDATA[&<a>]]>`])()}</loc></url>${pick(['', '\n', '<!-- <loc>no</loc> -->'])}`;
  const documents = Array.from({ length: 400 }, (_, index) =>
    index % 4 === 0
      ? (['sitemap', `<urlset>${Array.from({ length: next(9) }, loc).join('')}</urlset>`] as const)
      : (['page', `<html>${Array.from({ length: next(30) }, () => pick([tag, noise])()).join('')}`] as const),
  );
  const expected = JSON.parse(
    execFileSync('python3', ['-c', PYTHON], {
      input: JSON.stringify(documents),
      encoding: 'utf8',
      env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
    }),
  ) as string[][];
  for (const [index, [, text]] of documents.entries())
    assert.equal(await linksOf(text, 1 + next(50)), expected[index], text);
});

tests('take memory and steps by the length of a text, however it is nested and whatever stays open', async () => {
  for (const part of [
    '<b>',
    '<a href="',
    '<a ',
    '&',
    '<!--',
    '<![CDATA[',
    '<loc>',
    '<p x=',
    "<a x='&amp",
    '</',
    '<?',
    '<!DOCTYPE [',
  ]) {
    await linksOf(`<html>${part.repeat(20_000)}`, 1 << 16);
    await linksOf(`<urlset>${part.repeat(20_000)}`, 1 << 16).catch((error) =>
      assert.match(error.message, 'a link is longer'),
    );
  }
});

const PAGE =
  '<html><a href="http://a.example/?b=1&amp;c=2">x</a><a href="HTTP://b.example">y</a><a href="http://a.example/?b=1&amp;c=2#d">z</a>';
const LINES = 'http://a.example/?b=1&c=2\nHTTP://b.example\nhttp://a.example/?b=1&c=2#d\n';

tests('are the rows of every command that reads lines, packed or not, on one thread and on two', () => {
  const page = file('page.html', PAGE);
  const packed = file('page.html.gz', gzipSync(PAGE));
  const list = file('links.list', '');
  assert.is(textOf(['list', 'build', '--out', list], 'b.example\n').status, 0);
  for (const command of [
    [],
    ['--format', 'ndjson', '--width', '8'],
    ['--dedup', '--exclude-fragment', '-z'],
    ['canon'],
    ['canon', '--profile', 'safe-browsing'],
    ['canon', '--profile', 'hashed-uri-n'],
    ['expressions', '--hash'],
    ['hashed-uri'],
    ['hash-uri', 'parse', '--on-error', 'skip'],
    ['hash-uri', 'find'],
    ['lookup', '--list', list],
    ['-j', '2', '--unseen', `${FOLDER}/links.idx`],
  ]) {
    const plain = textOf(command, command.includes('-z') ? LINES.replaceAll('\n', '\0') : LINES);
    if (command.includes('--unseen')) execFileSync('rm', ['-r', `${FOLDER}/links.idx`, `${FOLDER}/links.idx.d`]);
    for (const input of command.includes('--unseen') ? [page] : [page, packed, '-']) {
      const { status, stdout } = textOf([...command, '--links', input], PAGE);
      assert.equal([status, stdout], [plain.status, plain.stdout], command.join(' '));
    }
  }
  const built = (args: readonly string[], input: string) => {
    const path = `${FOLDER}/built`;
    textOf([...args, '--out', path], input);
    return readFileSync(path).toString('hex');
  };
  for (const args of [['index'], ['list', 'build', '--allow-shrink']])
    assert.is(built([...args, '--links', page], ''), built(args, LINES));
});

tests('are said to need a base, and a document that has none is refused', () => {
  assert.match(
    textOf(['canon', '--links'], '<a href="x">').stderr,
    '-:1: not a URL: "x": it has no scheme, and there is no base URL',
  );
  for (const relative of ['../x', '/x', '#x', '?x', '.', 'about.html'])
    assert.match(
      textOf(['--links'], `<a href="${relative}">`).stderr,
      /-URL\); --default-scheme https reads a host, --base URL a path \(.*\)\n$/,
    );
  assert.is(textOf(['canon', '--links', '--base', 'http://h/'], '<a href="x">').stdout, 'http://h/x\n');
  assert.match(
    textOf(['canon', '--links', '--base', 'h'], '<a href="x">').stderr,
    '--base: the base is not a URL: "h"',
  );
  for (const [text, sentence] of [
    ['http://a/\n', 'it has no markup: without --links, each of its lines is a URL'],
    [
      '<?xml version="1.0"?>\n<kml:kml xmlns="x"/>',
      'it is XML with the root "kml:kml": --links reads HTML, sitemaps, RSS, Atom and OPML',
    ],
    ['WARC/1.0\r\n', /it is a WARC file; warcio/],
  ] as const) {
    const { status, stderr } = textOf(['--links'], text);
    assert.is(status, 2);
    assert.match(stderr, sentence);
  }
  for (const other of ['--cdx', '--csv', '--zero --json url'])
    assert.is(textOf(['--links', ...other.split(' ')], '').status, 2);
  assert.match(textOf(['--links', '-f', '1'], '').stderr, '--links and --column cannot be combined');
});

tests('are decoded, and bytes of another encoding are counted', () => {
  const page = '<html><a href="http://a/ä">x</a><a href="http://a/b">y</a>';
  const latin1 = Buffer.from(page, 'latin1');
  const expected = 'http://a/%C3%A4\nhttp://a/b\n';
  assert.equal(textOf(['canon', '--links', '--encoding', 'latin1'], latin1), {
    status: 0,
    stdout: expected,
    stderr: '',
  });
  assert.is(textOf(['canon', '--links'], Buffer.from(`\ufeff${page}`, 'utf16le')).stdout, expected);
  const { status, stderr } = textOf(['canon', '--links'], latin1);
  assert.equal([status, stderr], [0, 'urlsum: 1 line is not UTF-8 (docs/bulk.md#encodings)\n']);
});

tests.run();
