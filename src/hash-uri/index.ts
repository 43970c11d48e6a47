// What the command imports from src/hash-uri: hash-URIs of bytes; those of RDF are in rdf/index.ts.

export type { Chunks } from './chunks.ts';
export { HashUriError } from './error.ts';
export { makeFromStream, verdictOfStream } from './file-module.ts';
export { fileNameOf, findCodes, partsOf } from './hash-uri.ts';
export { hostSha256 } from './sha256.ts';
