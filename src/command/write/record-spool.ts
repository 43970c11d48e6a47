import { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { TemporaryFile } from '../../store/temporary-file.ts';
import { readWhole, writeWhole } from '../../store/whole.ts';

/** A record and its results. */
export interface HashedRecord {
  /** In UTF-8; undefined if the row is not a record. */
  readonly record: Uint8Array | undefined;
  readonly hash: Uint8Array | undefined;
  /** Its URL, as given, in UTF-8. */
  readonly url: Uint8Array | undefined;
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
    const has = (part: unknown, bit: number) => (part === undefined ? 0 : bit);
    this.#group.uint32(has(record, HAS_RECORD) | has(hash, HAS_HASH) | has(url, HAS_URL));
    this.#group.uint32(record?.length ?? 0);
    this.#group.uint32(url?.length ?? 0);
    if (hash !== undefined) this.#group.bytes(hash, 0, this.#width);
    if (url !== undefined) this.#group.bytes(url);
    if (record !== undefined) this.#group.bytes(record);
    if (this.#group.length >= GROUP_BYTES) this.#flush();
  }

  /** Visits all records in order, each valid until the next, and yields now and then; then removes the file. */
  *readAll(visit: (record: HashedRecord) => void): Generator<void> {
    this.#flush();
    let position = 0;
    for (const length of this.#groupLengths) {
      const group = new Uint8Array(length);
      readWhole(this.#file.descriptor, group, position);
      this.#visit(group, visit);
      yield;
      position += length;
    }
    this.#file.close();
  }

  #visit(group: Uint8Array, visit: (record: HashedRecord) => void): void {
    const view = new DataView(group.buffer);
    for (let at = 0; at < group.length; ) {
      const parts = view.getUint32(at, true);
      const hashStart = at + HEAD_BYTES;
      const urlStart = hashStart + ((parts & HAS_HASH) === 0 ? 0 : this.#width);
      const recordStart = urlStart + view.getUint32(at + 8, true);
      at = recordStart + view.getUint32(at + 4, true);
      visit({
        hash: (parts & HAS_HASH) === 0 ? undefined : group.subarray(hashStart, urlStart),
        url: (parts & HAS_URL) === 0 ? undefined : group.subarray(urlStart, recordStart),
        record: (parts & HAS_RECORD) === 0 ? undefined : group.subarray(recordStart, at),
      });
    }
  }

  #flush(): void {
    const group = this.#group.take();
    if (group.length === 0) return;
    writeWhole(this.#file.descriptor, group);
    this.#groupLengths.push(group.length);
  }
}
