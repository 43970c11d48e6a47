import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { basicURLParse } from 'whatwg-url';
import { canonicalizeLiterally, resolveLiterally } from '../specs/hashed-uri/literal.ts';
import { formOf, inputOf, type StoredCase, shown, stored } from './stored.ts';

const test = suite('vectors: hashed-uri');

/** RFC 2396's characters and whole escapes, RFC 2732's brackets, and one number sign. */
const CHARACTERS =
  /^(?:[A-Za-z0-9\-_.!~*'();/?:@&=+$,[\]]|%[0-9A-Fa-f]{2})*(?:#(?:[A-Za-z0-9\-_.!~*'();/?:@&=+$,[\]]|%[0-9A-Fa-f]{2})*)?$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
/** After the colon comes neither a slash nor the end: a question mark there begins no query. */
const OPAQUE = /^[^:]*:[^/#]/;

function isReference(text: string): boolean {
  if (!CHARACTERS.test(text) || (/^[^/?#]*:/.test(text) && !SCHEME.test(text))) return false;
  const authority = /^(?:[^:/?#]*:)?\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  if (!/[[\]]/.test(authority)) return true;
  const address = /^(?:[^@[\]]*@)?\[([^@[\]]*)\](?::[0-9]*)?$/.exec(authority)?.[1];
  return address !== undefined && basicURLParse(`foo://[${address}]/`) !== null;
}

/** The absolute URI, or undefined where there is none. */
function absolute(text: string, base?: string): string | undefined {
  const isBase = base === undefined || (isReference(base) && SCHEME.test(base));
  if (!isReference(text) || !isBase) return undefined;
  if (SCHEME.test(text)) return text;
  const isOpaque = base !== undefined && OPAQUE.test(base);
  if (base === undefined || (isOpaque && !/^(?:#.*)?$/.test(text))) return undefined;
  return resolveLiterally(text, base);
}

function digest(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex');
}

function made(uri: string, variant: string, keep: readonly string[]): object {
  const canonical = canonicalizeLiterally(uri, variant, keep);
  const isOpaque = OPAQUE.test(canonical);
  const flags = `${canonical.includes('#') ? '+frag' : ''}${!isOpaque && /\?/.test(canonical.split('#')[0]!) ? '+query' : ''}`;
  return {
    ...formOf(canonical),
    md5: `hashed:md5=${digest('md5', canonical)}${flags}`,
    sha1: `hashed:sha1=${digest('sha1', canonical)}${flags}`,
  };
}

function isRefused({ failure, place, canonical, result, text }: StoredCase): boolean {
  return (
    typeof failure === 'string' &&
    typeof place === 'string' &&
    canonical === undefined &&
    result === undefined &&
    text === undefined
  );
}

test('hashed-uri.json: as a literal reading of the draft and node:crypto', () => {
  const { cases } = stored('hashed-uri.json');
  let count = 0;
  for (const vector of cases) {
    assert.is(vector['operation'], 'hash');
    const uri = absolute(inputOf(vector), vector['base']);
    if (uri === undefined) assert.ok(isRefused(vector['expect']), shown(vector));
    else assert.equal(vector['expect'], made(uri, vector['variant'], vector['keep']), shown(vector));
    count += uri === undefined ? 0 : 1;
  }
  assert.ok(count > cases.length / 2 && count < cases.length, `${count} of ${cases.length} are URIs`);
});

const HASHED = /^hashed:([a-z0-9.-]+)=([0-9a-f]+)((?:\+(?:frag|query))*)$/i;
const LENGTHS: Readonly<Record<string, number>> = { md5: 32, sha1: 40 };

/** A hashed URI by one regular expression: its fields, or undefined. */
function read(text: string): StoredCase | undefined {
  const [whole, algorithm, value, flags] = HASHED.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const [name, hex, all] = [algorithm!.toLowerCase(), value!.toLowerCase(), flags!.toLowerCase()];
  const keep = ['frag', 'query'].filter((part) => all.includes(part));
  const problems = !Object.hasOwn(LENGTHS, name)
    ? ['unregistered-algorithm']
    : LENGTHS[name] === hex.length
      ? []
      : ['digest-length'];
  return {
    text: `hashed:${name}=${hex}${keep.map((part) => `+${part}`).join('')}`,
    algorithm: name,
    value: hex,
    keep,
    problems,
  };
}

function matched(uri: string, { algorithm, value, keep, problems }: StoredCase, variant: string): string {
  if (problems.length > 0) return 'unsupported';
  const variants = variant === 'both' ? ['N', 'P'] : [variant];
  return variants.some((each) => digest(algorithm, canonicalizeLiterally(uri, each, keep)) === value)
    ? 'match'
    : 'no-match';
}

/** All that can come of reading and matching. */
const RESULTS = [
  'match',
  'no-match',
  'unsupported',
  'read',
  'digest-length',
  'unregistered-algorithm',
  'not-hashed',
  'algorithm-malformed',
  'value-malformed',
  'flag-unknown',
];

test('hashed-uri-match.json: as one regular expression, a literal reading of the draft and node:crypto', () => {
  const results = new Set<string>();
  for (const vector of stored('hashed-uri-match.json').cases) {
    const { operation, hashed, base, variant, expect } = vector;
    const text = inputOf(vector);
    const parsed = read(operation === 'parse' ? text : hashed);
    const uri = operation === 'parse' ? '' : absolute(text, base);
    if (parsed === undefined || uri === undefined) assert.ok(isRefused(expect), shown(vector));
    else
      assert.equal(expect, operation === 'parse' ? parsed : { result: matched(uri, parsed, variant) }, shown(vector));
    results.add(expect.result ?? expect.problems?.[0] ?? expect.failure ?? 'read');
  }
  for (const each of RESULTS) assert.ok(results.has(each), each);
});

test('every reason of a URI has a case', () => {
  const reasons = new Set(stored('hashed-uri.json').cases.map(({ expect }) => expect.failure));
  const all = [
    'scheme-missing',
    'scheme-malformed',
    'character-excluded',
    'escape-malformed',
    'ipv6-malformed',
    'base-opaque',
  ];
  for (const each of all) assert.ok(reasons.has(each), each);
});

test.run();
