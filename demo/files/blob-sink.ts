/** Bytes handed to the browser at a time: it may put blobs on disk, and many small ones cost it more. */
const PIECE_BYTES = 8 << 20;

/** Where the browser has no files to write to: a Blob, put together from pieces. */
export function blobSink(): { readonly writable: WritableStream<Uint8Array<ArrayBuffer>>; blob(): Blob } {
  const pieces: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let byteLength = 0;

  function flush(): void {
    pieces.push(new Blob(chunks));
    chunks = [];
    byteLength = 0;
  }

  const writable = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(chunk) {
      chunks.push(chunk);
      byteLength += chunk.length;
      if (byteLength >= PIECE_BYTES) flush();
    },
    close: flush,
  });
  return { writable, blob: () => new Blob(pieces, { type: 'application/octet-stream' }) };
}
