// Tables, and n3's parser, that are the same in every build. Each module format has one copy of them, which all its
// builds import.
import { basename } from 'node:path';

export const TABLES = {
  uts46: 'src/url/uts46.ts',
  'public-suffixes': 'src/safe-browsing/public-suffixes.ts',
  'n3-parser': 'src/hash-uri/rdf/n3-parser.ts',
};

const SHARED = new RegExp(`/(?:${Object.keys(TABLES).join('|')})\\.ts$`);

/** An esbuild plugin: what is built into dist/FOLDER imports the tables from where they are. */
export function sharedTables(folder) {
  const place = folder === 'cjs' || folder === 'esm' ? '.' : '../esm';
  return {
    name: 'shared tables',
    setup({ onResolve }) {
      onResolve({ filter: SHARED }, ({ path, kind }) =>
        kind === 'import-statement' ? { path: `${place}/${basename(path, '.ts')}.js`, external: true } : undefined,
      );
    },
  };
}
