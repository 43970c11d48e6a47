// Options of the package as it is built, in a program where someone set a property of Object.prototype: a result, its
// profile and its errors are those of the options given.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import * as assert from 'uvu/assert';
import { type Entries, namesOf, type OptionCall, optionCalls, outcomeOf } from './option-calls.ts';

/** What some option takes, and what it does not. */
const VALUES: readonly unknown[] = [
  ...[true, false, 0, 1, 4, 8, 16, 17, 300, 1e6],
  ...['', 'x', 'page-2026', 'N', 'P', 'both', 'md5', 'sha1', 'frag', 'web-risk', 'v5', 'spec', 'browser', 'union'],
  ...['lines', 'hosts'],
  ...['adblock', 'FA', 'RA', 'RB', 'utf16', 'code-points', 'java', '/', '#', '-', 'nquads', 'turtle', 'trig'],
  ...['ntriples'],
  ...['text', 'number', 'escape', 'reject', 'tracking-2026', 'http://b.example/', 'url/1+unicode17', 'simd', 'js'],
  ...['hashed-uri', 'hash-uri', 'url', 'no-storage', 'real-time', 'local-list', 'allow', 'block'],
  ...[['c'], ['https'], ['slash'], ['frag'], ['http'], ['mw-4b'], []],
  ...[{}, { mode: 'spec' }, { bnodeChar: '-' }, { refusedMs: 1 }, { defaultPort: 'text' }, { 'X-Key': 'x' }],
  ...[() => 0, new AbortController().signal],
];
/** Started threads take too long for a thousand rounds; nothing of their results is read here. */
const LEFT_OUT = ['UrlHashPool'];

async function builtEntries(): Promise<Entries> {
  const folder = join(process.cwd(), 'dist/esm');
  const names = readdirSync(folder).map((file) => file.replace(/\.js$/, ''));
  const wanted = ['index', 'explain', 'hash-index', 'hash-uri', 'hash-uri-rdf', 'hashed-uri', 'pool', 'safe-browsing'];
  wanted.push('safe-browsing-check', 'safe-browsing-lists');
  assert.equal(
    wanted.filter((name) => !names.includes(name)),
    [],
  );
  const entries = wanted.map(async (name) => [name, await import(join(folder, `${name}.js`))] as const);
  return Object.fromEntries(await Promise.all(entries)) as never;
}

/** The outcome as text, written when Object.prototype is clean again. */
async function shown([, , call]: OptionCall, options: object, polluted: Readonly<Record<string, unknown>> = {}) {
  let outcome: unknown;
  const prototype = Object.prototype as Record<string, unknown>;
  try {
    for (const [name, value] of Object.entries(polluted))
      Object.defineProperty(prototype, name, { value, configurable: true, writable: true, enumerable: true });
    outcome = await outcomeOf(call, options);
  } finally {
    for (const name of Object.keys(polluted)) delete prototype[name];
  }
  return inspect(outcome, { depth: 8 }).replace(/\n +at .*/g, '');
}

/**
 * Every name of an option × every function, with each value that changes some result where it is given; and `count` times
 * several names at once.
 */
export async function pollution(count: number, next: (below: number) => number): Promise<string> {
  const calls = optionCalls(await builtEntries()).filter(([name]) => !LEFT_OUT.includes(name));
  const expected = await Promise.all(calls.map((call) => shown(call, call[1])));
  const effective = new Map<string, Set<unknown>>();
  for (const [at, call] of calls.entries()) {
    for (const name of await namesOf(call)) {
      const values = effective.get(name) ?? new Set();
      effective.set(name, values);
      for (const value of VALUES)
        if (values.size < 2 && (await shown(call, { ...call[1], [name]: value })) !== expected[at]) values.add(value);
    }
  }
  const pairs = [...effective].flatMap(([name, values]) => [...values].map((value) => [name, value] as const));
  const without = [...effective].filter(([, values]) => values.size === 0).map(([name]) => name);
  assert.equal(without, [], 'a value that changes something is needed of each');
  for (const [at, call] of calls.entries()) {
    for (const [name, value] of pairs) {
      const label = `${call[0]} where Object.prototype.${name} is ${inspect(value)}`;
      assert.is(await shown(call, call[1], { [name]: value }), expected[at], label);
    }
  }
  for (let round = 0; round < count; round++) {
    const polluted = Object.fromEntries(Array.from({ length: 2 + next(8) }, () => pairs[next(pairs.length)]!));
    const at = next(calls.length);
    const call = calls[at]!;
    assert.is(await shown(call, call[1], polluted), expected[at], `${call[0]} under ${inspect(polluted)}`);
  }
  return `${effective.size} names, ${pairs.length} values, ${calls.length} functions`;
}
