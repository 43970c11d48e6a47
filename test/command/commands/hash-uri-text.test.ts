import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { folderWith } from '../../support/scratch.ts';
import { mustGive, textOf } from '../command.ts';

const tests = suite('urlsum hash-uri text');

tests('text prints what is hashed, and --explain the first quad that differs', () => {
  const folder = folderWith({
    'a.nt': '<http://e/1> <http://e/p> "a\\n\\\\" .\n<http://e/2> <http://e/p> "b" .\n',
    'b.nt': '<http://e/2> <http://e/p> "c" .\n<http://e/1> <http://e/p> "a\\n\\\\" .\n',
    'c.nt': '<http://e/1> <http://e/p> "a\\n\\\\" .\n',
    'e.nt': '<http://e/2> <http://e/p> "b" .\n<http://e/2> <http://e/p> "c" .\n<http://e/1> <http://e/p> "a\\n\\\\" .',
    'd.trig': '<http://e/g> { <http://e/1> <http://e/p> "a" . } <http://e/1> <http://e/p> "b" .',
  });
  const string = '^http://www.w3.org/2001/XMLSchema#string';
  const first = `\nhttp://e/1\nhttp://e/p\n${string} a\\n\\\\\n`;
  assert.equal(textOf(['hash-uri', 'text', `${folder}/a.nt`]), {
    stdout: `${first}\nhttp://e/2\nhttp://e/p\n${string} b\n`,
    stderr: '',
    status: 0,
  });
  const explain = (left: string, right: string) =>
    textOf(['hash-uri', 'text', '--explain', `${folder}/${left}`, `${folder}/${right}`]);
  assert.equal(explain('a.nt', 'a.nt'), { stdout: '', stderr: '', status: 0 });
  const quad = (mark: string, label: string) =>
    `${mark}\n${mark}http://e/2\n${mark}http://e/p\n${mark}${string} ${label}\n`;
  assert.equal(explain('a.nt', 'b.nt'), {
    stdout: `--- ${folder}/a.nt\n+++ ${folder}/b.nt\n@@ -2 +2 @@\n${quad('-', 'b')}${quad('+', 'c')}`,
    stderr: '',
    status: 1,
  });
  assert.is(explain('c.nt', 'b.nt').stdout, `--- ${folder}/c.nt\n+++ ${folder}/b.nt\n@@ +2 @@\n${quad('+', 'c')}`);
  assert.is(explain('b.nt', 'c.nt').stdout, `--- ${folder}/b.nt\n+++ ${folder}/c.nt\n@@ -2 @@\n${quad('-', 'c')}`);
  assert.is(explain('e.nt', 'b.nt').stdout, `--- ${folder}/e.nt\n+++ ${folder}/b.nt\n@@ -2 @@\n${quad('-', 'b')}`);
  const graph = textOf(['hash-uri', 'text', '--graph', 'http://e/g', `${folder}/d.trig`]).stdout;
  assert.is(graph, `http://e/g\nhttp://e/1\nhttp://e/p\n${string} a\n`);
});

tests('text: wrong usage', () => {
  const path = `${folderWith({ 'x.nt': '' })}/x.nt`;
  for (const [args, message] of [
    [[], /hash-uri text needs the name of one FILE/],
    [[path, path], /hash-uri text needs the name of one FILE/],
    [['--explain', path], /hash-uri text needs FILE and OTHER/],
    [[`${path}.nt`], /x\.nt\.nt: no such file/],
  ] as const)
    mustGive(textOf(['hash-uri', 'text', ...args]), { status: 2, stdout: '', says: message }, args.join(' '));
});

tests.run();
