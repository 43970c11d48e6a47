// Makes all that a release consists of in build/release/, and publishes the package from there: `npm run release --
// [--dry-run]`, which builds the package, the page and the API reference first, in CI, where npm finds what it signs the
// provenance with. A kernel that is not proved is not released. A dry run sends nothing and proves nothing; what a
// release is refused for it only says.
//
//   urlsum-VERSION.tgz                       the npm package, with the addresses of the repository it is released from
//   urlsum-VERSION-py3-none-PLATFORM.whl     the Python package for each platform
//   urlsum-VERSION.tar.gz                    its source distribution, which any compiler for C builds
//   urlsum-VERSION-c.tar.gz                  the module as C: urlsum.h, urlsum.c and what they include, with its licences
//   clickhouse/                              the functions for ClickHouse
//   container/, action/, jsr/                the package as a container, an action of GitHub, a package of JSR
//   site/                                    the page, the guide and the API reference
//   sbom.cdx.json                            what is bundled, in CycloneDX
//   RELEASE-NOTES.md                         from CHANGELOG.md
//   SHA256SUMS                               of all these, for `sha256sum --check` in that folder
//   PACKAGE-SHA256SUMS                       of each file in the package, for tools/release/proof.mjs

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledFiles, packagesOf } from '../checks/bundled.mjs';
import { writeSources } from '../native.mjs';
import { writeElsewhere } from './elsewhere.mjs';
import { releaseNotes, repositoryFields } from './repository.mjs';
import { siteProblems, writeSite } from './site.mjs';
import { sumsOf, textOf } from './sums.mjs';
import { versionProblems } from './version.mjs';
import { writePythonPackages } from './wheels.mjs';

const RELEASE = 'build/release';
const PYTHON_FOLDER = 'build/release-python';
const isDryRun = process.argv.includes('--dry-run');
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));

const run = (command, args, options) => execFileSync(command, args, { encoding: 'utf8', stdio: 'inherit', ...options });
const output = (command, args, options) => run(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options });

process.on('uncaughtException', ({ message }) => {
  console.error(`release: ${message}`);
  process.exit(1);
});

/** Ends a release that is refused; a dry run goes on. */
function refuse(sentence) {
  if (!isDryRun) {
    console.error(sentence);
    process.exit(1);
  }
  console.log(`a release would be refused: ${sentence}`);
}

/** Packs what is built, with the fields that npm compares with the provenance. */
function packageTarball(fields) {
  const staged = join(RELEASE, 'package');
  const pack = (cwd, to) =>
    output('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', to], { cwd }).trim();
  const packed = join(RELEASE, pack('.', RELEASE));
  if (fields === undefined) return packed;
  mkdirSync(staged);
  run('tar', ['-xzf', packed, '-C', staged, '--strip-components=1']);
  const manifest = join(staged, 'package.json');
  writeFileSync(manifest, `${JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), ...fields }, null, 2)}\n`);
  rmSync(packed);
  const renewed = join(RELEASE, pack(staged, '..'));
  rmSync(staged, { recursive: true });
  return renewed;
}

/** Writes the wheels and the source distribution. */
async function pythonPackages() {
  try {
    await writePythonPackages(RELEASE);
  } catch (error) {
    refuse(`the Python package is not made: ${error.message}`);
  }
}

/** The module as C, one file of which is to be compiled. */
function cSources() {
  const folder = `urlsum-${version}-c`;
  const archive = join(RELEASE, `${folder}.tar.gz`);
  try {
    writeSources(join(PYTHON_FOLDER, folder));
    output('tar', ['-czf', archive, '-C', PYTHON_FOLDER, folder]);
  } catch (error) {
    refuse(`the C sources are not made: ${error.message}`);
  }
}

/** Returns the SBOM that `npm sbom` writes from the lock file, with the packages that are bundled and no others. */
async function sbom() {
  const document = JSON.parse(
    output('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'library']),
  );
  const components = packagesOf(await bundledFiles()).map((bundled) => {
    const reference = `${bundled.name}@${bundled.version}`;
    const found = document.components.find((component) => component['bom-ref'] === reference);
    if (found === undefined) throw new Error(`the lock file lacks ${reference}`);
    return found;
  });
  for (const component of components) component.scope = 'required';
  document.metadata.component.name = name; // npm takes the folder's
  const references = components.map((component) => component['bom-ref']);
  const own = { ref: document.metadata.component['bom-ref'], dependsOn: references };
  return { ...document, components, dependencies: [own, ...references.map((ref) => ({ ref, dependsOn: [] }))] };
}

/** Returns the sum of each file of the release. */
function releaseSums() {
  const files = readdirSync(RELEASE, { recursive: true }).filter((path) => statSync(join(RELEASE, path)).isFile());
  const hex = (path) =>
    createHash('sha256')
      .update(readFileSync(join(RELEASE, path)))
      .digest('hex');
  return new Map(files.sort().map((path) => [path, hex(path)]));
}

for (const problem of versionProblems()) refuse(problem);
const tag = process.env.GITHUB_REF_TYPE === 'tag' ? process.env.GITHUB_REF_NAME : undefined;
if (tag !== undefined && tag !== `v${version}`) refuse(`the tag is ${tag}, not v${version}`);
if (!existsSync('dist/esm/index.js')) throw new Error('dist/ is not built: npm run release builds it');
const fields = repositoryFields();
if (fields === undefined)
  refuse('the git remote `origin` does not say where the repository is, which npm compares with the provenance (E422)');

// Minutes, so not for a dry run: the tests have proved the lengths at which padding changes.
if (!isDryRun) run('npm', ['test', '--', 'core/kernel/proof'], { env: { ...process.env, URLSUM_TEST_SCALE: '10' } });

rmSync(RELEASE, { recursive: true, force: true });
mkdirSync(RELEASE, { recursive: true });
writeFileSync(join(RELEASE, 'RELEASE-NOTES.md'), releaseNotes(version));
const tarball = packageTarball(fields);
await pythonPackages();
cSources();
for (const file of ['urlsum-serve', 'urlsum-serve.mjs', 'udf_config.xml'])
  cpSync(join('engines/clickhouse', file), join(RELEASE, 'clickhouse', file));
writeElsewhere(RELEASE, tarball);
writeFileSync(join(RELEASE, 'sbom.cdx.json'), `${JSON.stringify(await sbom(), null, 2)}\n`);
for (const problem of siteProblems()) refuse(problem);
writeSite(join(RELEASE, 'site'), version, fields);
writeFileSync(join(RELEASE, 'PACKAGE-SHA256SUMS'), textOf(sumsOf('.')));
writeFileSync(join(RELEASE, 'SHA256SUMS'), textOf(releaseSums()));
for (const path of readdirSync(RELEASE).sort()) {
  const { size } = statSync(join(RELEASE, path));
  console.log(`${join(RELEASE, path)}${statSync(join(RELEASE, path)).isFile() ? ` ${size}` : '/'}`);
}
run('npm', [
  'publish',
  `./${tarball}`,
  '--provenance',
  ...['--access', 'public'],
  ...['--tag', version.includes('-') ? 'next' : 'latest'],
  '--ignore-scripts', // it is built by now
  ...(isDryRun ? ['--dry-run'] : []),
]);
