// The hosts of web-platform-tests and of the corpora in ../shared/data, percent-decoded, for the checks of the tables.
import { sourceModule } from './generated.mjs';

const DERIVED = 'corpus/intl_derived.tsv.gz';
const CORPORA = ['main', 'intl', 'changed', 'schemeless', 'files'];

/** Distinct hosts by where they are from; none of what is not there. */
export async function knownHosts() {
  const { corpusLines, sharedBytes, wptCases } = await sourceModule('test/data.ts');
  const urls = wptCases('urltestdata.json').map(({ input }) => input);
  const domains = ['toascii.json', 'IdnaTestV2.json', 'IdnaTestV2-removed.json'].flatMap((file) =>
    wptCases(file).map(({ input }) => input),
  );
  return [
    ['hosts of web-platform-tests', new Set([...urls.map(hostOf), ...domains])],
    ['hosts of corpus/intl_derived', new Set((sharedBytes(DERIVED)?.toString() ?? '').split(/[\t\n]/).map(hostOf))],
    ...CORPORA.map((name) => [`hosts of corpus/${name}`, new Set(corpusLines(name).map(hostOf))]),
  ];
}

/** Roughly what a browser would take for the host. */
function hostOf(url) {
  const host = /^(?:[a-z][-+.a-z\d]*:[\\/]*)?(?:[^@\\/?#]*@)?([^\\/?#:]*)/i.exec(url)[1];
  try {
    return decodeURIComponent(host);
  } catch {
    return host;
  }
}
