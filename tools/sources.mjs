// How esbuild bundles the sources, for all that tools make of them.
import { build } from 'esbuild';

export const COMMON = {
  bundle: true,
  target: 'es2022',
  mainFields: ['module', 'main'],
  alias: { punycode: 'punycode/punycode.es6.js' },
  // of @bufbuild/protobuf: no environment is to turn 64-bit numbers into strings
  define: { 'process.env.BUF_BIGINT_DISABLE': '"0"', ASC_TARGET: '0' },
  logLevel: 'warning',
  legalComments: 'none',
};
export const NODE = {
  ...COMMON,
  format: 'esm',
  platform: 'node',
  loader: { '.hex': 'text', '.txt': 'text' },
  outExtension: { '.js': '.mjs' },
};

/** Returns the exports of a module in TypeScript, which Node 20 does not run. */
export async function sourceModule(contents) {
  const stdin = { contents, resolveDir: '.', loader: 'ts' };
  const { outputFiles } = await build({ ...NODE, stdin, write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
