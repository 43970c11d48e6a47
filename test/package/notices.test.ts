import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const tests = suite('what of others is in the package');

const notices = readFileSync('THIRD-PARTY-NOTICES', 'utf8');

tests('the notices are those of what is bundled', () => {
  execFileSync(process.execPath, ['tools/checks/notices.mjs', '--check'], { stdio: 'pipe' });
});

tests('every package that a file of the library has a part of is in them', () => {
  const modules = JSON.parse(readFileSync('build/modules.json', 'utf8')) as string[];
  const names = new Set(modules.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
  assert.ok(names.size >= 4, `only ${[...names].join(', ')}`);
  for (const name of names) assert.ok(notices.includes(`\n${name} `), `${name} is not in THIRD-PARTY-NOTICES`);
});

tests.run();
