/**
 * Several threads: for Node, Deno and Bun.
 *
 * @packageDocumentation
 */
export type { AbortSource } from '../core/abort-signal.ts';
export { UrlsumError } from '../core/error.ts';
export { UrlHashPool, type UrlHashPoolOptions } from '../store/pool/pool.ts';
