import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as hashUri from '../../src/entries/hash-uri.ts';
import * as hashedUri from '../../src/entries/hashed-uri.ts';
import * as safeBrowsing from '../../src/entries/safe-browsing.ts';
import * as site from '../../src/entries/site.ts';
import * as url from '../../src/index.ts';
import { sampled } from '../support/data.ts';
import { answered, textOfFile } from './file.ts';
import { runVectors } from './run.ts';
import { NAMES, type StoredCase, stored } from './stored.ts';
import type { Vector, VectorFile } from './vector.ts';

const test = suite('vectors: files');
const API = { url, site, safeBrowsing, hashedUri, hashUri };
const BYTE_LIMIT = 1 << 20;

function parsed(name: (typeof NAMES)[number]): VectorFile {
  return stored(name) as unknown as VectorFile;
}

test('the stored files are written as npm run vectors writes them, and there are no others', () => {
  const files = readdirSync('vectors').filter((name) => name.endsWith('.json'));
  assert.equal(files.sort(), [...NAMES].sort());
  for (const name of NAMES) {
    const file = parsed(name);
    const isSame = readFileSync(`vectors/${name}`, 'latin1') === textOfFile(file);
    assert.ok(isSame, `vectors/${name} is not what npm run vectors writes`);
    // whether the answers of all are those of the API is asked below
    const few = { ...file, cases: sampled(file.cases, 20) };
    assert.ok(textOfFile(answered(few, API)) === textOfFile(few), name);
  }
});

test('a file is ASCII, not too large, and asks nothing twice', () => {
  for (const name of NAMES) {
    const text = readFileSync(`vectors/${name}`, 'latin1');
    assert.match(text, /^[\n\x20-\x7e]*$/, name);
    assert.ok(text.length < BYTE_LIMIT, `${name} has ${text.length} bytes`);
    const questions = stored(name).cases.map((vector) =>
      JSON.stringify({ ...vector, clause: undefined, expect: undefined }),
    );
    assert.is(new Set(questions).size, questions.length, name);
  }
});

test('the head of a file describes every field of its cases, and none that is not there', () => {
  const described = new Map<string, Set<string>>();
  const found = new Map<string, Set<string>>();
  for (const name of NAMES) {
    const { fields, cases, ...head } = stored(name);
    const { specification } = head as unknown as VectorFile;
    described.set(specification, new Set([...(described.get(specification) ?? []), ...Object.keys(fields)]));
    found.set(specification, new Set([...(found.get(specification) ?? []), ...cases.flatMap(fieldNames)]));
  }
  for (const [specification, names] of found)
    assert.equal([...names].sort(), [...described.get(specification)!].sort(), specification);
});

function fieldNames(value: StoredCase): string[] {
  return Object.entries(value).flatMap(([name, each]) => {
    const isObject = typeof each === 'object' && each !== null && !Array.isArray(each);
    return [name, ...(isObject ? fieldNames(each) : [])];
  });
}

test('lone surrogates stand in files of their own: strict parsers of JSON refuse them', () => {
  for (const name of NAMES) {
    // JSON.stringify escapes a surrogate only where it is alone
    const isWellFormed = stored(name).cases.every((vector) => !/\\ud[89a-f]/.test(JSON.stringify(vector)));
    assert.is(isWellFormed, !name.includes('lone-surrogates'), name);
  }
});

test('every case comes out as stored, through the public API alone, one by one and in bulk', () => {
  const files = NAMES.map(parsed);
  const report = runVectors(files, API);
  assert.equal(report.disagreements, []);
  assert.is(
    report.count,
    files.reduce((sum, { cases }) => sum + cases.length, 0),
  );
  assert.ok(report.count > 10_000, `only ${report.count} cases`);
  assert.match(report.sha256, /^[0-9a-f]{64}$/);
  const few = [parsed('hashed-uri-match.json')];
  assert.is(runVectors(few, API).sha256, runVectors(few, API).sha256);
});

test('a changed expectation, an error and another answer of the API are disagreements', () => {
  for (const name of NAMES) {
    const file = parsed(name);
    const [first, ...rest] = file.cases as [Vector, ...Vector[]];
    const changed = {
      ...file,
      cases: [{ ...first, expect: { ...(first.expect as object), more: 1 } } as Vector, ...rest.slice(0, 100)],
    };
    const { disagreements } = runVectors([changed], API);
    assert.equal(
      disagreements.map(({ index }) => index),
      [0],
      name,
    );
  }
  const broken = {
    ...API,
    hashedUri: {
      ...hashedUri,
      parse: () => {
        throw new Error('broken');
      },
    },
  };
  const { disagreements, sha256 } = runVectors([parsed('hashed-uri-match.json')], broken);
  assert.ok(disagreements.length > 300 && disagreements.some(({ actual }) => actual.includes('broken')));
  assert.is.not(sha256, runVectors([parsed('hashed-uri-match.json')], API).sha256);
});

test.run();
