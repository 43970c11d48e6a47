// Hash-URIs of RDF held against the trusty URI library for Java, against nanopublications that were published, and at
// sizes that take minutes: `npm run test:long -- rdf`. It needs a JDK of version 17 or later, Maven, pip and tar, and fetches
// the library and the packages, so it is not one of the tests that every change runs.
import { runAll } from '../support/long-runs.ts';
import { codes } from './codes.ts';
import { publishedNanopublications } from './nanopublications.ts';
import { largeFiles, parsing, speed } from './speed.ts';

await runAll([
  ['codes of random documents', 10_000, codes],
  ['nanopublications in packages', 1, publishedNanopublications],
  ['speed', 1_000_000, speed],
  ['parsing alone', 1_000_000, parsing],
  ['large files', 10_000_000, largeFiles],
]);
