import { createHash } from 'node:crypto';
import type { AnyQuad, AnyTerm } from '../../../../src/entries/hash-uri/rdf.ts';

// The trusty URI specification, version 1, module RA, sentence by sentence and as slow as it likes: the oracle.

interface Triple {
  readonly uris: readonly [graph: string, subject: string, predicate: string];
  readonly object:
    | { readonly uri: string }
    | { readonly label: string; readonly datatype?: string; readonly tag?: string };
}

export function naiveCode(module: 'RA' | 'RB', quads: Iterable<AnyQuad>, code: string | undefined): string {
  return module + createHash('sha256').update(naiveText(quads, code), 'utf8').digest('base64url');
}

export function naiveText(quads: Iterable<AnyQuad>, code: string | undefined): string {
  const triples = [...quads].map((quad) => preprocessed(quad, code)).sort(inOrder);
  return [...new Set(triples.map(serialized))].join('');
}

/** "all occurrences of the given artifact code in the URIs have to be replaced by a blank character" */
function preprocessed({ graph, subject, predicate, object }: AnyQuad, code: string | undefined): Triple {
  const blanked = ({ value }: AnyTerm) => (code === undefined ? value : value.split(code).join(' '));
  return {
    uris: [blanked(graph), blanked(subject), blanked(predicate)],
    object: object.termType === 'Literal' ? literal(object) : { uri: blanked(object) },
  };
}

function literal(term: AnyTerm): Triple['object'] {
  return term.language
    ? { label: term.value, tag: term.language.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) }
    : { label: term.value, datatype: term.datatype!.value };
}

/** The nine rules; a literal with a language tag has no datatype identifier. */
function inOrder(left: Triple, right: Triple): number {
  for (let part = 0; part < 3; part++) {
    const difference = lexicographic(left.uris[part]!, right.uris[part]!);
    if (difference !== 0) return difference;
  }
  const [a, b] = [left.object, right.object];
  if ('uri' in a || 'uri' in b) return 'uri' in a && 'uri' in b ? lexicographic(a.uri, b.uri) : 'uri' in a ? -1 : 1;
  return (
    lexicographic(a.label, b.label) ||
    Number(a.datatype !== undefined) - Number(b.datatype !== undefined) ||
    Number(a.tag !== undefined) - Number(b.tag !== undefined) ||
    lexicographic((a.datatype ?? a.tag)!, (b.datatype ?? b.tag)!)
  );
}

/** "the string with the smaller integer value at the first differing position is first. Otherwise, the shorter" */
function lexicographic(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  for (let at = 0; at < Math.min(a.length, b.length); at++)
    if (a[at] !== b[at]) return a[at]!.codePointAt(0)! - b[at]!.codePointAt(0)!;
  return a.length - b.length;
}

function serialized({ uris, object }: Triple): string {
  return `${uris.join('\n')}\n${serializedObject(object)}\n`;
}

function serializedObject(object: Triple['object']): string {
  if ('uri' in object) return object.uri;
  const escaped = object.label.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return object.tag === undefined ? `^${object.datatype} ${escaped}` : `@${object.tag} ${escaped}`;
}
