import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDuckDB } from '../../src/tables/duckdb-package.ts';
import { register, type TableConnection } from '../../src/tables/register.ts';
import { errorOf } from '../thrown.ts';
import { connected } from './tables.ts';

const tests = suite('the package of DuckDB');
const folder = mkdtempSync(join(tmpdir(), 'urlsum-package-'));
tests.after(() => rmSync(folder, { recursive: true }));

/** The URL of a file of urlsum as npm installs it in a folder. */
function installedIn(name: string, isProject: boolean): string {
  const dist = join(folder, name, 'node_modules/urlsum/dist/esm');
  mkdirSync(dist, { recursive: true });
  if (isProject) writeFileSync(join(folder, name, 'package.json'), '{}');
  return pathToFileURL(join(dist, 'duckdb.js')).href;
}

/** Puts a package of this version beside urlsum. */
function addPackage(name: string, version: string): void {
  const path = join(folder, name, 'node_modules/@duckdb/node-api');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), '{ "main": "index.js" }');
  writeFileSync(join(path, 'index.js'), `exports.version = () => '${version}';`);
}

tests('a package that is missing is named with the line that installs it there', () => {
  const messageOf = (from: string) => errorOf(() => openDuckDB(from)).message;
  const start = 'this needs the package @duckdb/node-api: npm install';
  assert.is(messageOf(installedIn('project', true)), `${start} @duckdb/node-api`);
  assert.is(messageOf(installedIn('lib', false)), `${start} --global @duckdb/node-api`);
  assert.is(messageOf(pathToFileURL(join(folder, 'clone/dist/esm/duckdb.js')).href), `${start} @duckdb/node-api`);
});

tests('a version that is too old is refused by name', () => {
  for (const version of ['v1.4.5', 'v0.10.3', 'v1.3.4-dev']) {
    const from = installedIn(version, true);
    addPackage(version, version);
    const { message } = errorOf(() => openDuckDB(from));
    assert.is(message, `@duckdb/node-api ${version} is too old: 1.5 or later is needed`);
  }
});

tests('arguments of register', async () => {
  const connection = await connected();
  for (const [wrong, options, message] of [
    [{}, {}, 'connection must be a DuckDBConnection, got Object'],
    [undefined, {}, 'connection must be a DuckDBConnection, got undefined'],
    [connection, { width: 7 }, 'width must be one of 8, 16, 32, got 7'],
    [connection, { base: 'http://a/' }, 'options has no "base", only width, suffixList, '],
    [connection, { suffixList: 'com' }, 'suffixList must be what SuffixList.parse returns, got string'],
    [connection, { dropList: 'x' }, 'dropList must be one of '],
    [connection, 'http://a/', 'options must be an object'],
  ] as const) {
    const error = errorOf(() => register(wrong as TableConnection, options as object));
    assert.ok(error instanceof TypeError || error instanceof RangeError);
    assert.ok(error.message.startsWith(message), error.message);
  }
});

tests.run();
