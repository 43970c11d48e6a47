import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type * as hashUriOfRdf from '../../../src/entries/hash-uri/rdf.ts';
import type * as hashUri from '../../../src/entries/hash-uri.ts';
import type * as hashedUri from '../../../src/entries/hashed-uri.ts';
import { inAnotherRealm } from '../../support/another-realm.ts';

// The built entries in a realm that has what every edge runtime has and nothing of Node's.
const test = suite('hash-uri, hash-uri/rdf and hashed-uri at the edge');

test('hashes of URIs and bytes work without anything of Node', async () => {
  const { hash, matches } = inAnotherRealm<typeof hashedUri>('hashed-uri', { TextEncoder });
  const hashed = hash('http://www.thus.net', { variant: 'N', algorithm: 'sha1' });
  assert.is(String(hashed), 'hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481');
  assert.is(matches('HTTP://WWW.thus.net#end', hashed, { variant: 'N' }), true);
  const { make, verify, verifyStream } = inAnotherRealm<typeof hashUri>('hash-uri', { TextEncoder, WebAssembly, atob });
  const content = new TextEncoder().encode('Hello World!');
  const uri = make('http://e/', content);
  assert.is(uri, 'http://e/FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk');
  assert.is(verify(uri, content), true);
  assert.is(await verifyStream(uri, [content]), true);
});

test('hash-URIs of RDF work without anything of Node', async () => {
  const realm = { TextEncoder, TextDecoder, WebAssembly, atob };
  const { make, NANOPUB, parseRdf, verify, verifyFile } = inAnotherRealm<typeof hashUriOfRdf>('hash-uri-rdf', realm);
  const quads = parseRdf('<http://e/r1> <http://e/p> [ <http://e/q> ( "a"@en 1 ) ] .', { format: 'turtle' });
  const made = make('http://e/r1', quads, { module: 'RA', settings: NANOPUB });
  assert.is(made.uri, 'http://e/r1/RAywr_7WyU9QA_fIEkQVRSaQ4EJsfDnk9WcVWzKS2JPzU', 'as trustyuri-java has it');
  assert.is(verify(made.uri, made.quads), true);
  const failure = await verifyFile(made.uri, 'r1.ttl').catch((error: Error) => error);
  assert.is(String(failure), 'TypeError: this runtime opens no files by path (Node does)');
});

test('hash-URIs work without WebAssembly', async () => {
  const { make, verifyStream } = inAnotherRealm<typeof hashUri>('hash-uri', { TextEncoder, WebAssembly: undefined });
  const content = new TextEncoder().encode('Hello World!');
  const uri = make('http://e/', content);
  assert.is(uri, 'http://e/FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk');
  assert.is(await verifyStream(uri, [content]), true);
});

test.run();
