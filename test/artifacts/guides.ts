import { join, resolve } from 'node:path';
import type { Machine } from './machine.ts';
import { blocksOf, follow, mustName, openDoors } from './readers.ts';
import type { Registry } from './registry.ts';

/** Installs as after the release: npm installs the package by its name, globally into the home. */
function takeFrom(machine: Machine, registry: Registry): void {
  machine.setVariable('npm_config_registry', registry.url);
  takeGlobal(machine);
}

function takeGlobal(machine: Machine): void {
  machine.setVariable('npm_config_prefix', join(machine.home, 'prefix'));
  machine.addPath(join(machine.home, 'prefix/bin'));
}

export async function doors(machine: Machine, registry: Registry): Promise<string> {
  mustName('README.md', '`npm install --global urlsum` installs the command', 'Run `npm install urlsum` here');
  takeFrom(machine, registry);
  await machine.run('npm install --global urlsum');
  await machine.run('npm install urlsum');
  return openDoors(machine);
}

export async function tutorial(machine: Machine, registry: Registry, python: string): Promise<string> {
  takeFrom(machine, registry);
  await machine.run(`'${python}' -m venv "$HOME/venv"`);
  machine.addPath(join(machine.home, 'venv/bin'));
  machine.setVariable('PIP_CONSTRAINT', resolve('test/engines/requirements.txt'));
  for (const { text } of blocksOf('docs/tutorial.md', ({ language }) => language === 'sh')) await machine.run(text);
  const count = follow(
    machine,
    blocksOf('docs/tutorial.md', ({ language }) => language === 'console'),
  );
  const session = blocksOf('docs/tutorial.md', ({ language }) => language === 'python');
  machine.write('session.py', session.map(({ text }) => text).join('\n'));
  await machine.run('python session.py');
  return `${count} blocks of commands and ${session.length} of Python`;
}

/** Follows the README in a clone: installation, doors, sample and page. */
export async function clone(machine: Machine): Promise<string> {
  mustName('README.md', '`npm ci && npm run build && npm install --global .`', '`npm install /path/to/clone`');
  mustName('README.md', '`npm run sample`', '`npm run demo`');
  takeGlobal(machine);
  const inClone = 'cd "$HOME/urlsum" &&';
  await machine.run(`git clone --quiet '${resolve('.')}' "$HOME/urlsum"`);
  await machine.run(`${inClone} npm ci && npm run build && npm install --global .`);
  await machine.run('npm install "$HOME/urlsum"');
  const opened = await openDoors(machine);
  await machine.run(`${inClone} npm run sample`);
  // it serves until it is ended
  const page = await machine.run(
    `${inClone} { npm run demo >demo.log 2>&1 & } && for wait in {1..600}; do ` +
      'address=$(grep --only-matching "http://.*" demo.log) && break; sleep 0.1; done; curl --silent --fail "$address"',
  );
  if (!page.includes('<title>')) throw new Error(`npm run demo serves ${page.slice(0, 200)}`);
  return `${opened}; its sample, and its page of ${page.length} characters`;
}
