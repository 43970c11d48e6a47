import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SafeBrowsingChecker } from '../src/entries/safe-browsing/check.ts';
import { UrlHash } from '../src/index.ts';

// How many files a reader opens who follows one URL: those in which V8 saw a function run. WebAssembly's are not among
// them (ARCHITECTURE.md, "The way of one line", names them).

const tests = suite('ways');

/** A function in a bundle, and how often it was called. */
interface Called {
  readonly functionName: string;
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

interface Coverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
  }[];
}

function calledIn({ functions }: Coverage): Called[] {
  return functions.map(({ functionName, ranges: [whole] }) => {
    const { startOffset: start, endOffset: end, count } = whole!;
    return { functionName, start, end, count };
  });
}

/** The files of src/ that functions of a bundle are from: esbuild writes the path of each file before its code. */
function filesOf(bundle: string, called: readonly Called[]): string[] {
  const marks = [...bundle.matchAll(/^ *\/\/ (\S+\.(?:ts|js|mjs|hex|txt))$/gm)].map(({ index, 1: path }) => ({
    index,
    path: path!,
  }));
  const files = called.map(({ start }) => marks.findLast(({ index }) => index < start)?.path ?? '');
  return [...new Set(files)].filter((path) => /(?:^|\/)src\//.test(path) && !path.includes('node_modules')).sort();
}

/** The files in which functions run while `work` does. */
async function filesRunBy(work: () => unknown): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const built = result.filter(({ url }) => url.startsWith(new URL('.', import.meta.url).href));
  const files = built.flatMap((each) =>
    filesOf(
      readFileSync(fileURLToPath(each.url), 'utf8'),
      calledIn(each).filter(({ start, count }) => start > 0 && count > 0),
    ),
  );
  return [...new Set(files)].sort();
}

tests('UrlHash.of: at most 14 files', async () => {
  UrlHash.of('https://example.com/'); // what is opened once is open
  const files = await filesRunBy(() => UrlHash.of('https://example.com/a?b#c'));
  assert.ok(files.includes('src/core/digest/hash.ts') && files.includes('src/core/kernel/kernel.ts'), files.join('\n'));
  assert.ok(files.length <= 14, files.join('\n'));
});

tests('a check: at most 24 files', async () => {
  const checker = new SafeBrowsingChecker({
    procedure: 'no-storage',
    whenUnsure: 'allow',
    server: 'https://check.example',
    fetch: () => Promise.resolve(new Response(Uint8Array.of(0x12, 0x02, 0x08, 0x3c))), // nothing is listed, for 60 s
  });
  await checker.check('http://a.example/');
  let answer = '';
  const files = await filesRunBy(async () => (answer = (await checker.check('http://b.example/c')).reason));
  assert.is(answer, 'server');
  assert.ok(files.includes('src/service/check/hash-search.ts'), files.join('\n'));
  assert.ok(files.length <= 24, files.join('\n'));
});

const FEW_ROWS = 10;
const MANY_ROWS = 40_000;
/** Functions that are called this much more often for many rows are on the way of a row, or of a batch of them. */
const BATCH_CALLS = 8;

tests('--json --unseen: a row goes through at most 27 files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-ways-'));
  try {
    const bundle = await commandIn(folder);
    const few = callsOfRows(folder, FEW_ROWS);
    const many = callsOfRows(folder, MANY_ROWS);
    const ofRows = [...many.values()].filter(
      ({ start, end, count }) => count - (few.get(`${start}-${end}`)?.count ?? 0) >= BATCH_CALLS,
    );
    const files = filesOf(bundle, ofRows).map((path) => path.replace(/^.*?src\//, 'src/'));
    assert.ok(
      files.includes('src/command/work/unseen.ts') && files.includes('src/command/read/json-lines.ts'),
      files.join('\n'),
    );
    assert.ok(files.length <= 27, files.join('\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Writes the command, not minified, and returns its text. */
async function commandIn(folder: string): Promise<string> {
  await build({
    entryPoints: ['src/command/main.ts'],
    outfile: join(folder, 'main.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    loader: { '.hex': 'text', '.txt': 'text' },
    mainFields: ['module', 'main'],
    alias: { punycode: 'punycode/punycode.es6.js' },
    external: ['@duckdb/node-api'],
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'run.mjs'), "import { run } from './main.mjs';\nawait run(process.argv.slice(2));\n");
  return readFileSync(join(folder, 'main.mjs'), 'utf8');
}

/**
 * How often each function of the command is called for so many rows: on one thread, since one that is ended does not
 * tell.
 */
function callsOfRows(folder: string, rowCount: number): ReadonlyMap<string, Called> {
  const own = join(folder, String(rowCount));
  const records = Array.from({ length: rowCount }, (_, row) => `{"n":${row},"url":"http://a.example/${row}"}\n`);
  writeFileSync(`${own}.jsonl`, records.join(''));
  const flags = ['--json', 'url', '--unseen', `${own}.idx`, '-j', '1', '--out', `${own}.out`];
  execFileSync(process.execPath, [join(folder, 'run.mjs'), ...flags, `${own}.jsonl`], {
    env: { ...process.env, NODE_V8_COVERAGE: `${own}.coverage` },
  });
  const calls = new Map<string, Called>();
  for (const name of readdirSync(`${own}.coverage`)) {
    const { result } = JSON.parse(readFileSync(join(`${own}.coverage`, name), 'utf8')) as { result: Coverage[] };
    for (const called of result.filter(({ url }) => url.endsWith('/main.mjs')).flatMap(calledIn)) {
      const key = `${called.start}-${called.end}`;
      calls.set(key, { ...called, count: called.count + (calls.get(key)?.count ?? 0) });
    }
  }
  return calls;
}

tests.run();
