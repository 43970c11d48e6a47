import { join } from 'node:path';
import type { Machine } from './machine.ts';
import type { Registry } from './registry.ts';

const KEYED = '0f115db062b7c0dd  https://example.com';
const HEX = '0f115db062b7c0dd030b16878c99dea5c354b49dc37b38eb8846179c7783e9d7';
const COMMAND = 'urlsum --width 8';
const asked = (command: string) => `echo https://example.com | ${command}`;

const MODULE = `import { UrlHash } from 'urlsum';\nconsole.log(UrlHash.of('https://example.com').hex);\n`;
const COMMONJS = `const { UrlHash } = require('urlsum');\nconsole.log(UrlHash.of('https://example.com').hex);\n`;

/** The installed package that a trial gets. */
export interface Installed {
  readonly machine: Machine;
  readonly tarball: string;
  readonly registry: Registry;
}

export type Trial = (given: Installed) => Promise<string>;

/** Where `--global` puts programs. */
function globalPrefix(machine: Machine): string {
  const prefix = join(machine.home, 'prefix');
  machine.addPath(join(prefix, 'bin'));
  return prefix;
}

/** A project whose two files use the library. */
function writeProject(machine: Machine): void {
  machine.write('package.json', '{ "name": "mine", "version": "1.0.0", "private": true }\n');
  machine.write('key.mjs', MODULE);
  machine.write('key.cjs', COMMONJS);
}

/** Runs both files of the project. */
async function mustHash(machine: Machine, runtime: string): Promise<void> {
  for (const file of ['key.mjs', 'key.cjs']) await machine.mustSay(`${runtime} ${file}`, HEX);
}

export const JAVASCRIPT: Readonly<Record<string, Trial>> = {
  'npm install --global FILE': async ({ machine, tarball }) => {
    const prefix = globalPrefix(machine);
    const file = machine.take(tarball);
    await machine.run(`npm install --global --prefix '${prefix}' ${file}`);
    await machine.mustSay(asked(COMMAND), KEYED);
    await machine.run(`test -s '${prefix}/share/man/man1/urlsum.1'`);
    await machine.run(`npm uninstall --global --prefix '${prefix}' urlsum`);
    await machine.run('urlsum --version', 127);
    return `${KEYED}; its man page; gone when it is uninstalled`;
  },

  'npx --package FILE': async ({ machine, tarball }) => {
    await machine.mustSay(asked(`npx --yes --package ${machine.take(tarball)} ${COMMAND}`), KEYED);
    return KEYED;
  },

  'npm install FILE': async ({ machine, tarball }) => {
    writeProject(machine);
    await machine.run(`npm install ${machine.take(tarball)}`);
    await machine.mustSay(asked(`npx --no-install ${COMMAND}`), KEYED);
    await mustHash(machine, 'node');
    return 'import, require, command';
  },

  'yarn 1 add FILE': async ({ machine, tarball }) => {
    writeProject(machine);
    await machine.run(`yarn add ${machine.take(tarball)}`);
    await machine.mustSay(asked(`yarn --silent ${COMMAND}`), KEYED);
    await mustHash(machine, 'node');
    return 'import, require, command';
  },

  "yarn 4 add FILE, Plug'n'Play": async ({ machine, tarball }) => {
    writeProject(machine);
    machine.write('yarn.lock', ''); // a project of its own
    await machine.run(`yarn-4 add urlsum@file:${machine.take(tarball)}`);
    await machine.run('test -e .pnp.cjs');
    await machine.mustSay(asked(`yarn-4 ${COMMAND}`), KEYED);
    await mustHash(machine, 'yarn-4 node');
    return 'import, require, command';
  },

  'pnpm add, dlx, add --global': async ({ machine, tarball }) => {
    writeProject(machine);
    const file = machine.take(tarball);
    await machine.run(`pnpm add ${file}`);
    await machine.mustSay(asked(`pnpm exec ${COMMAND}`), KEYED);
    await mustHash(machine, 'node');
    await machine.mustSay(asked(`pnpm --package="$PWD/${file}" dlx ${COMMAND}`), KEYED);
    machine.setVariable('PNPM_HOME', globalPrefix(machine));
    await machine.run(`pnpm add --global ${file}`);
    await machine.mustSay(asked(COMMAND), KEYED);
    return 'import, require, command, each way';
  },

  'bun add FILE, add --global': async ({ machine, tarball }) => {
    writeProject(machine);
    const file = machine.take(tarball);
    await machine.run(`bun add ${file}`);
    await machine.mustSay(asked(`bun --bun run ${COMMAND}`), KEYED);
    await mustHash(machine, 'bun');
    machine.setVariable('BUN_INSTALL', globalPrefix(machine));
    await machine.run(`bun add --global ${file}`);
    await machine.mustSay(asked(COMMAND), KEYED);
    return 'import, require, command, global command';
  },

  // Deno takes packages from registries alone.
  'deno add, install --global': async ({ machine, registry }) => {
    const before = registry.fetchCount();
    machine.setVariable('NPM_CONFIG_REGISTRY', registry.url);
    machine.write('key.mjs', MODULE);
    machine.write('deno.json', '{}\n');
    await machine.run('deno add npm:urlsum');
    await machine.mustSay('deno run key.mjs', HEX);
    await machine.mustSay(asked(`deno run --allow-read --allow-env --allow-sys npm:${COMMAND}`), KEYED);
    await machine.run(`deno install --global --allow-all --root '${globalPrefix(machine)}' npm:urlsum`);
    await machine.mustSay(asked(COMMAND), KEYED);
    if (registry.fetchCount() === before) throw new Error('it has a copy from elsewhere');
    return 'import, command, global command';
  },
};
