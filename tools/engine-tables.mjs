// The tables of options and outputs, for what `npm run build` writes for engines.
import { build } from 'esbuild';

/** Returns the tables of the sources, bundled: Node 20 runs no TypeScript. */
export async function engineTables() {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { FORM_FLAGS, FORM_OPTIONS, formOf } from './src/core/url/options.ts';
        export { profileOfForm } from './src/core/url/profile.ts';
        export { OUTPUTS, PROFILES, WIDTHS } from './src/tables/outputs.ts';
        export { profileName } from './src/specs/safe-browsing/suffix-list.ts';`,
      resolveDir: '.',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    loader: { '.hex': 'text', '.txt': 'text' },
    mainFields: ['module', 'main'],
    alias: { punycode: 'punycode/punycode.es6.js' },
    write: false,
    logLevel: 'warning',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
