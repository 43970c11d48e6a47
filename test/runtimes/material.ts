import { readdirSync, readFileSync } from 'node:fs';
import { corpusLines } from '../support/data.ts';
import type { Vector, VectorFile } from '../vectors/vector.ts';
import type { Material } from './probe/outcome.ts';

/** All that need work, and of the ordinary ones every 20th: 57 000 in all. */
const SHARES = { changed: 1, intl: 1, main: 20 };
/** The step between lines that are tried where not all are. */
const LINE_STEP = 40;
/** Enough for a group of lanes of each kind. */
const CASES_PER_KIND = 4;

/** All vectors and lines, or of the vectors some of each kind and of the lines every so many. */
export function readMaterial(isWhole: boolean): Material {
  const names = readdirSync('vectors').filter((name) => name.endsWith('.json'));
  const files = names.map((name) => JSON.parse(readFileSync(`vectors/${name}`, 'utf8')) as VectorFile);
  const step = isWhole ? 1 : LINE_STEP;
  const lines = Object.entries(SHARES).flatMap(([name, share]) =>
    corpusLines(name).filter((_, index) => index % (step * share) === 0),
  );
  return { files: isWhole ? files : files.map(someOfEachKind), lines };
}

function someOfEachKind(file: VectorFile): VectorFile {
  const counts = new Map<string, number>();
  const cases = file.cases.filter((vector) => {
    const kind = kindOf(vector);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= CASES_PER_KIND;
  });
  return { ...file, cases };
}

/** The fields by which a case is one of a kind: the input, how it is given, and the outcome. */
const GIVEN_AS = ['input', 'inputParts', 'inputBase64', 'base', 'hashed', 'content'];
const OUTCOMES = ['failure', 'place', 'result', 'problems', 'potential', 'trusty'];

/** Cases of a kind have one clause, are asked the same in the same way, and fail, or do not, for the same reason. */
function kindOf({ expect, ...question }: Vector): string {
  const asked = Object.entries(question).map(([key, value]) => (GIVEN_AS.includes(key) ? key : [key, value]));
  const outcomes: unknown[] = [];
  JSON.stringify(expect, (key, value: unknown) => {
    if (OUTCOMES.includes(key)) outcomes.push(key, value);
    return value;
  });
  return JSON.stringify([asked, outcomes]);
}
