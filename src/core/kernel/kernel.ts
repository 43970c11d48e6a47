import {
  DIGESTS,
  HOST_BITS_BYTES,
  LETTER_COUNT,
  LETTERS,
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
  UNICODE_ROWS,
  UNICODE_VERSION,
} from '../../../assembly/layout.ts';

/** The implementations of the hash: WebAssembly with SIMD, and JavaScript for hosts that lack either. */
export type KernelName = 'simd' | 'js';

/** Bytes of each SHA-256 that are kept. */
export type Width = 8 | 16 | 32;

/** A function of the host: the SHA-256 of a message, of a string as UTF-8, in lower-case hex digits. */
export type HostHex = (message: string | Uint8Array) => string;

/** SHA-256 (FIPS 180-4) over messages in a Memory. The implementations are equal in all but speed. */
export interface Kernel {
  readonly name: KernelName;
  readonly memory: Memory;

  /**
   * Makes each line of [address, end), the last byte of which must be `lineEnd`, a row, up to ROW_CAPACITY, and returns
   * their number: memory.rowStarts and rowEnds have their bounds, without LF or CR LF, or other `lineEnd`, and
   * memory.scannedEnd says where the next line begins.
   */
  findLines(address: number, end: number, lineEnd: number): number;

  /**
   * Moves `rowCount` rows, up to ROW_CAPACITY, that are at ROWS, one directly after another, to TEXT with a line feed
   * after each, sets their bounds, and returns their end. memory.rowEnds comes with the offset at which each ends, where
   * the first begins at the offset `start`. Absent from kernels that prove no row.
   */
  readonly separateRows?: (start: number, rowCount: number) => number;

  /**
   * Gives the rows their messages: the row itself if it is canonical, or its rewritten form, from the address `room`
   * on. memory.pending has those that need the parser: the span of one whose domain memory lacks is that domain. The
   * byte after each row, which no URL has, may be overwritten. memory.unicodeRows gets the rows whose host is beyond ASCII.
   * The messages of pages are folded as `folds` and as their rules in memory say, and those that cannot be are pending, as
   * are the rows that `leaves` names; memory.listed has those that `lists` names, whose parameters JavaScript may change.
   * assembly/layout.ts has the bits of all three.
   */
  classifyRows(
    rowCount: number,
    room: number,
    excludeFragment: boolean,
    folds: number,
    lists: number,
    leaves: number,
  ): void;

  /**
   * Adds a domain and its ASCII form, which are in memory, to the domains that the kernel knows in the version of Unicode
   * that memory names. Absent from kernels that prove no row, as `rewriteRow` is.
   */
  readonly addDomain?: (address: number, end: number, ascii: number, asciiEnd: number) => void;

  /** Gives a pending row its message, now that its domain is known; returns whether it could. */
  readonly rewriteRow?: (row: number, excludeFragment: boolean) => boolean | number;

  /** Writes the digests of rows [firstRow, endRow) of memory.spans, `width` bytes each, packed. */
  hash(firstRow: number, endRow: number, width: Width): void;

  /** Writes the digest of one message in memory to the address `digest`. */
  sha256(message: number, byteLength: number, digest: number, width: Width): void;

  /** Returns the host's own function for one message, where that is faster for that many bytes. */
  hostHex(byteLength: number): HostHex | undefined;

  /**
   * Together these hash one message in pieces, each at an address: init, update with whole blocks of 64 bytes, final
   * with what is left (0 to 63 bytes) of a message of `byteLength` bytes in all.
   */
  init(): void;
  update(message: number, blockCount: number): void;
  final(tail: number, tailLength: number, byteLength: number, digest: number, width: Width): void;
}

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
  /** A bit for each row whose host is beyond ASCII, row 0 in the lowest. */
  readonly unicodeRows: Uint32Array<ArrayBuffer>;
  /** The letters of domains that the kernel knows, by code point. */
  readonly letters: Uint32Array<ArrayBuffer>;
  /** SCANNED_END, ROOM_END, PENDING_COUNT, REWRITTEN_COUNT and LISTED_COUNT. */
  readonly #scanned: Uint32Array<ArrayBuffer>;
  readonly #unicodeVersion: Uint32Array<ArrayBuffer>;

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
    this.unicodeRows = new Uint32Array(buffer, UNICODE_ROWS, ROW_CAPACITY / 32);
    this.letters = new Uint32Array(buffer, LETTERS, LETTER_COUNT);
    this.#unicodeVersion = new Uint32Array(buffer, UNICODE_VERSION, 1);
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

  set rewrittenCount(count: number) {
    this.#scanned[3] = count;
  }

  /** The version of Unicode that domains are read by. */
  set unicodeVersion(version: number) {
    this.#unicodeVersion[0] = version;
  }

  /** Puts rules for sites into memory, unless they are there; of more than fit, the bits alone and a 0. */
  loadSites(table: Uint8Array): void {
    if (this.#sites === table) return;
    const fits = table.length <= SITES_BYTES;
    this.bytes.set(fits ? table : table.subarray(0, HOST_BITS_BYTES), SITES);
    if (!fits) this.bytes.fill(0, SITES + HOST_BITS_BYTES, SITES + SLOTS);
    this.#sites = table;
  }

  addUnicodeRow(row: number): void {
    this.unicodeRows[row >> 5]! |= 1 << (row & 31);
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
