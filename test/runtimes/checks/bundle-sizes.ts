import { ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { aligned } from '../../../bench/report.ts';
import type { Consumers } from '../consumer.ts';
import { bundleWith } from '../pages.ts';
import type { Row } from '../row.ts';

/** The names that a program takes from the package, and their entries. */
const IMPORTS: readonly (readonly [name: string, entry: string])[] = [
  ['PROFILE', 'urlsum'],
  ['canonicalize', 'urlsum'],
  ['UrlHash', 'urlsum'],
  ['hash', 'urlsum/hashed-uri'],
  ['parse', 'urlsum/hash-uri'],
  ['PrefixSet', 'urlsum/safe-browsing'],
];
const BUNDLERS = { webpack: 'webpack 5', rollup: 'Rollup', esbuild: 'esbuild' } as const;
type Bundler = keyof typeof BUNDLERS;

/** The bytes that a bundler puts around a program of one line. */
const FRAME_BYTES = 100;
const DOCUMENT = 'docs/runtimes.md';
const TABLE = /^\| what is imported .*\n(?:\|.*\n)+/m;

/** The sizes of `IMPORTS`, bundled and minified: all three bundlers leave out the same, within a tenth. */
export interface BundleSizes {
  readonly row: Row;
  /** Writes the table of the document, after the row has run. */
  write(): void;
}

export function bundleSizes({ module }: Consumers): BundleSizes {
  const names = Object.keys(BUNDLERS) as Bundler[];
  const sizes: number[][] = [];

  async function sizeOf([name, entry]: (typeof IMPORTS)[number], bundler: Bundler): Promise<number> {
    const file = join(module, `size-of-${name}-by-${bundler}`);
    // passed on whole: Rollup leaves out more of a function if it sees every call of it
    writeFileSync(`${file}.mjs`, `import { ${name} } from '${entry}'; globalThis.used = ${name};`);
    await bundleWith(bundler, `${file}.mjs`, `${file}.js`);
    return (await transform(readFileSync(`${file}.js`, 'utf8'), { minify: true, format: 'esm' })).code.length;
  }

  async function run(): Promise<string> {
    for (const each of IMPORTS) {
      const measured = await Promise.all(names.map((bundler) => sizeOf(each, bundler)));
      const [least, most] = [Math.min(...measured), Math.max(...measured)];
      ok(most <= 1.1 * least + FRAME_BYTES, `${each[0]}: ${names.map((name, at) => `${name} ${measured[at]}`)}`);
      sizes.push(measured);
    }
    mustBeNear(TABLE.exec(readFileSync(DOCUMENT, 'utf8'))?.[0], sizes);
    return sizes.map(([bytes], at) => `${IMPORTS[at]![0]} ${kilobytes(bytes!)}`).join(', ');
  }

  return {
    row: { name: 'what bundles of one import hold', run },
    write: () => writeFileSync(DOCUMENT, readFileSync(DOCUMENT, 'utf8').replace(TABLE, `${tableOf(sizes)}\n`)),
  };
}

/** The document's figures may be a tenth from the measured ones, so that not each change of code changes it. */
function mustBeNear(table: string | undefined, sizes: readonly (readonly number[])[]): void {
  const shown = [...(table ?? '').matchAll(/([\d.]+) kB/g)].map(([, figure]) => 1000 * Number(figure));
  const isNear = sizes.flat().every((bytes, at) => Math.abs(shown[at]! - bytes) <= FRAME_BYTES + bytes / 10);
  ok(isNear, `the table of ${DOCUMENT} is another: run with --write\n${tableOf(sizes)}`);
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function tableOf(sizes: readonly (readonly number[])[]): string {
  return aligned([
    ['what is imported', ...Object.values(BUNDLERS)],
    ...IMPORTS.map(([name, entry], at) => [`\`${name}\` of \`${entry}\``, ...sizes[at]!.map(kilobytes)]),
  ]);
}
