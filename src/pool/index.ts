/**
 * Several threads: for Node, Deno and Bun.
 *
 * @packageDocumentation
 */
export { UrlHashPool, type UrlHashPoolOptions } from './pool.ts';
