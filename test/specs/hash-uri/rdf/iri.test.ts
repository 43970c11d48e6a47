import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import whatwg from 'whatwg-url';
import { parseRdf } from '../../../../src/entries/hash-uri/rdf.ts';
import { BaseIri } from '../../../../src/specs/hash-uri/rdf/iri.ts';
import { halvedCases, random } from '../../../support/seed.ts';
import { errorOf } from '../../../support/thrown.ts';

const tests = suite('hash-uri: IRIs of RDF');

/** RFC 3986, sections 5.4.1 and 5.4.2, but for `http:g`, which is absolute. */
const EXAMPLES = `
  g:h=g:h g=http://a/b/c/g ./g=http://a/b/c/g g/=http://a/b/c/g/ /g=http://a/g //g=http://g ?y=http://a/b/c/d;p?y
  g?y=http://a/b/c/g?y #s=http://a/b/c/d;p?q#s g#s=http://a/b/c/g#s g?y#s=http://a/b/c/g?y#s ;x=http://a/b/c/;x
  g;x=http://a/b/c/g;x g;x?y#s=http://a/b/c/g;x?y#s =http://a/b/c/d;p?q .=http://a/b/c/ ./=http://a/b/c/ ..=http://a/b/
  ../=http://a/b/ ../g=http://a/b/g ../..=http://a/ ../../=http://a/ ../../g=http://a/g ../../../g=http://a/g
  ../../../../g=http://a/g /./g=http://a/g /../g=http://a/g g.=http://a/b/c/g. .g=http://a/b/c/.g g..=http://a/b/c/g..
  ..g=http://a/b/c/..g ./../g=http://a/b/g ./g/.=http://a/b/c/g/ g/./h=http://a/b/c/g/h g/../h=http://a/b/c/h
  g;x=1/./y=http://a/b/c/g;x=1/y g;x=1/../y=http://a/b/c/y g?y/./x=http://a/b/c/g?y/./x g?y/../x=http://a/b/c/g?y/../x
  g#s/./x=http://a/b/c/g#s/./x g#s/../x=http://a/b/c/g#s/../x`
  .trim()
  .split(/\s+/)
  .map((line) => /^(.*)=([a-z]+:.*)$/.exec(line)!.slice(1) as [reference: string, iri: string]);

/** The IRIs of `<reference> a <reference> .` in Turtle. */
function read(reference: string, baseIRI?: string): readonly string[] {
  const format = 'turtle' as const;
  const [quad] = parseRdf(
    `<${reference}> a <${reference}> .`,
    baseIRI === undefined ? { format } : { format, baseIRI },
  );
  return [quad!.subject.value, quad!.object.value];
}

tests('the examples of RFC 3986, section 5.4', () => {
  assert.is(EXAMPLES.length, 41);
  for (const [reference, iri] of EXAMPLES) assert.equal(read(reference, 'http://a/b/c/d;p?q'), [iri, iri], reference);
});

/** Section 5.2.4 as it is written, on two buffers. */
function removeDotSegments(path: string): string {
  let [input, output] = [path, ''];
  while (input !== '') {
    if (/^\.\.?\//.test(input)) input = input.replace(/^\.\.?\//, '');
    else if (/^\/\.(?:\/|$)/.test(input)) input = input.replace(/^\/\.\/?/, '/');
    else if (/^\/\.\.(?:\/|$)/.test(input)) {
      input = input.replace(/^\/\.\.\/?/, '/');
      output = output.replace(/\/?[^/]*$/, '');
    } else if (/^\.\.?$/.test(input)) input = '';
    else {
      const segment = /^\/?[^/]*/.exec(input)![0];
      output += segment;
      input = input.slice(segment.length);
    }
  }
  return output;
}

/** Appendix B's expression. */
const APPENDIX_B = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?/;

/** The pseudocode of sections 5.2.2, 5.2.3 and 5.3 as it is written, for a reference without a scheme. */
function resolved(reference: string, base: string): string {
  const [, , , , , rPath = '', rQuery, , rFragment] = APPENDIX_B.exec(reference)!;
  const rAuthority = APPENDIX_B.exec(reference)![3];
  const [, scheme, , authority, , path = '', query] = APPENDIX_B.exec(base)!;
  let target = { authority, path, query };
  if (rAuthority !== undefined) target = { authority: rAuthority, path: removeDotSegments(rPath), query: rQuery };
  else if (rPath === '') target = { authority, path, query: rQuery ?? query };
  else if (rPath.startsWith('/')) target = { authority, path: removeDotSegments(rPath), query: rQuery };
  else {
    const merged = authority !== undefined && path === '' ? `/${rPath}` : path.replace(/[^/]*$/, '') + rPath;
    target = { authority, path: removeDotSegments(merged), query: rQuery };
  }
  return `${scheme}${target.authority ?? ''}${target.path}${target.query ?? ''}${rFragment ?? ''}`;
}

const PIECES = ['a', 'b', '.', '..', '/', '/', '/', '//', '?', '#', ':', ';', 'é', '...', '%2e'];
const BASES = ['http://h', 'http://h/', 'http:', 'urn:isbn:', 'urn:x:a/', 'file://', 'x:/', 'x:', 'a.b+c-d://u@h:1/'];

tests('8,000 pairs: as the pseudocode has it, and for hierarchical bases as whatwg-url has it', () => {
  const next = random();
  const some = (count: number) => Array.from({ length: next(count) }, () => PIECES[next(PIECES.length)]!).join('');
  const counts = { resolved: 0, refused: 0, url: 0 };
  for (let round = 0; round < halvedCases(8000); round++) {
    const base = `${BASES[next(BASES.length)]!}${some(6)}`;
    const reference = some(9);
    if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(reference)) continue;
    const iri = new BaseIri(base).resolve(reference);
    const expected = resolved(reference, base);
    const label = `${JSON.stringify(reference)} against ${JSON.stringify(base)}`;
    // a relative reference has no colon in its first segment, and a path without an authority does not begin with //
    const isReference = !/^[^/?#]*:/.test(reference);
    const hasOwnParts =
      APPENDIX_B.exec(expected)![3] === undefined || /^[^:]*:\/\//.test(base) || /^\/\//.test(reference);
    assert.is(iri, isReference && hasOwnParts ? expected : undefined, label);
    counts[iri === undefined ? 'refused' : 'resolved']++;
    if (iri !== undefined && /^http:\/\/h(?:\/|$)/.test(base) && !/\.|%|é|^\/\//.test(base) && isPlain(reference)) {
      assert.is(iri.replace(/^(http:\/\/h)(?=[?#]|$)/, '$1/'), new whatwg.URL(reference, base).href, label);
      counts.url++;
    }
  }
  console.log(counts);
  assert.ok(
    counts.resolved > halvedCases(8000) / 2 &&
      counts.refused > halvedCases(8000) / 50 &&
      counts.url > halvedCases(8000) / 50,
  );
});

/** Whether the URL Standard has no rule of its own for it: for escapes, hosts and what is not ASCII. */
function isPlain(reference: string): boolean {
  return !/%|é|^\/\//.test(reference);
}

tests('a relative IRI without a base is refused where it stands, by its place', () => {
  for (const [document, line, column] of [
    ['<x> <http://e/p> 1 .', 1, 1],
    ['<http://e/s>\n <y> 1 .', 2, 2],
    ['<http://e/s> a <> .', 1, 16],
    ['<http://e/s> a <#a> .', 1, 16],
    ['<http://e/s> a "1"^^<d> .', 1, 21],
    ['@base <x> . <http://e/s> a 1 .', 1, 7],
    ['BASE </x>\n<http://e/s> a 1 .', 1, 6],
    ['@prefix : <> . :s a 1 .', 1, 11],
    ['<1a:b> a 1 .', 1, 1],
    ['<é:x> a 1 .', 1, 1],
  ] as const) {
    const { reason, line: atLine, column: atColumn } = Object(errorOf(() => parseRdf(document, { format: 'turtle' })));
    assert.equal([reason, atLine, atColumn], ['iri-relative', line, column], document);
  }
});

tests('what resolves to no IRI is refused', () => {
  for (const [reference, base] of [
    ['a:b/../../x', 'http://h/'],
    ['1:b', 'http://h/'],
    ['..//c', 'urn:a/b'],
    ['/.//c', 'urn:a'],
  ] as const) {
    const document = `<http://e/s> a <${reference}> .`;
    if (reference.startsWith('a:')) assert.is(parseRdf(document, { format: 'turtle' })[0]!.object.value, reference);
    else
      assert.is(Object(errorOf(() => parseRdf(document, { format: 'turtle', baseIRI: base }))).reason, 'iri-relative');
  }
});

tests('a base is an absolute IRI', () => {
  for (const baseIRI of ['', 'x', '/a', '//h/a', '1:a', 'http://a b/', 'http://a/<', 'http://a/\\'])
    assert.match(
      String(errorOf(() => parseRdf('', { format: 'turtle', baseIRI }))),
      /^RangeError: baseIRI must be an absolute IRI, got "/,
      baseIRI,
    );
  assert.equal(read('x', new URL('http://a/b').href), ['http://a/x', 'http://a/x']);
  const turtle = '@base <http://a/b/c> . @base <d/e> . <f> a <../g> . @base <//h> . <i> a <j> .';
  const iris = parseRdf(turtle, { format: 'turtle' }).flatMap(({ subject, object }) => [subject.value, object.value]);
  assert.equal(iris, ['http://a/b/d/f', 'http://a/b/g', 'http://h/i', 'http://h/j']);
});

tests.run();
