// The names of 1.0 as programs use them: each of programs/ compiles against the packed package under every way to find
// its declarations, with every strict option and with declarations of its own, and then runs.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compilerErrors } from '../support/compiler.ts';
import { ENVIRONMENT } from '../support/environment.ts';
import { FOLDER as folder } from '../support/scratch.ts';

const tests = suite('the names of 1.0');
const PROGRAMS = 'test/package/programs';
const namesIn = (path: string) =>
  readdirSync(path)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
const names = namesIn(PROGRAMS);
/** These import one entry, whose results have types of others. */
const ALONE = join(PROGRAMS, 'alone');

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
  skipDefaultLibCheck: true,
  declaration: true,
  emitDeclarationOnly: true,
  outDir: 'declared',
  target: 'es2022',
  lib: ['es2024', 'dom'],
  types: ['node'],
  typeRoots: [resolve('node_modules/@types')],
};

/** With one of them, the compiler's own declarations are checked beside these: nearly half of a project's time. */
const RESOLUTIONS = {
  node16: { module: 'node16' },
  nodenext: { module: 'nodenext', skipDefaultLibCheck: false },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
};

tests('every program compiles: node16, nodenext, bundler', () => {
  const projects = Object.entries(RESOLUTIONS).map(([name, options]) =>
    project(name, { compilerOptions: { ...STRICT, ...options, outDir: `declared/${name}` }, include: ['*.ts'] }),
  );
  assert.is(compilerErrors(...projects), '');
  for (const name of Object.keys(RESOLUTIONS))
    assert.equal(
      namesIn(join(folder, 'declared', name)),
      names.map((each) => `${each}.d`),
      name,
    );
});

tests('the declarations of programs that import one entry, each by itself', () => {
  const compilerOptions = { ...STRICT, module: 'nodenext' };
  const projects = namesIn(ALONE).map((name) => {
    cpSync(join(ALONE, `${name}.ts`), join(folder, `alone-${name}/index.ts`));
    return project(`alone-${name}/tsconfig`, { compilerOptions, files: ['index.ts'] });
  });
  assert.is(compilerErrors(...projects), '');
  for (const name of namesIn(ALONE)) assert.equal(namesIn(join(folder, `alone-${name}/declared`)), ['index.d'], name);
});

/** Writes a project of that name, and returns its path. */
function project(name: string, settings: object): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify(settings));
  return path;
}

for (const name of names) {
  tests(`${name} runs`, () => {
    execFileSync(process.execPath, [`${name}.js`], { cwd: folder, env: ENVIRONMENT, stdio: 'pipe' });
  });
}

tests.run();
