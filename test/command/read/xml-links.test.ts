import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LinkLines } from '../../../src/command/read/link-lines.ts';
import { XmlReader } from '../../../src/command/read/xml-links.ts';
import { parsedUrl } from '../../../src/core/url/parsed-url.ts';
import type { UrlRecord } from '../../../src/core/url/record.ts';
import { mustBeLinear } from '../../support/linear.ts';
import { hasProgram } from '../../support/programs.ts';
import { cases, random } from '../../support/seed.ts';

const tests = suite('links of XML');

/** The links of a text that comes in pieces of so many units. */
function linksOf(text: string, base?: string, pieceUnits = Number.POSITIVE_INFINITY): string[] {
  const against = base === undefined ? undefined : (parsedUrl(base, undefined) as UrlRecord);
  const lines = new LinkLines({ base: against, lineEnd: '\n', isUtf8: true, memoryBytes: 1 << 28 });
  const reader = new XmlReader(lines, against);
  for (let at = 0; at < text.length; at += pieceUnits) reader.write(text.slice(at, at + pieceUnits));
  reader.end();
  return lines.take().split('\n').slice(0, -1);
}

const LACKS_BASE = '\tmissing-scheme-non-relative-URL';
const ATOM = 'xmlns="http://www.w3.org/2005/Atom"';

tests('are of elements in the namespace of the root, by whatever prefix', () => {
  for (const [text, links] of [
    ['<urlset><url><loc>http://a/</loc><x:loc xmlns:x="y">http://no/</x:loc></url></urlset>', ['http://a/']],
    ['<s:urlset xmlns:s="x"><s:loc>http://a/</s:loc><loc>http://no/</loc></s:urlset>', ['http://a/']],
    ['<urlset xmlns="x" xmlns:t="x"><t:loc>http://a/</t:loc></urlset>', ['http://a/']],
    ['<rss><link>http://a/</link><a:link xmlns:a="b" href="http://no/">http://no/</a:link></rss>', ['http://a/']],
    ['<rss><item xmlns="b"><link>http://no/</link></item><link>http://a/</link></rss>', ['http://a/']],
    [
      '<r:RDF xmlns:r="r" xmlns="x"><channel><link>http://a/</link></channel><item><link>http://b/</link></item></r:RDF>',
      ['http://a/', 'http://b/'],
    ],
    [`<feed ${ATOM}><link href="http://a/" a:href="http://no/" xmlns:a="b"/></feed>`, ['http://a/']],
    [
      '<html xmlns="h"><script/><title/><a href="http://a/"/><svg xmlns="s"><a href="http://no/"/></svg></html>',
      ['http://a/'],
    ],
  ] as const)
    for (const pieceUnits of [Number.POSITIVE_INFINITY, 1, 7])
      assert.equal(linksOf(text, undefined, pieceUnits), links, text);
});

tests('resolve against the base of their element, and of XHTML against its one base', () => {
  const feed = (body: string, attributes = '') => `<feed ${ATOM} ${attributes}>${body}</feed>`;
  for (const [text, base, links] of [
    [feed('<link href="x"/>'), undefined, [`x${LACKS_BASE}`]],
    [feed('<link href="x"/>'), 'http://h/a/', ['http://h/a/x']],
    [
      feed('<entry xml:base="b/"><link href="x"/></entry><link href="y"/>'),
      'http://h/a/',
      ['http://h/a/b/x', 'http://h/a/y'],
    ],
    [
      feed(
        '<entry xml:base="When/202x/2026/07/26/"><link href="Some-Politics"/></entry>',
        'xml:base="https://blog.example/ongoing/"',
      ),
      undefined,
      ['https://blog.example/ongoing/When/202x/2026/07/26/Some-Politics'],
    ],
    [feed('<link xml:base="http://b/" href="x"/>'), undefined, ['http://b/x']],
    // a base that is none is not passed over
    [feed('<entry xml:base="http://[/"><link href="x"/></entry>'), 'http://h/', [`x${LACKS_BASE}`]],
    [feed('<entry xml:base="&e;"><link href="x"/></entry>'), 'http://h/', [`x${LACKS_BASE}`]],
    ['<rss xml:base="http://b/"><link>x</link></rss>', undefined, ['http://b/x']],
    [
      '<html xmlns="h"><a href="x"/><base href="http://b/"/><base href="http://no/"/></html>',
      undefined,
      ['http://b/x'],
    ],
    ['<html xmlns="h" xml:base="http://no/"><a href="x"/></html>', 'http://h/', ['http://h/x']],
  ] as const)
    assert.equal(linksOf(text, base), links, text);
});

tests('with an entity of the document are bad, and text that is not a link may have one', () => {
  const rss = '<!DOCTYPE rss [<!ENTITY e "evil.example">]><rss><title>&e;&nbsp;</title><link>http://&e;/</link>';
  assert.equal(linksOf(`${rss}<link>&e;</link><link>http://a/&#38;&amp;</link></rss>`), [
    'http://&e;/\tunresolved-entity',
    '&e;\tunresolved-entity',
    'http://a/&&',
  ]);
  assert.equal(linksOf(`<feed ${ATOM}><link href="http://&e;/"/></feed>`), ['http://&e;/\tunresolved-entity']);
});

tests('end at what is not well-formed, which is named with its place', () => {
  for (const [text, sentence] of [
    ['<rss>\n<link>http://a/?b&c</link>\n<link>x;</link></rss>', 'at line 2: an ampersand is not written as &amp;'],
    ['<rss><link>http://a/</rss>', 'at 1:26: unexpected close tag'],
    ['<rss><link>http://a/</link>', 'at 1:27: unclosed tag: rss'],
    ['<rss><a:link/></rss>', 'at 1:14: unbound namespace prefix: "a"'],
    ['<rss a=b/>', 'at 1:8: unquoted attribute value'],
  ] as const)
    assert.throws(
      () => linksOf(text),
      (error: Error) => error.message === `it is not well-formed XML ${sentence}`,
      text,
    );
  assert.throws(() => linksOf('<kml:kml xmlns:kml="x"/>'), /it is XML with the root "kml:kml"/);
  assert.throws(() => linksOf(`<opml>${'<outline>'.repeat(2000)}`), /its elements are nested deeper than 1024/);
});

/** The links of feeds by Python's own parser, with XML Base as its specification has it. */
const PYTHON = `
import json, sys, urllib.parse, xml.etree.ElementTree as tree
ATOM = '{http://www.w3.org/2005/Atom}'
BASE = '{http://www.w3.org/XML/1998/namespace}base'
def links(element, base):
    base = urllib.parse.urljoin(base, element.get(BASE, ''))
    if element.tag == ATOM + 'link' and element.get('href') is not None:
        yield urllib.parse.urljoin(base, element.get('href'))
    for child in element:
        yield from links(child, base)
print(json.dumps([list(links(tree.fromstring(text), 'http://run.example/')) for text in json.load(sys.stdin)]))
`;

tests('are those that Python finds in random feeds with bases, whatever their prefixes', () => {
  if (!hasProgram('python3')) return;
  const next = random();
  const pick = <T>(values: readonly T[]): T => values[next(values.length)]!;
  const reference = () => pick(['x', 'a/b', '/c', '../d', 'http://e.example/f/', '//g.example/h', './', 'i/', '/j/k/']);
  const base = () => (next(3) === 0 ? ` xml:base='${reference()}'` : '');
  const element = (depth: number): string => {
    const prefix = pick(['', 'a:', 'o:']);
    if (depth > 5 || next(3) === 0) return `<${prefix}link${pick([' rel="x"', ''])} href="${reference()}"${base()}/>`;
    const name = prefix + pick(['entry', 'source', 'link']);
    const children = Array.from({ length: next(4) }, () => element(depth + 1)).join('');
    return `<${name}${base()}>${pick(['', 'text', '<!-- <link/> -->'])}${children}</${name}>`;
  };
  const feeds = Array.from({ length: cases(400) }, () => {
    const children = Array.from({ length: next(6) }, () => element(0)).join('');
    return `<feed ${ATOM} xmlns:a="http://www.w3.org/2005/Atom" xmlns:o="other"${base()}>${children}</feed>`;
  });
  const expected = JSON.parse(execFileSync('python3', ['-c', PYTHON], { input: JSON.stringify(feeds) }).toString());
  for (const [index, feed] of feeds.entries())
    assert.equal(linksOf(feed, 'http://run.example/', 1 + next(90)), resolved(expected[index]), feed);
});

/** Links as they are written: absolute ones as given, others in their canonical form. */
function resolved(links: readonly string[]): string[] {
  return links.map((link) => link.replace(/^(http:\/\/[^/]*)$/, '$1/'));
}

tests('take steps by the length of the text', () => {
  for (const part of [
    ...['<x></x>', '<x a="b"/>', '&amp;', '&#38;', '<!-- x -->', '<?x y?>', '<![CDATA[x]]>', 'x ', '<link>x</link>'],
  ])
    mustBeLinear(
      part,
      (length) => `<rss>${part.repeat(length / 8)}</rss>`,
      (text) => linksOf(text),
      1 << 13,
    );
});

tests.run();
