// Codes of random documents, ours and those of the trusty URI library for Java: `npm run test:java`. It needs a JDK of
// version 17 or later and Maven, which fetches the library, so it is not one of the tests that every change runs.
import { spawnSync } from 'node:child_process';
import { codeOfKeys } from '../../src/hash-uri/rdf/artifact-code.ts';
import { RDF_FORMATS } from '../../src/hash-uri/rdf/format.ts';
import { make, parseRdf, type Settings } from '../../src/hash-uri/rdf/index.ts';
import { KeyTable } from '../../src/hash-uri/rdf/key-table.ts';
import { addKey, rewritingOf } from '../../src/hash-uri/rdf/make.ts';
import { SEED, random as seeded } from '../seed.ts';
import { BASE, type Document, randomDocument } from './document.ts';

const DOCUMENTS = Number(process.argv[2] ?? 10_000);
const LIBRARIES = 'build/java';
const SETTINGS = ['_.#.', '_///', '-/#/'];

interface Case extends Document {
  readonly module: 'RA' | 'RB';
  readonly settings: string;
}

const random = seeded();
const cases = Array.from({ length: DOCUMENTS }, (): Case => {
  const document = randomDocument(random, RDF_FORMATS[random(RDF_FORMATS.length)]!);
  const hasGraphs = document.format === 'trig' || document.format === 'nquads';
  return {
    ...document,
    module: hasGraphs && random(4) === 0 ? 'RB' : 'RA',
    settings: SETTINGS[random(SETTINGS.length)]!,
  };
});
const answers = reference(cases);
const found = new Map<string, number>();
let isUnexplained = false;
cases.forEach((each, index) => {
  const kind = compare(each, answers[index]!);
  found.set(kind, (found.get(kind) ?? 0) + 1);
  if (!kind.startsWith('UNEXPLAINED')) return;
  isUnexplained = true;
  console.log(
    `${kind}: ${each.format} ${each.module} ${each.settings}\n${each.text}\nJava: ${answers[index]}\nours: ${ourCode(each)}\n`,
  );
});
console.log(
  [...found]
    .sort()
    .map(([kind, count]) => `${count}\t${kind}`)
    .join('\n'),
);
process.exitCode = isUnexplained ? 1 : 0;

function reference(questions: readonly Case[]): string[] {
  run('mvn', [
    '-q',
    '-f',
    'test/java/pom.xml',
    'dependency:copy-dependencies',
    `-DoutputDirectory=${process.cwd()}/${LIBRARIES}`,
  ]);
  const input = questions
    .map(
      ({ format, module, settings, text }) =>
        `${format} ${module} ${BASE} ${settings} ${Buffer.from(text).toString('base64')}\n`,
    )
    .join('');
  return run('java', ['-Dfile.encoding=UTF-8', '-cp', `${LIBRARIES}/*`, 'test/java/Reference.java'], input)
    .trimEnd()
    .split('\n');
}

function run(command: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw error ?? new Error(`${command}: ${stderr}`);
  return stdout;
}

/** 'the same', or which of the documented differences it is. */
function compare(each: Case, theirs: string): string {
  const ours = ourCode(each);
  if (ours === theirs) return theirs.startsWith('ERROR') ? 'both refuse' : `the same, ${each.format}`;
  if (each.hasCompoundSubjectInTrig) return 'RDF4J adds a triple before [ ] or ( ) as a subject in TriG';
  if (ourCode(each, 'utf16') === theirs) return 'Java sorts by UTF-16 units';
  if (ours === 'ERROR' && theirs.startsWith('ERROR')) return `both refuse: ${theirs.slice(6, 140)}`;
  return 'UNEXPLAINED';
}

function ourCode({ text, format, module, settings }: Case, order: 'code-points' | 'utf16' = 'code-points'): string {
  const [bnodeChar, preAcChar, postAcChar, postAcFallbackChar] = settings as unknown as string[];
  const chars = { bnodeChar, preAcChar, postAcChar, postAcFallbackChar } as Settings;
  const options = { module, settings: chars };
  try {
    const quads = parseRdf(text, { format });
    if (order === 'code-points') return make(BASE, quads, options).code;
    const keys = new KeyTable();
    const rewriting = rewritingOf(BASE, options);
    for (const quad of quads) addKey(keys, quad, rewriting, options);
    return codeOfKeys(module, keys, order);
  } catch (error) {
    return error instanceof Error && error.name === 'RdfError' ? `ERROR` : `ERROR ${String(error)}`;
  }
}
console.log(`seed ${SEED}`);
