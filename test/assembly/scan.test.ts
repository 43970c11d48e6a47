import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROW_CAPACITY, ROWS, TEXT } from '../../assembly/layout.ts';
import { CARRIAGE_RETURN, LINE_FEED } from '../../src/core/bytes/code-points.ts';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { canonicalForm } from '../../src/core/url/canonicalize.ts';
import { formOf } from '../../src/core/url/options.ts';
import { C0_CONTROL, FRAGMENT, isMember, PATH, SPECIAL_QUERY, USERINFO } from '../../src/core/url/percent.ts';
import { KERNELS, messagesOf, putLines } from '../core/kernel/kernels.ts';
import { corpusLines, sampled, sampleLines } from '../support/data.ts';
import { mutated, SAMPLE_URLS } from '../support/samples.ts';
import { halvedCases, random } from '../support/seed.ts';

/** Half of them again as rows; a long run tries 10^6 with each kernel. */
const MUTATED_LINES = halvedCases(100_000);

/** Returns what scan said of each line: its message, or undefined where the parser is asked. */
function scanned(kernel: Kernel, lines: readonly (string | Uint8Array)[], excludeFragment = false) {
  kernel.classifyRows(lines.length, putLines(kernel, lines), excludeFragment, 0, 0, 0);
  return messagesOf(kernel, lines.length);
}

/** The same for rows without line ends, whose offsets begin at `start`. */
function scannedRows(
  kernel: Kernel,
  rows: readonly Uint8Array[],
  start: number,
  excludeFragment: boolean,
): (string | undefined)[] {
  if (kernel.separateRows === undefined) return rows.map(() => undefined); // it proves no row
  kernel.memory.bytes.set(Buffer.concat(rows), ROWS);
  let end = start;
  kernel.memory.rowEnds.set(rows.map(({ length }) => (end += length)));
  kernel.classifyRows(rows.length, kernel.separateRows(start, rows.length), excludeFragment, 0, 0, 0);
  mustStand(kernel, rows);
  return messagesOf(kernel, rows.length);
}

/** Rows are where their bounds say, and whole: they may come out after they were hashed. */
function mustStand({ memory: { bytes, rowStarts, rowEnds } }: Kernel, rows: readonly Uint8Array[]): void {
  rows.forEach((row, index) => {
    const found = Buffer.from(bytes.subarray(rowStarts[index], rowEnds[index]));
    if (!found.equals(row)) assert.is(found.toString('latin1'), Buffer.from(row).toString('latin1'));
  });
}

/** Every message must be the parser's canonical form of its line; gives the number of messages. */
function check(kernel: Kernel, lines: readonly Uint8Array[], excludeFragment = false): number {
  const found = scanned(kernel, lines, excludeFragment);
  mustStand(
    kernel,
    lines.map((line) => (line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line)),
  );
  return checkMessages(lines, found, excludeFragment);
}

/** The same for rows, which may hold line feeds. */
function checkRows(kernel: Kernel, rows: readonly Uint8Array[], excludeFragment: boolean): number {
  return checkMessages(rows, scannedRows(kernel, rows, 7, excludeFragment), excludeFragment);
}

function checkMessages(
  rows: readonly Uint8Array[],
  found: readonly (string | undefined)[],
  excludeFragment: boolean,
): number {
  assert.is(found.length, rows.length);
  let known = 0;
  found.forEach((message, row) => {
    if (message === undefined) return;
    known++;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(rows[row]);
    const canonical = canonicalForm(text, undefined, formOf({ excludeFragment }));
    if (canonical !== message) assert.is(message, canonical, `a false proof of ${JSON.stringify(text)}`);
  });
  return known;
}

for (const kernel of KERNELS) {
  const tests = suite(`scan: ${kernel.name}`);
  const proves = kernel.name === 'simd';

  tests('splits at LF and CR LF, and at nothing else', () => {
    kernel.memory.bytes.set(Buffer.from('a\r\n\n\r\r\n\r\nb\rc\n'), TEXT);
    assert.is(kernel.findLines(TEXT, TEXT + 13, LINE_FEED), 5);
    const { rowStarts, rowEnds, spans, scannedEnd } = kernel.memory;
    assert.is(scannedEnd, TEXT + 13);
    const bounds = Array.from({ length: 5 }, (_, row) => [rowStarts[row]! - TEXT, rowEnds[row]! - TEXT]);
    assert.equal(bounds, [
      [0, 1],
      [3, 3],
      [4, 5],
      [7, 7],
      [9, 12],
    ]);
    kernel.classifyRows(5, TEXT + 13, false, 0, 0, 0);
    if (!proves) return;
    const messageBounds = bounds.map((_, row) => [
      spans[2 * row]! - TEXT,
      spans[2 * row]! + spans[2 * row + 1]! - TEXT,
    ]);
    assert.equal(messageBounds, bounds);
  });

  tests('stops at its row capacity and says where', () => {
    const text = Buffer.from('x\n'.repeat(ROW_CAPACITY + 10));
    kernel.memory.bytes.set(text, TEXT);
    assert.is(kernel.findLines(TEXT, TEXT + text.length, LINE_FEED), ROW_CAPACITY);
    assert.is(kernel.memory.scannedEnd, TEXT + 2 * ROW_CAPACITY);
    kernel.classifyRows(ROW_CAPACITY, TEXT + text.length, false, 0, 0, 0);
    assert.is(kernel.memory.pendingCount, ROW_CAPACITY);
  });

  tests('canonical lines are proven, and nearly canonical ones rewritten', () => {
    const proven = [
      'http://a/',
      'https://example.com/',
      'https://example.com/a/b?c=d&e=/../#f?g#h',
      'http://a.b/.well-known/x',
      'http://1.2.3.4/',
      'http://example.com:8080/',
      'https://xn--a/',
      'https://e/?\\`|{}^',
      "https://e/#'\\{}|^",
      'https://e/%7E%zz%',
      'file:///a/b',
      'file://host/c',
      'https://e/a//b',
      'https://0.0.0.0:1/x',
      'http://a:81',
      "https://e/it's",
      'https://e/.x/%20/y',
      'http://e/x?/../y',
      'file://localhost.e/',
      'file:///a/.b/c',
      'ftp://ftp.example.org/pub/x',
      'ws://e:81/',
      'wss://e/?x',
      'mailto:a@b.example?subject=c',
      "javascript:alert('a b')",
      'data:text/html,<b>"|`^{}\\</b>',
      'urn:isbn:0451450523',
      'blob:https://example.com/1',
      'irc://irc.example/#channel',
      'about:blank?a#b',
      'foo:',
      'foo://',
      'foo://e',
      'foo://e?x',
      'foo:///x/.y',
      'foo:/bar?x#y',
    ];
    const rewritten = [
      'http://EXAMPLE.com',
      'http://e:80/x',
      'https://e:443',
      'http://e?q',
      'http://e#f',
      'http://e/a b',
      'http://e/中?中#中',
      "http://e/?'",
      'http://e:/',
      'hTTp://e/',
      'http:\\\\e\\a?\\#\\',
      'https:\\/\\/e\\/a',
      'http:////e/x',
      '  http://e/x',
      'http://e/x  ',
      'http://e/x#y ',
      'FTP://E:21/',
      'ws://e:80/x',
      'wss://e:443',
      'http://e/a/../b',
      'http://e\\..\\b',
      'http://e/a/b/..',
      'http://e/./%2e%2E/.?../x',
      'http://e/%2E#/../',
      'http://u@E/',
      'http://u:p:w@e:80/',
      'http://:@e/',
      'http://:p@E/x',
      'http://a@b@e/',
      'http://0x7F.1/',
      'http://017700000001/x',
      'http://1.2.3/',
      'http://1.2.3.4./',
      'http://0x.0/',
      'http://[::FFFF:1]/',
      'http://[0:0:1:0:0:0:1:1]:80/',
      'http://u@[1:2:3:4:5:6:7:0]/..',
      'file:///C|/x',
      'file://c|/..',
      'file:\\\\c:',
      'FILE:///../c|/../../x?/../y',
      'file:////c|/x/../..',
      'file:///a/../c|\\b',
      'file://localhost/x',
      'file://LocalHost',
      'file://0x7F.1/a b',
      'file://[0::1]/c|',
      'http://e/a/b/c/d/e/f/g/h/i/j/../..?/./',
    ];
    const known = scanned(kernel, [...proven, ...rewritten]).filter((message) => message !== undefined).length;
    assert.is(known, proves ? proven.length + rewritten.length : 0);
    assert.is(kernel.memory.rewrittenCount, proves ? rewritten.length : 0);
    assert.is(
      check(
        kernel,
        [...proven, ...rewritten].map((line) => Buffer.from(line)),
      ),
      known,
    );
  });

  tests('what depends on a base, or needs the parser, is left to it', () => {
    const lines = [
      'http:/e',
      'http:e',
      'http:\\e',
      'file:x',
      'file:/x',
      'ftp:x',
      'ws:/e',
      'wss:e',
      'file://e:80/',
      'file://u@e/',
      'file://[::1',
      'mailto:a ',
      'mailto:a ?b',
      'mailto:a #b',
      'mailto:a?b c',
      'mailto:\u00fc',
      'javascript:\t',
      'FOO:x',
      'foo:/.//x',
      'foo:/%2E/',
      'foo:/a/..',
      'foo://e\\x',
      'foo://e:80/',
      'foo://u@e/',
      'foo://E/',
      'foo://[::1]/',
      'ftps:x y ',
      'http://e/\x01 ',
      '\x01http://e/',
      'http://\u00fc@e/',
      'http://u@/',
      'http://a@[::1/',
      'http://1.2.3.256/',
      'http://e.09/',
      'http://[::1.2.3.4]/',
      'http://[1:2:3:4:5:6:7:8:9]/',
      'http://[1::2::3]/',
      'http://[12345::]/',
      'http://[]/',
    ];
    const found = scanned(kernel, lines);
    assert.equal(
      lines.filter((_, row) => found[row] !== undefined),
      [],
    );
  });

  tests('without fragments, what was known stays known, and fragments may hold anything', () => {
    const proven = [
      'http://a/',
      'http://a/#',
      'https://e/a?b#c#d',
      'https://e/?#中',
      'https://e/#\xff',
      'file:///a#b',
      'http://a/b#\t',
    ];
    const rewritten = [
      'http://a#',
      'http://a#b c',
      'http://a:81#',
      'http://A#f',
      'http://e/a b#c',
      'http://e?q#\u00fc',
      'http://e:80#x',
      "http://e/?'#",
    ];
    const lines = [...proven, ...rewritten].map((line) => Buffer.from(line));
    const known = proves ? lines.length : 0;
    assert.is(check(kernel, lines, true), known);
    assert.is(kernel.memory.rewrittenCount, proves ? rewritten.length : 0);
    const rows = [...lines, ...proven.map((line) => Buffer.from(`${line}#\n`))];
    assert.is(checkRows(kernel, rows, true), proves ? rows.length : 0);
  });

  tests('rows without line ends: what their neighbours hold does not matter', () => {
    const rows = [
      'http://a/b',
      'http://',
      '',
      'http://c',
      '\n',
      'http://d\n',
      'http://e/\r',
      'http://f/\n\r',
      'x'.repeat(15),
      'http://g',
    ];
    const found = scannedRows(
      kernel,
      rows.map((row) => Buffer.from(row)),
      0,
      false,
    );
    const messageOf: Readonly<Record<number, string>> = {
      0: 'http://a/b',
      3: 'http://c/',
      9: 'http://g/',
    };
    assert.equal(
      found.map(String),
      rows.map((_, row) => String(proves ? messageOf[row] : undefined)),
    );
  });

  tests('as many rows as fit, of every length up to 64', () => {
    for (let length = 0; length <= 64; length++) {
      const rows = Array.from({ length: ROW_CAPACITY }, (_, row) =>
        Buffer.from(`http://a/${row}/`.padEnd(length, 'x').slice(0, length)),
      );
      const known = checkRows(kernel, rows, false);
      assert.is(known, proves && length > 7 ? ROW_CAPACITY : 0, `length ${length}`);
    }
  });

  tests('every byte in every position of lines of each kind', () => {
    const lines = [
      'http://ab.cd:81/e.f/g?h=i#j',
      'https://1.2.3.4/%7e/',
      'file://h/C/x',
      'http://a',
      'HTTP://A b/../?é#ü',
      'https://e/..a/%2f',
    ].map((line) => Buffer.from(line));
    let known = 0;
    for (const line of lines) {
      for (let at = 0; at < line.length; at++) {
        const variants = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 0x0a);
        known += check(
          kernel,
          variants.map((byte) => Buffer.concat([line.subarray(0, at), Buffer.from([byte]), line.subarray(at + 1)])),
        );
        known += check(
          kernel,
          variants.map((byte) => Buffer.concat([line.subarray(0, at), Buffer.from([byte]), line.subarray(at)])),
          true,
        );
      }
    }
    assert.ok(proves ? known > 5_000 : known === 0, `${known} lines known`);
  });

  tests('mutated lines: no false proof', () => {
    const next = random();
    const corpora = [...corpusLines('changed'), ...sampled(corpusLines('main'), 40)];
    const sources = [...SAMPLE_URLS, ...(corpora.length > 0 ? corpora : sampleLines())];
    let known = 0;
    for (let left = proves ? MUTATED_LINES : MUTATED_LINES / 100; left > 0; left -= 500) {
      const rows = Array.from({ length: 500 }, () => mutated(sources[next(sources.length)]!, next));
      const lines = rows.map((row) => Buffer.from(row.replaceAll('\n', '')));
      const excludeFragment = next(2) === 1;
      known += check(kernel, lines, excludeFragment);
      if (next(2) === 1) continue;
      const fragmented = rows.map((row) => Buffer.from(next(4) === 0 ? `${row}#${rows[next(500)]}` : row));
      checkRows(kernel, fragmented, excludeFragment);
    }
    assert.ok(proves ? known > MUTATED_LINES / 4 : known === 0, `only ${known} lines known`);
  });

  tests('ill-formed UTF-8 is left to the parser', () => {
    const tails = [
      '\x80',
      '\xc0\x80',
      '\xc1\xbf',
      '\xe0\x80\x80',
      '\xe0\x9f\xbf',
      '\xed\xa0\x80',
      '\xf0\x8f\xbf\xbf',
      '\xf4\x90\x80\x80',
      '\xf5\x80\x80\x80',
      '\xff',
      '\xc3',
      '\xe4\xb8',
      '\xf0\x9f\x98',
    ];
    const lines = tails.map((tail) => Buffer.from(`http://e/${tail}`, 'latin1'));
    assert.is(check(kernel, lines), 0);
    assert.is(
      check(
        kernel,
        lines.map((line) => Buffer.concat([line, Buffer.from('/x')])),
      ),
      0,
    );
  });

  tests('what folds look for is found in rows, at their ends, and not between them', () => {
    const marks = [
      '',
      '?',
      '?#f',
      '?a',
      '%7e',
      '%7E?',
      '%ZZ',
      '%c3%a9',
      ';jsessionid=1',
      '?a&PHPSESSID=1',
      '?%70hpsessid',
    ];
    const urls = marks.flatMap((first) => [
      `http://e.com/p${first}`,
      ` HTTP://u@e.com:80${first} `,
      `http://[::1]/${first}`,
    ]);
    const text = Buffer.from(urls.map((url) => `{"?%7e": ";js", "url": "${url}", "x": "?"}\n`).join(''));
    for (const fold of [['escapes'], ['session'], ['empty-query'], ['escapes', 'session', 'empty-query']] as const) {
      const form = formOf({ fold });
      kernel.memory.bytes.set(text, TEXT);
      urls.reduce((from, url, row) => {
        const start = text.indexOf(`"${url}"`, from) + 1;
        kernel.memory.rowStarts[row] = TEXT + start;
        kernel.memory.rowEnds[row] = TEXT + start + url.length;
        return start;
      }, 0);
      kernel.classifyRows(urls.length, TEXT + text.length, false, form.rules!.folds, 0, 0);
      const found = messagesOf(kernel, urls.length);
      assert.ok(!proves || found.filter((message) => message !== undefined).length > 2);
      found.forEach((message, row) => {
        if (message !== undefined) assert.is(message, canonicalForm(urls[row]!, undefined, form));
      });
    }
  });

  tests.run();
}

const sets = suite('the sets of the proof');

sets('no byte that the standard escapes is kept as it is', () => {
  for (const kernel of KERNELS) {
    for (const [set, prefix, suffix, delimiters] of [
      [PATH, 'http://e/', 'x', '?#'],
      [SPECIAL_QUERY, 'http://e/?', 'x', '#'],
      [FRAGMENT, 'http://e/#', 'x', ''],
      [USERINFO, 'http://', 'x@E/', ':/\\'],
    ] as const) {
      for (let byte = 0; byte < 0x80; byte++) {
        if (byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
        const [message] = scanned(kernel, [`${prefix}${String.fromCharCode(byte)}${suffix}`]);
        const isEscaped = isMember(byte, set | C0_CONTROL);
        if (message === undefined || delimiters.includes(String.fromCharCode(byte))) continue;
        assert.is(message.includes('%'), isEscaped || byte === 0x25, `byte ${byte} after ${prefix}`);
      }
    }
  }
});

sets.run();
