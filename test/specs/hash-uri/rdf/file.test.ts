import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { Writer } from 'n3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  artifactCode,
  make,
  makeFile,
  parseRdf,
  type Quad,
  verdictOf,
  verifyFile,
} from '../../../../src/entries/hash-uri/rdf.ts';
import { checkSource, makeFromSource, sourceOfFile } from '../../../../src/specs/hash-uri/rdf/file.ts';
import type { RdfFormat } from '../../../../src/specs/hash-uri/rdf/parse-rdf.ts';
import { BASE, randomDocument } from '../../../rdf/document.ts';
import { FOLDER as folder } from '../../../support/scratch.ts';
import { cases, halvedCases, random } from '../../../support/seed.ts';
import { mustRefuse, rejectionOf } from '../../../support/thrown.ts';

const test = suite('hash-uri/rdf: files of any size');

/** They spill several times. */
const QUAD_COUNT = halvedCases(40_000);
const MEMORY_BYTES = 20 * QUAD_COUNT;

const EXTENSIONS: Readonly<Record<RdfFormat, string>> = { nquads: 'nq', ntriples: 'nt', trig: 'trig', turtle: 'ttl' };
const FORMATS = Object.keys(EXTENSIONS) as RdfFormat[];

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

test('files give what their quads give in memory, whatever the memory', async () => {
  const next = random();
  for (let index = 0; index < cases(60); index++) {
    const { text, format } = randomDocument(next, FORMATS[index % 4]!);
    const path = write(`document.${EXTENSIONS[format]}${index % 3 === 0 ? '.gz' : ''}`, text);
    const quads = parseRdf(text, { format });
    const made = make(BASE, quads, { module: 'RA' });
    const fromFile = await makeFromSource(BASE, sourceOfFile(path), { module: 'RA' }, 100 + next(10_000));
    assert.equal([fromFile.uri, fromFile.code], [made.uri, made.code]);
    const streamed: Quad[] = [];
    for await (const quad of fromFile.quads()) streamed.push(quad);
    assert.equal(streamed, made.quads);

    const pieces: string[] = [];
    const output = { write: (piece: string) => void pieces.push(piece), end: () => undefined };
    const writer = new Writer<Quad>(output, { format, prefixes: fromFile.prefixes });
    for (const quad of streamed) writer.addQuad(quad);
    writer.end();
    const published = write(`published.${made.code}.${EXTENSIONS[format]}`, pieces.join(''));
    assert.equal(
      verdictOf(made.uri, parseRdf(readFileSync(published), { format })).result,
      'verified',
      pieces.join(''),
    );
    const verdict = await checkSource(made.uri, sourceOfFile(published), {}, 500);
    assert.equal(verdict, { result: 'verified', code: made.code, order: 'code-points' });
  }
});

test('more quads than fit in the memory given: the code of all in memory, and the second try by UTF-16 units', async () => {
  const path = join(folder, 'large.nq');
  const file = createWriteStream(path);
  const next = random();
  for (let count = 0; count < QUAD_COUNT; count++) {
    const label = next(2) === 0 ? `label \u{1f600} ${next(1e6)}` : `label \uff5e ${next(1e6)}`;
    file.write(
      `<http://example.org/${next(1000)}> <http://example.org/p> "${label}" <http://example.org/g${next(5)}> .\n`,
    );
  }
  await finished(file.end());
  const quads = parseRdf(readFileSync(path), { format: 'nquads' });
  const { code } = verdictOf(`x.RA${'A'.repeat(43)}`, quads);
  const java = utf16Code(quads);
  const source = sourceOfFile(path);
  assert.equal(await checkSource(`x.${code}`, source, {}, MEMORY_BYTES), {
    result: 'verified',
    code,
    order: 'code-points',
  });
  assert.equal(await checkSource(`x.${java}`, source, {}, MEMORY_BYTES), { result: 'mismatch', code });
  assert.equal(await checkSource(`x.${java}`, source, { order: 'utf16' }, MEMORY_BYTES), {
    result: 'verified',
    code,
    order: 'utf16',
  });
});

/** Computes the code by JavaScript's own comparison, of graph, subject and label: all else is the same in each quad. */
function utf16Code(quads: readonly Quad[]): string {
  const key = ({ graph, subject, object }: Quad) => [graph.value, subject.value, object.value] as const;
  const sorted = [...quads].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    const part = left.findIndex((each, index) => each !== right[index]);
    return part === -1 ? 0 : left[part]! < right[part]! ? -1 : 1;
  });
  const lines = sorted.map(
    ({ graph, subject, object }) =>
      `${graph.value}\n${subject.value}\nhttp://example.org/p\n^http://www.w3.org/2001/XMLSchema#string ${object.value}\n`,
  );
  const distinct = lines.filter((line, index) => line !== lines[index - 1]);
  return `RA${createHash('sha256').update(distinct.join('')).digest('base64url')}`;
}

test('what is not a file, not packed, or of no known format', async () => {
  assert.throws(() => sourceOfFile('x.rdf'), /^the name x\.rdf tells no format: name one of nquads, ntriples, /);
  const verdict = (path: string) => checkSource(`x.RA${'A'.repeat(43)}`, sourceOfFile(path), {}, 1000);
  const failure = (path: string) => verdict(path).then(String, (error: NodeJS.ErrnoException) => error.code);
  assert.is(await failure(join(folder, 'none.nq')), 'ENOENT');
  assert.is(await failure(join(folder, 'none.nq.gz')), 'ENOENT');
  writeFileSync(join(folder, 'bad.nq.gz'), 'not packed');
  assert.is(await failure(join(folder, 'bad.nq.gz')), 'Z_DATA_ERROR');
  writeFileSync(join(folder, 'cut.nq.gz'), gzipSync('<http://e/s> <http://e/p> "a" .\n').subarray(0, 20));
  assert.is(await failure(join(folder, 'cut.nq.gz')), 'Z_BUF_ERROR');
  assert.is(await failure(write('damaged.nq', '<http://e/s>')), 'ERR_INVALID_RDF');
});

test('files by their names and by a format that is told; options that there are not', async () => {
  const text = '<r1> <http://e/p> [ <http://e/q> "a" ] .';
  const [named, unnamed] = [write('a.ttl', text), write('a', text)];
  const made = await makeFile('http://e/r1', named, { module: 'RA', baseIRI: 'http://e/' });
  const quads = parseRdf(text, { format: 'turtle', baseIRI: 'http://e/' });
  assert.is(made.uri, make('http://e/r1', quads, { module: 'RA' }).uri);
  const options = { module: 'RA', format: 'turtle', baseIRI: 'http://e/', memoryBytes: 1e6 } as const;
  assert.is((await makeFile('http://e/r1', unnamed, options)).uri, made.uri);
  const code = artifactCode(parseRdf('<http://e/s> <http://e/p> "a" .', { format: 'turtle' }), { module: 'RA' });
  const plain = write('b.nt', '<http://e/s> <http://e/p> "a" .');
  assert.is(await verifyFile(code, plain), true);
  assert.is(await verifyFile(made.uri, plain), false);
  assert.equal(await checkSource(code, sourceOfFile(plain), {}, 1e6), {
    result: 'verified',
    code,
    order: 'code-points',
  });
});

test('wrong arguments are named before a file is opened', async () => {
  const code = `RA${'A'.repeat(43)}`;
  const any = (value: unknown) => value as never;
  const base = 'http://example.org/doc';
  const noPath = 'TypeError: path must be a path or a file: URL, got';
  await mustRefuse([
    [() => makeFile(base, 'none.nt', any(undefined)), 'TypeError: options must be an object, got undefined'],
    [() => makeFile(base, 'none.nt', any('RA')), 'TypeError: options must be an object, got string'],
    [() => makeFile(base, any(5), { module: 'RA' }), `${noPath} number`],
    [
      () => makeFile(base, 'none.nt', { module: 'RA', memoryBytes: any('1e7') }),
      'TypeError: memoryBytes must be a number, got string',
    ],
    [() => verifyFile(code, 'none.nt', any(null)), 'TypeError: options must be an object, got null'],
    [() => verifyFile(code, 'none.nt', any({ memory: 1 })), 'RangeError: options has no "memory"…'],
    [() => verifyFile(code, any(null)), `${noPath} null`],
    [() => verifyFile(code, 'none.nt', { memoryBytes: 10 }), 'RangeError: memoryBytes must be 1000000 or more, got 10'],
    [() => verifyFile(code, 'none'), 'RangeError: the name none tells no format…'],
  ]);
});

async function all<Each>(items: AsyncIterable<Each>): Promise<Each[]> {
  const found: Each[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const documentOf = (title: string) => `<http://example.org/doc> <http://purl.org/dc/terms/title> "${title}" .\n`;

test('quads of another content than the code was made of are refused', async () => {
  const path = join(folder, 'doc.nt');
  writeFileSync(path, documentOf('Hello'));
  const made = await makeFile('http://example.org/doc', path, { module: 'RA' });
  assert.is((await all(made.quads())).length, 1);
  writeFileSync(path, documentOf('Hullo'));
  const error = await rejectionOf(all(made.quads()));
  assert.match(String(error), /it changed after it was read for the first time/);
  writeFileSync(path, documentOf('Hello'));
  assert.is((await all(made.quads())).length, 1);
});

test.run();
