import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const tests = suite('direction');

/** Data flows down this list: a file imports from its own stage and those before it. */
const STAGES = [
  'assembly',
  'src/argument.ts',
  'src/bytes',
  'src/url',
  'src/kernel',
  'src/digest',
  'src/bulk',
  'src/hash-index',
  'src/stream',
  'src/pool',
  'src/hashed-uri',
  'src/hash-uri',
  'src/index.ts',
  'src/safe-browsing',
  'src/explain',
  'src/serve',
  'src/cli',
];

function stageOf(path: string): number {
  const stage = STAGES.findIndex((each) => path === each || path.startsWith(`${each}/`));
  assert.ok(stage !== -1, `${path} belongs to no stage`);
  return stage;
}

tests('every import goes to the same stage or an earlier one', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.d.ts'),
  );
  let imports = 0;
  for (const file of files.map((name) => join('src', name))) {
    for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)) {
      const imported = normalize(join(dirname(file), target!));
      assert.ok(stageOf(imported) <= stageOf(file), `${file} imports ${imported}`);
      imports++;
    }
  }
  assert.ok(imports > 100, `only ${imports} imports found`);
});

tests(
  'src/url asks no host for its answer, but for slim: no URL, no normalize, no Unicode properties but what is well-formed',
  () => {
    for (const name of readdirSync('src/url').filter((each) => each !== 'host-idna.ts')) {
      const source = readFileSync(join('src/url', name), 'utf8');
      assert.not.match(source, /new URL\(|URL\.(?:parse|canParse)|\.normalize\(|\\p\{(?!Surrogate)/, name);
    }
  },
);

tests.run();
