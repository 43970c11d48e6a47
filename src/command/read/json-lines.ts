import * as layout from '../../../assembly/json-lines/layout.ts';
import program from '../../../build/json-lines.hex';
import { LINE_FEED } from '../../core/bytes/code-points.ts';
import { bytesOfProgram } from '../../core/bytes/hex.ts';
import { cutterAfter, endOfLines, withoutLineEnd } from '../../core/bytes/lines.ts';
import { decodedIfFits, textEncoder } from '../../core/bytes/text.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { kernelName } from '../../core/kernel/open.ts';
import { quote, withoutUnseen } from '../../core/quote.ts';
import { BatchBuilder, type ScannedRecords } from './batch.ts';
import { type AddedName, type Framing, quotedNames } from './framing.ts';
import { bytesOfString, decodedWithBytes, hasOtherBytes } from './json-bytes.ts';
import { isBlank, withKnownStart } from './lines.ts';
import { isNotWholeJson } from './text-kind.ts';

const SPACES = ' \t\n\r';

/**
 * JSON lines: one object per line, whose value is the string in the field at `path`; `a.b` is in an object in `a`, or
 * else in a member of that name. If a name occurs twice, the last wins, as in `JSON.parse`.
 */
export function jsonLines(
  kernel: Kernel,
  path: string,
  skipsBlank: boolean,
  added: readonly AddedName[] = [],
): Framing {
  const names = path.split('.');
  const addObject = objectAdder(names, added);
  const members = added.map(({ member }) => member);
  const lines = recordLines(kernel, jsonScanner(names, members, 0), skipsBlank, (builder, block, start, end) =>
    addObject(builder, block, start, end, start),
  );
  return withKnownStart(lines, (start) => isStartOfJsonLines(start, added));
}

/** Whether an input can be JSON lines; false if it takes more of it to tell. @throws where it is other JSON */
function isStartOfJsonLines(start: Uint8Array, added: readonly AddedName[]): boolean {
  if (!isNotWholeJson(start)) return false;
  const feed = start.indexOf(LINE_FEED);
  if (feed !== -1) mustLack(start.subarray(0, withoutLineEnd(start, 0, feed + 1)), added);
  return true;
}

/** @throws where a text is an object with a member that it is to gain */
export function mustLack(text: Uint8Array, added: readonly AddedName[]): void {
  const taken = takenIn(objectIn(text) ?? {}, added);
  if (taken !== undefined) throw new Error(taken);
}

/** Says that an object has a member which it is to gain; undefined if it has none. */
export function takenIn(object: object, added: readonly AddedName[]): string | undefined {
  const found = added.find(({ member }) => Object.hasOwn(object, member));
  return found && `it already has a member ${quote(found.member)}: ${found.remedy}`;
}

/** Adds the line [start, end) of a block. Returns false if the scanner would find no value in lines like it. */
type AddLine = (builder: BatchBuilder, block: Uint8Array, start: number, end: number) => boolean | void;

/** One record per line. `scanner` finds most values in bulk if the host can run it; the other lines go to `add`. */
export function recordLines(
  kernel: Kernel,
  scanner: JsonScanner | undefined,
  skipsBlank: boolean,
  add: AddLine,
): Framing {
  const builder = new BatchBuilder(kernel);
  return {
    cutter: () => cutterAfter(LINE_FEED),
    *batches(block) {
      builder.begin(block);
      scanner?.begin(block);
      let isScanned = true;
      for (let at = 0; at < block.length; ) {
        const found = isScanned ? scanner?.next(at) : undefined;
        if (found !== undefined) {
          if (!builder.hasRoom(found.starts.length, found.values.length)) yield builder.take();
          builder.addScanned(found);
          at = found.next;
        } else {
          const feed = block.indexOf(LINE_FEED, at);
          const next = feed === -1 ? block.length : feed + 1;
          const end = withoutLineEnd(block, at, next);
          if (!builder.hasRoom(1, end - at)) yield builder.take();
          if (skipsBlank && isBlank(block, at, end)) builder.addOther(at, end, 'blank');
          else isScanned = add(builder, block, at, end) !== false;
          at = next;
        }
      }
      if (builder.length > 0) yield builder.take();
    },
  };
}

/** Adds the line [start, end) of a block, with a JSON object at `jsonStart`. */
type AddObject = (builder: BatchBuilder, block: Uint8Array, start: number, end: number, jsonStart: number) => void;

/** Returns the function that adds objects with the value at the path `names`. */
export function objectAdder(names: readonly string[], added: readonly AddedName[]): AddObject {
  const path = names.join('.');
  const field = `string in the field ${quote(path)}`;
  return (builder, block, start, end, jsonStart) => {
    const text = block.subarray(jsonStart, end);
    const object = objectIn(text);
    if (object === undefined) return builder.addMalformed(start, end, 'not a JSON object');
    const closingBrace = jsonStart + lastOfText(text);
    const taken = added.length === 0 ? undefined : takenIn(object, added);
    if (taken !== undefined) return builder.addMalformed(start, end, taken, closingBrace);
    const value = memberAt(object, names) ?? memberAt(object, [path]);
    if (typeof value === 'string') return builder.addValue(start, end, bytesOfString(value, text), closingBrace);
    builder.addMalformed(start, end, () => `the object has no ${field} but ${inPlaceOf(value, object)}`, closingBrace);
  };
}

/** UTF-16 units of a value that a message shows. */
const SHOWN_UNITS = 40;

/** Shows what an object has in place of a string. */
function inPlaceOf(value: unknown, object: object): string {
  if (value === undefined) return quotedNames(Object.keys(object)) || 'no members';
  return Array.isArray(value) ? 'an array' : withoutUnseen(JSON.stringify(value).slice(0, SHOWN_UNITS));
}

/** Returns undefined if the text is not an object, or is longer than a string can be. */
export function objectIn(text: Uint8Array): object | undefined {
  const decoded = decodedIfFits(text);
  const json = hasOtherBytes(decoded) ? decodedWithBytes(text) : decoded;
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns undefined where there is no such member. */
function memberAt(object: object, names: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Returns the place of the last byte that is not white space (RFC 8259, section 2). */
export function lastOfText(text: Uint8Array): number {
  let at = text.length - 1;
  while (SPACES.includes(String.fromCharCode(text[at]!))) at--;
  return at;
}

/** The exports of assembly/json-lines/index.ts. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  scan(line: number, linesEnd: number, spaceCount: number, nameCount: number, takenCount: number): number;
}

/** Adjacent lines up to the place `next` of the block. */
interface ScannedLines extends ScannedRecords {
  readonly next: number;
}

/** Finds the lines of a block with the value that is asked for. */
export interface JsonScanner {
  begin(block: Uint8Array): void;
  /** Returns lines from `at` up to one that it leaves; undefined if that is the first. Valid until the next call. */
  next(at: number): ScannedLines | undefined;
}

/**
 * Opens what finds the string in a field of each line by WebAssembly. It leaves the rare lines to others: those with
 * escapes beyond ASCII, with escapes in names, with a name that is taken, or without such an object.
 *
 * @param taken names of members that a line gains, which it must not have
 * @param spaceCount spaces before the object of each line, with text between them
 * @returns undefined if the host has no SIMD, or the names do not fit in memory
 */
export function jsonScanner(
  path: readonly string[],
  taken: readonly string[],
  spaceCount: number,
): JsonScanner | undefined {
  const names = [...path, ...taken].map((name) => textEncoder().encode(name));
  const byteLength = names.reduce((sum, { length }) => sum + length, 0);
  if (names.length > layout.NAME_CAPACITY || byteLength > layout.NAMES_BYTES || kernelName() !== 'simd')
    return undefined;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesOfProgram(program)));
  const { memory, scan } = exports as unknown as Exports;
  const bytes = new Uint8Array(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  const nameEnds = new Uint16Array(memory.buffer, layout.NAME_ENDS, names.length);
  for (let index = 0, end = 0; index < names.length; index++) {
    bytes.set(names[index]!, layout.NAMES + end);
    nameEnds[index] = end += names[index]!.length;
  }
  let block: Uint8Array = new Uint8Array(0);
  let [start, end] = [0, 0]; // of the lines of the block that are in memory
  /** Copies lines to memory. Returns false if no line at `at` fits and has its line feed. */
  const bringLines = (at: number): boolean => {
    const textEnd = endOfLines(block, at, layout.LINES_BYTES);
    const linesEnd = block[textEnd - 1] === LINE_FEED ? textEnd : block.lastIndexOf(LINE_FEED, textEnd - 1) + 1;
    if (linesEnd <= at || linesEnd - at > layout.LINES_BYTES) return false;
    bytes.set(block.subarray(at, linesEnd), layout.LINES);
    [start, end] = [at, linesEnd];
    return true;
  };
  return {
    begin(begun) {
      block = begun;
      start = end = 0;
    },
    next(at) {
      if (at >= end && !bringLines(at)) return undefined;
      const shift = start - layout.LINES;
      const count = scan(at - shift, end - shift, spaceCount, path.length, taken.length);
      if (count === 0) return undefined;
      const column = (address: number) => words.subarray(address / 4, address / 4 + count);
      const valueEnds = column(layout.VALUE_ENDS);
      return {
        starts: column(layout.STARTS),
        ends: column(layout.ENDS),
        closingBraces: column(layout.CLOSING_BRACES),
        shift: start,
        values: bytes.subarray(layout.VALUES, layout.VALUES + valueEnds[count - 1]! + 1),
        valueEnds,
        next: words[layout.STOPPED / 4]! + shift,
      };
    },
  };
}
