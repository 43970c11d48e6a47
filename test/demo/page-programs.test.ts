import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { reportAbsent } from '../support/absent.ts';
import { ENVIRONMENT } from '../support/environment.ts';
import { PYTHON } from '../support/python.ts';
import { openDemo, textOf } from './visit.ts';

const { test, visit, run } = await openDemo('demo, programs');

/** Each view of the page, by what its address says. */
const VIEWS: readonly Readonly<Record<string, string>>[] = [
  { url: 'HTTPS://Example.com:443/a/../b' },
  { url: `https:\\\\h\\it's "q"?\u00fc=$HOME&sid=1#top`, form: 'page-2026', fold: 'https,www', drop: 'sid,ad_*' },
  { url: '../c?utm_id=1', base: 'https://example.com/a/b/', form: 'tracking-2026,sort-params' },
  { url: 'https://shop.example/?t=1&id=2', rules: "# it's a comment\nshop.example drop t\n" },
  { url: 'http://good.example%2F@evil.example/', panel: 'safe-browsing' },
  { url: 'http://good.example%2F@evil.example/', panel: 'safe-browsing', profile: 'web-risk', mode: 'union' },
  { url: 'http://h/a|b?c#d', panel: 'hashed-uri', keep: 'frag,query', excluded: 'escape' },
  { url: 'https://example.org/hello.FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk', panel: 'hash-uri' },
];

/**
 * The results that a view shows, the programs that its buttons copy, and what the program of each language is to print
 * of it.
 */
interface Shown {
  readonly programs: readonly string[];
  readonly expected: readonly (readonly string[])[];
}

async function read(page: Page, panel = 'url'): Promise<Shown> {
  const programs: string[] = [];
  for (const button of await page.locator(`#${panel} [aria-label^="Copy the "]`).all()) {
    await button.click();
    programs.push(await page.evaluate<string>('navigator.clipboard.readText()'));
  }
  const hashes = await textOf(page, `#${panel} .hex`);
  const expressions = await textOf(page, '.expressions li > .value:first-child');
  const hashedUris = await textOf(page, '.columns > :first-child dd');
  const expected = {
    url: [hashes.slice(0, 1), hashes.slice(0, 1), hashes.slice(0, 1)],
    'safe-browsing': [hashes, expressions, hashes],
    'hashed-uri': [hashedUris.slice(1, 2), hashedUris.slice(1, 2)],
    'hash-uri': [await textOf(page, '#hash-uri-view dd:nth-of-type(1)').then((list) => list.slice(0, 1)), ['true']],
  }[panel]!;
  return { programs, expected };
}

const MARK = 'next program';

/** The library of the package for Python, which its wheel holds. */
const LIBRARY = 'build/native/liburlsum.so';

/** Returns the folder of a package for Python as it is installed; undefined where something of it is absent. */
function pythonPackage(): string | undefined {
  if (!existsSync(LIBRARY)) reportAbsent('urlsum.wasm in C (node tools/native.mjs)');
  if (PYTHON === undefined || !existsSync(LIBRARY)) return undefined;
  const folder = join(tmpdir(), 'python');
  cpSync('engines/python/src/urlsum', join(folder, 'urlsum'), { recursive: true });
  copyFileSync(LIBRARY, join(folder, 'urlsum/liburlsum.so'));
  return folder;
}
const PACKAGE = pythonPackage();

/** Runners of programs: one shell, one Node and one Python. */
const RUNNERS: readonly ((programs: readonly string[]) => string)[] = [
  (commands) => {
    writeFileSync(join(tmpdir(), 'rules.txt'), VIEWS.map(({ rules = '' }) => rules).join(''));
    const command = `urlsum() { '${process.execPath}' '${resolve('dist/esm/cli.js')}' "$@"; }`;
    return output('sh', ['-c', `${command}\n${commands.join(`\necho ${MARK}\n`)}`], tmpdir());
  },
  (modules) => {
    const lines = modules.join(`\nconsole.log('${MARK}');\n`).split('\n');
    const imports = new Set(lines.filter((line) => line.startsWith('import ')));
    const others = lines.filter((line) => !imports.has(line));
    return output(process.execPath, ['--input-type=module', '-e', [...imports, ...others].join('\n')]);
  },
  (scripts) => (PACKAGE === undefined ? '' : output(PYTHON!, ['-c', scripts.join(`\nprint('${MARK}')\n`)])),
];

function output(program: string, args: readonly string[], cwd = '.'): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...ENVIRONMENT, PYTHONPATH: PACKAGE ?? '' },
  });
}

test('the programs under each result print what the page shows', async () => {
  const views: Shown[] = [];
  for (const view of VIEWS)
    await visit({ fragment: `#${new URLSearchParams(view)}` }, async (page) => {
      views.push(await read(page, view['panel']));
    });
  for (const [language, run] of RUNNERS.entries()) {
    const able = views.filter(({ programs }) => programs[language] !== undefined);
    const printed = run(able.map(({ programs }) => programs[language]!)).split(MARK);
    if (printed[0] === '') continue; // this Python is not here
    assert.is(printed.length, able.length);
    for (const [index, { programs, expected }] of able.entries()) {
      assert.ok(expected[language]!.length > 0, programs[language]);
      for (const text of expected[language]!) assert.match(printed[index]!, text, programs[language]);
    }
  }
});

run();
