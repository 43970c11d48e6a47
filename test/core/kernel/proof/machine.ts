// Runs the functions of a module on memory whose contents are unknown. Addresses, counts and branches are numbers all the
// same: one that the contents decide is an error, so what runs to its end takes the same way whatever a message says.
import type { Instruction, WasmFunction, WasmModule } from './module.ts';
import {
  highOf,
  known,
  LANE_OPERATIONS,
  longOf,
  lowOf,
  OPERATIONS,
  type Operation,
  type Value,
  type Vector,
  vectorOf,
} from './operations.ts';
import { type Byte, byteOfWord, variable, type Word, wordOfBytes } from './terms.ts';

type Cell = number | Byte;

/** Addresses from `start` on, before `end`. */
export type Area = readonly [start: number, end: number];

/** Five times what the start function takes, and any claim less: a changed kernel may never end. */
const MAX_STEPS = 1_000_000;

/** Linear memory: zeros, and from `forget` on a variable, `memory[address]`, in each byte that nobody has set. */
export class Memory {
  readonly byteLength: number;
  #cells = new Map<number, Cell>();
  #isForgotten = false;
  readonly #written = new Set<number>();

  constructor(byteLength: number) {
    this.byteLength = byteLength;
  }

  /** Forgets all bytes outside of these areas, and what was written. */
  forget(kept: readonly Area[]): void {
    const cells = new Map<number, Cell>();
    for (const [start, end] of kept)
      for (let address = start; address < end; address++) cells.set(address, this.byte(address));
    this.#cells = cells;
    this.#isForgotten = true;
    this.#written.clear();
  }

  /** The addresses that were stored to since `forget`, in the order of their first time. */
  get written(): readonly number[] {
    return [...this.#written];
  }

  byte(address: number): Cell {
    if (address >= this.byteLength) throw new RangeError('outside of memory');
    let cell = this.#cells.get(address);
    if (cell === undefined) {
      cell = this.#isForgotten ? variable(`memory[${address}]`, 0xff).byte(0) : 0;
      this.#cells.set(address, cell);
    }
    return cell;
  }

  setByte(address: number, byte: Cell): void {
    if (address >= this.byteLength) throw new RangeError('outside of memory');
    this.#cells.set(address, byte);
    this.#written.add(address);
  }

  word(address: number): Word {
    return wordOfBytes([this.byte(address), this.byte(address + 1), this.byte(address + 2), this.byte(address + 3)]);
  }

  setWord(address: number, word: Word): void {
    for (let index = 0; index < 4; index++) this.setByte(address + index, byteOfWord(word, index));
  }
}

/** A block, loop or if that is open: where a branch to it goes. */
interface Block {
  readonly instruction: Instruction;
  readonly start: number;
  /** The height of the stack, below what it leaves there. */
  readonly height: number;
}

/** The type of a block that leaves nothing (§5.4.1). */
const NO_RESULT = 0x40;

export class Machine {
  readonly module: WasmModule;
  readonly memory: Memory;
  /** The functions that were called, by index. */
  readonly called = new Set<number>();
  readonly #operations: Readonly<Record<string, Operation>>;
  #stepsLeft = MAX_STEPS;

  constructor(module: WasmModule, operations = OPERATIONS) {
    this.module = module;
    this.#operations = operations;
    this.memory = new Memory(module.memoryBytes);
    for (const { address, bytes } of module.data)
      for (const [index, byte] of bytes.entries()) this.memory.setByte(address + index, byte);
    if (module.start !== undefined) this.call(module.start);
  }

  /** Calls an exported function, or one by its index, and returns its result. */
  call(name: string | number, ...operands: Value[]): Value | undefined {
    const index = typeof name === 'number' ? name : this.module.exports.get(name)!;
    this.#stepsLeft = MAX_STEPS;
    return this.#run(index, operands);
  }

  #run(index: number, operands: readonly Value[]): Value | undefined {
    this.called.add(index);
    const called = this.module.functions[index]!;
    const locals = [...operands, ...called.localTypes.map(zeroOf)];
    const stack: Value[] = [];
    this.#execute(called, locals, stack);
    return called.type.results.length === 0 ? undefined : stack.pop();
  }

  #execute({ body }: WasmFunction, locals: Value[], stack: Value[]): void {
    const open: Block[] = [];
    const pop = () => stack.pop()!;
    for (let at = 0; at < body.length; at++) {
      if (this.#stepsLeft-- === 0) throw new Error('too many steps');
      const instruction = body[at]!;
      const { name, immediates } = instruction;
      const operation = this.#operations[name];
      if (operation !== undefined) {
        applied(operation, stack);
        continue;
      }
      switch (name) {
        case 'local.get':
          stack.push(locals[immediates[0] as number]!);
          break;
        case 'local.set':
          locals[immediates[0] as number] = pop();
          break;
        case 'local.tee':
          locals[immediates[0] as number] = stack.at(-1)!;
          break;
        case 'i32.const':
        case 'i64.const':
        case 'f64.const':
          stack.push(immediates[0]!);
          break;
        case 'v128.const':
          stack.push(vectorOf(immediates as number[]));
          break;
        case 'drop':
          pop();
          break;
        case 'select': {
          const isFirst = known(pop()) !== 0;
          const second = pop();
          if (!isFirst) stack[stack.length - 1] = second;
          break;
        }
        case 'block':
        case 'loop':
          open.push({ instruction, start: at, height: stack.length });
          break;
        case 'if':
          open.push({ instruction, start: at, height: stack.length - 1 });
          if (known(pop()) === 0)
            at = instruction.otherwise === instruction.end ? instruction.end! - 1 : instruction.otherwise!;
          break;
        case 'else': // the end of what was done in place of it
          at = open.at(-1)!.instruction.end! - 1;
          break;
        case 'end':
          open.pop();
          break;
        case 'br':
        case 'br_if': {
          if (name === 'br_if' && known(pop()) === 0) break;
          const target = open[open.length - 1 - (immediates[0] as number)];
          if (target === undefined) return;
          open.length -= immediates[0] as number;
          leave(target, stack);
          at = target.instruction.name === 'loop' ? target.start : target.instruction.end! - 1;
          break;
        }
        case 'return':
          return;
        case 'unreachable':
          throw new Error('unreachable');
        case 'call': {
          const callee = this.module.functions[immediates[0] as number]!;
          const result = this.#run(immediates[0] as number, stack.splice(stack.length - callee.type.parameters.length));
          if (result !== undefined) stack.push(result);
          break;
        }
        default:
          this.#access(name, immediates as number[], stack);
      }
    }
  }

  /** The instructions on memory, and those with lanes. */
  #access(name: string, immediates: readonly number[], stack: Value[]): void {
    const laneOperation = LANE_OPERATIONS[name];
    if (laneOperation !== undefined) {
      const operands = stack.splice(stack.length + 1 - laneOperation.length) as never[];
      stack.push(laneOperation(immediates, ...operands));
      return;
    }
    if (name === 'memory.fill') {
      const [address, byte, byteLength] = stack.splice(-3).map(known) as [number, number, number];
      for (let index = 0; index < byteLength; index++) this.memory.setByte(address + index, byte & 0xff);
      return;
    }
    const isStore = name.includes('store');
    const value = isStore ? stack.pop()! : undefined;
    const address = known(stack.pop()!) + immediates[1]!;
    if (value === undefined) stack.push(this.#load(name, address));
    else this.store(name, address, value, immediates[2]);
  }

  #load(name: string, address: number): Value {
    const { memory } = this;
    switch (name) {
      case 'i32.load':
        return memory.word(address);
      case 'i32.load8_u':
        return wordOfBytes([memory.byte(address), 0, 0, 0]);
      case 'i32.load16_u':
        return wordOfBytes([memory.byte(address), memory.byte(address + 1), 0, 0]);
      case 'i64.load':
        return longOf(memory.word(address), memory.word(address + 4));
      case 'v128.load':
        return [0, 4, 8, 12].map((offset) => memory.word(address + offset));
      case 'v128.load32_splat':
        return new Array<Word>(4).fill(memory.word(address));
      default:
        throw new Error(`no such instruction here: ${name}`);
    }
  }

  protected store(name: string, address: number, value: Value, lane = 0): void {
    const { memory } = this;
    switch (name) {
      case 'i32.store':
        return memory.setWord(address, value as Word);
      case 'i32.store8':
        return memory.setByte(address, byteOfWord(value as Word, 0));
      case 'i64.store':
        memory.setWord(address, lowOf(value));
        return memory.setWord(address + 4, highOf(value));
      case 'v128.store':
        for (const [index, word] of (value as Vector).entries()) memory.setWord(address + 4 * index, word);
        return;
      case 'v128.store64_lane':
        memory.setWord(address, (value as Vector)[2 * lane]!);
        return memory.setWord(address + 4, (value as Vector)[2 * lane + 1]!);
      default:
        throw new Error(`no such instruction here: ${name}`);
    }
  }
}

function applied(operation: Operation, stack: Value[]): void {
  const operands = stack.splice(stack.length - operation.length) as never[];
  stack.push(operation(...operands));
}

/** Keeps of what the stack holds above the block only what it leaves. */
function leave({ instruction, height }: Block, stack: Value[]): void {
  const hasResult = instruction.name !== 'loop' && instruction.immediates[0] !== NO_RESULT;
  const result = hasResult ? stack.pop() : undefined;
  stack.length = height;
  if (result !== undefined) stack.push(result);
}

function zeroOf(type: string): Value {
  return type === 'i64' ? 0n : type === 'v128' ? [0, 0, 0, 0] : 0;
}
