// What a release consists of, as strangers get it: in empty folders, with homes of their own, by each installer, from
// build/release/ alone: `npm run test:long -- artifacts` makes it first. It installs 1 GB of packages, so it does not
// run for every change. Each trial leaves what it ran and what was said in build/artifacts/.
//
//   --only TEXT          only the trials whose names contain it
//   PYTHON=…             the Python of the trials; default python3
//   URLSUM_ARTIFACTS=…   the folder of the installers and of what pip fetches; default ~/.cache/urlsum-artifacts
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pythonVersion } from '../../tools/release/version.mjs';
import { type LongRun, runAll } from '../support/long-runs.ts';
import { clone, doors, tutorial } from './guides.ts';
import { JAVASCRIPT } from './javascript.ts';
import { Machine, programs } from './machine.ts';
import { PYTHON } from './python.ts';
import { startRegistry } from './registry.ts';

const RELEASE = 'build/release';
const INSTALLERS = [
  'yarn@1.22.22',
  'yarn-4@npm:@yarnpkg/cli-dist@4.18.1',
  'pnpm@12.21.0',
  'bun@npm:@oven/bun-linux-x64@1.4.5',
  'deno@npm:@deno/linux-x64-glibc@2.9.6',
];
const NODE_PROGRAMS = ['node', 'npm', 'npx'];
const KEPT = process.env['URLSUM_ARTIFACTS'] ?? join(homedir(), '.cache/urlsum-artifacts');

function installInstallers(): string {
  const noted = join(KEPT, 'installers');
  const names = INSTALLERS.join('\n');
  if (!existsSync(noted) || readFileSync(noted, 'utf8') !== names) {
    mkdirSync(KEPT, { recursive: true });
    execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', KEPT, ...INSTALLERS], { stdio: 'inherit' });
    writeFileSync(noted, names);
  }
  const modules = join(KEPT, 'node_modules');
  return programs(join(KEPT, 'programs'), {
    yarn: join(modules, 'yarn/bin/yarn.js'),
    'yarn-4': join(modules, 'yarn-4/bin/yarn.js'),
    pnpm: join(modules, 'pnpm/bin/pnpm.mjs'),
    bun: join(modules, 'bun/bin/bun'),
    deno: join(modules, 'deno/deno'),
    ...Object.fromEntries(NODE_PROGRAMS.map((name) => [name, join(dirname(process.execPath), name)])),
  });
}

/** Everything else that a machine has. */
function otherPrograms(): string {
  const names = readdirSync('/usr/bin').filter((name) => ![...NODE_PROGRAMS, 'nodejs', 'corepack'].includes(name));
  return programs(join(KEPT, 'without-node'), Object.fromEntries(names.map((name) => [name, join('/usr/bin', name)])));
}

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<'name' | 'version', string>;
const tarball = join(RELEASE, `${name}-${version}.tgz`);
if (!existsSync(tarball)) throw new Error(`${tarball} is not there: npm run release -- --dry-run`);
const [installers, others] = [installInstallers(), otherPrograms()];
const python = execFileSync(process.env['PYTHON'] ?? 'python3', ['-c', 'import sys; print(sys.executable)'], {
  encoding: 'utf8',
}).trim();
const registry = await startRegistry(tarball);

function machineFor(trial: string, hasNode: boolean): Machine {
  const machine = new Machine(trial, hasNode ? [installers, others] : [others]);
  machine.setVariable('PIP_CACHE_DIR', join(KEPT, 'pip'));
  machine.setVariable('PIP_DISABLE_PIP_VERSION_CHECK', '1');
  return machine;
}

const runs: LongRun[] = [
  ...Object.entries(JAVASCRIPT).map<LongRun>(([trial, run]) => {
    return [trial, 1, () => run({ machine: machineFor(trial, true), tarball, registry })];
  }),
  ...Object.entries(PYTHON).map<LongRun>(([trial, { hasNode, run }]) => {
    const given = { release: RELEASE, python, version: pythonVersion(version) };
    return [trial, 1, () => run({ machine: machineFor(trial, hasNode), ...given })];
  }),
  ["the README's doors", 1, () => doors(machineFor('the README', true), registry)],
  ['the tutorial', 1, () => tutorial(machineFor('the tutorial', true), registry, python)],
  ["a clone, by the README's commands", 1, () => clone(machineFor('a clone', true))],
];
try {
  await runAll(runs);
} finally {
  registry.close();
}
