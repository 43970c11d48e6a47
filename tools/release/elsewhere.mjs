// The package by other doors than npm's, each in a folder of the release and made of its tarball: a container, an action
// of GitHub, and a package of JSR.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** @param tarball the npm package in the folder `release` */
export function writeElsewhere(release, tarball) {
  const { version, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const facts = { DUCKDB_VERSION: devDependencies['@duckdb/node-api'], VERSION: version };
  for (const path of ['container/Dockerfile', 'action/action.yml']) {
    const text = readFileSync(join('tools/release', path), 'utf8');
    mkdirSync(join(release, dirname(path)));
    writeFileSync(
      join(release, path),
      text.replace(/\b(?:DUCKDB_)?VERSION\b/g, (name) => facts[name]),
    );
  }
  cpSync(tarball, join(release, 'action', basename(tarball)));
  writeJsr(join(release, 'jsr'), tarball);
}

/** Unpacks the package where `deno publish` and `npx jsr publish` find jsr.json. */
function writeJsr(folder, tarball) {
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const { name, version, license, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const modules = Object.entries(exports).filter(([, entry]) => entry.types !== undefined);
  for (const [, entry] of modules) {
    const path = join(folder, entry.default);
    const types = relative(dirname(path), join(folder, entry.types));
    writeFileSync(path, `/* @ts-self-types="${types}" */\n${readFileSync(path, 'utf8')}`);
  }
  const manifest = {
    name: `@${name}/${name}`,
    version,
    license,
    exports: Object.fromEntries(modules.map(([entry, paths]) => [entry, paths.default])),
    publish: { include: ['dist/esm', 'dist/types', 'jsr.json', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES'] },
  };
  writeFileSync(join(folder, 'jsr.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
