import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  make,
  NANOPUB,
  nanopublicationsOf,
  parseRdf,
  type RdfFormat,
  verdictOf,
  verify,
} from '../../../../src/entries/hash-uri/rdf.ts';
import type { Settings } from '../../../../src/specs/hash-uri/rdf/make.ts';
import { errorOf, mustRefuse } from '../../../support/thrown.ts';
import { CODE } from './quads.ts';

const test = suite('hash-uri/rdf: make');
const RB = `RB${CODE.slice(2)}`;

/** Returns what the subject `<iri>` becomes, with CODE for the code. */
function renamed(base: string, iri: string, settings: Partial<Settings> = {}): string {
  const { quads, code } = make(base, parseRdf(`<${iri}> <http://e/p> 1 .`, { format: 'turtle' }), {
    module: 'RA',
    settings,
  });
  return quads[0]!.subject.value.replaceAll(code, 'CODE');
}

test('what becomes of IRIs', () => {
  const rows: readonly (readonly [base: string, iri: string, renamed: string, settings?: Partial<Settings>])[] = [
    ['http://e/r1', 'http://e/r1', 'http://e/r1.CODE'],
    ['http://e/r1', 'http://e/r1#a', 'http://e/r1.CODE#%23a'],
    ['http://e/r1', 'http://e/r1/a', 'http://e/r1.CODE#/a'],
    ['http://e/r1', 'http://e/r10', 'http://e/r1.CODE#0'],
    ['http://e/r1', 'http://e/r1_a', 'http://e/r1.CODE#__a'],
    ['http://e/r1', 'http://e/r2', 'http://e/r2'],
    ['http://e/r1', `http://e/r1.${CODE}`, `http://e/r1.${CODE}`],
    ['http://e/r1', `http://e/r1.${CODE}.nq`, `http://e/r1.${CODE}.nq`],
    ['http://e/r1', `http://e/r1.${CODE}#a`, `http://e/r1.CODE#.${CODE}%23a`],
    ['http://e/', 'http://e/', 'http://e/CODE'],
    ['http://e/', 'http://e/a', 'http://e/CODE#a'],
    ['http://e/r#', 'http://e/r#', 'http://e/r#CODE'],
    ['http://e/r#', 'http://e/r#a', 'http://e/r#CODE.a'],
    ['http://e/r#x', 'http://e/r#xa', 'http://e/r#x.CODE.a'],
    ['http://e/r1', 'http://f/~~~ARTIFACTCODE~~~/~~~ARTIFACTCODE~~~', 'http://f/CODE/CODE'],
    ['http://e/r.~~~ARTIFACTCODE~~~', 'http://e/r.~~~ARTIFACTCODE~~~', 'http://e/r.CODE'],
    ['http://e/r.~~~ARTIFACTCODE~~~#', 'http://e/r.~~~ARTIFACTCODE~~~#a', 'http://e/r.CODE.a'],
    ['http://e/ARTIFACTCODE-PLACEHOLDER/', 'http://e/ARTIFACTCODE-PLACEHOLDER/', 'http://e/CODE'],
    ['http://e/r1', 'http://e/r1', 'http://e/r1/CODE', NANOPUB],
    ['http://e/r1', 'http://e/r1#a', 'http://e/r1/CODE/%23a', NANOPUB],
    ['http://e/r1', 'http://e/r1-a', 'http://e/r1.CODE#--a', { bnodeChar: '-' }],
    ['name', 'http://e/r1', 'http://e/r1'],
  ];
  for (const [base, iri, expected, settings] of rows)
    assert.is(renamed(base, iri, settings), expected, `${base} ${iri}`);
});

test('the URI, with and without a scheme', () => {
  const quads = parseRdf('<http://e/s> <http://e/p> 1 .', { format: 'turtle' });
  const uri = (base: string, settings: Partial<Settings> = {}) => {
    const made = make(base, quads, { module: 'RA', settings });
    assert.is(verify(made.uri, made.quads), true);
    return made.uri.replace(made.code, 'CODE');
  };
  assert.is(uri('http://f/x'), 'http://f/x.CODE');
  assert.is(uri('http://f/x', NANOPUB), 'http://f/x/CODE');
  assert.is(uri('http://f/x/'), 'http://f/x/CODE');
  assert.is(uri('name'), 'name.CODE');
  assert.is(uri(''), 'CODE');
});

test('blank nodes are numbered as they appear: graph, subject, predicate, object', () => {
  const quads = parseRdf('_:a <http://e/p> _:b _:c .\n_:b <http://e/p> _:d _:c .\n', { format: 'nquads' });
  const made = make('http://e/r1', quads, { module: 'RA', settings: NANOPUB });
  const numbers = made.quads.map(({ graph, subject, object }) =>
    [graph, subject, object].map(({ value }) => value.replace(`http://e/r1/${made.code}/_`, '')).join(),
  );
  assert.equal(numbers, ['1,2,3', '1,3,4']);
});

test('literals and datatypes are left as they are', () => {
  const text = '<http://e/r1> <http://e/p> "http://e/r1"^^<http://e/r1#d> , "~~~ARTIFACTCODE~~~"@En .';
  const [first, second] = make('http://e/r1', parseRdf(text, { format: 'turtle' }), { module: 'RA' }).quads;
  assert.equal(JSON.parse(JSON.stringify(first!.object)), {
    termType: 'Literal',
    value: 'http://e/r1',
    language: '',
    datatype: { termType: 'NamedNode', value: 'http://e/r1#d' },
  });
  assert.equal(JSON.parse(JSON.stringify(second!.object)), {
    termType: 'Literal',
    value: '~~~ARTIFACTCODE~~~',
    language: 'En',
    datatype: { termType: 'NamedNode', value: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' },
  });
});

test('module RB names one graph of several, and gives all of them back', () => {
  const text = '<http://e/s> <http://e/p> <http://e/g1#a> <http://e/g1> .\n<http://e/g1> <http://e/p> "x" .\n';
  const quads = parseRdf(text, { format: 'nquads' });
  const made = make('http://e/g1', quads, { module: 'RB' });
  assert.is(made.quads.length, 2);
  assert.is(made.quads[1]!.subject.value, made.uri);
  assert.is(verify(made.uri, made.quads, { graph: made.uri }), true);
  assert.is(verify(made.uri, made.quads.slice(0, 1)), true);
  const other = make('http://f/x', quads, { module: 'RB', graph: 'http://e/g1' });
  assert.match(other.uri, /^http:\/\/f\/x\.RB/);
  assert.equal([other.quads[0]!.graph.value, other.quads[0]!.object.value], [other.uri, 'http://e/g1#a']);
  assert.is(verify(other.uri, other.quads, { graph: other.uri }), true);
});

test('what cannot be named', () => {
  const nquads = (text: string) => parseRdf(text, { format: 'nquads' });
  const rows: readonly (readonly [work: () => unknown, reason: string])[] = [
    [() => make('http://e/r1', [], { module: 'RB' }), 'graph-empty'],
    [() => make('http://e/r1', nquads('<http://e/r1> <http://e/p> "x" .'), { module: 'RB' }), 'graph-empty'],
    [() => make('name', nquads('_:a <http://e/p> "x" .'), { module: 'RA' }), 'blank-node'],
    [
      () => make('http://e/r1', nquads(`<http://e/r1> <http://e/p> "x" <http://e/g.${RB}> .`), { module: 'RA' }),
      'graph-frozen',
    ],
    [() => make('http://e/r1', nquads(`_:a <http://e/p> "x" <http://e/g.${RB}> .`), { module: 'RA' }), 'graph-frozen'],
    [
      () =>
        make('http://e/r1', nquads(`<http://f/~~~ARTIFACTCODE~~~> <http://e/p> "x" <http://e/g.${RB}> .`), {
          module: 'RA',
        }),
      'graph-frozen',
    ],
  ];
  for (const [work, reason] of rows) {
    const error = errorOf(work) as Error & { reason?: string };
    assert.equal([error.name, error.reason], ['RdfError', reason], error.message);
  }
  const unchanged = nquads(`<http://e/s> <http://e/p> "x" <http://e/r1.${RB}> .\n<http://e/r1> <http://e/p> _:b .`);
  assert.is(make('http://e/r1', unchanged, { module: 'RA' }).quads[0]!.graph.value, `http://e/r1.${RB}`);
});

test('options that there are not', async () => {
  const any = (value: unknown) => value as never;
  await mustRefuse([
    [() => make(any(1), [], { module: 'RA' }), 'TypeError: base must be a string or a URL, got number'],
    [() => make('', [], any({ module: 'FA' })), 'RangeError: module must be one of RA, RB, got "FA"'],
    [() => make('', [], any({})), 'RangeError: module must be one of RA, RB, got undefined'],
    [() => make('', [], any({ module: 'RA', seperator: '.' })), 'RangeError: options has no "seperator", only…'],
    [() => make('', [], { module: 'RA', graph: 'http://e/' }), 'RangeError: graph is an option of module RB…'],
    [() => make('', [], any({ module: 'RA', settings: { bnode: '_' } })), 'RangeError: settings has no "bnode", only…'],
    [() => make('', [], { module: 'RA', settings: { bnodeChar: '' } }), 'RangeError: bnodeChar must be one character…'],
    [
      () => make('', [], { module: 'RA', settings: { postAcChar: ' ' } }),
      'RangeError: postAcChar must be one character…',
    ],
    [() => make('', [], { module: 'RA', settings: { preAcChar: '-' } }), 'RangeError: preAcChar must not be a Base64…'],
    ...[...'<>"{}|^`\\%[]\0\x7f\x80\u00a0'.slice(0, -1), '..', '\ue000', '\ud83d', '\ufdd0', '\u{1f600}'].flatMap(
      (bad) =>
        Object.keys(NANOPUB).map(
          (name) =>
            [
              () => make('http://e/r', [], { module: 'RA', settings: { [name]: bad } }),
              `RangeError: ${name} must be one character that an IRI may have, got "…`,
            ] as const,
        ),
    ),
    ...['http://a b/', 'http://e/<', 'http://e/\n', '1://e/', 'http://e/`'].map(
      (base) =>
        [
          () => make(base, [], { module: 'RA' }),
          'RangeError: base must be an absolute IRI, or have no ://, got "…',
        ] as const,
    ),
  ]);
});

test('the nanopublications of a document: one, several, none', () => {
  const type = '<http://www.nanopub.org/nschema#Nanopublication>';
  const read = (text: string) => nanopublicationsOf(parseRdf(text, { format: 'trig' }));
  const other = `http://e/RA${'d'.repeat(42)}E`;
  assert.equal(read(''), []);
  assert.equal(
    read(`<http://e/x> a ${type} . <http://e/${CODE}> a <http://e/T> . <http://e/${CODE}> <http://e/p> ${type} .`),
    [],
  );
  assert.equal(read(`<http://e/${CODE}> a ${type} . <${other}> a ${type} . <http://e/${CODE}> a ${type} .`), [
    `http://e/${CODE}`,
    other,
  ]);
});

test('a document is not what its URI names: that is the document with the URI in it', () => {
  const text = '<http://e/r1> <http://e/p> _:b .\n<http://e/r1#a> <http://e/p> "a"@EN .\n';
  const quadsOf = (document: string, format: RdfFormat, baseIRI?: string) =>
    parseRdf(new TextEncoder().encode(document), baseIRI === undefined ? { format } : { format, baseIRI });
  const { uri } = make('http://e/r1', quadsOf(text, 'ntriples'), { module: 'RA' });
  const published = `<${uri}> <http://e/p> <${uri}#_1> .\n<${uri}#%23a> <http://e/p> "a"@en .\n`;
  assert.is(verify(uri, quadsOf(published, 'ntriples')), true);
  assert.is(verify(`${uri}.nt.gz`, quadsOf(published, 'ntriples')), true);
  assert.is(verify(uri, []), false);
  assert.is(verdictOf('http://e/', quadsOf(published, 'ntriples')).result, 'not-a-hash-uri');
  const graph = '<http://e/g> <http://e/p> "x" <http://e/g> .';
  const rb = make('http://e/g', quadsOf(graph, 'nquads'), { module: 'RB' }).uri;
  assert.is(verify(rb, quadsOf(`<${rb}> <http://e/p> "x" <${rb}> .`, 'nquads')), true);
  const relative = '<> <#p> 1 .';
  const made = make('http://e/r1', quadsOf(relative, 'turtle', 'http://e/r1'), { module: 'RA' }).uri;
  assert.is(verify(made, quadsOf(relative, 'turtle', made)), false, '#p is renamed to #%23p');
  assert.is(verify(made, quadsOf('<> <#%23p> 1 .', 'turtle', made)), true);
});

test.run();
