import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linksIn } from '../../../src/command/read/links.ts';
import { parsedUrl } from '../../../src/core/url/parsed-url.ts';
import type { UrlRecord } from '../../../src/core/url/record.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { mustGive, textOf } from '../command.ts';

const tests = suite('links');

interface Reading {
  readonly pieceBytes?: number;
  readonly base?: string;
  readonly isUtf8?: boolean;
}

/** The lines of a document that comes in pieces of so many bytes. */
async function linksOf(
  document: string | Uint8Array,
  { pieceBytes = Number.POSITIVE_INFINITY, base, isUtf8 = false }: Reading = {},
): Promise<string[]> {
  const bytes = Buffer.from(document);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  let found = '';
  const against = base === undefined ? undefined : (parsedUrl(base, undefined) as UrlRecord);
  const options = { base: against, lineEnd: '\n', isUtf8, memoryBytes: 1 << 28 };
  for await (const lines of linksIn(pieces(), options)) found += Buffer.from(lines).toString();
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
      '<atom:link xmlns:atom="a" rel="self" href="http://no/"/><item><link>http://b/</link><guid>http://no/</guid></item></channel></rss>',
    ['http://a/', 'http://b/'],
  ],
  [
    'RSS 1.0',
    '<rdf:RDF xmlns:rdf="rdf" xmlns="r"><channel><link>http://a/</link></channel><item><link>http://b/</link></item></rdf:RDF>',
    ['http://a/', 'http://b/'],
  ],
  [
    'Atom',
    '<feed xmlns="a" xml:base="http://h/f/"><link rel="self" href="x"/><entry xml:base="http://i/"><link href="/y?a&amp;b"/></entry></feed>',
    ['http://h/f/x', 'http://i/y?a&b'],
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
      assert.equal(await linksOf(text, { pieceBytes }), links, name);
});

const LACKS_BASE = '\tmissing-scheme-non-relative-URL';

tests('resolve against the base of the page, which is resolved against that of the run', async () => {
  const page = (base: string) =>
    `<html>${base}<a href="b?c">x</a><a href="#d">x</a><a href="mailto:e@f">x</a><a href="">x</a>`;
  for (const [base, ownBase, links] of [
    [undefined, '', [`b?c${LACKS_BASE}`, `#d${LACKS_BASE}`, 'mailto:e@f', LACKS_BASE]],
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
    assert.equal(await linksOf(page(ownBase), base === undefined ? {} : { base }), links, `${base} ${ownBase}`);
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

const RESOLVED = '--base URL resolves it (docs/bulk.md#pages-bookmarks-sitemaps-and-feeds)';

tests('without a base are bad rows of every command, before it judges them', () => {
  const list = file('relative.list', '');
  assert.is(textOf(['list', 'build', '--out', list], 'login\n').status, 0);
  const page = '<a href="login"><a href="//b.example/"><a href="http://c.example/">';
  const bad = (number: number, link: string) =>
    `urlsum: -:${number}: not a URL: "${link}": it has no scheme, and there is no base URL (missing-scheme-non-relative-URL)`;
  for (const command of [
    [],
    ['--default-scheme', 'https'],
    ['canon'],
    ['canon', '--profile', 'safe-browsing'],
    ['expressions'],
    ['hashed-uri'],
    ['lookup', '--list', list],
    ['list', 'build', '--allow-shrink', '--out', `${FOLDER}/of-links.list`],
    ['index', '--out', `${FOLDER}/of-links.idx`],
  ]) {
    const { status, stderr } = textOf([...command, '--links'], page);
    assert.is(status, command[0] === 'lookup' ? 2 : 1, command.join(' '));
    const [first, second] = stderr.split('\n');
    assert.equal([first, second], [`${bad(1, 'login')}; ${RESOLVED}`, bad(2, '//b.example/')], command.join(' '));
  }
  assert.is(textOf(['lookup', '--list', list, '--links'], page).stdout, '');
  assert.is(textOf(['canon', '--links', '--base', 'http://h/'], '<a href="x">').stdout, 'http://h/x\n');
  const kept = textOf(['--links', '--on-error', 'keep', '--width', '8'], '<a href="x">').stdout;
  assert.is(kept, textOf(['--on-error', 'keep', '--width', '8'], 'x\n').stdout);
  assert.match(
    textOf(['canon', '--links', '--base', 'h'], '<a href="x">').stderr,
    '--base: the base is not a URL: "h"',
  );
  assert.is(textOf(['canon', '--links'], ' \n').status, 0);
});

const BASE64 = `${Buffer.from('<a href="http://a/">'.repeat(9)).toString('base64').replace(/.{76}/g, '$&\n')}\n`;

tests('are read of markup alone: each other kind of text is named', () => {
  const otherXml = (root: string) =>
    `it is XML with the root "${root}": --links reads HTML, sitemaps, RSS, Atom and OPML`;
  for (const [text, kind] of [
    ['http://a/\n', 'it is lines of URLs; '],
    ['<?xml version="1.0"?>\n<kml:kml xmlns:kml="x"/>', otherXml('kml:kml')],
    ['<plist version="1.0"><a href="http://a/"/></plist>', otherXml('plist')],
    ['WARC/1.0\r\n', 'it is a WARC file; '],
    ['# A title\n\n<https://a.example>\n', 'it is Markdown; '],
    ['<https://a.example>\n', 'it is Markdown; '],
    ['<a@mail.example> wrote:\n', 'it is Markdown; '],
    ['Words and [a link](http://a/).\n', 'it is Markdown; '],
    ['<p align="center">\n  <b>x</b>\n</p>\n\nSee [this](https://a.example/).\n', 'it is Markdown; '],
    ['<h1>x</h1>\n\n[a]: https://a.example/\n', 'it is Markdown; '],
    ['From: a@b.example\nSubject: x\n\n<a href=3D"http://a/">x</a>=\n', 'it is a mail; '],
    ['From a Thu Jan  1\nReceived: by x\n\twith y\nTo: <a@b>\n\n<html>', 'it is a mail; '],
    ['<html><body class=3D"x"><a href=3D"http://a/">x</a>', 'it is HTML in quoted-printable, as in a mail; '],
    [BASE64, 'it is base64, as in a mail; '],
    ['{"url":"http://a/","html":"<a href=b>"}\n', 'it is JSON lines; '],
    ['{\n "html":"<a href=b>"\n}\n', 'it is JSON over several lines; '],
    ['<?php echo "<a href=b>"; ?>', 'it is PHP; '],
    ['1 < 2, <a href="http://a/">x</a>', 'it is text without markup; '],
  ] as const) {
    const { status, stdout, stderr } = textOf(['--links'], text);
    assert.equal([status, stdout], [2, ''], text);
    assert.ok(stderr.startsWith(`urlsum: -: ${kind}`), `${text}: ${stderr}`);
  }
  for (const other of ['--cdx', '--csv', '--zero --json url'])
    assert.is(textOf(['--links', ...other.split(' ')], '').status, 2);
  assert.match(textOf(['--links', '-f', '1'], '').stderr, '--links and --column cannot be combined');
});

tests('of a page with text like Markdown are read, and of one that begins with a comment', () => {
  for (const text of [
    '<!DOCTYPE html><p>[x](http://no/)<a href=http://a/>',
    '<html>[x](http://no/)<a href=http://a/>',
    '<p>text [1] (see) <a href=http://a/>',
    `<!--${'x'.repeat(70_000)}--><p><a href=http://a/>`,
    `${' '.repeat(70_000)}<p><a href=http://a/>`,
    '\n<?xml version="1.0"?><rss><link>http://a/</link></rss>',
  ])
    assert.equal(textOf(['canon', '--links'], text), { status: 0, stdout: 'http://a/\n', stderr: '' });
});

tests('are in the encoding that the document declares, unless a mark or an option says another', async () => {
  const cyrillic = Buffer.from([0xe4]); // д in windows-1251, ä in windows-1252
  const page = (start: string) =>
    Buffer.concat([Buffer.from(`${start}<a href="http://a/`), cyrillic, Buffer.from('">')]);
  const sitemap = (label: string) =>
    Buffer.concat([
      Buffer.from(`<?xml version="1.0" encoding="${label}"?><urlset><loc>http://a/`),
      cyrillic,
      Buffer.from('</loc></urlset>'),
    ]);
  for (const [document, character] of [
    [sitemap('windows-1251'), 'д'],
    [sitemap('cp1251'), 'д'],
    [sitemap('ISO-8859-1'), 'ä'],
    [sitemap('UTF-8'), '\ufffd'],
    [sitemap('utf-16'), '\ufffd'], // it is not, or the declaration could not be read
    [page('<meta charset=windows-1251>'), 'д'],
    [page('<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1251">'), 'д'],
    [page('<html><head><title><meta charset=koi8-r></title><meta charset="windows-1251">'), 'д'],
    [page('<!-- <meta charset=koi8-r> -->'), '\ufffd'],
    [page('<meta name=x content="charset=koi8-r">'), '\ufffd'],
    [page('<meta charset=nonesuch>'), '\ufffd'],
  ] as const)
    for (const pieceBytes of [1, 1000])
      assert.equal(await linksOf(document, { pieceBytes }), [`http://a/${character}`], document.toString('latin1'));
  const utf8 = '<meta charset=windows-1251><a href="http://a/д">';
  assert.equal(await linksOf(`\ufeff${utf8}`), ['http://a/д']);
  assert.equal(await linksOf(utf8, { isUtf8: true }), ['http://a/д']);
  for (const input of [Buffer.from(`\ufeff${utf8}`, 'utf16le'), Buffer.from(`\ufeff${utf8}`)])
    assert.is(textOf(['canon', '--links'], input).stdout, 'http://a/%D0%B4\n');
  assert.is(textOf(['canon', '--links', '--encoding', 'utf-8'], utf8).stdout, 'http://a/%D0%B4\n');
  assert.is(textOf(['canon', '--links', '--encoding', 'latin1'], sitemap('windows-1251')).stdout, 'http://a/%C3%A4\n');
  mustGive(textOf(['--links'], sitemap('nonesuch')), {
    status: 2,
    says: /-: it declares the encoding "nonesuch", which has no decoder: --encoding LABEL/,
  });
  mustGive(textOf(['canon', '--links'], sitemap('UTF-8')), {
    status: 0,
    stderr: 'urlsum: 1 line is not UTF-8 (docs/bulk.md#encodings)\n',
  });
});

tests.run();
