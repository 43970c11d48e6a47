import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { RdfXmlParser } from 'rdfxml-streaming-parser';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type AnyQuad,
  artifactCode,
  make,
  nanopublicationsOf,
  parseRdf,
  verdictOf,
  verify,
} from '../../../../src/entries/hash-uri/rdf.ts';
import { parse } from '../../../../src/entries/hash-uri.ts';
import { partsOf } from '../../../../src/specs/hash-uri/hash-uri.ts';
import { formatOfName } from '../../../../src/specs/hash-uri/rdf/parse-rdf.ts';
import { trustyFiles } from '../../../support/data.ts';
import { parseTrix } from './trix.ts';

// data/trusty: test suites and examples of trusty URIs; SOURCE.md says what is to be expected.
const test = suite('hash-uri/rdf: published files');

const isRdf = (path: string) => /\.(nq|nt|ttl|trig|xml|rdf)$/.test(path);

/** The quads of a file; `.xml` is TriX in the published suites, and `.rdf` RDF/XML. */
async function quadsOfFile(path: string): Promise<AnyQuad[]> {
  const content = readFileSync(path);
  if (path.endsWith('.xml')) return parseTrix(content.toString());
  if (path.endsWith('.rdf')) return parseRdfXml(content.toString());
  return parseRdf(content, { format: formatOfName(path)! });
}

async function parseRdfXml(xml: string): Promise<AnyQuad[]> {
  const parser = new RdfXmlParser();
  parser.end(xml);
  const quads: AnyQuad[] = [];
  for await (const quad of parser) quads.push(quad as AnyQuad);
  return quads;
}

test('trusty URI test suite: 26 of 26 valid files verify, and none of 7 invalid ones', async () => {
  const [valid, invalid] = ['valid', 'invalid'].map((folder) => trustyFiles(`trustyuri-testsuite/RA/${folder}`));
  if (valid === undefined || invalid === undefined) return;
  assert.equal([valid.length, invalid.length], [26, 7]);
  for (const path of valid) {
    const quads = await quadsOfFile(path);
    const { result, order } = verdictOf(basename(path), quads);
    assert.equal([result, order], ['verified', 'code-points'], path);
    assert.is(artifactCode(quads, { module: 'RA' }), `RA${parse(path).data}`, `${path}, its code found in the quads`);
  }
  for (const path of invalid) assert.is(verify(basename(path), await quadsOfFile(path)), false, path);
});

test('trusty URI test suite: 24 of 24 files become those that are valid', async () => {
  const [pre, valid] = ['pre', 'valid'].map((folder) => trustyFiles(`trustyuri-testsuite/RA/${folder}`));
  if (pre === undefined || valid === undefined) return;
  const sources = pre.filter((path) => !path.endsWith('.xml'));
  assert.is(sources.length, 24);
  for (const path of sources) {
    const [stem, extension] = basename(path).split('.');
    const made = make(`http://trustyuri.net/testsuite/${stem}`, await quadsOfFile(path), { module: 'RA' });
    assert.ok(
      valid.some((name) => basename(name) === `${stem}.${made.code}.${extension}`),
      `${path}: ${made.code}`,
    );
    assert.is(verify(made.uri, made.quads), true, path);
  }
});

test('examples of the Java library: 6 of 6 verify, and 5 of 5 become them', async () => {
  const paths = trustyFiles('trustyuri-java-examples')?.filter(isRdf);
  if (paths === undefined) return;
  const published = paths.filter((path) => !path.includes('-pre.'));
  const sources = paths.filter((path) => path.includes('-pre.') && !path.endsWith('.xml'));
  assert.equal([published.length, sources.length], [6, 5]);
  for (const path of published) assert.is(verify(basename(path), await quadsOfFile(path)), true, path);
  for (const path of sources) {
    const [stem, extension] = basename(path).split('-pre');
    const { code } = make(`http://trustyuri.net/examples/${stem}`, await quadsOfFile(path), { module: 'RA' });
    assert.ok(
      published.some((name) => basename(name) === `${stem}.${code}${extension}`),
      `${path}: ${code}`,
    );
  }
});

test('nanopublication test suite: 27, 46 and 46 files verify, by the code that they name themselves by', async () => {
  for (const [folders, count] of [
    [['valid/trusty'], 27],
    [['valid/signed'], 46],
    [['transform/signed/rsa-key1', 'transform/signed/rsa-key2'], 46],
  ] as const) {
    const listed = folders.map((folder) => trustyFiles(`nanopub-testsuite/${folder}`));
    if (listed.includes(undefined)) return;
    const paths = listed.flatMap((names) => names!).filter(isRdf);
    assert.is(paths.length, count);
    for (const path of paths) {
      const quads = await quadsOfFile(path);
      const uris = nanopublicationsOf(quads);
      assert.is(uris.length, 1, path);
      assert.is(verify(uris[0]!, quads), true, path);
      assert.is(artifactCode(quads, { module: 'RA' }), uris[0]!.slice(-45), path);
      const code = path.replace(/\.trig$/, '.code');
      if (path.includes('/transform/')) assert.ok(uris[0]!.endsWith(readFileSync(code, 'utf8').trim()), path);
    }
  }
});

test('nanopublication test suite: what is invalid by its hash, and what only as a nanopublication', async () => {
  const EXPECTED: Readonly<Record<string, string>> = {
    'trusty/trusty1.trig': 'mismatch',
    'trusty/trusty2.trig': 'verified',
    'signed/RA6T-YLqLnYd5XfnqR9PaGUjCzudvHdYjcG4GvOc7fdpA-all-LF.trig': 'mismatch',
    'signed/simple1-invalid-dsa.trig': 'verified',
    'signed/simple1-invalid-rsa.trig': 'verified',
  };
  const found: Record<string, string> = {};
  for (const folder of ['trusty', 'signed'])
    for (const path of trustyFiles(`nanopub-testsuite/invalid/${folder}`) ?? []) {
      const quads = await quadsOfFile(path);
      const [uri] = nanopublicationsOf(quads);
      found[`${folder}/${basename(path)}`] = verdictOf(uri!, quads).result;
    }
  if (Object.keys(found).length > 0) assert.equal(found, EXPECTED);
});

test('hash-URI drafts: 11 of 11 files verify by version 0, and the 6 without plain literals by version 1', async () => {
  const paths = trustyFiles('hashuri-java-v0-examples')?.filter((path) => isRdf(path) && !path.includes('-pre'));
  if (paths === undefined) return;
  const names = paths.filter((path) => partsOf(path)?.identifier === 'RA');
  assert.is(names.length, 11);
  const verified: string[] = [];
  for (const path of names) {
    const quads = await quadsOfFile(path);
    assert.is(verify(basename(path), quads, { specVersion: 0 }), true, path);
    if (verify(basename(path), quads)) verified.push(basename(path));
  }
  assert.is(verified.length, 6, verified.join());
  assert.ok(verified.every((name) => name.startsWith('nanopub')));
});

test.run();
