import {
  DIGESTS,
  HOST_BITS_BYTES,
  LISTED,
  PENDING,
  ROW_CAPACITY,
  ROW_ENDS,
  ROW_STARTS,
  SCANNED,
  SITES,
  SITES_BYTES,
  SLOTS,
  SPANS,
  TEXT,
  TEXT_END,
} from '../../../assembly/layout.ts';

/**
 * The views of one linear memory that both JavaScript and a kernel work in (assembly/layout.ts draws it). It never
 * grows, so they are created once and never detached.
 */
export class Memory {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The bytes from TEXT to TEXT_END. */
  readonly text: Uint8Array<ArrayBuffer>;
  /** Two numbers per row: the address and byte length of its message. */
  readonly spans: Uint32Array<ArrayBuffer>;
  /** The rows that need the parser, ascending; only the first `pendingCount` count. */
  readonly pending: Uint32Array<ArrayBuffer>;
  /** Four numbers per message whose parameters rules may change: its row, its rule, and its query's start and end. */
  readonly listed: Uint32Array<ArrayBuffer>;
  /** The addresses at which each row begins and ends, without its line end. */
  readonly rowStarts: Uint32Array<ArrayBuffer>;
  readonly rowEnds: Uint32Array<ArrayBuffer>;
  /** SCANNED_END, ROOM_END, PENDING_COUNT, REWRITTEN_COUNT and LISTED_COUNT. */
  readonly #scanned: Uint32Array<ArrayBuffer>;

  /** The rules for sites in memory. */
  #sites: Uint8Array | undefined;
  readonly #firstDigest: Uint8Array<ArrayBuffer>;

  /** The memory of a WebAssembly kernel, for modules that work in it too. */
  readonly wasm: WebAssembly.Memory | undefined;

  constructor(buffer: ArrayBuffer, wasm?: WebAssembly.Memory) {
    this.wasm = wasm;
    this.bytes = new Uint8Array(buffer);
    this.text = this.bytes.subarray(TEXT, TEXT_END);
    this.spans = new Uint32Array(buffer, SPANS, 2 * ROW_CAPACITY);
    this.pending = new Uint32Array(buffer, PENDING, ROW_CAPACITY);
    this.rowStarts = new Uint32Array(buffer, ROW_STARTS, ROW_CAPACITY);
    this.rowEnds = new Uint32Array(buffer, ROW_ENDS, ROW_CAPACITY);
    this.listed = new Uint32Array(buffer, LISTED, 4 * ROW_CAPACITY);
    this.#scanned = new Uint32Array(buffer, SCANNED, 5);
    this.#firstDigest = new Uint8Array(buffer, DIGESTS, 32);
  }

  /** The address at which the line after the last row begins. */
  get scannedEnd(): number {
    return this.#scanned[0]!;
  }

  /** The address at which free room after the text begins: rewritten rows are before it. */
  get roomEnd(): number {
    return this.#scanned[1]!;
  }

  get pendingCount(): number {
    return this.#scanned[2]!;
  }

  get rewrittenCount(): number {
    return this.#scanned[3]!;
  }

  get listedCount(): number {
    return this.#scanned[4]!;
  }

  set scannedEnd(address: number) {
    this.#scanned[0] = address;
  }

  set roomEnd(address: number) {
    this.#scanned[1] = address;
  }

  set pendingCount(count: number) {
    this.#scanned[2] = count;
  }

  /** Puts rules for sites into memory, unless they are there; of more than fit, the bits alone and a 0. */
  loadSites(table: Uint8Array): void {
    if (this.#sites === table) return;
    const fits = table.length <= SITES_BYTES;
    this.bytes.set(fits ? table : table.subarray(0, HOST_BITS_BYTES), SITES);
    if (!fits) this.bytes.fill(0, SITES + HOST_BITS_BYTES, SITES + SLOTS);
    this.#sites = table;
  }

  setSpan(row: number, address: number, byteLength: number): void {
    this.spans[2 * row] = address;
    this.spans[2 * row + 1] = byteLength;
  }

  /** Returns the first `width` bytes of the first digest: a view, made once, that the next hash overwrites. */
  firstDigest(width: number): Uint8Array<ArrayBuffer> {
    return width === 32 ? this.#firstDigest : this.#firstDigest.subarray(0, width);
  }
}
