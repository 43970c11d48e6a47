// What the generated tables in src/ have in common: how they are written, and how a tool gets at the sources that read
// them.

import { writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/** A text that a bundle holds as a string literal: an escape would be a character more. */
export function literal(text) {
  if (/[^ -~]|["'`\\$]/.test(text)) throw new Error('a literal would escape a character of the table');
  return text;
}

/** Returns the exports of a source file, which is bundled for this process. */
export async function sourceModule(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    loader: { '.txt': 'text', '.hex': 'text' },
    alias: { punycode: 'punycode/punycode.es6.js' },
    define: { ASC_TARGET: '0' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

export function write(path, text) {
  writeFileSync(path, text);
  console.log(`${path}: ${text.length} characters`);
}

// The hosts of web-platform-tests and of the corpora in ../shared/data, percent-decoded, for the checks of the tables.

const DERIVED = 'corpus/intl_derived.tsv.gz';
const CORPORA = ['main', 'intl', 'changed', 'schemeless', 'files'];

/** Returns the distinct hosts of each source that is there. */
export async function knownHosts() {
  const { corpusLines, sharedBytes, wptCases } = await sourceModule('test/support/data.ts');
  const urls = wptCases('urltestdata.json').map(({ input }) => input);
  const domains = ['toascii.json', 'IdnaTestV2.json', 'IdnaTestV2-removed.json'].flatMap((file) =>
    wptCases(file).map(({ input }) => input),
  );
  const sources = [
    ['hosts of web-platform-tests', new Set([...hostsOf(urls), ...domains])],
    ['hosts of corpus/intl_derived', hostsOf((sharedBytes(DERIVED)?.toString() ?? '').split(/[\t\n]/))],
    ...CORPORA.map((name) => [`hosts of corpus/${name}`, hostsOf(corpusLines(name))]),
  ];
  const there = sources.filter(([, hosts]) => hosts.size > 0);
  const absent = sources.filter(([, hosts]) => hosts.size === 0).map(([name]) => name);
  if (absent.length > 0) console.log(`not compared, since ../shared/data lacks them: ${absent.join(', ')}`);
  return there;
}

function hostsOf(texts) {
  return new Set(texts.map(hostOf).filter((host) => host !== ''));
}

/** Returns roughly what a browser would take for the host. */
function hostOf(url) {
  const host = /^(?:[a-z][-+.a-z\d]*:[\\/]*)?(?:[^@\\/?#]*@)?([^\\/?#:]*)/i.exec(url)[1];
  try {
    return decodeURIComponent(host);
  } catch {
    return host;
  }
}
