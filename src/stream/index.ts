/** Web Streams: text in, columns out. */
export { hashStream } from './hash-stream.ts';
