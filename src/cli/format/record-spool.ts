import { readSync, writeSync } from 'node:fs';
import { GrowingBytes } from '../../bytes/growing-bytes.ts';
import { TemporaryFile } from '../../temporary-file.ts';

/** A record and its results. */
export interface HashedRecord {
  /** Undefined if the row is not a record. */
  readonly record: Uint8Array | undefined;
  readonly hash: Uint8Array | undefined;
  /** Its URL, as given. */
  readonly url: string | undefined;
}

/** Bytes written and read at a time, and up to one record more. */
const GROUP_BYTES = 1 << 20;

/** Bytes before each record: the parts that it has, and the byte lengths of the record and its URL. */
const HEAD_BYTES = 12;
const HAS_RECORD = 1;
const HAS_HASH = 2;
const HAS_URL = 4;

/** Keeps records on disk until all of them are seen: only then are their columns known. */
export class RecordSpool {
  readonly #file = new TemporaryFile();
  readonly #width: number;
  readonly #group = new GrowingBytes();
  readonly #groupLengths: number[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  add({ record, hash, url }: HashedRecord): void {
    const urlBytes = Buffer.from(url ?? '');
    const has = (part: unknown, bit: number) => (part === undefined ? 0 : bit);
    this.#group.uint32(has(record, HAS_RECORD) | has(hash, HAS_HASH) | has(url, HAS_URL));
    this.#group.uint32(record?.length ?? 0);
    this.#group.uint32(urlBytes.length);
    if (hash !== undefined) this.#group.bytes(hash, 0, this.#width);
    this.#group.bytes(urlBytes, 0, urlBytes.length);
    if (record !== undefined) this.#group.bytes(record, 0, record.length);
    if (this.#group.length >= GROUP_BYTES) this.#flush();
  }

  /** Yields all records in order, each valid until the next, then removes the file. */
  *records(): Generator<HashedRecord> {
    this.#flush();
    let position = 0;
    for (const length of this.#groupLengths) {
      const group = Buffer.alloc(length);
      for (let read = 0; read < length; )
        read += readSync(this.#file.descriptor, group, read, length - read, position + read);
      yield* this.#recordsIn(group);
      position += length;
    }
    this.#file.close();
  }

  *#recordsIn(group: Buffer): Generator<HashedRecord> {
    for (let at = 0; at < group.length; ) {
      const parts = group.readUInt32LE(at);
      const recordLength = group.readUInt32LE(at + 4);
      const urlLength = group.readUInt32LE(at + 8);
      const hashStart = at + HEAD_BYTES;
      const urlStart = hashStart + ((parts & HAS_HASH) === 0 ? 0 : this.#width);
      const recordStart = urlStart + urlLength;
      at = recordStart + recordLength;
      yield {
        hash: (parts & HAS_HASH) === 0 ? undefined : group.subarray(hashStart, urlStart),
        url: (parts & HAS_URL) === 0 ? undefined : group.toString('utf8', urlStart, recordStart),
        record: (parts & HAS_RECORD) === 0 ? undefined : group.subarray(recordStart, at),
      };
    }
  }

  #flush(): void {
    const group = this.#group.take();
    if (group.length === 0) return;
    for (let written = 0; written < group.length; ) written += writeSync(this.#file.descriptor, group, written);
    this.#groupLengths.push(group.length);
  }
}
