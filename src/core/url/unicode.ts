// The data of each version of Unicode that UTS #46 and Normalization Form C need, whatever the host has. The tables are
// text, and read when a domain first needs them: those of the newest version, and what differs in older ones.

import table from './unicode-table.txt';

/** The versions of Unicode, ascending. */
export const UNICODE_VERSIONS = [17, 18] as const;

/** Pairs of them whose forms of a URL that is valid in both are equal: `npm run tables -- --check` computes it. */
export const EQUAL_FORMS: readonly (readonly [one: number, other: number])[] = [[17, 18]];

const CODE_POINTS = 0x110000;

/** A version of Unicode. */
export type UnicodeVersion = (typeof UNICODE_VERSIONS)[number];

/** The properties of a code point that the rules for domains need: there are 20 kinds. */
export interface Kind {
  /** By the IDNA mapping table; a deviation is valid, and only the valid have the properties below. */
  readonly status: 'disallowed' | 'ignored' | 'mapped' | 'mapped-to-several' | 'valid';
  /**
   * Bidi_Class: `L`, `R` or AL, `E`N, `A`N, `N`SM, `O`ther (ES, CS, ET, ON, BN) or `F`orbidden, which no label may
   * have.
   */
  readonly bidi: 'L' | 'R' | 'E' | 'A' | 'N' | 'O' | 'F';
  /** Joining_Type; `D` joins like both `L` and `R`, and `U` is any other. */
  readonly joining: 'L' | 'R' | 'D' | 'T' | 'U';
  /** General_Category M */
  readonly isMark: boolean;
}

/** The code points of the newest version. */
interface CodePoints {
  /** The number of each one's kind among all. */
  readonly kinds: Uint8Array;
  /** The place of each in its column: of the marks, those mapped to one, or those mapped to several. */
  readonly places: Uint16Array;
}

interface Mappings {
  /** The distance of each to the one code point that it is mapped to. */
  readonly distances: Int32Array;
  /** The code points that the others are mapped to, and where those of each begin. */
  readonly several: Int32Array;
  readonly severalStarts: Uint16Array;
}

interface Normalization {
  /** The rank of each mark's class among all, from 1 on, since only their order counts; 0 for none. */
  readonly combiningClasses: Uint8Array;
  /** Composites by pairs of code points. */
  readonly composites: ReadonlyMap<number, number>;
  readonly decompositions: ReadonlyMap<number, readonly [first: number, second: number]>;
}

let allKinds: readonly Kind[] = [];
let newest: CodePoints | undefined;
let mappings: Mappings | undefined;
let normalization: Normalization | undefined;

const versions: Partial<Record<UnicodeVersion, UnicodeData>> = {};

/** Returns the data of a version, which are read once. */
export function unicodeData(version: UnicodeVersion): UnicodeData {
  return (versions[version] ??= new UnicodeData(version));
}

/** The data of a version of Unicode. */
export class UnicodeData {
  readonly #kinds: Uint8Array;
  /** What code points are mapped to, where an older version has another kind or mapping than the newest. */
  readonly #mappings: ReadonlyMap<number, string>;

  constructor(version: UnicodeVersion) {
    if (newest === undefined) {
      allKinds = columns()[KINDS]!.split(',').map(kindNamed);
      newest = readNewest();
    }
    const older = olderVersions().find((each) => each.version === version);
    this.#kinds = older === undefined ? newest.kinds : olderKinds(older, newest.kinds);
    this.#mappings = new Map(older?.mappings);
  }

  kindOf(code: number): Kind {
    return allKinds[this.#kinds[code]!]!;
  }

  /** Returns what UTS #46 maps a code point to: nothing if it ignores it, itself if it leaves it. */
  mappingOf(code: number): string {
    const { status } = this.kindOf(code);
    if (status === 'ignored') return '';
    if (!isMapped(status)) return String.fromCodePoint(code);
    const own = this.#mappings.get(code);
    if (own !== undefined) return own;
    const { distances, several, severalStarts } = (mappings ??= readMappings());
    const place = newest!.places[code]!;
    if (status === 'mapped') return String.fromCodePoint(code + distances[place]!);
    return String.fromCodePoint(...several.subarray(severalStarts[place], severalStarts[place + 1]));
  }

  /** Returns a code point's rank by Canonical_Combining_Class: 0 for a starter, and for what no valid label has. */
  combiningClassOf(code: number): number {
    return this.kindOf(code).isMark
      ? (normalization ??= readNormalization()).combiningClasses[newest!.places[code]!]!
      : 0;
  }

  /** Returns the two valid code points that a valid one decomposes into; Hangul follows from arithmetic. */
  decompositionOf(code: number): readonly [first: number, second: number] | undefined {
    return this.kindOf(code).status === 'valid'
      ? (normalization ??= readNormalization()).decompositions.get(code)
      : undefined;
  }

  /** What is valid in an older version composes to what is valid there, too: tools/tables/unicode-check.mjs checks it. */
  compositeOf(first: number, second: number): number | undefined {
    return (normalization ??= readNormalization()).composites.get(pairOf(first, second));
  }
}

/** Returns two code points as one number. */
function pairOf(first: number, second: number): number {
  return first * 2 ** 21 + second;
}

function isMapped(status: Kind['status']): boolean {
  return status === 'mapped' || status === 'mapped-to-several';
}

// unicode-table.txt, written by tools/tables/unicode.mjs: UTS #46 as tr46 has it (MIT, copyright Sebastian Mayr),
// normalization as UAX #15 defines it. Copyright 1991-2026 Unicode, Inc., https://www.unicode.org/license.txt.
//
// A line is a column of numbers in the digits that DIGITS has; a gap or a difference counts from the number before.

/** The names of the kinds: a status and, of valid code points, a Bidi_Class, a Joining_Type and an M for marks. */
const KINDS = 0;
/** All code points in runs of one kind, in the newest version: the number of the kind, and the length less 1. */
const RUNS = 1;
/**
 * The code points that are mapped to one, ascending, are mapped below U+4E00, below U+20000 or beyond: which of these,
 * that many times and once more. Then, for each of the three, how far that is, as a difference.
 */
const MAPPED_CLASSES = 3;
const MAPPED = 5;
/**
 * Those that are mapped to several, ascending: how many, that many times and once more; the difference of each from the
 * one in its place in the mapping before, or from the last one there.
 */
const MAPPING_LENGTHS = 8;
const MAPPED_TO_SEVERAL = 10;
/** The marks, ascending: the rank of the Canonical_Combining_Class, or 0, that many times and once more. */
const MARK_CLASSES = 11;
/**
 * What the composites, ascending, are made of: gaps, the differences of the distances from the first code point to the
 * composite, and the differences of the second code points.
 */
const COMPOSITES = 13;
/** Of each older version five lines: see `olderVersions`. */
const OLDER_VERSIONS = 16;

function columns(): string[] {
  return table.split('\n');
}

/** What an older version has in place of the newest. */
interface OlderVersion {
  readonly version: number;
  /** The runs that differ: gaps from the end of the run before, lengths less 1, and kinds. */
  readonly gaps: string;
  readonly lengths: string;
  readonly kinds: string;
  /** What those that are mapped are mapped to: code points in decimal. */
  readonly mappings: readonly (readonly [code: number, text: string])[];
}

function olderVersions(): OlderVersion[] {
  const lines = columns();
  const versions: OlderVersion[] = [];
  for (let at = OLDER_VERSIONS; at + 4 < lines.length; at += 5) {
    const [version, gaps, lengths, kinds, mapped] = lines.slice(at) as [string, string, string, string, string];
    const mappings = mapped.split(',').map((each) => {
      const [code, ...codes] = each.split(' ').map(Number);
      return [code!, String.fromCodePoint(...codes)] as const;
    });
    versions.push({ version: Number(version), gaps, lengths, kinds, mappings });
  }
  return versions;
}

function readNewest(): CodePoints {
  const [kinds, places] = [new Uint8Array(CODE_POINTS), new Uint16Array(CODE_POINTS)];
  const [numbers, lengths] = columns()
    .slice(RUNS, RUNS + 2)
    .map(numbersIn) as [Uint32Array, Uint32Array];
  const columnEnds = [0, 0, 0];
  for (let run = 0, code = 0, end = 0; run < numbers.length; run++, code = end) {
    const { isMark, status } = allKinds[numbers[run]!]!;
    end = code + lengths[run]! + 1;
    kinds.fill(numbers[run]!, code, end);
    const column = isMark ? 0 : status === 'mapped' ? 1 : 2;
    if (isMark || isMapped(status)) for (; code < end; code++) places[code] = columnEnds[column]!++;
  }
  return { kinds, places };
}

/** Returns the kinds of an older version, from those of the newest. */
function olderKinds(older: OlderVersion, newestKinds: Uint8Array): Uint8Array {
  const kinds = newestKinds.slice();
  const [gaps, lengths, numbers] = [numbersIn(older.gaps), numbersIn(older.lengths), numbersIn(older.kinds)];
  for (let run = 0, start = 0, end = 0; run < gaps.length; run++) {
    start = end + gaps[run]!;
    end = start + lengths[run]! + 1;
    kinds.fill(numbers[run]!, start, end);
  }
  return kinds;
}

function kindNamed(name: string): Kind {
  const [status, bidi = 'F', joining = 'U', mark] = name.split(' ');
  return { status, bidi, joining, isMark: mark !== undefined } as Kind;
}

function readMappings(): Mappings {
  return { distances: readDistances(), ...readSeveral() };
}

function readDistances(): Int32Array {
  const lines = columns();
  const ofClasses = lines.slice(MAPPED, MAPPED + 3).map(signedSumsIn);
  const read = [0, 0, 0];
  const classes = repeated(lines[MAPPED_CLASSES]!, lines[MAPPED_CLASSES + 1]!);
  const distances = new Int32Array(classes.length);
  for (let at = 0; at < distances.length; at++) {
    const each = classes[at]!;
    distances[at] = ofClasses[each]![read[each]!++]!;
  }
  return distances;
}

function readSeveral(): Pick<Mappings, 'several' | 'severalStarts'> {
  const lines = columns();
  const lengths = repeated(lines[MAPPING_LENGTHS]!, lines[MAPPING_LENGTHS + 1]!);
  const several = signedNumbersIn(lines[MAPPED_TO_SEVERAL]!);
  const severalStarts = new Uint16Array(lengths.length + 1);
  for (let index = 0, before = 0, start = 0, end = 0; index < lengths.length; index++, before = start, start = end) {
    end += lengths[index]!;
    for (let at = start; at < end; at++) several[at]! += several[Math.min(before + at - start, start - 1)] ?? 0;
    severalStarts[index + 1] = end;
  }
  return { several, severalStarts };
}

function readNormalization(): Normalization {
  const lines = columns();
  const combiningClasses = repeated(lines[MARK_CLASSES]!, lines[MARK_CLASSES + 1]!);
  const gaps = numbersIn(lines[COMPOSITES]!);
  const distances = signedSumsIn(lines[COMPOSITES + 1]!);
  const seconds = signedSumsIn(lines[COMPOSITES + 2]!);
  const composites = new Map<number, number>();
  const decompositions = new Map<number, readonly [number, number]>();
  let composite = 0;
  for (let at = 0; at < gaps.length; at++) {
    composite += gaps[at]!;
    const [first, second] = [composite - distances[at]!, seconds[at]!];
    composites.set(pairOf(first, second), composite);
    decompositions.set(composite, [first, second]);
  }
  return { combiningClasses, composites, decompositions };
}

/**
 * The digits of the columns in unicode-table.txt: printable ASCII except what a string literal or a page would escape
 * (quotes, `$`, `<` and the backslash). The first 64 end a number, the others come before such a digit.
 */
export const DIGITS = ' !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~';
export const FINAL_DIGITS = 64;

/**
 * Reads the whole numbers in a text, from 0 on. They have no separators, and one spelling each: a leading digit counts
 * from 1. One loop with no calls: it runs once, before anything is compiled; a method per number took twice as long.
 */
export function numbersIn(text: string): Uint32Array {
  const values = new Uint8Array(128);
  for (let value = 0; value < DIGITS.length; value++) values[DIGITS.charCodeAt(value)] = value;
  const leadingDigits = DIGITS.length - FINAL_DIGITS;
  const numbers = new Uint32Array(text.length);
  let count = 0;
  let leading = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = values[text.charCodeAt(at)]!;
    if (digit < FINAL_DIGITS) {
      numbers[count++] = leading * FINAL_DIGITS + digit;
      leading = 0;
    } else {
      leading = leading * leadingDigits + digit - FINAL_DIGITS + 1;
    }
  }
  return numbers.subarray(0, count);
}

/** Reads numbers of either sign: 0, -1, 1, -2, 2 and so on. */
export function signedNumbersIn(text: string): Int32Array {
  const numbers = numbersIn(text);
  const values = new Int32Array(numbers.length);
  for (let at = 0; at < numbers.length; at++) values[at] = signed(numbers[at]!);
  return values;
}

const signed = (number: number) => (number >>> 1) ^ -(number & 1);

/** Reads differences of either sign, and returns their running sums. */
export function signedSumsIn(text: string): Int32Array {
  const numbers = numbersIn(text);
  const sums = new Int32Array(numbers.length);
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sums[at] = sum += signed(numbers[at]!);
  return sums;
}

/** Returns numbers up to 255, each repeated as many times as the counts say, plus once. */
export function repeated(values: string, counts: string): Uint8Array {
  const [eachValue, eachCount] = [numbersIn(values), numbersIn(counts)];
  const length = eachCount.reduce((sum, count) => sum + count + 1, 0);
  const numbers = new Uint8Array(length);
  let start = 0;
  for (let at = 0; at < eachValue.length; at++) {
    const end = start + eachCount[at]! + 1;
    numbers.fill(eachValue[at]!, start, end);
    start = end;
  }
  return numbers;
}
