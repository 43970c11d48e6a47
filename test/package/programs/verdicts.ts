// A question has a boolean, and where there is nothing to compare an error, so that no file is deleted for it.
import { equal, rejects, throws } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as bytes from 'urlsum/hash-uri';
import * as rdf from 'urlsum/hash-uri/rdf';
import * as hashedUri from 'urlsum/hashed-uri';

const content = new TextEncoder().encode('hello');
const tampered = content.subarray(1);
const uri = bytes.make('http://example.org/hello', content);
const unsupported = /HashUriError: .*\(module-unsupported\)$/;
const notOne = /HashUriError: .*\(not-a-hash-uri\)$/;

equal(bytes.verify(uri, content), true);
equal(bytes.verify(uri, tampered), false);
equal(await bytes.verifyStream(uri, [content.subarray(0, 2), content.subarray(2)]), true);
equal(await bytes.verifyStream(uri, [tampered]), false);
equal(await bytes.makeFromStream('http://example.org/hello', [content]), uri);

const text = '<http://example.org/doc> <http://purl.org/dc/terms/title> "Hello" .\n';
const quads = rdf.parseRdf(text, { format: 'ntriples' });
const made = rdf.make('http://example.org/doc', quads, { module: 'RA' });
const file = join(import.meta.dirname ?? '.', 'doc.nt');
writeFileSync(file, text);
const code = rdf.artifactCode(quads, { module: 'RA' });
equal(rdf.verify(made.uri, made.quads), true);
equal(rdf.verify(made.uri, quads.slice(1)), false);
equal(await rdf.verifyStream(code, rdf.parseRdfStream([new TextEncoder().encode(text)], { format: 'ntriples' })), true);
equal(await rdf.verifyFile(code, pathToFileURL(file)), true);
equal(await rdf.verifyFile(made.uri, file), false);

for (const [name, message] of [
  ['http://example.org/hello.txt', notOne],
  [code, unsupported],
] as const) {
  throws(() => bytes.verify(name, content), message);
  await rejects(bytes.verifyStream(name, [content]), message);
}
throws(() => rdf.verify(uri, quads), unsupported);
throws(() => rdf.verify('doc.nt', quads), notOne);
await rejects(rdf.verifyFile(uri, file), unsupported);
await rejects(rdf.verifyStream('doc.nt', rdf.parseRdfStream([], { format: 'turtle' })), notOne);

equal(bytes.verdictOf(uri, content).result, 'verified');
equal(bytes.verdictOf(uri, tampered).result, 'mismatch');
equal(bytes.verdictOf(code, content).result, 'unsupported');
equal(bytes.verdictOf('hello.txt', content).result, 'not-a-hash-uri');
equal(rdf.verdictOf(uri, quads).result, 'unsupported');
equal(rdf.verdictOf('doc.nt', quads).result, 'not-a-hash-uri');
equal(rdf.verdictOf(code, quads).order, 'code-points');

const hashed = hashedUri.hash('http://a/', { variant: 'N', algorithm: 'sha1' });
equal(hashedUri.matches(new URL('http://a/'), hashed, { variant: 'N' }), true);
equal(hashedUri.matches('http://b/', `${hashed}`, { variant: 'N' }), false);
equal(hashedUri.matches('http://a/', 'hashed:sha256=00', { variant: 'N' }), false);
equal(hashedUri.verdictOf('http://a/', 'hashed:sha256=00', { variant: 'N' }).result, 'unsupported');
