import { expressionsModule } from '#expressions';
import { ROOM, ROW_BOUNDS, SPAN_COUNT, SPAN_ENDS, STATE, SUFFIXES } from '../../../assembly/expressions/layout.ts';
import { ROW_CAPACITY, SPANS, TEXT_END } from '../../../assembly/layout.ts';
import type { Kernel, KernelName } from '../../core/kernel/kernel.ts';
import type { Settings } from './settings.ts';
import { sectionsOf } from './suffix-list.ts';

/** The exports of assembly/expressions/index.ts. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  expand(row: number, rowCount: number, sections: number): number;
}

const PAGE_BYTES = 1 << 16;

/**
 * Finds the expressions of lines in a memory with the kernel's layout: lines from TEXT on, and the address and byte
 * length of each expression. With SIMD it finds most expressions in the line itself, or in a canonical form that it
 * writes after the lines; without it, each row takes the steps. Its views change when it is told to `use`
 * another list of suffixes.
 */
export class Scanner {
  bytes: Uint8Array<ArrayBuffer>;
  /** The address and byte length of each expression. */
  spans: Uint32Array<ArrayBuffer>;
  /** The address of the line feed before each row, and of the one after the last row. */
  rowBounds: Uint32Array<ArrayBuffer> = new Uint32Array(ROW_CAPACITY + 1);
  /** The number of expressions up to each row's end. */
  spanEnds: Uint32Array<ArrayBuffer> = new Uint32Array(ROW_CAPACITY);
  #state: Uint32Array<ArrayBuffer> = new Uint32Array(2);
  readonly #exports: Exports | undefined;
  /** The sections of the list of suffixes that count, as bits; 0 for the last five components of a host. */
  #sections = 0;
  #suffixTable: Uint8Array | undefined;

  constructor(module?: WebAssembly.Module) {
    if (module !== undefined) this.#exports = new WebAssembly.Instance(module).exports as unknown as Exports;
    this.bytes = new Uint8Array(this.#exports === undefined ? TEXT_END : 0);
    this.spans = new Uint32Array(this.#exports === undefined ? 2 * ROW_CAPACITY : 0);
    if (this.#exports !== undefined) this.#setViews(this.#exports);
  }

  /** The number of expressions so far. */
  get spanCount(): number {
    return this.#state[(SPAN_COUNT - STATE) / 4]!;
  }

  set spanCount(count: number) {
    this.#state[(SPAN_COUNT - STATE) / 4] = count;
  }

  /** The address from which the room after the lines is free. */
  get room(): number {
    return this.#state[(ROOM - STATE) / 4]!;
  }

  set room(address: number) {
    this.#state[(ROOM - STATE) / 4] = address;
  }

  /** Sets how the hosts of a URL are found: by the last five components, or by a list of suffixes. */
  use({ profile, privateSuffixes, suffixList }: Settings): void {
    if (this.#exports === undefined) return;
    this.#sections = profile === 'v5' ? sectionsOf(privateSuffixes) : 0;
    if (this.#sections === 0 || suffixList.lookup.bytes === this.#suffixTable) return;
    this.#suffixTable = suffixList.lookup.bytes;
    const missing = SUFFIXES + this.#suffixTable.length - this.bytes.length;
    if (missing > 0) this.#exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#setViews(this.#exports);
    this.bytes.set(this.#suffixTable, SUFFIXES);
  }

  /** Adds the expressions of rows from `row` on. Returns the first row that has to take the steps, or may not fit. */
  expand(row: number, rowCount: number): number {
    return this.#exports?.expand(row, rowCount, this.#sections) ?? row;
  }

  /** Makes the views again: memory that grows detaches those that it had. */
  #setViews({ memory }: Exports): void {
    const buffer = memory.buffer as ArrayBuffer;
    this.bytes = new Uint8Array(buffer);
    this.spans = new Uint32Array(buffer, SPANS, 2 * ROW_CAPACITY);
    this.rowBounds = new Uint32Array(buffer, ROW_BOUNDS, ROW_CAPACITY + 1);
    this.spanEnds = new Uint32Array(buffer, SPAN_ENDS, ROW_CAPACITY);
    this.#state = new Uint32Array(buffer, STATE, 2);
  }
}

const opened = new Map<KernelName, Scanner>();

/** Returns the one scanner per kernel and thread, which is opened at first use. */
export function openScanner({ name }: Kernel): Scanner {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const scanner = openBest(name);
  opened.set(name, scanner);
  return scanner;
}

/** Opens a scanner in WebAssembly, if the host compiles it: a Worker does so while it starts, not while it answers. */
function openBest(name: KernelName): Scanner {
  if (name !== 'simd') return new Scanner();
  try {
    return new Scanner(expressionsModule());
  } catch {
    return new Scanner();
  }
}
