import { readFileSync } from 'node:fs';
import { RdfXmlParser } from 'rdfxml-streaming-parser';
import { type AnyQuad, parseRdf } from '../../../../src/entries/hash-uri/rdf.ts';
import { formatOfName } from '../../../../src/specs/hash-uri/rdf/parse-rdf.ts';
import { parseTrix } from './trix.ts';

/** The quads of a file; `.xml` is TriX in the published suites, and `.rdf` RDF/XML. */
export async function quadsOfFile(path: string): Promise<AnyQuad[]> {
  const content = readFileSync(path);
  if (path.endsWith('.xml')) return parseTrix(content.toString());
  if (path.endsWith('.rdf')) return parseRdfXml(content.toString());
  return parseRdf(content, { format: formatOfName(path)! });
}

async function parseRdfXml(xml: string): Promise<AnyQuad[]> {
  const parser = new RdfXmlParser();
  parser.end(xml);
  const quads: AnyQuad[] = [];
  for await (const quad of parser) quads.push(quad as AnyQuad);
  return quads;
}
