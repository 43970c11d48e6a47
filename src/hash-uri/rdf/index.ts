// What the command imports from src/hash-uri/rdf: hash-URIs of RDF, in files of any size.

// What is read:

export { RdfError } from './error.ts';
export { RdfSource } from './files/file.ts';
export { formatOfName, type RdfFormat } from './format.ts';
export type { Quad } from './rdf-js.ts';

// What is made of it:

export { type MadeSource, makeFromSource } from './files/file.ts';
export { NANOPUB, type Settings } from './rewriting.ts';

// What is checked:

export { checkSource } from './files/file.ts';
export { checkNanopublications } from './files/nanopublications.ts';
export type { RdfVerdict } from './verify.ts';

// Its keys, sorted, and the text of them that is hashed:

export { keysOfSource } from './files/file.ts';
export { DEFAULT_KEY_BYTES, type SpillingKeys } from './files/spilling-keys.ts';
export type { Key, Keys } from './key-table.ts';
export { hashedPieces } from './sort-key.ts';
