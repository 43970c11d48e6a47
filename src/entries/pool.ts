/**
 * Several threads: for Node, Deno and Bun.
 *
 * @packageDocumentation
 */
export { UrlsumError } from '../error.ts';
export { UrlHashPool, type UrlHashPoolOptions } from '../pool/pool.ts';
