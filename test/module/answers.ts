import { readFileSync } from 'node:fs';

/** A question for a module: rows, a profile and the options that they are read by. The same in every language. */
export interface Question {
  readonly profile: string;
  readonly base?: string;
  readonly scheme?: string;
  /** A text that the profile may name. */
  readonly siteRules?: string;
  readonly output: Output;
  /** The rows in base64, since some are not UTF-8. */
  readonly rows: readonly string[];
}

export type Output = 'reason' | 'form' | 'host' | 'site' | 'surt' | 8 | 16 | 32;

/** Why the question is refused; or of each row the reason, 0 for a URL, and the value: hex of digests, or a text. */
export interface Answer {
  readonly refused?: string;
  readonly reasons?: readonly number[];
  readonly values?: readonly string[];
}

export const OUTPUT_NUMBERS = { reason: 0, form: 1, host: 2, site: 3, surt: 4, 8: 8, 16: 16, 32: 32 } as const;

interface Exports {
  readonly memory: WebAssembly.Memory;
  abi(): number;
  input(length: number): number;
  configure(profileLength: number, baseLength: number, schemeLength: number): number;
  siteRules(length: number): number;
  profile(): number;
  reasonNames(): number;
  lines(length: number, output: number): number;
  rows(rowCount: number, byteLength: number, output: number): number;
  one(length: number, output: number): number;
}

/** The results that a call of the module leaves, copied. */
export interface Result {
  readonly refused: string | undefined;
  readonly reasons: Uint8Array;
  readonly values: Buffer;
  readonly offsets: Uint32Array | undefined;
}

const MODULE = new WebAssembly.Module(readFileSync('dist/urlsum.wasm'));

/** The module in V8, as a program in JavaScript would call it. */
export class ModuleInV8 {
  readonly exports = new WebAssembly.Instance(MODULE).exports as unknown as Exports;

  configure(profile = '', base = '', scheme = ''): string | undefined {
    const texts = [profile, base, scheme].map((text) => Buffer.from(text));
    this.put(...texts);
    return this.read(this.exports.configure(texts[0]!.length, texts[1]!.length, texts[2]!.length)).refused;
  }

  lines(text: Uint8Array, output: Output): Result {
    this.put(text);
    return this.read(this.exports.lines(text.length, OUTPUT_NUMBERS[output]));
  }

  rows(bytes: Uint8Array, offsets: Uint32Array, output: Output): Result {
    this.put(new Uint8Array(offsets.buffer, offsets.byteOffset, offsets.byteLength), bytes);
    return this.read(this.exports.rows(offsets.length - 1, bytes.length, OUTPUT_NUMBERS[output]));
  }

  one(url: Uint8Array, output: Output): Result {
    this.put(url);
    return this.read(this.exports.one(url.length, OUTPUT_NUMBERS[output]));
  }

  /** Hands over site rules, and returns their id, or why they are refused. */
  siteRules(text: string): Result {
    this.put(Buffer.from(text));
    return this.read(this.exports.siteRules(Buffer.byteLength(text)));
  }

  text(name: 'profile' | 'reasonNames'): string {
    return this.read(this.exports[name]()).values.toString('latin1');
  }

  answer({ profile, base, scheme, siteRules, output, rows }: Question): Answer {
    const rules = siteRules === undefined ? undefined : this.siteRules(siteRules).refused;
    const refused = rules ?? this.configure(profile, base, scheme);
    return refused === undefined ? answerOf(this.rows(...joined(rows), output), output) : { refused };
  }

  private put(...parts: readonly Uint8Array[]): void {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    let at = this.exports.input(length) >>> 0;
    for (const part of parts) {
      new Uint8Array(this.exports.memory.buffer).set(part, at);
      at += part.length;
    }
  }

  private read(address: number): Result {
    const { buffer } = this.exports.memory;
    const [status, rowCount, reasons, values, offsets, length] = new Uint32Array(buffer, address >>> 0, 6);
    const bytes = Buffer.from(buffer.slice(values!, values! + length!));
    return {
      refused: status === 0 ? undefined : bytes.toString(),
      reasons: new Uint8Array(buffer.slice(reasons!, reasons! + rowCount!)),
      values: bytes,
      offsets: offsets === 0 ? undefined : new Uint32Array(buffer.slice(offsets!, offsets! + 4 * rowCount! + 4)),
    };
  }
}

function joined(rows: readonly string[]): [bytes: Uint8Array, offsets: Uint32Array] {
  const all = rows.map((row) => Buffer.from(row, 'base64'));
  const offsets = new Uint32Array(rows.length + 1);
  for (const [index, { length }] of all.entries()) offsets[index + 1] = offsets[index]! + length;
  return [Buffer.concat(all), offsets];
}

function answerOf({ reasons, values, offsets }: Result, output: Output): Answer {
  const digest = (row: number) => values.toString('hex', row * Number(output), (row + 1) * Number(output));
  const text = (row: number) => (offsets ? values.toString('latin1', offsets[row], offsets[row + 1]) : '');
  const value = typeof output === 'number' ? digest : text;
  return { reasons: [...reasons], values: Array.from(reasons, (_, row) => value(row)) };
}
