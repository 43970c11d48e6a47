/**
 * Several threads: for Node, Deno and Bun.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export type { AbortSource } from '../core/lifetime.ts';
export { UrlHashPool, type UrlHashPoolOptions } from '../store/pool/pool.ts';
