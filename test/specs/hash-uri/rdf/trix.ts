import { SaxesParser } from '@rubensworks/saxes';
import {
  BlankNode,
  DEFAULT_GRAPH,
  Literal,
  NamedNode,
  OwnQuad,
  type Quad,
} from '../../../../src/specs/hash-uri/rdf/rdf-js.ts';

const XSD_STRING = new NamedNode('http://www.w3.org/2001/XMLSchema#string');
const LANG_STRING = new NamedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#langString');

/** The quads of a TriX document, a format of the trusty URI test suite that npm has no parser for. */
export function parseTrix(xml: string): Quad[] {
  const quads: Quad[] = [];
  let graph: Quad['graph'] = DEFAULT_GRAPH;
  let terms: Quad['object'][] | undefined;
  let text = '';
  let attributes: Record<string, string> = {};
  const term = (name: string): Quad['object'] | undefined => {
    if (name === 'uri') return new NamedNode(text.trim());
    if (name === 'id') return new BlankNode(text.trim());
    if (name === 'typedLiteral') return new Literal(text, new NamedNode(attributes['datatype']!));
    if (name !== 'plainLiteral') return undefined;
    const language = attributes['xml:lang'];
    return language === undefined ? new Literal(text, XSD_STRING) : new Literal(text, LANG_STRING, language);
  };
  const parser = new SaxesParser();
  parser.on('error', (error: Error) => {
    throw error;
  });
  parser.on('opentag', (tag: { name: string; attributes: unknown }) => {
    text = '';
    attributes = tag.attributes as Record<string, string>;
    if (tag.name === 'graph') graph = DEFAULT_GRAPH;
    if (tag.name === 'triple') terms = [];
  });
  parser.on('text', (piece: string) => (text += piece));
  parser.on('cdata', (piece: string) => (text += piece));
  parser.on('closetag', ({ name }: { name: string }) => {
    const value = term(name);
    if (value !== undefined && terms !== undefined) terms.push(value);
    else if (value !== undefined) graph = value as Quad['graph'];
    if (name !== 'triple') return;
    const [subject, predicate, object] = terms!;
    quads.push(new OwnQuad(subject as Quad['subject'], predicate as NamedNode, object!, graph));
    terms = undefined;
  });
  parser.write(xml).close();
  return quads;
}
