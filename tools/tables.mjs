// The tables of UTS #46 and the Public Suffix List, most of the package's size, n3's parser and protobuf's reader. The
// command's files, which are whole but for these, take them from where the library has them.
import { basename } from 'node:path';

export const TABLES = {
  uts46: 'src/url/uts46.ts',
  'public-suffixes': 'src/safe-browsing/public-suffixes.ts',
  'n3-parser': 'src/hash-uri/rdf/n3-parser.ts',
  'hash-list-message': 'src/safe-browsing/lists/messages/hash-list-message.ts',
};

/** An esbuild plugin for files in dist/esm. */
export const libraryTables = {
  name: 'library tables',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`/(?:${Object.keys(TABLES).join('|')})\\.ts$`) }, ({ path }) => {
      return { path: `./${basename(path, '.ts')}.js`, external: true };
    });
  },
};
