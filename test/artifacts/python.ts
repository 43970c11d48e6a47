import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Machine } from './machine.ts';
import { blocksOf } from './readers.ts';

const HASH = `import urlsum
with urlsum.UrlHasher(width=8) as hasher:
    print(urlsum.__version__, hasher.hash(["https://example.com"])[0].as_py().hex())
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

export const PYTHON: Readonly<Record<string, PythonTrial>> = {
  'pip install WHEEL without Node': {
    hasNode: false,
    async run({ machine, release, python, version }) {
      await makeEnvironment(machine, python);
      await machine.run(`pip install --quiet ${machine.take(fileOf(release, '.whl'))}`);
      await machine.run('node --version', 127);
      await machine.mustSay('python hash.py', `${version} 0f115db062b7c0dd`);
      return `${version} 0f115db062b7c0dd`;
    },
  },

  'pip install WHEEL beside Node': {
    hasNode: true,
    async run({ machine, release, python, version }) {
      await makeEnvironment(machine, python);
      await machine.run(`pip install --quiet ${machine.take(fileOf(release, '.whl'))}`);
      await machine.mustSay('python hash.py', `${version} 0f115db062b7c0dd`);
      return `${version} 0f115db062b7c0dd`;
    },
  },

  'pip install SOURCE': {
    hasNode: true,
    async run({ machine, release, python, version }) {
      await makeEnvironment(machine, python);
      await machine.run(`pip install --quiet --no-cache-dir ${machine.take(fileOf(release, '.tar.gz'))}`);
      await machine.mustSay('python hash.py', `${version} 0f115db062b7c0dd`);
      return `${version} 0f115db062b7c0dd`;
    },
  },

  'docs/engines.md: pandas, polars, Spark, DuckDB': {
    hasNode: false,
    async run({ machine, release, python }) {
      await makeEnvironment(machine, python);
      machine.take(fileOf(release, '.whl'));
      machine.take('docs/engines.md');
      machine.take('test/engines/installed.py');
      machine.setVariable('PIP_FIND_LINKS', machine.folder);
      machine.setVariable('PIP_CONSTRAINT', resolve('test/engines/requirements.txt'));
      await machine.run("pip install --quiet 'urlsum[spark,duckdb]' pandas polars");
      const said = await machine.run('python installed.py engines.md');
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

  // The image is not had here: its steps, on a machine without Node, in folders under another than `/`.
  "the container's steps": {
    hasNode: false,
    async run({ machine, release, python, version }) {
      await makeEnvironment(machine, python);
      machine.take(join(release, 'container'));
      const recipe = readFileSync(join(release, 'container/Dockerfile'), 'utf8');
      let said = '';
      for (const line of recipe.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
        const [, instruction, rest] = /^(\w+) (.*)$/.exec(line)!;
        const here = rest!.replaceAll('/opt/', `${machine.home}/opt/`);
        if (instruction === 'COPY') await machine.run(`mkdir -p "$HOME/opt/urlsum" && cd container && cp -r ${here}`);
        else if (instruction === 'RUN') said = await machine.run(here);
        else if (!['ARG', 'FROM', 'USER'].includes(instruction!)) throw new Error(`the trial lacks ${instruction}`);
      }
      const expected = `urlsum ${version} hashes here, profile url/1+unicode18`;
      if (!said.split('\n').includes(expected)) throw new Error(`it says ${said}`);
      return expected;
    },
  },
};
