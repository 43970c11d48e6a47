import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sampleLines } from '../support/data.ts';
import { hasProgram } from '../support/programs.ts';
import { assembled } from '../support/samples.ts';
import { cases, random, SCALE } from '../support/seed.ts';
import type { Question } from './answers.ts';
import { answersOf, HOSTS, LIBRARY, NATIVE } from './hosts.ts';
import { mustBeAnswers, questionsOfVectors, URL_VECTORS } from './questions.ts';

const tests = suite('urlsum.wasm beside V8');

for (const [host, command] of Object.entries(HOSTS)) {
  tests(`${host}: vectors`, () => {
    const questions = [
      ...questionsOfVectors(URL_VECTORS, ['form', 32]),
      ...questionsOfVectors(['site.json'], ['host', 'site', 'surt']),
    ];
    assert.ok(mustBeAnswers(questions, answersOf(command, questions)) > 10_000);
  });

  tests(`${host}: lines by the thousand`, () => {
    const next = random();
    const made = Array.from({ length: cases(host === 'C' ? 96_000 : 6_000) }, () => assembled(next));
    const rows = [...sampleLines(), ...made].map((line) => Buffer.from(line).toString('base64'));
    const questions: Question[] = [{ profile: 'url/1+unicode18', output: 32, rows }];
    assert.ok(mustBeAnswers(questions, answersOf(command, questions)) >= 10_000 * Math.min(1, SCALE));
  });
}

/** Builds the library for a processor without instructions for SHA-256; returns its path. */
function portableLibrary(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'urlsum-portable-')), 'liburlsum.so');
  const flags = ['-w', '-O0', '-fPIC', '-shared', '-DURLSUM_PORTABLE', '-I', NATIVE];
  execFileSync('cc', [...flags, '-o', path, `${NATIVE}/urlsum.c`, '-lm']);
  return path;
}

/** The calls of urlsum.h that a handle may fail: each is a door for whatever holds for one of them. */
const CALLS = Array.from(
  readFileSync('engines/c/urlsum.h', 'utf8').matchAll(/^URLSUM_API int urlsum_(\w+)\(urlsum \*handle/gm),
  ([, name]) => name!,
);
/** The calls that take no URL. */
const CONFIGURING = ['configure', 'site_rules'];

/** Returns the facts that a program of C prints, by name, which has the library within. */
function factsOf(name: string, flags: readonly string[]): Record<string, string> {
  const program = join(mkdtempSync(join(tmpdir(), 'urlsum-program-')), name);
  const sources = [`test/module/hosts/${name}.c`, `${NATIVE}/urlsum.c`];
  execFileSync('cc', ['-w', '-O1', '-I', NATIVE, ...flags, '-o', program, ...sources, '-lm']);
  const lines = execFileSync(program, { encoding: 'utf8' }).trimEnd().split('\n');
  return Object.fromEntries(lines.map((line) => line.split(/ (.*)/s).slice(0, 2) as [string, string]));
}

if (LIBRARY !== undefined && process.platform === 'linux' && hasProgram('cc')) {
  tests('C: the module makes the digests where the processor has no instructions for them', () => {
    const questions = questionsOfVectors(URL_VECTORS, [8, 16, 32]);
    const answers = answersOf(['python3', 'test/module/hosts/native.py', portableLibrary()], questions);
    assert.ok(mustBeAnswers(questions, answers) > 10_000);
  });

  tests('C: the process keeps its handlers and addresses, and a lack of memory is an error of its call', () => {
    const { addresses, growth, ...others } = factsOf('process', [`-DROUNDS=${cases(200_000)}`]);
    const kept = Object.entries(others).filter(([name]) => name.startsWith('kept-by-'));
    const facts = Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith('kept-by-')));
    const outOfMemory = { status: '-2', error: 'out of memory', configured: 'still', 'with-memory': '0' };
    assert.equal(facts, { ...outOfMemory, handlers: '0' });
    assert.ok(Number(addresses) < 4 << 20, `a handle takes ${addresses} bytes of addresses`);
    assert.equal(
      kept.map(([name]) => name),
      CALLS.filter((call) => !CONFIGURING.includes(call)).map((call) => `kept-by-${call}`),
    );
    for (const [name, bytes] of kept) assert.ok(Number(bytes) < 48 << 20, `${bytes} bytes ${name} of a long URL`);
    assert.is(growth, '0', 'single calls take more and more memory');
  });

  tests('C: each call, whichever of its allocations fails, leaves the handle as it was configured', () => {
    const facts = factsOf('memory', ['-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc']);
    assert.equal(Object.keys(facts), CALLS);
    for (const [call, counts] of Object.entries(facts)) assert.match(counts, /^[1-9]\d* allocations, 0 wrong$/, call);
  });
}

tests.run();
