// What a release consists of, by a dry run: it sends nothing and makes all files, here without the Python package, whose
// tools a machine may lack.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fieldsOf } from '../../tools/release/repository.mjs';
import { pythonVersion, versionProblems } from '../../tools/release/version.mjs';
import { axe } from '../support/axe.ts';
import { openBrowser } from '../support/chromium.ts';
import { serve } from '../support/file-server.ts';
import { SCALE } from '../support/seed.ts';

const tests = suite('a release');
/** axe takes a second for a page and a scheme: a long run asks it of each page. */
const IS_LONG = SCALE >= 10;
const RELEASE = 'build/release';
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<'name' | 'version', string>;
const textOf = (path: string) => readFileSync(join(RELEASE, path), 'utf8');

/** A remote that git reads from the environment. */
const remote = (url: string) => ({
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'remote.origin.url',
  GIT_CONFIG_VALUE_0: url,
});
const release = (url: string, ...args: string[]) =>
  spawnSync(process.execPath, ['tools/release/release.mjs', ...args], {
    encoding: 'utf8',
    env: { ...process.env, PYTHON: 'false', GITHUB_REF_TYPE: '', ...remote(url) },
  });

tests('a dry run makes every file, and would publish with provenance under the tag of its version', () => {
  const { status, stdout, stderr } = release('https://git.example/us/urlsum.git', '--dry-run');
  assert.is(status, 0, stderr);
  assert.match(stdout, `+ ${name}@${version}`);
  const refusals = stdout.split('\n').filter((line) => line.startsWith('a release would be refused'));
  assert.ok(
    refusals.every((line) => /Python package|C sources|build:docs/.test(line)),
    `${refusals}`,
  );
  for (const file of [
    'PACKAGE-SHA256SUMS',
    'RELEASE-NOTES.md',
    'SHA256SUMS',
    'action',
    'clickhouse',
    'container',
    'jsr',
    'sbom.cdx.json',
    'site',
    `${name}-${version}.tgz`,
  ])
    assert.ok(readdirSync(RELEASE).includes(file), file);
  const packed = execFileSync('tar', ['-xzOf', join(RELEASE, `${name}-${version}.tgz`), 'package/package.json']);
  const { repository, homepage, bugs } = JSON.parse(String(packed)) as Record<string, unknown>;
  assert.equal(
    [repository, homepage, bugs],
    [
      { type: 'git', url: 'git+https://git.example/us/urlsum.git' },
      'https://git.example/us/urlsum#readme',
      { url: 'https://git.example/us/urlsum/issues' },
    ],
  );
});

tests('the container, the action and the package of JSR hold the command and the library of the same tarball', () => {
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-doors-'));
  const shell = (script: string, env: Record<string, string>) =>
    execFileSync('bash', ['-e', '-c', script], { encoding: 'utf8', env: { ...process.env, ...env }, stdio: 'pipe' });
  try {
    const image = join(folder, 'image');
    const [, install] = /^RUN ((?:.*\\\n)*.*)$/m.exec(textOf('container/Dockerfile'))!;
    const [, copied] = /^COPY (\S+) \/tmp\/urlsum\.tgz$/m.exec(textOf('container/Dockerfile'))!;
    assert.match(install!, /@duckdb\/node-api@[\d.]+/);
    const inFolder = install!
      .replaceAll('/opt/', `${image}/opt/`)
      .replace('/tmp/urlsum.tgz', resolve(RELEASE, copied!));
    shell(inFolder.replace(/ @duckdb\S+/, ''), {}); // which would ask a registry
    const key = '0f115db062b7c0dd  https://example.com\n';
    const hash = 'urlsum --width 8 https://example.com';
    assert.is(shell(hash, { PATH: `${image}/opt/urlsum/bin:${process.env['PATH']}` }), key);

    const output = join(folder, 'output');
    const steps = Array.from(textOf('action/action.yml').matchAll(/^ {6}run: (.+)$/gm), ([, step]) => step!);
    const prefix = join(folder, 'action');
    const env = {
      GITHUB_ACTION_PATH: resolve(RELEASE, 'action'),
      GITHUB_OUTPUT: output,
      npm_config_prefix: prefix,
      PATH: `${join(prefix, 'bin')}:${process.env['PATH']}`,
    };
    assert.is(
      shell([...steps, hash].join('\n'), env)
        .split('\n')
        .slice(-2)
        .join('\n'),
      key,
    );
    assert.match(readFileSync(output, 'utf8'), `version=urlsum ${version}`);

    const { exports } = JSON.parse(textOf('jsr/jsr.json')) as { exports: Record<string, string> };
    const entries = JSON.parse(textOf('jsr/package.json')).exports as Record<string, { types?: string }>;
    assert.equal(
      Object.keys(exports),
      Object.keys(entries).filter((entry) => entries[entry]!.types !== undefined),
    );
    for (const path of Object.values(exports)) {
      const [, types] = /^\/\* @ts-self-types="(.+)" \*\/\n/.exec(textOf(join('jsr', path)))!;
      assert.ok(statSync(join(RELEASE, 'jsr', path, '..', types!)).isFile(), path);
    }
    const module = JSON.stringify(resolve(RELEASE, 'jsr', exports['.']!));
    const script = `node --input-type=module -e 'console.log((await import(${module})).UrlHash.of("https://a").hex.length)'`;
    assert.is(shell(script, {}), '64\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

tests('the SBOM lists what the notices do', () => {
  const { metadata, components } = JSON.parse(textOf('sbom.cdx.json')) as Sbom;
  assert.is(metadata.component.purl, `pkg:npm/${name}@${version}`);
  assert.is(metadata.component.name, name);
  const notices = readFileSync('THIRD-PARTY-NOTICES', 'utf8');
  const listed = components.map(({ purl }) => /^pkg:npm\/(.+)@([\d.]+)$/.exec(decodeURIComponent(purl))!.slice(1, 3));
  assert.equal(
    listed,
    Array.from(notices.matchAll(/^-+\n(@?[a-z]\S*) ([\d.]+) \(/gm), ([, ...parts]) => parts),
  );
});

interface Sbom {
  readonly metadata: { readonly component: { readonly name: string; readonly purl: string } };
  readonly components: readonly { readonly purl: string }[];
}

tests('the sums are those of all files of the release, and in a file of their own those of the package', () => {
  const all = readdirSync(RELEASE, { recursive: true }).map(String);
  const files = all.filter((path) => path !== 'SHA256SUMS' && statSync(join(RELEASE, path)).isFile());
  const checked = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: RELEASE, encoding: 'utf8' });
  assert.is(checked.status, 0, checked.stderr);
  assert.equal(checked.stdout.match(/^.+(?=: OK$)/gm)?.sort(), files.sort());
  const proof = spawnSync(process.execPath, ['tools/release/proof.mjs', '.', join(RELEASE, 'PACKAGE-SHA256SUMS')], {
    encoding: 'utf8',
  });
  assert.match(proof.stdout, /^\d\d files are as published/);
});

tests('the notes are the section of the changelog', () => {
  assert.match(textOf('RELEASE-NOTES.md'), `# urlsum ${version}\n`);
  assert.not.match(textOf('RELEASE-NOTES.md'), /^## /m);
});

tests('every place has the one version', () => {
  assert.equal(versionProblems(), []);
  assert.is(pythonVersion('1.0.0-rc.1'), '1.0.0rc1');
  assert.is(pythonVersion('1.2.3-beta.2'), '1.2.3b2');
  assert.is(pythonVersion('1.2.3'), '1.2.3');
});

tests('a version is written wherever it stands, and not before the changelog has its section', () => {
  const folder = mkdtempSync(join(tmpdir(), 'urlsum-version-'));
  try {
    for (const file of ['CHANGELOG.md', 'CITATION.cff', 'engines/python/README.md', 'engines/python/pyproject.toml'])
      cpSync(file, join(folder, file));
    writeFileSync(join(folder, 'package.json'), '{ "version": "7.8.9-rc.1" }');
    const tool = (...args: string[]) =>
      spawnSync(process.execPath, [resolve('tools/release/version.mjs'), ...args], { cwd: folder, encoding: 'utf8' });
    assert.is(tool().stderr, 'CHANGELOG.md has no section `## 7.8.9-rc.1 - YYYY-MM-DD`\n');
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## 7.8.9-rc.1 - 2030-01-02\n');
    assert.is(tool('--check').status, 1);
    assert.match(tool('--check').stderr, `CITATION.cff has ${version}, not 7.8.9-rc.1\n`);
    assert.is(tool().stderr, '');
    assert.is(tool('--check').status, 0);
    const written = (file: string) => readFileSync(join(folder, file), 'utf8');
    assert.match(written('CITATION.cff'), 'version: 7.8.9-rc.1\ndate-released: 2030-01-02\n');
    assert.match(written('engines/python/README.md'), 'urlsum-7.8.9rc1-py3-none-manylinux_2_17_x86_64.whl');
    assert.match(written('engines/python/pyproject.toml'), '\nversion = "7.8.9rc1"\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

tests('without a repository on a host, a release is refused with a sentence', () => {
  const { status, stdout, stderr } = release('/home/us/urlsum');
  assert.is(status, 1);
  assert.match(stderr, /^the git remote `origin` does not say where the repository is.*\(E422\)\n$/);
  assert.is(stdout, '');
  for (const address of [
    'git@git.example:us/urlsum.git',
    'ssh://git@git.example:22/us/urlsum',
    'https://u@git.example/us/urlsum/',
  ])
    assert.equal(fieldsOf(address), fieldsOf('https://git.example/us/urlsum'), address);
  for (const address of ['/home/us/urlsum', '../urlsum', 'file:///home/us/urlsum'])
    assert.is(fieldsOf(address), undefined, address);
});

const browser: Browser | undefined = await openBrowser();
const server = await serve(RELEASE);
tests.after(async () => {
  server.close(); // not a hook of the test itself: those that a running suite gets are never called
  await browser?.close();
});

tests('the site works under a path, for readers of every kind, and loads nothing from elsewhere', async () => {
  if (browser === undefined) return void console.log('skipped: Chromium is not on the path');
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const site = `${server.origin}/site`;
  await page.goto(`${site}/index.html`);
  await page.getByRole('banner').getByRole('link', { name: 'Guide', exact: true }).click();
  for (const [link, address] of [
    ['npm', 'https://www.npmjs.com/package/urlsum'],
    ['Source', 'https://git.example/us/urlsum'],
    ['Issues', 'https://git.example/us/urlsum/issues'],
  ] as const)
    assert.is(await page.getByRole('link', { name: link, exact: true }).getAttribute('href'), address);
  assert.equal(await page.locator('.pages h2').allTextContents(), [
    ...['Start here', 'Key a corpus', 'Check against lists', 'At the edge', 'Name by content', 'Engines', 'Reference'],
  ]);
  assert.equal(
    await page.locator('[aria-current] + ul a').allTextContents(),
    await page.locator('main h2').allTextContents(),
  );
  await axe(page, 'the guide');
  for (const file of readdirSync(`${RELEASE}/site/guide`).filter((each) => each.endsWith('.html'))) {
    await page.setViewportSize({ width: 390, height: 740 });
    await page.goto(`${site}/guide/${file}`);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= 390, `${file} is ${width} pixels wide`);
    if (IS_LONG) await axe(page, file);
  }
  await page.getByRole('link', { name: 'Contents' }).click();
  await page.getByRole('navigation', { name: 'Guide' }).getByRole('link', { name: 'Charts' }).click();
  await page.waitForFunction<boolean>('[...document.images].every(({ naturalWidth }) => naturalWidth > 100)');
  assert.is(await page.evaluate<number>('document.images.length'), readdirSync('docs/charts').length);
  assert.ok(requests.length > 40);
  assert.equal(
    requests.filter((url) => !url.startsWith(`${site}/`)),
    [],
  );
  assert.equal(complaints, []);
});

tests.run();
