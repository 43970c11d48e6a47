import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Machine } from './machine.ts';
import { blocksOf } from './readers.ts';

const HASH = `import urlsum
print(urlsum.__version__, urlsum.hash_one("https://example.com", width=8).hex())
`;

export interface PythonGiven {
  readonly machine: Machine;
  readonly release: string;
  readonly python: string;
  readonly version: string;
}

export interface PythonTrial {
  readonly hasNode: boolean;
  run(given: PythonGiven): Promise<string>;
}

/** A fresh environment, which comes first on the path. */
async function makeEnvironment(machine: Machine, python: string): Promise<void> {
  await machine.run(`'${python}' -m venv "$HOME/venv"`);
  machine.addPath(join(machine.home, 'venv/bin'));
  machine.write('hash.py', HASH);
}

function fileOf(release: string, end: string): string {
  const [name, ...others] = readdirSync(release).filter((each) => each.endsWith(end));
  if (name === undefined || others.length > 0) throw new Error(`${release} has not one ${end}`);
  return join(release, name);
}

/** The wheel for this machine, whose Linux has glibc. */
function wheelOf(release: string): string {
  return fileOf(release, `manylinux_2_17_${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.whl`);
}

export const PYTHON: Readonly<Record<string, PythonTrial>> = {
  'pip install WHEEL without Node': {
    hasNode: false,
    async run({ machine, release, python, version }) {
      await makeEnvironment(machine, python);
      await machine.run(`pip install --quiet ${machine.take(wheelOf(release))}`);
      await machine.run('node --version', 127);
      await machine.mustSay('python hash.py', `${version} 0f115db062b7c0dd`);
      return `${version} 0f115db062b7c0dd`;
    },
  },

  'pip install SOURCE': {
    hasNode: false,
    async run({ machine, release, python, version }) {
      await makeEnvironment(machine, python);
      await machine.run(
        `pip install --quiet --no-cache-dir ${machine.take(fileOf(release, `urlsum-${version}.tar.gz`))}`,
      );
      await machine.mustSay('python hash.py', `${version} 0f115db062b7c0dd`);
      return `${version} 0f115db062b7c0dd`;
    },
  },

  'its README: pandas, polars, Spark, DuckDB': {
    hasNode: false,
    async run({ machine, release, python }) {
      await makeEnvironment(machine, python);
      machine.take(wheelOf(release));
      machine.take('engines/python/README.md');
      machine.take('test/engines/installed.py');
      machine.setVariable('PIP_FIND_LINKS', machine.folder);
      machine.setVariable('PIP_CONSTRAINT', resolve('test/engines/requirements.txt'));
      await machine.run("pip install --quiet 'urlsum[spark,duckdb]' pandas polars");
      const said = await machine.run('python installed.py README.md');
      return said.trim().split('\n').at(-1)!;
    },
  },

  "docs/engines.md: ClickHouse's library": {
    hasNode: true,
    async run({ machine, release, python }) {
      await makeEnvironment(machine, python);
      machine.take(join(release, 'clickhouse'));
      machine.setVariable('PIP_CONSTRAINT', resolve('test/engines/requirements.txt'));
      await machine.run('pip install --quiet chdb');
      const [block] = blocksOf('docs/engines.md', ({ text }) => text.includes('import chdb'));
      machine.write('query.py', `${block!.text}print(answer)\n`);
      return (await machine.run('python query.py')).trim();
    },
  },
};
