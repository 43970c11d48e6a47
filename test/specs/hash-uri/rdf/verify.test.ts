import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  artifactCode,
  type HashUriError,
  hashedText,
  make,
  nanopublicationsOf,
  parseRdf,
  parseRdfStream,
  verdictOf,
  verdictOfStream,
  verify,
  verifyStream,
} from '../../../../src/entries/hash-uri/rdf.ts';
import { DEFAULT_GRAPH, Literal, NamedNode, OwnQuad, type Quad } from '../../../../src/specs/hash-uri/rdf/rdf-js.ts';
import { halvedCases, random } from '../../../support/seed.ts';
import { errorOf, mustRefuse } from '../../../support/thrown.ts';
import { naiveCode, naiveText } from './naive.ts';
import { CODE, iri, quad, quads } from './quads.ts';

const test = suite('hash-uri/rdf: verify');

// reference values that trustyuri-java 1.23 gave
const RA_DOCUMENT = `
  @prefix : <http://example.org/r1#> . @prefix ex: <http://example.org/v/> .
  <http://example.org/r1> ex:p _:b .
  :G { :s ex:label "b", "a"@EN, "a" ; ex:next [ ex:n 1 ] . }`;
const RB_DOCUMENT = `
  @prefix ex: <http://example.org/v/> .
  <http://example.org/g1> { <http://example.org/g1> ex:p "x\\\\y\\nz" . <http://example.org/g1#it> ex:p _:b . }`;

test('a worked example of module RA, with its hashed text', () => {
  const made = make('http://example.org/r1', parseRdf(RA_DOCUMENT, { format: 'trig' }), { module: 'RA' });
  assert.is(made.uri, 'http://example.org/r1.RAC8TA3xOsn2GdnD4HMVZHzBcyLrGT1y7lykLiNdg31pU');
  const R = 'http://example.org/r1. ';
  const V = 'http://example.org/v/';
  const X = 'http://www.w3.org/2001/XMLSchema#';
  const lines = [
    ['', R, `${V}p`, `${R}#_1`],
    [`${R}#%23G`, `${R}#%23s`, `${V}label`, '@en a'],
    [`${R}#%23G`, `${R}#%23s`, `${V}label`, `^${X}string a`],
    [`${R}#%23G`, `${R}#%23s`, `${V}label`, `^${X}string b`],
    [`${R}#%23G`, `${R}#%23s`, `${V}next`, `${R}#_2`],
    [`${R}#%23G`, `${R}#_2`, `${V}n`, `^${X}integer 1`],
  ];
  assert.is(hashedText(made.quads), lines.map((parts) => `${parts.join('\n')}\n`).join(''));
  assert.is(verify(made.uri, made.quads), true);
  assert.is(artifactCode(made.quads, { module: 'RA' }), made.code);
});

test('a worked example of module RB, with its hashed text', () => {
  const made = make('http://example.org/g1', parseRdf(RB_DOCUMENT, { format: 'trig' }), { module: 'RB' });
  assert.is(made.uri, 'http://example.org/g1.RBPRol170Jd12WR8_GqUUBm2TL5nXrOP35sRbtSYCCgtM');
  const g = 'http://example.org/g1. ';
  const V = 'http://example.org/v/';
  assert.is(
    hashedText(made.quads),
    `${g}\n${g}\n${V}p\n^http://www.w3.org/2001/XMLSchema#string x\\\\y\\nz\n${g}\n${g}#%23it\n${V}p\n${g}#_1\n`,
  );
  assert.is(verify(made.uri, made.quads), true);
  assert.is(artifactCode(made.quads, { module: 'RB' }), made.code);
});

test('no quads: the code of no bytes, as for a file', () => {
  assert.is(artifactCode([], { module: 'RA' }), 'RA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
  assert.is(hashedText([]), '');
});

test('text and code are those of the specification, read literally', () => {
  fc.assert(
    fc.property(quads, fc.boolean(), (some, hasCode) => {
      const code = hasCode ? CODE : '';
      const text = hashedText(some, { code });
      assert.is(text, naiveText(some, code || undefined));
      assert.is(artifactCode(some, { module: 'RA', code }), naiveCode('RA', some, code || undefined));
    }),
    { numRuns: halvedCases(1_000), endOnFailure: true },
  );
});

test('the order in which quads come, and how often, changes nothing', () => {
  fc.assert(
    fc.property(quads, fc.array(fc.nat()), (some, picks) => {
      const again = some.length === 0 ? [] : picks.map((pick) => some[pick % some.length]!);
      const shuffled = [...again, ...some].sort(
        (a, b) => (createHash('md5').update(a.object.value).digest()[0]! % 3) - (b.subject.value.length % 3),
      );
      assert.is(artifactCode(shuffled, { module: 'RA', code: CODE }), artifactCode(some, { module: 'RA', code: CODE }));
    }),
    { numRuns: halvedCases(300), endOnFailure: true },
  );
});

test('make gives what verify accepts, and no more: any change to a quad is a mismatch', () => {
  fc.assert(
    fc.property(quads, quad, iri, fc.nat(), (some, other, name, pick) => {
      const made = make('http://e/r1', some, { module: 'RA' });
      assert.is(verify(made.uri, made.quads), true);
      assert.is(verify(`${made.uri}.nq.gz`, made.quads), true);
      assert.is(naiveCode('RA', made.quads, made.code), made.code);
      const text = hashedText(made.quads, { code: made.code });
      for (const changed of changes(made.quads, other, name, pick)) {
        const isSame = naiveText(changed, made.code) === text;
        assert.is(verify(made.uri, changed), isSame);
      }
    }),
    { numRuns: halvedCases(300), endOnFailure: true },
  );
});

function changes(some: readonly Quad[], other: Quad, name: NamedNode, pick: number): Quad[][] {
  const at = pick % Math.max(1, some.length);
  const { subject, predicate, object, graph } = some[at] ?? other;
  return [
    new OwnQuad(name, predicate, object, graph),
    new OwnQuad(subject, name, object, graph),
    new OwnQuad(subject, predicate, name, graph),
    new OwnQuad(subject, predicate, new Literal(`${object.value}a`, new NamedNode('http://e/d')), graph),
    new OwnQuad(subject, predicate, object, name),
    new OwnQuad(subject, predicate, object, DEFAULT_GRAPH),
  ]
    .map((changed) => some.map((each, index) => (index === at ? changed : each)))
    .concat([[...some, other], some.slice(1)]);
}

test('verifyStream and verdictOfStream promise the same of quads that come in time', async () => {
  const made = make('http://example.org/r1', parseRdf(RA_DOCUMENT, { format: 'trig' }), { module: 'RA' });
  const quadsOf = async function* () {
    yield* made.quads;
  };
  const promised = verifyStream(made.uri, quadsOf());
  assert.instance(promised, Promise);
  assert.is(await promised, true);
  assert.is((await verdictOfStream('http://e/', quadsOf())).result, 'not-a-hash-uri');
  assert.equal(await verdictOfStream(made.uri, quadsOf()), {
    result: 'verified',
    code: made.code,
    order: 'code-points',
  });
  assert.is(await verifyStream(made.uri, made.quads as never), true, 'a list of them too');
});

test('the order of UTF-16 units is a second try, asked for and reported', () => {
  const text = '<http://e/s> <http://e/p> "\u{1f600}" .\n<http://e/s> <http://e/p> "\uff5e" .\n';
  const some = parseRdf(text, { format: 'ntriples' });
  const specified = artifactCode(some, { module: 'RA' });
  const [first, second] = hashedText(some).split(/(?<=\u{1f600}\n|\uff5e\n)/u);
  assert.ok(first!.includes('\uff5e'), 'by code points the one beyond U+FFFF is last');
  const java = `RA${createHash('sha256')
    .update(second! + first!)
    .digest('base64url')}`;
  assert.equal(verdictOf(`x.${specified}`, some, { order: 'utf16' }), {
    result: 'verified',
    code: specified,
    order: 'code-points',
  });
  assert.equal(verdictOf(`x.${java}`, some, { order: 'utf16' }), {
    result: 'verified',
    code: specified,
    order: 'utf16',
  });
  assert.equal(verdictOf(`x.${java}`, some), { result: 'mismatch', code: specified });
  assert.is(verify(`x.${java}`, some, { order: 'utf16' }), true);
  assert.is(verify(`x.${CODE}`, some, { order: 'utf16' }), false);
});

test('each result of verdictOf: verify says true or false, or throws where there is nothing to compare', () => {
  const {
    uri,
    code,
    quads: some,
  } = make('http://e/x', parseRdf('<http://e/x> a <http://e/T> .', { format: 'turtle' }), { module: 'RA' });
  const rows: readonly (readonly [uri: string, result: string])[] = [
    [uri, 'verified'],
    [code, 'verified'],
    [`x.${code}.trig.gz`, 'verified'],
    [`http://other/${code}`, 'verified'],
    [`${uri.slice(0, -1)}B`, 'mismatch'],
    [`${uri}A`, 'mismatch'],
    [`http://e/x.RB${code.slice(2)}`, 'mismatch'],
    [`http://e/x.FA${code.slice(2)}`, 'unsupported'],
    [`http://e/${'a'.repeat(25)}`, 'unsupported'],
    ['http://e/x', 'not-a-hash-uri'],
    [`${uri}#p`, 'not-a-hash-uri'],
    ['', 'not-a-hash-uri'],
  ];
  for (const [each, result] of rows) {
    assert.is(verdictOf(each, some).result, result, each);
    if (result === 'verified' || result === 'mismatch') {
      assert.is(verify(each, some), result === 'verified');
    } else {
      const error = errorOf(() => verify(each, some)) as HashUriError;
      const reason = result === 'unsupported' ? 'module-unsupported' : result;
      assert.equal([error.name, error.reason, error.input], ['HashUriError', reason, each]);
    }
  }
});

test('module RB: all quads are in the graph that the URI names', () => {
  const made = make('http://example.org/g1', parseRdf(RB_DOCUMENT, { format: 'trig' }), { module: 'RB' });
  const [first] = made.quads;
  const inGraph = (graph: string) =>
    made.quads.map(({ subject, predicate, object }) => new OwnQuad(subject, predicate, object, new NamedNode(graph)));
  assert.is(verify(`g1.${made.code}.trig`, made.quads), true, 'the name of a file');
  assert.is(verify(`http://example.org/g2.${made.code}`, made.quads), false, 'another URI with this code');
  assert.is(verify(made.uri, inGraph('http://example.org/g1')), false);
  assert.is(verify(`g1.${made.code}.trig`, inGraph(`${made.uri}#x`)), false);
  const stray = new OwnQuad(first!.subject, first!.predicate, first!.object, DEFAULT_GRAPH);
  assert.is(verify(made.uri, [...made.quads, stray]), false);
  assert.is(verify(made.uri, [...made.quads, stray], { graph: made.uri }), true, 'one graph of a larger file');
});

test('the code is found where the quads hold one, and asked for where they hold several', () => {
  const other = `RA${'d'.repeat(42)}E`;
  const read = (text: string) => parseRdf(text, { format: 'trig' });
  const np = '<http://www.nanopub.org/nschema#Nanopublication>';
  const cases: readonly (readonly [text: string, code: string | undefined])[] = [
    ['<http://e/s> a <http://e/T> .', undefined],
    [`<http://e/s> a <http://e/${CODE}#T> .`, CODE],
    [`<http://e/${CODE}/a> <http://e/p> <http://e/${other}> .`, CODE],
    [
      `<http://e/${CODE}> <http://e/p> <http://e/${other}> . <http://e/${other}> <http://e/p> 1 . <http://e/${CODE}> a ${np} .`,
      CODE,
    ],
    [`<http://e/${CODE}> <http://e/p> "${other}" .`, CODE],
  ];
  for (const [text, code] of cases) assert.is(hashedText(read(text)), naiveText(read(text), code), text);
  const ambiguous = read(`<http://e/${CODE}> a <http://e/T> . <http://e/${other}> a <http://e/T> .`);
  assert.throws(
    () => hashedText(ambiguous),
    (error: { reason?: string }) => error.reason === 'code-ambiguous',
  );
  assert.is(hashedText(ambiguous, { code: other }), naiveText(ambiguous, other));
});

test('many quads of one kind: sorted by every rule', () => {
  const next = random();
  const some = Array.from(
    { length: halvedCases(20_000) },
    () =>
      new OwnQuad(
        new NamedNode(`http://example.org/a/long/beginning/that/is/shared/${next(1000)}`),
        new NamedNode(`http://example.org/p${next(3)}`),
        next(2) === 0
          ? new NamedNode(`http://example.org/${next(1000)}`)
          : new Literal(`${next(1000)}`, new NamedNode('http://e/d')),
        DEFAULT_GRAPH,
      ),
  );
  const text = hashedText(some, { code: '' });
  assert.is(text, naiveText(some, undefined));
});

test('what is not a list or a stream of quads is named, by each function', async () => {
  const [only] = parseRdf('<http://e/s> <http://e/p> "o" .', { format: 'turtle' });
  const takeLists: readonly ((quads: never) => unknown)[] = [
    (quads) => hashedText(quads),
    (quads) => hashedText(quads, { code: '' }),
    (quads) => artifactCode(quads, { module: 'RA' }),
    (quads) => nanopublicationsOf(quads),
    (quads) => verify(CODE, quads),
    (quads) => verdictOf(CODE, quads),
    (quads) => make('http://example.org/doc', quads, { module: 'RA' }),
  ];
  for (const take of takeLists) {
    for (const [quads, message] of [
      [undefined, 'quads must be a list of quads, got undefined'],
      [null, 'quads must be a list of quads, got null'],
      [5n, 'quads must be a list of quads, got bigint'],
      ['<s> <p> <o> .', 'quads must be a list of quads, got string'],
      [only, 'quads must be a list of quads, got Object'],
      [parseRdfStream([], { format: 'turtle' }), 'quads must be a list of quads, got AsyncGenerator'],
      [[5], 'quads[0] must be a quad, got number'],
      [[only, undefined], 'quads[1] must be a quad, got undefined'],
      [new Set([only, { ...only, graph: undefined }]), 'quads[1] must be a quad, got Object'],
      [[{ subject: 's', predicate: 'p', object: 'o', graph: 'g' }], 'quads[0] must be a quad, got Object'],
    ] as const)
      await mustRefuse([[() => take(quads as never), `TypeError: ${message}`]]);
    take(new Set([only]) as never);
  }
  for (const take of [verifyStream, verdictOfStream])
    for (const [quads, message] of [
      [{}, 'quads must be a stream of quads, got Object'],
      ['<s> <p> <o> .', 'quads must be a stream of quads, got string'],
      [[only, 5], 'quads[1] must be a quad, got number'],
    ] as const)
      await mustRefuse([[() => take(CODE, quads as never), `TypeError: ${message}`]]);
});

test.run();
