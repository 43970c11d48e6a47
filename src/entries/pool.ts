/**
 * Several threads: for Node, Deno and Bun.
 *
 * @packageDocumentation
 */
export type { AbortSource } from '../abort-signal.ts';
export { UrlsumError } from '../error.ts';
export { UrlHashPool, type UrlHashPoolOptions } from '../pool/pool.ts';
