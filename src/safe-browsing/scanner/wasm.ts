import { ROOM, ROW_BOUNDS, SPAN_COUNT, SPAN_ENDS, STATE, SUFFIXES } from '../../../assembly/expressions/layout.ts';
import { ROW_CAPACITY, SPANS } from '../../../assembly/layout.ts';
import type { Scanner } from './scanner.ts';

/** assembly/expressions/index.ts */
interface Exports {
  readonly memory: WebAssembly.Memory;
  splitLines(start: number, end: number): number;
  expand(row: number, rowCount: number, sections: number): number;
}

const PAGE_BYTES = 1 << 16;

/** With SIMD: it has expressions of most lines where they lie, or of a canonical form that it writes after them. */
export class WasmScanner implements Scanner {
  bytes!: Uint8Array<ArrayBuffer>;
  spans!: Uint32Array<ArrayBuffer>;
  rowBounds!: Uint32Array<ArrayBuffer>;
  spanEnds!: Uint32Array<ArrayBuffer>;
  #state!: Uint32Array<ArrayBuffer>;
  readonly #exports: Exports;
  #sections = 0;
  #suffixTable: Uint8Array | undefined;

  constructor(module: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(module).exports as unknown as Exports;
    this.#setViews();
  }

  get spanCount(): number {
    return this.#state[(SPAN_COUNT - STATE) / 4]!;
  }

  set spanCount(count: number) {
    this.#state[(SPAN_COUNT - STATE) / 4] = count;
  }

  get room(): number {
    return this.#state[(ROOM - STATE) / 4]!;
  }

  set room(address: number) {
    this.#state[(ROOM - STATE) / 4] = address;
  }

  use(sections: number, suffixTable: () => Uint8Array): void {
    this.#sections = sections;
    if (sections === 0 || suffixTable() === this.#suffixTable) return;
    this.#suffixTable = suffixTable();
    const missing = SUFFIXES + this.#suffixTable.length - this.bytes.length;
    if (missing > 0) this.#exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#setViews();
    this.bytes.set(this.#suffixTable, SUFFIXES);
  }

  splitLines(start: number, end: number): number {
    return this.#exports.splitLines(start, end);
  }

  expand(row: number, rowCount: number): number {
    return this.#exports.expand(row, rowCount, this.#sections);
  }

  /** Those of before are detached when memory grows. */
  #setViews(): void {
    const buffer = this.#exports.memory.buffer as ArrayBuffer;
    this.bytes = new Uint8Array(buffer);
    this.spans = new Uint32Array(buffer, SPANS, 2 * ROW_CAPACITY);
    this.rowBounds = new Uint32Array(buffer, ROW_BOUNDS, ROW_CAPACITY + 1);
    this.spanEnds = new Uint32Array(buffer, SPAN_ENDS, ROW_CAPACITY);
    this.#state = new Uint32Array(buffer, STATE, 2);
  }
}
