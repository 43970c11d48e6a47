import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { errorOf } from './thrown.ts';

type Library = Readonly<Record<string, never>>;
type ErrorClass = abstract new () => Error;

interface Case {
  readonly entry: string;
  readonly name: string;
  readonly code: string;
  readonly input?: unknown;
  readonly provoke: (library: never) => unknown;
}

/** For each class of errors, a call that throws one. */
const CASES: readonly Case[] = [
  {
    entry: 'index',
    name: 'UrlError',
    code: 'ERR_INVALID_URL',
    input: 'x',
    provoke: ({ canonicalize }: typeof import('../src/index.ts')) => canonicalize('x'),
  },
  {
    entry: 'safe-browsing',
    name: 'SafeBrowsingUrlError',
    code: 'ERR_INVALID_SAFE_BROWSING_URL',
    input: 'mailto:x',
    provoke: ({ canonicalize }: typeof import('../src/entries/safe-browsing.ts')) => canonicalize('mailto:x'),
  },
  {
    entry: 'safe-browsing-lists',
    name: 'ListError',
    code: 'ERR_INVALID_LIST',
    provoke: ({ HashList }: typeof import('../src/entries/safe-browsing/lists.ts')) =>
      HashList.fromBytes(new Uint8Array(3)),
  },
  {
    entry: 'hashed-uri',
    name: 'HashedUriError',
    code: 'ERR_INVALID_HASHED_URI',
    input: 'x',
    provoke: ({ parse }: typeof import('../src/entries/hashed-uri.ts')) => parse('x'),
  },
  {
    entry: 'hash-uri',
    name: 'HashUriError',
    code: 'ERR_INVALID_HASH_URI',
    input: 'x',
    provoke: ({ toNi }: typeof import('../src/entries/hash-uri.ts')) => toNi('x'),
  },
  {
    entry: 'hash-uri-rdf',
    name: 'RdfError',
    code: 'ERR_INVALID_RDF',
    provoke: ({ parseRdf }: typeof import('../src/entries/hash-uri/rdf.ts')) => parseRdf('<', { format: 'nquads' }),
  },
  {
    entry: 'hash-index',
    name: 'HashIndexError',
    code: 'ERR_INVALID_HASH_INDEX',
    provoke: ({ HashIndex }: typeof import('../src/entries/hash-index.ts')) => HashIndex.open(new Uint8Array(3)),
  },
];

const requireHere = createRequire(import.meta.url);

interface Copy {
  readonly name: string;
  readonly error: Error;
  readonly Own: ErrorClass;
  readonly Parent: ErrorClass;
}

/** Each error as an ES module and as CommonJS throw it, with the classes of the same copy. */
async function copiesOf({ entry, name, provoke }: Case): Promise<Copy[]> {
  const libraries = {
    esm: (await import(join(process.cwd(), 'dist/esm', `${entry}.js`))) as Library,
    cjs: requireHere(join(process.cwd(), 'dist/cjs', `${entry}.js`)) as Library,
  };
  return Object.entries(libraries).map(([format, library]) => ({
    name: `${name} of ${format}`,
    error: errorOf(() => provoke(library as never)),
    Own: library[name]!,
    Parent: library['UrlsumError']!,
  }));
}

const tests = suite('errors');
const kinds = await Promise.all(CASES.map(copiesOf));

tests('each has its code, a reason, and what it is about', () => {
  for (const [index, { name, code, input }] of CASES.entries()) {
    for (const { error } of kinds[index]!) {
      const { reason, ...own } = error as Error & { reason?: unknown; code?: unknown; input?: unknown };
      assert.is(error.name, name);
      assert.is(own.code, code);
      assert.type(reason, 'string');
      assert.ok(
        error.message.includes(`${reason}`) || name === 'ListError' || name === 'HashIndexError',
        error.message,
      );
      if (input !== undefined) assert.is(own.input, input);
    }
  }
  assert.is(new Set(CASES.map(({ code }) => code)).size, CASES.length);
});

tests('instanceof holds for the own class and the parent of every copy, and for no other class', () => {
  const all = kinds.flat();
  for (const [index, own] of kinds.entries()) {
    for (const { name, error } of own) {
      assert.ok(error instanceof TypeError, name);
      for (const other of all) {
        assert.ok(error instanceof other.Parent, `${name} and the parent of ${other.name}`);
        assert.is(error instanceof other.Own, kinds[index]!.includes(other), `${name} and ${other.name}`);
      }
    }
  }
});

tests('instanceof holds for nothing else', () => {
  const nodesOwn = errorOf(() => new URL('x'));
  for (const value of [null, undefined, 5, 'x', {}, new TypeError('x'), nodesOwn, { code: 'ERR_INVALID_URL' }])
    for (const { Own, Parent } of kinds.flat()) {
      assert.not.ok((value as unknown) instanceof Parent);
      assert.not.ok((value as unknown) instanceof Own);
    }
});

tests('a subclass of a user has its own instances only', () => {
  for (const { error, Own, Parent } of kinds.flat()) {
    class OfOwn extends (Own as unknown as new () => Error) {}
    class OfParent extends (Parent as unknown as new () => Error) {}
    assert.not.ok(error instanceof OfOwn || error instanceof OfParent);
    assert.ok(new OfParent() instanceof OfParent);
  }
});

tests.run();
