import * as url from 'urlsum';
import * as hashUri from 'urlsum/hash-uri';
import * as hashedUri from 'urlsum/hashed-uri';
import * as safeBrowsing from 'urlsum/safe-browsing';
import * as site from 'urlsum/site';
import { runVectors } from '../../vectors/run.ts';
import { checkerResults } from './checker.ts';
import type { Material, Outcome } from './outcome.ts';
import { ownDifferences } from './own-url.ts';
import { allQuestions, vectorQuestions } from './question.ts';
import { rdfResults } from './rdf.ts';
import { streamResults } from './stream.ts';

const SHOWN = 3;

/** Runs everything there is to run, through the package as this runtime resolves it. */
export async function probe(material: Material): Promise<Outcome> {
  const { count, disagreements, sha256 } = runVectors(material.files, { url, site, safeBrowsing, hashedUri, hashUri });
  const shown = disagreements.slice(0, SHOWN).map((each) => JSON.stringify(each));
  const questions = vectorQuestions(material);
  return {
    kernel: url.kernelName(),
    vectors: {
      count,
      digest: sha256,
      disagreements: disagreements.length > SHOWN ? [...shown, `${disagreements.length} in all`] : shown,
    },
    stream: await streamResults(questions),
    rdf: await rdfResults(),
    checker: await checkerResults(),
    own: ownDifferences(allQuestions(material)),
  };
}
