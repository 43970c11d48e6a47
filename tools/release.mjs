// Publishes the package: `node tools/release.mjs [--dry-run]`, in CI, where npm finds what it signs the provenance with.
// Beside it, build/sbom.cdx.json says in CycloneDX what is bundled, which npm's own list of dependencies leaves out:
// they are development dependencies; and build/SHA256SUMS has the sums of all files, for `npm run proof`. A dry run
// builds nothing and sends nothing.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { bundledFiles, packagesOf } from './bundled.mjs';
import { sumsOf, textOf } from './sums.mjs';

const SBOM = 'build/sbom.cdx.json';
const SUMS = 'build/SHA256SUMS';
const isDryRun = process.argv.includes('--dry-run');
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));

const npm = (args, stdio = 'inherit') => execFileSync('npm', args, { encoding: 'utf8', stdio });

/** As `npm sbom` writes it from the lock file, with the packages that are bundled and no others. */
async function sbom() {
  const text = npm(['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'library'], 'pipe');
  const document = JSON.parse(text);
  const bundled = new Set(packagesOf(await bundledFiles()));
  const nameOf = ({ group, name }) => (group === undefined ? name : `${group}/${name}`);
  const components = document.components.filter((component) => bundled.delete(nameOf(component)));
  if (bundled.size > 0) throw new Error(`the lock file lacks ${[...bundled].join(', ')}`);
  for (const component of components) component.scope = 'required';
  document.metadata.component.name = name; // npm takes the folder's
  const references = components.map((component) => component['bom-ref']);
  const own = { ref: document.metadata.component['bom-ref'], dependsOn: references };
  return { ...document, components, dependencies: [own, ...references.map((ref) => ({ ref, dependsOn: [] }))] };
}

if (!isDryRun) {
  npm(['run', 'build']);
  npm(['run', 'prove']); // a kernel that is not proved is not released
}
mkdirSync('build', { recursive: true });
writeFileSync(SBOM, `${JSON.stringify(await sbom(), null, 2)}\n`);
writeFileSync(SUMS, textOf(sumsOf('.')));
console.log(`${SBOM} and ${SUMS} are written`);
npm([
  'publish',
  '--provenance',
  ...['--access', 'public'],
  ...['--tag', version.includes('-') ? 'next' : 'latest'],
  '--ignore-scripts', // it is built by now
  ...(isDryRun ? ['--dry-run'] : []),
]);
