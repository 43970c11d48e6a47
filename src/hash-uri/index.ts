// The door of src/hash-uri for the command: hash-URIs of bytes; those of RDF have a door of their own, in rdf/.

export type { Chunks } from './chunks.ts';
export { HashUriError } from './error.ts';
export { makeFromStream, verifyStream } from './file-module.ts';
export { fileNameOf, findCodes, partsOf } from './hash-uri.ts';
export { hostSha256 } from './sha256.ts';
