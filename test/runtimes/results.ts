import type { Timings } from './checks/workerd-timing.ts';
import { ownUrlTables, table } from './own-url-tables.ts';
import type { Material } from './probe/outcome.ts';
import type { Recorded } from './runtime.ts';

/** RESULTS.md: what the run has found, for people. */
export function resultsText(material: Material, recorded: readonly Recorded[], timings: Timings): string {
  const [[, { vectors }]] = recorded as [Recorded];
  return `# Runtimes

Written by \`npm run test:long -- runtimes --write\`; nothing here is edited by hand.

## The same results everywhere

The package as \`npm pack\` makes it, installed in a project of its own, ran all ${vectors.count} vectors in each of these,
and \`hashStream\`, \`urlsum/hash-uri/rdf\` and \`SafeBrowsingChecker\` as well. All agree with the vectors and with one
another. The SHA-256 of all results is the same in every row and as computed from src:
\`${vectors.digest}\`.

${runtimesTable(recorded)}

${ownUrlTables(material, recorded)}

## Ten thousand URLs in one request to a Worker

In workerd, on a module that the platform has compiled. A Worker's clock stands still while it answers, so requests are
timed from outside: one that hashes the URLs some rounds more than another, minus the other, divided by the additional
rounds; the median of seven such pairs. All digests were checked against \`node:crypto\`.

${timingTable(timings)}
`;
}

function runtimesTable(recorded: readonly Recorded[]): string {
  const rows = recorded.map(([{ host, use }, { kernel, vectors }]) => [host, use, kernel, `${vectors.count}`, 'ok']);
  return table(['runtime', 'used as', 'kernel', 'vectors', ''], rows);
}

function timingTable({ hashLines, hashMany, of, subtle, subtleAtOnce }: Timings): string {
  const row = (method: string, nanoseconds: number): string[] => [
    method,
    `${nanoseconds}`,
    (nanoseconds / hashLines).toFixed(1),
  ];
  return table(
    ['method', 'ns per URL', 'times as long'],
    [
      row('`new UrlHasher().hashLines(lines).bytes`', hashLines),
      row('`new UrlHasher().hashMany(urls).bytes`', hashMany),
      row('`UrlHash.of(url).bytes`', of),
      row("`await crypto.subtle.digest('SHA-256', encoder.encode(new URL(url).href))`", subtle),
      row('the same in one Promise.all', subtleAtOnce),
    ],
  );
}
