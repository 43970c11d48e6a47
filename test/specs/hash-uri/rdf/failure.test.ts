import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type AnyQuad,
  type AnyTerm,
  artifactCode,
  hashedText,
  make,
  parseRdf,
  parseRdfStream,
  verify,
  verifyStream,
} from '../../../../src/entries/hash-uri/rdf.ts';
import { MAX_QUAD_UNITS } from '../../../../src/specs/hash-uri/rdf/rdf-js.ts';
import { mustBeLinear } from '../../../support/linear.ts';
import { cases, halvedCases } from '../../../support/seed.ts';
import { errorOf, rejectionOf } from '../../../support/thrown.ts';
import { CODE } from './quads.ts';

const test = suite('hash-uri/rdf: what cannot be hashed');

const node = (value: string, termType = 'NamedNode'): AnyTerm => ({ termType, value });
const literal = (value: string, extra: object = {}): AnyTerm =>
  ({ termType: 'Literal', value, language: '', datatype: node('http://e/d'), ...extra }) as AnyTerm;
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const s = node('http://e/s');
const quad = (parts: Partial<AnyQuad>): AnyQuad => ({
  subject: s,
  predicate: s,
  object: s,
  graph: node('', 'DefaultGraph'),
  ...parts,
});

test('each kind is a typed error, whatever is asked of it', () => {
  const rows: readonly (readonly [quad: AnyQuad, reason: string])[] = [
    ...(['subject', 'object', 'graph'] as const).map(
      (part) => [quad({ [part]: node('b', 'BlankNode') }), 'blank-node'] as const,
    ),
    ...(['subject', 'predicate', 'object', 'graph'] as const).flatMap((part) => [
      ...['\0', '\t', '\n', '\r', ' ', '\x1f'].map(
        (bad) => [quad({ [part]: node(`http://e/${bad}`) }), 'iri-character'] as const,
      ),
      [quad({ [part]: node('') }), 'iri-empty'] as const,
      ...['x', '/a', '//h/a', '#a', '1:a', 'é:a', ':a'].map(
        (relative) => [quad({ [part]: node(relative) }), 'iri-relative'] as const,
      ),
      [quad({ [part]: node('http://e/\ud83d') }), 'lone-surrogate'] as const,
      [quad({ [part]: node('x', 'Variable') }), 'term-kind'] as const,
    ]),
    [quad({ predicate: node('b', 'BlankNode') }), 'term-kind'],
    [quad({ subject: literal('a') }), 'term-kind'],
    [quad({ subject: { termType: 'Quad', value: '' } }), 'triple-term'],
    [quad({ object: { termType: 'Quad', value: '' } }), 'triple-term'],
    [quad({ object: literal('a', { language: 'en', direction: 'ltr' }) }), 'directional-language'],
    [quad({ object: literal('a', { datatype: node('http://e/ d') }) }), 'iri-character'],
    [quad({ object: literal('a', { datatype: node('d') }) }), 'iri-relative'],
    [quad({ object: literal('a', { datatype: node('http://e/d', 'BlankNode') }) }), 'term-kind'],
    [quad({ object: literal('a', { datatype: node(`${RDF}langString`) }) }), 'language-missing'],
    ...['en b', 'en\n', '\0'].map(
      (language) => [quad({ object: literal('a', { language }) }), 'language-character'] as const,
    ),
    [quad({ object: literal('\udc00a') }), 'lone-surrogate'],
  ];
  for (const [bad, reason] of rows) {
    const works = [
      () => hashedText([bad]),
      () => artifactCode([quad({}), bad], { module: 'RA' }),
      () => verify(`http://e/${CODE}`, [bad]),
      ...(reason === 'blank-node' ? [] : [() => make('http://e/', [bad], { module: 'RA' })]),
    ];
    for (const work of works) {
      const error = errorOf(work) as Error & { reason?: string; code?: string };
      assert.equal([error.name, error.code, error.reason], ['RdfError', 'ERR_INVALID_RDF', reason], error.message);
      assert.instance(error, TypeError);
    }
  }
});

test('an error has its quad, whose literal may have no datatype', () => {
  const error = errorOf(() => hashedText([quad({ object: node('\ud83d', 'Literal') })]));
  assert.is((error as Error & { input?: string }).input, '<http://e/s> <http://e/s> "\ud83d"');
});

test('Turtle and TriG: a datatype without a literal, and what a graph does not hold', () => {
  const base = '@base <http://e/> . @prefix x: <http://e/> . ';
  for (const datatype of ['<d>', 'x:d', ' <d>', '\n x:d']) {
    for (const statement of [
      `<s> <p> ^^${datatype} .`,
      `<s> ^^${datatype} <o> .`,
      `^^${datatype} <p> <o> .`,
      `<s> <p> ( 1 ^^${datatype} ) .`,
      `<s> <p> ( ^^${datatype} ) .`,
      `<s> <p> [ <p> ^^${datatype} ] .`,
      `<s> <p> <o>, ^^${datatype} .`,
      `<s> <p> <o>^^${datatype} .`,
      `<s> <p> "a"@en^^${datatype} .`,
      `<s> <p> "a"^^<d>^^${datatype} .`,
      `<s> a ^^${datatype} .`,
    ])
      for (const format of ['turtle', 'trig'] as const)
        assert.is(
          Object(errorOf(() => parseRdf(base + statement, { format }))).reason,
          'syntax',
          `${statement} in ${format}`,
        );
    assert.is(parseRdf(`${base}<s> <p> "a"^^${datatype} .`, { format: 'trig' }).length, 1);
  }
  for (const start of ['<g> {', '{', 'GRAPH <g> {', '<g> { <s> <p> <o> .', '{ <s> <p> <o> .', '[] { <s> <p> "a" .'])
    for (const inside of [
      '@base <b> .',
      'BASE <b>',
      '@prefix y: <b> .',
      'PREFIX y: <b>',
      '@version "1.2" .',
      'VERSION "1.2"',
      '{ <s> <p> <o> }',
      '<h> { <s> <p> <o> }',
      'GRAPH <h> { <s> <p> <o> }',
    ]) {
      const document = `${base}${start} ${inside} <s> <p> <o> }`;
      assert.is(Object(errorOf(() => parseRdf(document, { format: 'trig' }))).reason, 'syntax', document);
    }
  const afterGraph = `${base}<g> { <s> <p> <o> . } @base <http://f/> . <h> { <s> <p> <o> }`;
  assert.equal(
    parseRdf(afterGraph, { format: 'trig' }).map(({ graph, subject }) => [graph.value, subject.value]),
    [
      ['http://e/g', 'http://e/s'],
      ['http://f/h', 'http://f/s'],
    ],
  );
});

test('verifyStream rejects with the same', async () => {
  const quads = async function* () {
    yield quad({ subject: node('b', 'BlankNode') });
  };
  const error = await verifyStream(`http://e/${CODE}`, quads()).catch((reason: unknown) => reason);
  assert.is((error as { reason?: string }).reason, 'blank-node');
});

test('module RB: no quads, two graphs, the default graph', () => {
  const named = (graph: string) => quad({ graph: node(graph) });
  const rows: readonly (readonly [work: () => unknown, reason: string])[] = [
    [() => artifactCode([], { module: 'RB' }), 'graph-empty'],
    [() => verify(`http://e/RB${CODE.slice(2)}`, []), 'graph-empty'],
    [() => verify(`http://e/RB${CODE.slice(2)}`, [quad({})], { graph: 'http://e/g' }), 'graph-empty'],
    [() => artifactCode([named('http://e/g'), named('http://e/h')], { module: 'RB' }), 'graph-name'],
    [() => artifactCode([quad({})], { module: 'RB' }), 'graph-name'],
  ];
  for (const [work, reason] of rows) assert.is((errorOf(work) as { reason?: string }).reason, reason);
});

test('messages quote what they are about, and not all of it', () => {
  const { message } = errorOf(() => hashedText([quad({ object: node('b', 'BlankNode') })]));
  assert.is(
    message,
    'cannot hash RDF: "<http://e/s> <http://e/s> _:b": a blank node has no name to hash; make gives it one (blank-node)',
  );
  const long = errorOf(() =>
    hashedText([quad({ subject: node('b', 'BlankNode'), object: literal('x'.repeat(1 << 20)) })]),
  );
  assert.ok(long.message.length < 500);
});

test('one quad again and again is one quad', () => {
  const same = quad({ object: literal('the same') });
  const repeated = function* (count: number) {
    while (count-- > 0) yield same;
  };
  const textOf = (count: number) => hashedText({ [Symbol.iterator]: () => repeated(count) }, { code: '' });
  assert.is(textOf(cases(100_000)), hashedText([same]));
  mustBeLinear('the same quad', (length) => length, textOf);
});

/** Longer than any buffer on the way. */
const LITERAL_LENGTH = halvedCases(10_000_000);

test('a literal of 10 MB, and in a long run of 100', () => {
  const large = 'é\n'.repeat(LITERAL_LENGTH / 3);
  const escaped = large.replaceAll('\n', '\\n');
  assert.is(
    artifactCode([quad({ object: literal(large) })], { module: 'RA', code: '' }),
    `RA${createHash('sha256').update(`\nhttp://e/s\nhttp://e/s\n^http://e/d ${escaped}\n`).digest('base64url')}`,
  );
  for (const format of ['ntriples', 'turtle'] as const) {
    const text = `<http://e/s> <http://e/p> "${'x'.repeat(LITERAL_LENGTH)}" .`;
    const [only] = parseRdf(text, { format });
    assert.is(only!.object.value.length, LITERAL_LENGTH, format);
  }
});

test('a quad that some host could not hold is refused by its length, before its key is made', async () => {
  const long = 'x'.repeat(MAX_QUAD_UNITS);
  for (const bad of [
    quad({ object: literal(`${long}x`) }),
    quad({ object: node(`http://e/${long.slice(0, MAX_QUAD_UNITS / 3)}`) }),
    quad({ object: literal(`\0${long.slice(0, MAX_QUAD_UNITS / 2)}`) }),
    quad({ object: literal('a', { datatype: node(`http://e/${long}`) }) }),
  ])
    assert.is(Object(errorOf(() => hashedText([bad], { code: '' }))).reason, 'too-long');
  const piece = new TextEncoder().encode(long.slice(0, 1 << 20));
  const chunks = function* () {
    yield new TextEncoder().encode('<http://e/s> <http://e/p> "');
    for (let at = 0; at <= MAX_QUAD_UNITS; at += piece.length) yield piece;
  };
  const batches = parseRdfStream(chunks(), { format: 'nquads' });
  const error = await rejectionOf(batches.next());
  assert.equal([Object(error).reason, Object(error).line], ['too-long', 1]);
});

test.run();
