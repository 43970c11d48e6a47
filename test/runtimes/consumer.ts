import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../support/scratch.ts';
import type { Material } from './probe/outcome.ts';
import { run } from './process.ts';

/** Projects that have installed the packed package, and nothing else; the probes and the examples lie in them. */
export interface Consumers {
  /** The folder of ES modules. */
  readonly module: string;
  readonly commonjs: string;
}

export async function makeConsumers(material: Material): Promise<Consumers> {
  const [packed] = JSON.parse(await run('npm', ['pack', '--json', '--pack-destination', scratchFolder('pack')])) as [
    { filename: string },
  ];
  const tarball = join(scratchFolder('pack'), packed.filename);
  return {
    module: await consumer('module', tarball, material),
    commonjs: await consumer('commonjs', tarball, material),
  };
}

async function consumer(type: 'module' | 'commonjs', tarball: string, material: Material): Promise<string> {
  const folder = scratchFolder(type);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: `${type}-consumer`, version: '1.0.0', private: true, type }),
  );
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
  cpSync('build/runtimes/probe', folder, { recursive: true });
  cpSync('examples', join(folder, 'examples'), { recursive: true });
  writeFileSync(join(folder, 'material.json'), JSON.stringify(material));
  return folder;
}
