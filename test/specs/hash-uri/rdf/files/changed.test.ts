import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeFile } from '../../../../../src/specs/hash-uri/rdf/files/file.ts';
import { rejectionOf } from '../../../../thrown.ts';

const tests = suite('RDF that is read twice');
const folder = mkdtempSync(join(tmpdir(), 'urlsum-rdf-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

async function all<Each>(items: AsyncIterable<Each>): Promise<Each[]> {
  const found: Each[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const documentOf = (title: string) => `<http://example.org/doc> <http://purl.org/dc/terms/title> "${title}" .\n`;

tests('quads of another content than the code was made of are refused', async () => {
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

tests.run();
