const NOTHING = new Uint8Array(0);

/** A part of a block in a module's memory, at `address`: it is brought in when it is needed. */
export class Window {
  readonly #memory: Uint8Array;
  readonly #address: number;
  readonly #capacity: number;
  /** The byte that ends each row; undefined where rows divide the capacity. */
  readonly #rowEnd: number | undefined;
  #block: Uint8Array = NOTHING;
  #start = 0;
  #end = 0;
  #endAddress = 0;

  constructor(memory: Uint8Array, address: number, capacity: number, rowEnd?: number) {
    this.#memory = memory;
    this.#address = address;
    this.#capacity = capacity;
    this.#rowEnd = rowEnd;
  }

  /** Begins at the start of another block. */
  open(block: Uint8Array): void {
    this.#block = block;
    this.#start = 0;
    this.#end = 0;
  }

  /** The address of the row at `offset`, and of whole rows after it; undefined where it does not fit. */
  addressOf(offset: number): number | undefined {
    if ((offset < this.#start || offset >= this.#end) && !this.#readWindow(offset)) return undefined;
    return this.#address + offset - this.#start;
  }

  /** Where the rows that were brought in end. */
  get endAddress(): number {
    return this.#endAddress;
  }

  offsetOf(address: number): number {
    return this.#start + address - this.#address;
  }

  #readWindow(offset: number): boolean {
    const end = this.#endOfRows(offset);
    if (end <= offset) return false;
    this.#memory.set(this.#block.subarray(offset, end), this.#address);
    this.#start = offset;
    this.#end = end;
    this.#endAddress = this.#address + end - offset;
    const isEnded = this.#rowEnd === undefined || this.#block[end - 1] === this.#rowEnd;
    if (!isEnded) this.#memory[this.#endAddress++] = this.#rowEnd!;
    return true;
  }

  #endOfRows(offset: number): number {
    const end = offset + this.#capacity;
    if (end >= this.#block.length) return this.#block.length;
    return this.#rowEnd === undefined ? end : this.#block.lastIndexOf(this.#rowEnd, end - 1) + 1;
  }
}
