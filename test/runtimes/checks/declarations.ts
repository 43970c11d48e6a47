import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ENTRY_NAMES } from '../../package/entries.ts';
import { scratchFolder } from '../../support/scratch.ts';
import type { Consumers } from '../consumer.ts';
import { run } from '../process.ts';
import type { Row } from '../row.ts';
import { installed, versionOf } from '../tool.ts';

/**
 * The least that the declarations promise, what most programs have, and the last with a compiler in JavaScript. Before
 * 5.8, TypeScript refuses ES modules in a package of CommonJS.
 */
const VERSIONS = ['5.4', '5.9', '6.0'] as const;
const ONLY_MODULES = '5.4';
const NEWEST = resolve('node_modules/typescript');

/** Nothing is left out: neither the package's own declarations, nor a program without any host's types. */
const OPTIONS = { noEmit: true, strict: true, skipLibCheck: false, module: 'nodenext', target: 'es2022', types: [] };
const LIBRARIES = { 'no host': ['es2022'], DOM: ['es2022', 'dom'] };

/** Every entry's declarations compile, imported, and required where the compiler knows how. */
export function declarations({ module, commonjs }: Consumers): Row[] {
  const row = (name: string, compiler: () => string, consumers: readonly string[]): Row => ({
    name: `declarations, TypeScript ${name}`,
    async run() {
      for (const consumer of consumers) await compile(compiler(), consumer);
      const formats = consumers.map((consumer) => (consumer === module ? 'ESM' : 'CommonJS')).join(' and ');
      return `${ENTRY_NAMES.length} entries, ${formats}, ${Object.keys(LIBRARIES).join(' and ')}`;
    },
  });
  return [
    ...VERSIONS.map((version) => {
      const consumers = version === ONLY_MODULES ? [module] : [module, commonjs];
      return row(versionOf(`typescript-${version}`), () => installed(`typescript-${version}`), consumers);
    }),
    row('of the project', () => NEWEST, [module, commonjs]),
  ];
}

async function compile(compiler: string, consumer: string): Promise<void> {
  const cwd = scratchFolder(`types-${basename(compiler)}-${basename(consumer)}`);
  mkdirSync(join(cwd, 'node_modules'), { recursive: true });
  cpSync(join(consumer, 'node_modules/urlsum'), join(cwd, 'node_modules/urlsum'), { recursive: true });
  cpSync(join(consumer, 'package.json'), join(cwd, 'package.json'));
  const imports = ENTRY_NAMES.map((name, index) => `import * as entry${index} from '${name}';`);
  const use = `export const entries: object[] = [${ENTRY_NAMES.map((_, index) => `entry${index}`).join(', ')}];`;
  writeFileSync(join(cwd, 'use.ts'), [...imports, use].join('\n'));
  for (const [name, lib] of Object.entries(LIBRARIES)) {
    const project = `${name.replace(' ', '-')}.json`;
    writeFileSync(join(cwd, project), JSON.stringify({ compilerOptions: { ...OPTIONS, lib }, files: ['use.ts'] }));
    await run(process.execPath, [join(compiler, 'bin/tsc'), '-p', project], { cwd });
  }
}
