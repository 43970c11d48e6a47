// Decodes a WebAssembly module (WebAssembly Core Specification 2.0, §5) as far as the kernels need it.

export interface Instruction {
  readonly name: string;
  /** Indices, constants, offsets, lanes or the lanes of a shuffle. */
  readonly immediates: readonly (number | bigint)[];
  /** The index of the `end` of a block, loop or if; of an if, that of its `else`, or of the end. */
  end?: number;
  otherwise?: number;
}

export interface FunctionType {
  readonly parameters: readonly string[];
  readonly results: readonly string[];
}

export interface WasmFunction {
  readonly type: FunctionType;
  readonly localTypes: readonly string[];
  /** Ends with the `end` of the function. */
  readonly body: readonly Instruction[];
}

export interface WasmModule {
  readonly functions: readonly WasmFunction[];
  /** The index of each exported function. */
  readonly exports: ReadonlyMap<string, number>;
  readonly start: number | undefined;
  readonly globals: readonly number[];
  readonly memoryBytes: number;
  readonly data: readonly { readonly address: number; readonly bytes: Uint8Array }[];
}

const PAGE_BYTES = 65_536;
const TYPES: Readonly<Record<number, string>> = { 127: 'i32', 126: 'i64', 125: 'f32', 124: 'f64', 123: 'v128' };

/** The kinds of immediates that follow an opcode. */
type Immediates = 'none' | 'block' | 'index' | 'i32' | 'i64' | 'f64' | 'memory' | 'memory lane' | 'lane' | '16 bytes';

/** Opcodes of one byte, of `0xfc` and of `0xfd`, whose numbers have 0xfc00 and 0xfd00 added. */
const OPCODES = new Map<number, readonly [name: string, immediates: Immediates]>();

function define(immediates: Immediates, names: Readonly<Record<number, string>>): void {
  for (const [opcode, name] of Object.entries(names)) OPCODES.set(Number(opcode), [name, immediates]);
}

define('block', { 2: 'block', 3: 'loop', 4: 'if' });
define('index', { 12: 'br', 13: 'br_if', 16: 'call', 32: 'local.get', 33: 'local.set', 34: 'local.tee' });
define('index', { 35: 'global.get', 36: 'global.set' });
define('none', { 0: 'unreachable', 5: 'else', 11: 'end', 15: 'return', 26: 'drop', 27: 'select' });
define('memory', { 40: 'i32.load', 41: 'i64.load', 45: 'i32.load8_u', 47: 'i32.load16_u', 54: 'i32.store' });
define('memory', { 55: 'i64.store', 58: 'i32.store8', 59: 'i32.store16' });
define('i32', { 65: 'i32.const' });
define('i64', { 66: 'i64.const' });
define('f64', { 68: 'f64.const' });
define('none', { 69: 'i32.eqz', 70: 'i32.eq', 71: 'i32.ne', 72: 'i32.lt_s', 73: 'i32.lt_u', 74: 'i32.gt_s' });
define('none', { 75: 'i32.gt_u', 76: 'i32.le_s', 77: 'i32.le_u', 78: 'i32.ge_s', 79: 'i32.ge_u' });
define('none', { 80: 'i64.eqz', 81: 'i64.eq', 82: 'i64.ne', 86: 'i64.gt_u', 84: 'i64.lt_u' });
define('none', { 103: 'i32.clz', 104: 'i32.ctz', 105: 'i32.popcnt', 106: 'i32.add', 107: 'i32.sub', 108: 'i32.mul' });
define('none', { 110: 'i32.div_u', 112: 'i32.rem_u', 113: 'i32.and', 114: 'i32.or', 115: 'i32.xor', 116: 'i32.shl' });
define('none', { 117: 'i32.shr_s', 118: 'i32.shr_u', 119: 'i32.rotl', 120: 'i32.rotr', 122: 'i64.ctz' });
define('none', { 123: 'i64.popcnt', 124: 'i64.add', 125: 'i64.sub', 126: 'i64.mul', 128: 'i64.div_u' });
define('none', { 131: 'i64.and', 132: 'i64.or', 133: 'i64.xor', 134: 'i64.shl', 136: 'i64.shr_u' });
define('none', { 156: 'f64.floor', 159: 'f64.sqrt', 160: 'f64.add', 161: 'f64.sub', 162: 'f64.mul', 163: 'f64.div' });
define('none', { 167: 'i32.wrap_i64', 172: 'i64.extend_i32_s', 173: 'i64.extend_i32_u', 184: 'f64.convert_i32_u' });
define('none', { 64515: 'i32.trunc_sat_f64_u', 64518: 'i64.trunc_sat_f64_s' });
define('index', { 64523: 'memory.fill' });
define('memory', { 64768: 'v128.load', 64777: 'v128.load32_splat', 64779: 'v128.store' });
define('16 bytes', { 64780: 'v128.const', 64781: 'i8x16.shuffle' });
define('none', { 64782: 'i8x16.swizzle', 64783: 'i8x16.splat', 64785: 'i32x4.splat', 64803: 'i8x16.eq' });
define('lane', { 64791: 'i8x16.replace_lane', 64796: 'i32x4.replace_lane' });
define('memory lane', { 64859: 'v128.store64_lane' });
define('none', { 64805: 'i8x16.lt_s', 64846: 'v128.and', 64848: 'v128.or', 64849: 'v128.xor' });
define('none', { 64851: 'v128.any_true', 64868: 'i8x16.bitmask' });
define('none', { 64909: 'i16x8.shr_u', 64939: 'i32x4.shl', 64941: 'i32x4.shr_u', 64942: 'i32x4.add' });

class Reader {
  readonly bytes: Uint8Array;
  at = 0;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#view.getUint8(this.at++);
  }

  /** LEB128, §5.2.2. */
  unsigned(): number {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
  }

  signed(bits: 32 | 64): bigint {
    let value = 0n;
    for (let shift = 0n; ; ) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
      if (byte < 0x80) return BigInt.asIntN(bits, byte & 0x40 ? value - (1n << shift) : value);
    }
  }

  double(): number {
    return this.#view.getFloat64((this.at += 8) - 8, true);
  }

  take(byteLength: number): Uint8Array {
    return this.bytes.subarray(this.at, (this.at += byteLength));
  }

  many<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.unsigned() }, read);
  }
}

export function decode(bytes: Uint8Array): WasmModule {
  const reader = new Reader(bytes);
  if (Buffer.from(reader.take(8)).toString('latin1') !== '\0asm\x01\0\0\0') throw new Error('not a WebAssembly module');
  const sections = new Map<number, Reader>();
  while (reader.at < bytes.length) {
    const id = reader.byte();
    sections.set(id, new Reader(reader.take(reader.unsigned())));
  }
  const vector = <Item>(id: number, read: (section: Reader) => Item): Item[] => {
    const section = sections.get(id);
    return section === undefined ? [] : section.many(() => read(section));
  };
  const imports = vector(2, readImport);
  const types = vector(1, readType);
  const typeIndices = vector(3, (section) => section.unsigned());
  const pageCounts = [...imports, ...vector(5, readLimits)];
  const bodies = vector(10, (section) => new Reader(section.take(section.unsigned())));
  return {
    functions: bodies.map((body, index) => readFunction(body, types[typeIndices[index]!]!)),
    exports: new Map(vector(7, readExport).flatMap(({ name, kind, index }) => (kind === 0 ? [[name, index]] : []))),
    start: sections.get(8)?.unsigned(),
    globals: vector(6, readGlobal),
    memoryBytes: pageCounts[0]! * PAGE_BYTES,
    data: vector(11, readData),
  };
}

function readType(section: Reader): FunctionType {
  if (section.byte() !== 0x60) throw new Error('not a function type');
  const parameters = section.many(() => readValueType(section));
  return { parameters, results: section.many(() => readValueType(section)) };
}

function readValueType(section: Reader): string {
  const type = TYPES[section.byte()];
  if (type === undefined) throw new Error('not a type of a number or vector');
  return type;
}

/** Only a memory: the kernels import nothing else. */
function readImport(section: Reader): number {
  section.take(section.unsigned());
  section.take(section.unsigned());
  if (section.byte() !== 2) throw new Error('imports something other than a memory');
  return readLimits(section);
}

function readLimits(section: Reader): number {
  const hasMaximum = section.byte() === 1;
  const pageCount = section.unsigned();
  if (hasMaximum) section.unsigned();
  return pageCount;
}

function readExport(section: Reader) {
  const name = Buffer.from(section.take(section.unsigned())).toString();
  return { name, kind: section.byte(), index: section.unsigned() };
}

function readGlobal(section: Reader): number {
  if (readValueType(section) !== 'i32') throw new Error('a global that is not an i32');
  section.byte();
  return readConstant(section);
}

function readConstant(section: Reader): number {
  const [constant, end] = [readInstruction(section), readInstruction(section)];
  if (constant.name !== 'i32.const' || end.name !== 'end') throw new Error('not a constant');
  return constant.immediates[0] as number;
}

function readData(section: Reader) {
  if (section.unsigned() !== 0) throw new Error('data without an address');
  const address = readConstant(section);
  return { address, bytes: section.take(section.unsigned()) };
}

/** The body is decoded when it is first run: those of functions that never run may have opcodes that are not here. */
function readFunction(reader: Reader, type: FunctionType): WasmFunction {
  const localTypes = reader
    .many(() => {
      const count = reader.unsigned();
      return new Array<string>(count).fill(readValueType(reader));
    })
    .flat();
  let body: Instruction[] | undefined;
  return {
    type,
    localTypes,
    get body() {
      body ??= readBody(reader);
      return body;
    },
  };
}

function readBody(reader: Reader): Instruction[] {
  const body: Instruction[] = [];
  while (reader.at < reader.bytes.length) body.push(readInstruction(reader));
  matchEnds(body);
  return body;
}

function readInstruction(reader: Reader): Instruction {
  const first = reader.byte();
  const opcode = first === 0xfc || first === 0xfd ? first * 256 + reader.unsigned() : first;
  const [name, immediates] = OPCODES.get(opcode) ?? [];
  if (name === undefined) throw new Error(`unknown opcode 0x${opcode.toString(16)}`);
  return { name, immediates: readImmediates(reader, immediates!) };
}

function readImmediates(reader: Reader, kind: Immediates): (number | bigint)[] {
  switch (kind) {
    case 'none':
      return [];
    case 'block':
      return [reader.byte()];
    case 'index':
    case 'lane':
      return [reader.unsigned()];
    case 'i32':
      return [Number(BigInt.asUintN(32, reader.signed(32)))];
    case 'i64':
      return [BigInt.asUintN(64, reader.signed(64))];
    case 'f64':
      return [reader.double()];
    case 'memory':
      return [reader.unsigned(), reader.unsigned()]; // alignment, offset
    case 'memory lane':
      return [reader.unsigned(), reader.unsigned(), reader.byte()];
    case '16 bytes':
      return [...reader.take(16)];
  }
}

function matchEnds(body: readonly Instruction[]): void {
  const open: Instruction[] = [];
  for (const [index, instruction] of body.entries()) {
    const { name } = instruction;
    if (name === 'block' || name === 'loop' || name === 'if') open.push(instruction);
    else if (name === 'else') open.at(-1)!.otherwise = index;
    else if (name === 'end') {
      const block = open.pop();
      if (block === undefined) continue;
      block.end = index;
      block.otherwise ??= index;
    }
  }
}
