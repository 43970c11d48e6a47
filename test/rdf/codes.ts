import { make, parseRdf, RdfError } from '../../src/entries/hash-uri/rdf.ts';
import { Keys } from '../../src/specs/hash-uri/rdf/keys.ts';
import { QuadMaker, type Settings } from '../../src/specs/hash-uri/rdf/make.ts';
import { RDF_FORMATS } from '../../src/specs/hash-uri/rdf/parse-rdf.ts';
import { codeOfKeys } from '../../src/specs/hash-uri/rdf/verify.ts';
import { java } from '../support/java.ts';
import { random as seeded } from '../support/seed.ts';
import { BASE, type Document, type Random, randomDocument } from './document.ts';

const SETTINGS = ['_.#.', '_///', '-/#/'];
/** The start of what either answers where it refuses a document. */
const ERROR = 'ERROR';

interface Case extends Document {
  readonly module: 'RA' | 'RB';
  /** The four characters, in the order of Settings. */
  readonly settings: string;
}

/** Every difference from the library is of a class that docs/hash-uris.md describes. */
export function codes(count: number): string {
  const random = seeded();
  const cases = Array.from({ length: count }, () => randomCase(random));
  const answers = javaCodes(cases);
  const counts: Record<string, number> = {};
  for (const [index, each] of cases.entries()) {
    const kind = comparison(each, answers[index]!);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  const lines = Object.entries(counts).map(([kind, kindCount]) => `\n  ${kindCount} ${kind}`);
  return `${count} documents${lines.sort().join('')}\n `;
}

function randomCase(random: Random): Case {
  const document = randomDocument(random, RDF_FORMATS[random(RDF_FORMATS.length)]!);
  const hasGraphs = document.format === 'trig' || document.format === 'nquads';
  const module = hasGraphs && random(4) === 0 ? 'RB' : 'RA';
  return { ...document, module, settings: SETTINGS[random(SETTINGS.length)]! };
}

function javaCodes(cases: readonly Case[]): string[] {
  const questions = cases.map(({ format, module, settings, text }) =>
    [format, module, BASE, settings, Buffer.from(text).toString('base64')].join(' '),
  );
  return java('test/rdf/Reference.java', `${questions.join('\n')}\n`)
    .trimEnd()
    .split('\n');
}

/** How the two agree, or which documented difference it is. @throws where it is another */
function comparison(each: Case, theirs: string): string {
  const ours = ourCode(each);
  if (ours === theirs) return `the same, ${each.format}`;
  if (each.hasCompoundSubjectInTrig) return 'RDF4J adds a triple before [ ] or ( ) as a subject in TriG';
  if (ourCode(each, 'utf16') === theirs) return 'Java sorts by UTF-16 units';
  if (ours.startsWith(ERROR) && theirs.startsWith(ERROR)) return `refused by both, ${ours.slice(ERROR.length + 1)}`;
  const { format, module, settings, text } = each;
  throw new Error(`${format} ${module} ${settings}\n${text}\nJava: ${theirs}\nours: ${ours}`);
}

function ourCode({ text, format, module, settings }: Case, order: 'code-points' | 'utf16' = 'code-points'): string {
  const [bnodeChar, preAcChar, postAcChar, postAcFallbackChar] = settings;
  const options = { module, settings: { bnodeChar, preAcChar, postAcChar, postAcFallbackChar } as Settings };
  try {
    const quads = parseRdf(text, { format });
    if (order === 'code-points') return make(BASE, quads, options).code;
    const keys = new Keys();
    const maker = new QuadMaker(BASE, options, keys);
    for (const quad of quads) maker.add(quad);
    return codeOfKeys(module, keys, order);
  } catch (error) {
    if (error instanceof RdfError) return `${ERROR} ${error.reason}`;
    throw error;
  }
}
