// The names of 1.0 as programs use them: each of programs/ compiles against the packed package under every way to find
// its declarations, with every strict option and with declarations of its own, and then runs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compilerErrors } from '../compiler.ts';
import { ENVIRONMENT } from '../environment.ts';

const tests = suite('the names of 1.0');
const PROGRAMS = 'test/package/programs';
const names = readdirSync(PROGRAMS).map((file) => file.replace(/\.ts$/, ''));

const folder = mkdtempSync(join(tmpdir(), 'urlsum-contract-'));
tests.after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(resolve('.'), join(folder, 'node_modules/urlsum'));
writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "type": "module" }');
for (const name of names) {
  const text = readFileSync(join(PROGRAMS, `${name}.ts`), 'utf8');
  writeFileSync(join(folder, `${name}.ts`), text);
  writeFileSync(join(folder, `${name}.js`), transformSync(text, { loader: 'ts', format: 'esm' }).code);
}

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUncheckedSideEffectImports: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  declaration: true,
  emitDeclarationOnly: true,
  outDir: 'declared',
  target: 'es2022',
  types: ['node'],
  typeRoots: [resolve('node_modules/@types')],
};

for (const [name, options] of Object.entries({
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
})) {
  tests(`every program compiles: ${name}`, () => {
    const compilerOptions = { ...STRICT, lib: ['es2024', 'dom'], ...options };
    const project = join(folder, `${name}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    assert.is(compilerErrors(project), '');
  });
}

for (const name of names) {
  tests(`${name} runs`, () => {
    execFileSync(process.execPath, [`${name}.js`], { cwd: folder, env: ENVIRONMENT, stdio: 'pipe' });
  });
}

tests.run();
