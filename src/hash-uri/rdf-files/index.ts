/**
 * Hash-URIs of RDF files of any size, sorted in bounded memory: for Node, Deno and Bun.
 *
 * @packageDocumentation
 */

export type { FileOptions } from './file.ts';
export { checkFile, makeFromFile } from './file.ts';
export type { MadeSource } from './make.ts';
