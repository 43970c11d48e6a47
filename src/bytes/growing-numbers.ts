/** Small, as hashing one URL makes such a buffer, too: 4 KiB took a tenth of that call. */
const FIRST_CAPACITY = 1 << 4;

/** 32-bit numbers in one buffer that doubles when it is full. */
export class GrowingNumbers {
  #numbers = new Uint32Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The numbers appended so far: a view, valid until the next push. */
  get numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }

  at(index: number): number {
    return this.#numbers[index]!;
  }

  push(number: number): void {
    this.#reserve(1);
    this.#numbers[this.#length++] = number;
  }

  /** Pushes each number, with `shift` added to it. */
  pushAll(numbers: Uint32Array, shift = 0): void {
    this.#reserve(numbers.length);
    const column = this.#numbers; // in a local: a field of the class is read again in each iteration
    for (let index = 0, to = this.#length; index < numbers.length; index++, to++) column[to] = numbers[index]! + shift;
    this.#length += numbers.length;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#numbers.length) return;
    const grown = new Uint32Array(2 * (this.#length + count));
    grown.set(this.#numbers.subarray(0, this.#length));
    this.#numbers = grown;
  }
}
