import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { compilerErrors } from '../support/compiler.ts';
import { ENVIRONMENT } from '../support/environment.ts';
import { compact, isLine } from './expected.ts';

/** `//=> value` after a statement, or on a line of its own below it. */
const VALUE = /^(\s*)(\S.*;)?\s*\/\/=> (.+)$/;
/** A line that goes on with a value. */
const MORE = /^\s*\/\/ {2,}(.+)$/;
const DECLARATION = /^const (\w+)(?:: [^=]+)? = /;

/** A claim of a document: the statement that ends on a line has this value, or throws it. */
interface Claim {
  readonly line: number;
  readonly expected: string;
}

interface Shown {
  readonly line: number;
  readonly text: string;
}

/** Loaded before each example: notes what statements give, for the test to read. */
export const RECORDER = `
import { appendFileSync } from 'node:fs';
import { inspect } from 'node:util';
const OPTIONS = { depth: 8, breakLength: Infinity, compact: true, maxArrayLength: 200, maxStringLength: 2000 };
const note = (line, text) => appendFileSync(process.env.URLSUM_SHOWN, JSON.stringify({ line, text }) + '\\n');
globalThis.show = (line, value) => note(line, inspect(value, OPTIONS));
globalThis.showThrown = async (line, run) => {
  try {
    await run();
    note(line, 'returns');
  } catch (error) {
    note(line, 'throws ' + error.name + ': ' + error.message);
  }
};
`;

/** An example as it is run: what it shows is written to a file. */
interface Prepared {
  readonly claims: readonly Claim[];
  readonly script: string;
  readonly shown: string;
}

function prepared(text: string, folder: string, name: string): Prepared {
  const { source, claims } = instrumented(text);
  const [script, shown] = [join(folder, `${name}.mjs`), join(folder, `${name}.shown`)];
  writeFileSync(script, transformSync(source, { loader: 'ts', format: 'esm', target: 'es2022' }).code);
  writeFileSync(shown, '');
  return { claims, script, shown };
}

interface Example {
  readonly text: string;
  readonly name: string;
}

/** The results of examples: how many values were compared, and what is wrong, with its example's name before it. */
export interface Shows {
  readonly valueCount: number;
  readonly failures: readonly string[];
}

/** The end of the name of the file for the error that an example ends by. */
const FAILED = '.failed';

/** Runs examples one after another in one process, as a start takes longer than each of them. */
export function runExamples(examples: readonly Example[], folder: string): Shows {
  const all = examples.map(({ text, name }) => ({ name, ...prepared(text, folder, name) }));
  const script = join(folder, 'all-examples.mjs');
  const pairs = all.map((each) => [pathToFileURL(each.script).href, each.shown]);
  writeFileSync(
    script,
    `import { writeFileSync } from 'node:fs';
for (const [module, shown] of ${JSON.stringify(pairs)}) {
  process.env.URLSUM_SHOWN = shown;
  try {
    await import(module);
  } catch (error) {
    writeFileSync(shown + '${FAILED}', String(error?.stack ?? error));
  }
}`,
  );
  const recorder = pathToFileURL(join(folder, 'recorder.mjs')).href;
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', recorder, script], {
    cwd: join(folder, 'work'),
    encoding: 'utf8',
    env: ENVIRONMENT,
  });
  if (status !== 0) throw new Error(`ends with status ${status}\n${stdout}${stderr}`);
  const failures = all.flatMap(({ name, claims, shown }) => {
    try {
      if (existsSync(shown + FAILED)) throw new Error(readFileSync(shown + FAILED, 'utf8'));
      compare(claims, shown);
      return [];
    } catch (error) {
      return [`${name}: ${(error as Error).message}`];
    }
  });
  return { valueCount: all.reduce((sum, { claims }) => sum + claims.length, 0), failures };
}

/** A claim within a loop may be shown several times: each must hold. */
function compare(claims: readonly Claim[], shownIn: string): void {
  const lines = readFileSync(shownIn, 'utf8').split('\n').filter(Boolean);
  const shown = lines.map((line) => JSON.parse(line) as Shown);
  for (const { line, expected } of claims) {
    const texts = shown.filter((each) => each.line === line).map(({ text }) => compact(text));
    if (texts.length === 0) throw new Error(`line ${line} of the block was not reached`);
    const wrong = texts.find((text) => !isLine(compact(expected), text));
    if (wrong !== undefined) throw new Error(`line ${line} of the block says ${expected}\nand gives ${wrong}`);
  }
}

/** The example with a call of `show` for each statement that is said to have a value. */
export function instrumented(text: string): { source: string; claims: Claim[] } {
  const lines = text.split('\n');
  const claims: Claim[] = [];
  for (let at = 0; at < lines.length; at++) {
    const found = VALUE.exec(lines[at]!);
    if (found === null) continue;
    const [, , statement, value] = found;
    const last = statement === undefined ? at - 1 : at;
    const expected = [value!, ...moreOf(lines, at + 1)].join(' ');
    if (expected.includes('…') && expected.replaceAll('…', '').length < 4)
      throw new Error(`line ${at + 1} of the block says nothing: ${expected}`);
    claims.push({ line: at + 1, expected });
    show(lines, startOf(lines, last), last, at + 1, expected.startsWith('throws '));
  }
  return { source: lines.join('\n'), claims };
}

function moreOf(lines: readonly string[], from: number): string[] {
  const more: string[] = [];
  for (let found = MORE.exec(lines[from] ?? ''); found !== null; found = MORE.exec(lines[++from] ?? '')) {
    more.push(found[1]!);
  }
  return more;
}

/** Where the statement begins whose last line this is: its continuation is indented, or closes a bracket. */
function startOf(lines: readonly string[], last: number): number {
  const indent = /^\s*/.exec(lines[last]!)![0].length;
  let start = last;
  if (/^\s*[)\]}]/.test(lines[start]!))
    do start--;
    while (/^\s*/.exec(lines[start]!)![0].length > indent);
  return start;
}

/** Rewrites the statement in place. */
function show(lines: string[], start: number, last: number, line: number, throws: boolean): void {
  const text = lines.slice(start, last + 1).join('\n');
  const statement = text.replace(/;\s*(?:\/\/.*)?$/, '').trim();
  const name = DECLARATION.exec(statement)?.[1];
  if (name === undefined && /^(?:const|let|import|for|if|return|throw)\b/.test(statement)) {
    throw new Error(`line ${line} of the block: a value belongs after an expression or a const of one name`);
  }
  lines.fill('', start, last + 1);
  if (throws) lines[start] = `await showThrown(${line}, async () => (${statement}));`;
  else if (name === undefined) lines[start] = `show(${line}, ${statement});`;
  else lines[start] = `${statement}; show(${line}, ${name});`;
}

/** The type checker's complaints about all `.ts` files of a folder, or ''. */
export function typeErrors(folder: string): string {
  const options = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts', '*.js'] }));
  return compilerErrors(folder);
}
