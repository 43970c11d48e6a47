import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { INPUT_KINDS, type InputKind } from '../../../src/command/read/input-kind.ts';
import { kindOfLine } from '../../../src/command/read/text-kind.ts';
import { documents } from '../../docs/document.ts';
import { textOf } from '../command.ts';

const tests = suite('kinds of input');

tests('each names a section of a document that is there, and no two have one name', () => {
  const byPath = new Map(documents().map((document) => [document.path, document]));
  const kinds: readonly InputKind[] = Object.values(INPUT_KINDS);
  for (const { name, section } of kinds) {
    const [file, anchor = ''] = section.split('#');
    assert.ok(byPath.get(`docs/${file}`)?.anchors.has(anchor), `${name}: docs/${section}`);
  }
  assert.is(new Set(kinds.map(({ name }) => name)).size, kinds.length);
});

tests('a line tells the kind that it seems to be of', () => {
  const { jsonLines, cdx, log, urls, table, endsInNul, endsInCr, endsInLf } = INPUT_KINDS;
  for (const [line, kind] of [
    ['{"url":"http://a/"}', jsonLines],
    ['{}', jsonLines],
    [' CDX N b a m s k r V g', cdx],
    ['com,example)/ 20260101000000 http://example.com/ text/html 200 X - 1 a.gz', cdx],
    ['192.0.2.1 - - [24/Nov/2026:02:01:00 +0000] "GET / HTTP/1.1" 200 5', log],
    ['1286536308.779    180 192.0.2.1 TCP_MISS/200 411 GET http://a/ - DIRECT/1.2.3.4 text/html', log],
    ['http://a/', urls],
    ['http://a/ b', urls],
    ['id,url,note', table],
    ['1,http://a/', table],
    ['1\t"http://a/"', table],
    ['2026-11-24 http://a/', table],
    ['a.example\0b.example', endsInNul],
    ['a.example\nb.example', endsInLf],
    ['a.example\rb.example', endsInCr],
    ['a.example', undefined],
    ['/a?b=http://c/', undefined],
    ['a b', undefined],
    ['', undefined],
  ] as const)
    assert.is(kindOfLine(line)?.name, kind?.name, line);
});

tests('a reader is named with the first line that it reads, and with no other', () => {
  const line = '192.0.2.1 - - [24/Nov/2026:02:01:00 +0000] "GET / HTTP/1.1" 200 5\n';
  const { stderr } = textOf([], `http://a/\n${line.repeat(3)}{"url":"http://a/"}\n${line}`);
  const named = stderr.split('\n').flatMap((each, row) => (/; --(?:log|json) /.test(each) ? [row] : []));
  assert.equal(named, [0, 3], stderr);
});

tests.run();
