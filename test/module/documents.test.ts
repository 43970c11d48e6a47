import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UrlHash } from '../../src/index.ts';
import { ENVIRONMENT } from '../support/environment.ts';
import { GO, HOSTS, NATIVE } from './hosts.ts';

const tests = suite('examples of docs/module.md');

const DOCUMENT = readFileSync('docs/module.md', 'utf8');
const blockOf = (language: string) =>
  [...DOCUMENT.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text!).at(-1)!;
const env = { ...ENVIRONMENT, PATH: `${process.env['PATH']}${delimiter}${GO}` };
const folder = mkdtempSync(join(tmpdir(), 'urlsum-module-'));
copyFileSync('dist/urlsum.wasm', join(folder, 'urlsum.wasm'));

/** Programs of each language, by the host whose tests need the same. */
const EXAMPLES = {
  Wasmtime: {
    language: 'python',
    file: 'example.py',
    commands: [[...(HOSTS['Wasmtime'] ?? []).slice(0, 3), 'example.py']],
  },
  wazero: { language: 'go', file: 'main.go', commands: [['go', 'run', '.']] },
  C: {
    language: 'c',
    file: 'example.c',
    commands: [
      ['cc', '-I', resolve(NATIVE), 'example.c', resolve(NATIVE, 'urlsum.c'), '-lm', '-o', 'example'],
      ['./example'],
    ],
  },
};

for (const [host, { language, file, commands }] of Object.entries(EXAMPLES)) {
  if (HOSTS[host] === undefined) continue;
  tests(`in ${language}`, () => {
    const own = join(folder, language);
    mkdirSync(own);
    for (const name of ['go.mod', 'go.sum']) copyFileSync(`test/module/hosts/go/${name}`, join(own, name));
    copyFileSync('dist/urlsum.wasm', join(own, 'urlsum.wasm'));
    writeFileSync(join(own, file), blockOf(language));
    let printed = '';
    for (const [program, ...args] of commands) {
      const { stdout, stderr, status } = spawnSync(program!, args, { cwd: own, encoding: 'utf8', env });
      assert.is(status, 0, stderr);
      printed = stdout;
    }
    assert.is(printed.replace('[0 1]', '[0, 1]'), blockOf('text'));
  });
}

tests('the digest is that of the library', () => {
  const { hex } = UrlHash.of('https://bücher.example/');
  assert.is(blockOf('text'), `${hex.slice(0, 16)} [0, 1]\n`);
});

tests.run();
