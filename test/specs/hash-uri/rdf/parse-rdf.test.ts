import type { Quad as RdfJsQuad } from '@rdfjs/types';
import { Parser } from 'n3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { artifactCode, parseRdf, parseRdfStream, type RdfFormat } from '../../../../src/entries/hash-uri/rdf.ts';
import { Literal, NamedNode, type Quad } from '../../../../src/specs/hash-uri/rdf/rdf-js.ts';
import { randomDocument } from '../../../rdf/document.ts';
import { cases, halvedCases, random } from '../../../support/seed.ts';
import { errorOf, mustRefuse, rejectionOf } from '../../../support/thrown.ts';

const test = suite('hash-uri/rdf: parse');
const DOCUMENT_COUNT = halvedCases(500);

const short = (value: string) => value.replace(/^.*[/#]/, '');
const triples = (text: string, format: RdfFormat = 'turtle') =>
  parseRdf(`@prefix : <http://e/> . ${text}`, { format }).map(
    ({ subject, predicate, object }) => `${short(subject.value)} ${short(predicate.value)} ${short(object.value)}`,
  );

test('a triple comes before the contents of the [ ] or ( ) that is its object', () => {
  const rows: readonly (readonly [text: string, expected: readonly string[]])[] = [
    [':a :p [ :q 1 ; :r [ :s 2 ] ; :t 3 ], 4 .', ['a p n-1', 'n-1 q 1', 'n-1 r n-2', 'n-2 s 2', 'n-1 t 3', 'a p 4']],
    [':a :p ( 1 2 ) ; :q 3 .', ['a p n-1', 'n-1 first 1', 'n-1 rest n-2', 'n-2 first 2', 'n-2 rest nil', 'a q 3']],
    [
      ':a :p ( [ :q 1 ] ( 2 ) () ) .',
      [
        'a p n-1',
        ...['n-1 first n-2', 'n-2 q 1', 'n-1 rest n-3'],
        ...['n-3 first n-4', 'n-4 first 2', 'n-4 rest nil', 'n-3 rest n-5'],
        ...['n-5 first nil', 'n-5 rest nil'],
      ],
    ],
    ['[ :q [ :r 1 ] ] :p 2 . :a :p [] .', ['n-1 q n-2', 'n-2 r 1', 'n-1 p 2', 'a p n-3']],
    ['( 1 2 ) :p 3 .', ['n-1 first 1', 'n-1 rest n-2', 'n-2 first 2', 'n-2 rest nil', 'n-1 p 3']],
    ['_:x :p _:y . _:y :p [ :q _:x ] .', ['b-x p b-y', 'b-y p n-1', 'n-1 q b-x']],
  ];
  for (const [text, expected] of rows) {
    assert.equal(triples(text), expected, text);
    assert.equal(triples(`:g { ${text} }`, 'trig'), expected, text);
  }
});

test('depth costs no stack: lists and brackets by the hundred thousand', () => {
  const list = triples(`:a :p ( ${'1 '.repeat(100_000)}) .`);
  assert.is(list.length, 200_001);
  assert.equal(list.slice(0, 3), ['a p n-1', 'n-1 first 1', 'n-1 rest n-2']);
  const nested = triples(`:a :p ${'[ :q '.repeat(10_000)} 1 ${']'.repeat(10_000)} .`);
  assert.is(nested.length, 10_001);
  assert.is(nested.at(-1), 'n-10000 q 1');
});

test('N-Quads and N-Triples agree with n3', () => {
  const next = random();
  let count = 0;
  for (let index = 0; index < DOCUMENT_COUNT; index++) {
    const { text, format } = randomDocument(next, index % 2 === 0 ? 'nquads' : 'ntriples');
    const ours = parseRdf(text, { format });
    const theirs = parsedByN3(text, format);
    assert.is(ours.length, theirs.length, text);
    ours.forEach((quad, at) => assert.ok(isSame(quad, theirs[at]!), `${text}: ${JSON.stringify(quad)}`));
    count += ours.length;
  }
  assert.ok(count > 2 * DOCUMENT_COUNT);
});

function parsedByN3(text: string, format: string): Quad[] {
  const N3 = Parser as unknown as new (options: object) => { parse(text: string): Quad[] };
  return new N3({ format, blankNodePrefix: '' }).parse(text);
}

/** n3 has language tags in lower case. */
function isSame(quad: Quad, other: Quad): boolean {
  return (['subject', 'predicate', 'object', 'graph'] as const).every((part) => {
    const [term, their] = [quad[part], other[part]];
    if (term.termType !== 'Literal' || term.language === '') return term.equals(their);
    return term.value === their.value && term.language.toLowerCase() === (their as Literal).language;
  });
}

test('what the grammar of N-Quads allows beside the usual', () => {
  const text = [
    '\ufeff# a comment',
    '',
    '<http://e/s><http://e/p>"a".# another',
    '  \t_:x.y\t<http://e/p> "\\t\\b\\n\\r\\f\\"\\\'\\\\\\u00E9\\U0001F600"@en-GB _:0 . ',
    '<http://e/\\u00e9> <http://e/p> "1"^^<http://e/d> <http://e/g> .\r',
    '_:a:b <http://e/p> _:é-1 .',
  ].join('\n');
  const [first, second, third, fourth] = parseRdf(text, { format: 'nquads' });
  assert.equal(first!.object, new Literal('a', new NamedNode('http://www.w3.org/2001/XMLSchema#string')));
  assert.equal([second!.subject.value, second!.object.value], ['x.y', '\t\b\n\r\f"\'\\é\u{1f600}']);
  assert.equal([(second!.object as Literal).language, second!.graph.value], ['en-GB', '0']);
  assert.equal([third!.subject.value, third!.graph.value], ['http://e/é', 'http://e/g']);
  assert.equal([fourth!.subject.value, fourth!.object.value, fourth!.graph.termType], ['a:b', 'é-1', 'DefaultGraph']);
});

test('damaged text: line and column, in every format', () => {
  const rows: readonly (readonly [format: RdfFormat, text: string, line: number, column: number, reason?: string])[] = [
    ['nquads', '<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> "a .\n', 2, 27],
    ['nquads', '<http://e/s> <http://e/p> "a"^^ .', 1, 32],
    ['nquads', '<http://e/s> <http://e/p> "a"@ .', 1, 30],
    ['nquads', '<http://e/s> <http://e/p> "a" <http://e/g>', 1, 43],
    ['nquads', '<http://e/s> <http://e/p> "a" . <http://e/s>', 1, 33],
    ['nquads', '"a" <http://e/p> "a" .', 1, 1],
    ['nquads', '\n\n<http://e/s> _:p "a" .', 3, 14],
    ['nquads', '<s> <http://e/p> "a" .', 1, 1],
    ['nquads', '<http://e/ s> <http://e/p> "a" .', 1, 1],
    ['nquads', '<http://e/\\u0020s> <http://e/p> "a" .', 1, 1],
    ['nquads', "<http://e/\\'s> <http://e/p> 'a' .", 1, 1],
    ['nquads', '<http://e/s> <http://e/p> "\\x" .', 1, 27],
    ['nquads', '<http://e/s> <http://e/p> "\\uD83D" .', 1, 27],
    ['nquads', '<http://e/s> <http://e/p> "\\U00110000" .', 1, 27],
    ['nquads', '<http://e/s> <http://e/p> _: .', 1, 27],
    ['nquads', '<http://e/s', 1, 1],
    ['nquads', '<http://e/s> <http://e/p> "a"@en--ltr .', 1, 33, 'directional-language'],
    ['nquads', '<http://e/s> <http://e/p> <<( <http://e/s> <http://e/p> "a" )>> .', 1, 27, 'triple-term'],
    ['ntriples', '<http://e/s> <http://e/p> "a" <http://e/g> .', 1, 31],
    ['turtle', '@prefix : <http://e/> .\n  :a :p "a" "b" .', 2, 13],
    ['turtle', '@prefix : <http://e/> .\n  :a ex:p "b" .', 2, 6],
    ['turtle', ':a :p "b" .', 1, 1],
    ['turtle', '@prefix : <http://e/> .\n  :a :p\r\n   %% "b" .', 3, 4],
    ['turtle', '@prefix : <http://e/> . :a :p <http://e/ x> .', 1, 31],
    ['turtle', '@prefix : <http://e/> . :a :p "a', 1, 31],
    ['turtle', '@prefix : <http://e/> . :a :p """a\n\n"""  ;', 3, 7],
    ['turtle', '@prefix : <http://e/> . :a :p [ :q 1 .', 1, 38],
    ['turtle', '@prefix : <http://e/> . :a :p "a"@en--ltr .', 1, 37, 'directional-language'],
    ['turtle', '@prefix : <http://e/> . :a :p <<( :a :b :c )>> .', 1, 48, 'triple-term'],
    ['trig', '@prefix : <http://e/> . :g { :a :p 1 ', 1, 38],
    ['trig', '@prefix : <http://e/> .\n:g { :a :p 1 } }', 2, 16],
  ];
  for (const [format, text, line, column, reason = 'syntax'] of rows) {
    assert.equal(
      failure(() => parseRdf(text, { format })),
      { reason, line, column },
      text,
    );
    assert.equal(
      failure(() => parseRdf(new TextEncoder().encode(text), { format })),
      { reason, line, column },
      text,
    );
  }
});

function failure(work: () => unknown): object {
  const { name, code, reason, line, column } = Object(errorOf(work));
  assert.equal([name, code], ['RdfError', 'ERR_INVALID_RDF']);
  return { reason, line, column };
}

test('bytes that are not UTF-8: line and column', () => {
  const start = new TextEncoder().encode('<http://e/s> <http://e/p> "a" .\n<http://e/s> <http://e/p> "é\u{1f600}');
  for (const bad of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f], [0x80]])
    assert.equal(
      failure(() => parseRdf(Uint8Array.of(...start, ...bad), { format: 'nquads' })),
      { reason: 'not-utf8', line: 2, column: 31 },
      bad.join(),
    );
});

async function all(quads: AsyncIterable<Quad>): Promise<Quad[]> {
  const found: Quad[] = [];
  for await (const quad of quads) found.push(quad);
  return found;
}

test('a document in pieces gives the quads of the whole, and the same errors', async () => {
  const next = random();
  for (let index = 0; index < cases(100); index++) {
    const { text, format } = randomDocument(next, (['nquads', 'ntriples', 'trig', 'turtle'] as const)[index % 4]!);
    const bytes = new TextEncoder().encode(text);
    const chunks = [];
    for (let at = 0, length: number; at < bytes.length; at += length)
      chunks.push(bytes.subarray(at, at + (length = 1 + next(40))));
    assert.equal(await all(parseRdfStream(chunks, { format })), parseRdf(text, { format }), text);
  }
  const damaged = ['@prefix : <http://e/> .\n', ' :a :p 1 .\n  :a', ' :p  %', '% .'].map((piece) =>
    new TextEncoder().encode(piece),
  );
  const { reason, line, column } = Object(await rejectionOf(all(parseRdfStream(damaged, { format: 'turtle' }))));
  assert.equal([reason, line, column], ['syntax', 3, 10]);
});

test('quads are those of RDF/JS, and any that are will do', () => {
  const [quad] = parseRdf('<http://e/s> <http://e/p> "a"@EN .', { format: 'turtle' });
  const typed: RdfJsQuad = quad!;
  const plain = structuredClone(typed) as unknown as RdfJsQuad;
  assert.is(artifactCode([plain], { module: 'RA' }), artifactCode([typed], { module: 'RA' }));
  assert.ok(quad!.equals(typed) && quad!.equals(plain) && typed.object.equals(quad!.object));
  assert.not(quad!.object.equals({ ...quad!.object, direction: 'ltr' }), 'a literal with a direction is another');
  assert.not(
    quad!.equals(null) || quad!.object.equals(new Literal('a', quad!.predicate)) || quad!.subject.equals(undefined),
  );
  assert.equal([typed.termType, typed.value], ['Quad', '']);
});

test('arguments of the wrong kind', async () => {
  const any = (value: unknown) => value as never;
  await mustRefuse([
    [() => parseRdf(any(1), { format: 'trig' }), 'TypeError: text must be a string, got number'],
    [
      () => parseRdf('', any({ format: 'json' })),
      'RangeError: format must be one of nquads, ntriples, trig, turtle, got "json"',
    ],
    [() => parseRdf('', any({ format: 'trig', base: '' })), 'RangeError: options has no "base", only format, baseIRI'],
    [() => parseRdf('', any(undefined)), 'TypeError: options must be an object, got undefined'],
  ]);
});

test.run();
