/** Several threads: for Node, Deno and Bun. */
export { UrlHashPool, type UrlHashPoolOptions } from './pool.ts';
