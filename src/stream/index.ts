/**
 * Web Streams: text in, columns out.
 *
 * @packageDocumentation
 */
export { hashStream } from './hash-stream.ts';
