// The page of demo/, without its links to the API reference where that is not built.
import { existsSync, readFileSync } from 'node:fs';

const REFERENCE = /<!-- reference -->(.*?)<!-- \/reference -->/g;

export function pageWith(html, hasReference) {
  return html.replace(REFERENCE, hasReference ? '$1' : '');
}

/** A plugin for esbuild. */
export const demoPage = {
  name: 'page of the demo',
  setup: ({ onLoad }) =>
    onLoad({ filter: /demo\/index\.html$/ }, ({ path }) => ({
      contents: pageWith(readFileSync(path, 'utf8'), existsSync('build/docs/index.html')),
      loader: 'copy',
    })),
};
