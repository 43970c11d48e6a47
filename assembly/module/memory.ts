// Memory beside the fixed addresses of assembly/layout.ts: what grows, and the whole of it as one array of bytes.

import { LETTER_COUNT, LETTERS, SLACK_BYTES } from '../layout';

/** Bytes that grow; they are not collected. */
export class Buffer {
  address: usize = 0;
  length: u32 = 0;
  private capacity: u32 = 0;

  /** Returns the address after the last byte, where there is room for `count` more, and for what the kernel reads ahead. */
  room(count: u32): usize {
    const needed: u64 = <u64>this.length + <u64>count + <u64>SLACK_BYTES;
    if (needed > <u64>this.capacity) {
      const grown = <usize>max<u64>(needed, <u64>this.capacity + (<u64>this.capacity >> 1));
      this.address = this.capacity == 0 ? heap.alloc(grown) : heap.realloc(this.address, grown);
      this.capacity = <u32>grown;
    }
    return this.address + this.length;
  }

  append(at: usize, count: u32): void {
    memory.copy(this.room(count), at, count);
    this.length += count;
  }

  appendByte(byte: u32): void {
    store<u8>(this.room(1), byte);
    ++this.length;
  }

  appendWord(word: u32): void {
    store<u32>(this.room(4), word);
    this.length += 4;
  }

  /** Appends the units of a text that is ASCII. */
  appendAscii(text: string): void {
    writeAscii(text, this.room(text.length));
    this.length += text.length;
  }

  /** Gives a buffer back that one long text has made large. */
  clear(): void {
    this.length = 0;
    if (this.capacity > KEPT_BYTES) this.free();
  }

  free(): void {
    if (this.capacity > 0) heap.free(this.address);
    this.length = 0;
    this.capacity = 0;
    this.address = 0;
  }
}

const KEPT_BYTES: u32 = 16 << 20;

export function writeAscii(text: string, to: usize): void {
  const units = changetype<usize>(text);
  for (let index: usize = 0, length = <usize>text.length; index < length; ++index)
    store<u8>(to + index, load<u16>(units + (index << 1)));
}

/** All of memory, for what reads and writes bytes between two places of an array. */
export const MEMORY: Uint8Array = movedTo(new Uint8Array(0), 0, i32.MAX_VALUE);

/** The letters of domains that the kernel knows, by code point. */
export const KNOWN_LETTERS: Uint32Array = movedTo(new Uint32Array(0), LETTERS, LETTER_COUNT << 2);

const VIEW: Uint8Array = new Uint8Array(0);

/** Returns the `length` bytes at an address, without a copy: the array is the same at each call. */
export function bytesAt(address: usize, length: u32): Uint8Array { return movedTo(VIEW, address, length); }

/** Makes an array one of bytes that it does not own: the collector sees its empty buffer. */
function movedTo<Bytes extends ArrayBufferView>(bytes: Bytes, address: usize, length: u32): Bytes {
  store<usize>(changetype<usize>(bytes), address, offsetof<ArrayBufferView>('dataStart'));
  store<i32>(changetype<usize>(bytes), length, offsetof<ArrayBufferView>('byteLength'));
  return bytes;
}
