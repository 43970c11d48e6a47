import type { UrlVector } from '../vectors/vector.ts';
import type { Difference, Material } from './probe/outcome.ts';
import { allQuestions, urlVectors, vectorQuestions } from './probe/question.ts';
import type { Recorded } from './runtime.ts';

/** Runtimes whose `URL` gives the same for every input. */
interface Kind {
  readonly hosts: string[];
  readonly differences: readonly Difference[];
}

/** Counts the inputs in which the runtimes' own `URL` differs from the standard, and from one another. */
export function ownUrlTables(material: Material, recorded: readonly Recorded[]): string {
  const kinds = kindsOf(recorded);
  const vectorCount = vectorQuestions(material).length;
  const count = allQuestions(material).length;
  return `## Why not \`new URL(url).href\`

What each runtime's own \`URL\` makes of the ${vectorCount} URLs of the vectors, and of ${count - vectorCount} real ones: all of a
collection that the standard changes by more than a slash, all with characters that are not ASCII, and every 20th of
the others. The standard is what the vectors say; \`whatwg-url\`, an independent implementation, agrees with them on every
one of these URLs.

${standardTable(kinds, material, vectorCount)}

And from one another: how many of the ${count} URLs would get two hashes if they were hashed in one runtime and looked up
in the other by their own \`URL\`.

${neighboursTable(kinds)}`;
}

/** A host counts once, as it was used first. */
function kindsOf(outcomes: readonly Recorded[]): Kind[] {
  const kinds = new Map<string, Kind>();
  const spoken = new Set<string>();
  for (const [{ host }, { own }] of outcomes) {
    const key = JSON.stringify(own);
    const kind = kinds.get(key) ?? { hosts: [], differences: own };
    kinds.set(key, kind);
    if (!spoken.has(host)) kind.hosts.push(host);
    spoken.add(host);
  }
  return [...kinds.values()]
    .filter(({ hosts }) => hosts.length > 0)
    .sort((a, b) => a.differences.length - b.differences.length);
}

function standardTable(kinds: readonly Kind[], material: Material, vectorCount: number): string {
  const rows = kinds.map(({ hosts, differences }) => {
    const inVectors = differences.filter(([index]) => index < vectorCount);
    return [
      hosts.join(', '),
      `${inVectors.length}`,
      `${differences.length - inVectors.length}`,
      examplesOf(inVectors, material).join('<br>'),
    ];
  });
  return table(['the `URL` of', 'differs in vectors', 'in real URLs', 'for example'], rows);
}

function neighboursTable(kinds: readonly Kind[]): string {
  const names = kinds.map(({ hosts }) => hosts[0]!.replace(' (running this)', ''));
  const rows = kinds.map((kind, row) => [
    names[row]!,
    ...kinds.map((other) => (other === kind ? '' : `${differingCount(kind, other)}`)),
  ]);
  return table(['', ...names], rows);
}

function differingCount(a: Kind, b: Kind): number {
  const [ofA, ofB] = [new Map(a.differences), new Map(b.differences)];
  return [...new Set([...ofA.keys(), ...ofB.keys()])].filter((index) => ofA.get(index) !== ofB.get(index)).length; // not there: as the standard
}

const EXAMPLE_COUNT = 3;
const READABLE = /^[ -_a-~\u00a1-\u024f\u1e00-\u1eff]{1,40}$/;

/** The best of each clause: of http and https first, and then of the clauses that most differences lie in. */
function examplesOf(differences: readonly Difference[], material: Material): string[] {
  const vectors = urlVectors(material);
  const ofClauses = differences.filter(([index]) => vectors[index]!.clause !== 'generated');
  const clauses = Object.values(groupedBy(ofClauses, ([index]) => vectors[index]!.clause)).sort(
    (a, b) => b.length - a.length,
  );
  const best = clauses
    .flatMap((each) => leastOdd(each, vectors))
    .sort(([a], [b]) => Number(isWeb(vectors[b]!)) - Number(isWeb(vectors[a]!)));
  return best.slice(0, EXAMPLE_COUNT).map((each) => example(each, vectors[each[0]]!));
}

function groupedBy<T>(values: readonly T[], keyOf: (value: T) => string): Record<string, T[]> {
  const groups: Record<string, T[]> = {};
  for (const value of values) (groups[keyOf(value)] ??= []).push(value);
  return groups;
}

function leastOdd(differences: readonly Difference[], vectors: readonly UrlVector[]): Difference[] {
  const readable = differences.filter(
    ([index]) => READABLE.test(vectors[index]!.input ?? '') && vectors[index]!.base === undefined,
  );
  return readable.sort(([a], [b]) => oddity(vectors[a]!) - oddity(vectors[b]!)).slice(0, 1);
}

/** Ranks a case by how odd it is: what people meet is of http and https, and short. */
function oddity(vector: UrlVector): number {
  return vector.input!.length + (isWeb(vector) ? 0 : 1000);
}

function isWeb({ input }: UrlVector): boolean {
  return /^https?:/.test(input!);
}

function example([, form]: Difference, { input, expect }: UrlVector): string {
  const { canonical } = expect as { readonly canonical?: string };
  return `${code(input!)} is ${code(form)}, and ${code(canonical ?? null)} by the standard`;
}

function code(url: string | null): string {
  return url === null ? 'refused' : `\`${url}\``;
}

/** A Markdown table; a bar in a cell ends none. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
