import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const BUFFER_BYTES = 1 << 18;
/** Before each key: its length as a little-endian number. */
const LENGTH_BYTES = 4;

/** Writes keys to a file, one after another. */
export class KeyRunWriter {
  readonly #file: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #length = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'wx', 0o600);
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    if (this.#length + LENGTH_BYTES + end - start > BUFFER_BYTES) this.#flush();
    this.#length = this.#buffer.writeUInt32LE(end - start, this.#length);
    if (end - start > BUFFER_BYTES - LENGTH_BYTES) return this.#writeLarge(bytes.subarray(start, end));
    this.#buffer.set(bytes.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #writeLarge(key: Uint8Array): void {
    this.#flush();
    writeAll(this.#file, key);
  }

  #flush(): void {
    writeAll(this.#file, this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Reads them again; `bytes`, `start` and `end` are the current key, until the next one is asked for. */
export class KeyRunReader {
  bytes = Buffer.allocUnsafe(BUFFER_BYTES);
  start = 0;
  end = 0;
  readonly #file: number;
  /** Where what has been read ends. */
  #filled = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
  }

  /** False at the end of the run. */
  next(): boolean {
    if (!this.#has(LENGTH_BYTES)) return false;
    const byteLength = this.bytes.readUInt32LE(this.end);
    this.end += LENGTH_BYTES;
    if (!this.#has(byteLength)) throw new Error('a sorted run ends within a key');
    this.start = this.end;
    this.end += byteLength;
    return true;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Are there so many bytes after `end`? Reads them where they are not in memory. */
  #has(byteLength: number): boolean {
    if (this.#filled - this.end >= byteLength) return true;
    this.#keepRest(byteLength);
    for (let read: number; this.#filled < byteLength; this.#filled += read) {
      read = readSync(this.#file, this.bytes, this.#filled, this.bytes.length - this.#filled, null);
      if (read === 0) return false;
    }
    return true;
  }

  #keepRest(byteLength: number): void {
    const rest = this.bytes.subarray(this.end, this.#filled);
    if (byteLength > this.bytes.length) this.bytes = Buffer.allocUnsafe(byteLength);
    this.bytes.set(rest);
    this.#filled = rest.length;
    this.end = 0;
  }
}
