// The package's entries: a line here adds one. From this table come the bundles and the declarations in dist/,
// package.json's `exports` and `size-limit` (`npm run manifest` writes them, test/package compares them), and the
// tests that load every entry.

/**
 * @typedef {object} Entry
 * @property {string} name what follows `urlsum/`, and the file's name in dist/; `index` is `urlsum` itself
 * @property {string} [source] where it begins, if not in src/NAME/index.ts
 * @property {true} [hasKernel] it hashes with the kernel of its runtime, so each runtime gets a build of its own
 * @property {true} [isSlim] it is built with the condition `slim`
 * @property {readonly string[]} [loads] other entries that it loads when asked for, which its limit does not count
 * @property {string} [limit] the most that it may weigh, compressed with brotli
 * @property {string} [rawLimit] the same, minified only
 */

/** @type {readonly Entry[]} */
export const ENTRIES = [
  { name: 'index', source: 'src/index.ts', hasKernel: true, limit: '32 kB', rawLimit: '110 kB' },
  { name: 'slim', source: 'src/index.ts', hasKernel: true, isSlim: true, limit: '14 kB' },
  { name: 'stream', hasKernel: true, limit: '32 kB' },
  { name: 'safe-browsing', hasKernel: true, limit: '72 kB', rawLimit: '200 kB' },
  { name: 'safe-browsing/lists', hasKernel: true, limit: '50 kB' },
  { name: 'safe-browsing/check', hasKernel: true, limit: '100 kB' },
  { name: 'hashed-uri', limit: '12 kB' },
  { name: 'hash-uri', hasKernel: true, limit: '12 kB', loads: ['hash-uri/rdf'] },
  { name: 'hash-uri/rdf', hasKernel: true, limit: '30 kB' },
  { name: 'hash-uri/rdf-files' },
  { name: 'hash-index', hasKernel: true, limit: '12 kB' },
  { name: 'explain', limit: '80 kB' },
  { name: 'pool' },
];

/** Those that export something of their own: slim exports what `urlsum` does. */
export const FULL_ENTRIES = ENTRIES.filter(({ isSlim }) => !isSlim);
export const SLIM_ENTRIES = ENTRIES.filter(({ isSlim }) => isSlim);

/** The runtimes with a kernel of their own kind: their condition in `exports`, and their folder in dist/. */
export const RUNTIMES = { workerd: 'workerd', 'edge-light': 'edge-light', fastly: 'js' };

/** `hash-uri/rdf` is dist/esm/hash-uri-rdf.js. */
export const fileName = (/** @type {Entry} */ { name }) => name.replaceAll('/', '-');

export const sourceOf = (/** @type {Entry} */ { name, source = `src/${name}/index.ts` }) => source;
