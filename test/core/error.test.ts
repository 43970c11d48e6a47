import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorOf } from '../support/thrown.ts';

type Library = Readonly<Record<string, never>>;
type ErrorClass = abstract new () => Error;

interface Case {
  readonly entry: string;
  readonly name: string;
  readonly code: string;
  readonly input?: unknown;
  readonly provoke: (library: never) => unknown;
}

/** A call that throws an error, for each class. */
const CASES: readonly Case[] = [
  {
    entry: 'index',
    name: 'UrlError',
    code: 'ERR_INVALID_URL',
    input: 'x',
    provoke: ({ canonicalize }: typeof import('../../src/index.ts')) => canonicalize('x'),
  },
  {
    entry: 'safe-browsing',
    name: 'SafeBrowsingUrlError',
    code: 'ERR_INVALID_SAFE_BROWSING_URL',
    input: 'mailto:x',
    provoke: ({ canonicalize }: typeof import('../../src/entries/safe-browsing.ts')) => canonicalize('mailto:x'),
  },
  {
    entry: 'safe-browsing-lists',
    name: 'ListError',
    code: 'ERR_INVALID_LIST',
    provoke: ({ HashList }: typeof import('../../src/entries/safe-browsing/lists.ts')) =>
      HashList.fromBytes(new Uint8Array(3)),
  },
  {
    entry: 'hashed-uri',
    name: 'HashedUriError',
    code: 'ERR_INVALID_HASHED_URI',
    input: 'x',
    provoke: ({ parse }: typeof import('../../src/entries/hashed-uri.ts')) => parse('x'),
  },
  {
    entry: 'hash-uri',
    name: 'HashUriError',
    code: 'ERR_INVALID_HASH_URI',
    input: 'x',
    provoke: ({ toNi }: typeof import('../../src/entries/hash-uri.ts')) => toNi('x'),
  },
  {
    entry: 'hash-uri-rdf',
    name: 'RdfError',
    code: 'ERR_INVALID_RDF',
    provoke: ({ parseRdf }: typeof import('../../src/entries/hash-uri/rdf.ts')) => parseRdf('<', { format: 'nquads' }),
  },
  {
    entry: 'hash-index',
    name: 'HashIndexError',
    code: 'ERR_INVALID_HASH_INDEX',
    provoke: ({ HashIndex }: typeof import('../../src/entries/hash-index.ts')) => HashIndex.open(new Uint8Array(3)),
  },
];

interface Thrown {
  readonly error: Error;
  readonly Own: ErrorClass;
  readonly Parent: ErrorClass;
}

async function thrownBy({ entry, name, provoke }: Case): Promise<Thrown> {
  const library = (await import(join(process.cwd(), 'dist/esm', `${entry}.js`))) as Library;
  return { error: errorOf(() => provoke(library as never)), Own: library[name]!, Parent: library['UrlsumError']! };
}

const tests = suite('errors');
const thrown = await Promise.all(CASES.map(thrownBy));

tests('each has its code, a reason, and what it is about', () => {
  for (const [index, { name, code, input }] of CASES.entries()) {
    const error = thrown[index]!.error as Error & { reason?: unknown; code?: unknown; input?: unknown };
    assert.is(error.name, name);
    assert.is(error.code, code);
    assert.type(error.reason, 'string');
    const says = error.message.includes(`${error.reason}`) || name === 'ListError' || name === 'HashIndexError';
    assert.ok(says, error.message);
    if (input !== undefined) assert.is(error.input, input);
  }
  assert.is(new Set(CASES.map(({ code }) => code)).size, CASES.length);
});

tests('each is a TypeError, of its own class and of the parent that all entries share, and of no other class', () => {
  for (const [index, { error, Parent }] of thrown.entries()) {
    assert.instance(error, TypeError);
    assert.is(Parent, thrown[0]!.Parent);
    assert.instance(error, Parent);
    for (const [other, { Own }] of thrown.entries()) assert.is(error instanceof Own, other === index);
  }
});

// the last one, as it cannot be undone: programs that do not trust their libraries freeze what all of them share
tests('each has its name, code and reason where the prototypes of errors and objects are frozen', async () => {
  for (const { prototype } of [Error, TypeError, RangeError, Object, Function, Array]) Object.freeze(prototype);
  for (const one of CASES) {
    const { error } = await thrownBy(one);
    const { name, code, reason } = error as Error & { readonly code?: unknown; readonly reason?: unknown };
    assert.equal([name, code, typeof reason], [one.name, one.code, 'string']);
    for (const key of ['name', 'code', 'reason']) assert.ok(Object.hasOwn(error, key), `${name} has its own ${key}`);
  }
});

tests.run();
