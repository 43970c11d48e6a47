// What runs the documents' examples must notice an example that is wrong.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FOLDER as root } from '../support/scratch.ts';
import { RECORDER, runExamples, typeErrors } from './example.ts';
import { areLines } from './expected.ts';
import { runScript, runTranscript } from './shell.ts';

const tests = suite('what runs the examples');

mkdirSync(join(root, 'work'));
symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
writeFileSync(join(root, 'recorder.mjs'), RECORDER);

const example = (text: string) => () => {
  const { valueCount, failures } = runExamples([{ text, name: `example-${examples++}` }], root);
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return valueCount;
};
let examples = 0;
const transcript = (text: string) => () =>
  runTranscript(text, { work: join(root, 'work'), logs: join(root, 'logs'), path: root, npmPrefix: root });

tests('values are compared: of expressions, declarations, several lines, loops and throwing', () => {
  assert.is(example("'a' + 'b'; //=> 'ab'\nconst list = [1, 2]; //=> [1, 2]\n")(), 2);
  assert.is(example("[\n  'a',\n  'b',\n].join(' ');\n//=> 'a\n//   b'\n")(), 1);
  assert.is(example("JSON.parse('{'); //=> throws SyntaxError: …JSON…\n")(), 1);
  assert.throws(example("'a' + 'b'; //=> 'ba'\n"), "line 1 of the block says 'ba'\nand gives 'ab'");
  assert.throws(example('for (const each of [1, 2]) {\n  each; //=> 1\n}\n'), 'and gives 2');
  assert.throws(example("JSON.parse('1'); //=> throws SyntaxError: …\n"), 'and gives returns');
  assert.throws(example("JSON.parse('{'); //=> 1\n"), 'SyntaxError');
  assert.throws(example('process.exit(3);\n'), 'ends with status 3');
});

tests('a value that is never reached, that says nothing or that belongs to no expression is refused', () => {
  assert.throws(example('if (Date.now() < 0) {\n  Date.now(); //=> 1\n}\n'), 'was not reached');
  assert.throws(example("'a'; //=> …\n"), 'says nothing');
  assert.throws(example("const { length } = 'a'; //=> 1\n"), 'a const of one name');
});

tests('of examples that share a process, each is compared by itself', () => {
  const texts = {
    right: "'a'; //=> 'a'\n",
    wrong: "'a'; //=> 'b'\n",
    ending: "'a'; //=> 'a'\nJSON.parse('{');\n",
    last: 'for (const each of [1]) {\n  each; //=> 1\n}\n',
  };
  const { valueCount, failures } = runExamples(
    Object.entries(texts).map(([name, text]) => ({ name, text })),
    root,
  );
  assert.equal([valueCount, failures.length], [4, 2]);
  assert.match(failures[0]!, /^wrong: line 1 of the block says 'b'/);
  assert.match(failures[1]!, /^ending: SyntaxError/);
});

tests('types are checked', () => {
  writeFileSync(join(root, 'typed.ts'), 'export const text: string = [1][0] ?? 2;\n');
  assert.match(typeErrors(root), "Type 'number' is not assignable to type 'string'");
  writeFileSync(join(root, 'typed.ts'), 'export const count: number = [1][0] ?? 2;\n');
  assert.is(typeErrors(root), '');
});

tests('transcripts are compared: standard output, then standard error, and the status', () => {
  assert.is(transcript("$ echo a >&2; echo b\nb\na\n$ cat <<'END'\n> x\n> END\nx\n$ (exit 3)\n$ echo $?\n3\n")(), 4);
  assert.throws(transcript('$ echo a\nb\n'), '$ echo a\nprints\na');
  assert.throws(transcript('$ echo a\n'), 'prints\na');
  assert.throws(transcript('$ true\na\n'), 'prints\n');
  assert.throws(transcript('$ false\n'), 'ends with status 1, which is not said');
  assert.throws(transcript('echo a\n'), 'begins with a command');
});

tests('a script must succeed in each of its commands', () => {
  const shell = { work: join(root, 'work'), logs: '', path: root, npmPrefix: root };
  runScript('true\ntrue | true\n', shell);
  assert.throws(() => runScript('false\ntrue\n', shell), 'ends with status 1');
  assert.throws(() => runScript('false | true\n', shell), 'ends with status 1');
});

tests('what a document says that a script prints is compared', () => {
  const shell = { work: join(root, 'work'), logs: '', path: root, npmPrefix: root };
  runScript("printf 'a\\nb5\\n'\n", shell, 'a\nb…\n');
  assert.throws(() => runScript("printf 'a\\nb\\n'\n", shell, 'a\n'), 'prints\na\nb');
  assert.throws(() => runScript('true\n', shell, 'a\n'), 'prints\n');
});

tests('an ellipsis stands for something left out', () => {
  assert.ok(areLines(['a', '…', 'd …'], ['a', 'b', 'c', 'd 5']));
  assert.ok(areLines(['a', '…'], ['a', 'b', 'c']));
  assert.not.ok(areLines(['a', '…', 'd'], ['a', 'b', 'c']));
  assert.not.ok(areLines(['a …'], ['a ']));
  assert.not.ok(areLines(['a.c'], ['abc']));
});

tests('ports are free ones, each the same throughout a block; what runs in the background ends with it', () => {
  assert.is(transcript('$ echo http://127.0.0.1:8080/ 127.0.0.1:8081\nhttp://127.0.0.1:8080/ 127.0.0.1:8081\n')(), 1);
  assert.throws(transcript('$ echo 127.0.0.1:8080\n127.0.0.1:8081\n'), /^\$ echo 127\.0\.0\.1:(?!8080)\d+\nprints\n/);
  assert.is(transcript('$ sleep 600 &\n$ echo $! > job\n')(), 2);
  const job = Number(readFileSync(join(root, 'work/job'), 'utf8'));
  assert.throws(() => process.kill(job, 0), /ESRCH/);
});

tests.run();
