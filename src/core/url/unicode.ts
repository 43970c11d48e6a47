// The data of each version of Unicode that UTS #46 and Normalization Form C need, whatever the host has. The tables are
// text, and read when a domain first needs them: those of the newest version, and what differs in older ones.

import { TextWriter } from '../bytes/text-writer.ts';
import { TABLE } from './unicode-table.ts';

/** The properties of a code point that the rules for domains need: there are 20 kinds. */
export class Kind {
  /**
   * The statuses of the IDNA mapping table: disallowed, ignored, mapped, mapped-to-several or valid; a deviation is
   * valid, and only the valid have the properties below.
   */
  readonly status: string;
  /**
   * Bidi_Class: `L`, `R` or AL, `E`N, `A`N, `N`SM, `O`ther (ES, CS, ET, ON, BN) or `F`orbidden, which no label may
   * have.
   */
  readonly bidi: string;
  /** Joining_Type; `D` joins like both `L` and `R`, and `U` is any other. */
  readonly joining: string;
  /** General_Category M */
  readonly isMark: bool;
  readonly isValid: bool;
  readonly isMapped: bool;

  constructor(name: string) {
    const words = name.split(' ');
    this.status = words[0]!;
    this.bidi = words.length > 1 ? words[1]! : 'F';
    this.joining = words.length > 2 ? words[2]! : 'U';
    this.isMark = words.length > 3;
    this.isValid = words[0]! === 'valid';
    this.isMapped = words[0]!.startsWith('mapped');
  }
}

const CODE_POINTS = 0x110000;
/** The runs of 64 code points, which are few, are looked through one by one. */
const INDEX_SHIFT = 6;

/** Runs of code points of one kind, ascending: 5,000 for all code points. */
class Runs {
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  readonly kinds: Uint32Array;
  /** The last run that begins at or before each multiple of 64, or the first run of all. */
  private readonly index: Uint16Array = new Uint16Array((CODE_POINTS >> INDEX_SHIFT) + 1);

  constructor(starts: Uint32Array, lengths: Uint32Array, kinds: Uint32Array) {
    this.starts = starts;
    this.lengths = lengths;
    this.kinds = kinds;
    for (let at = 0, run = 0; at < this.index.length; at++) {
      const code = at << INDEX_SHIFT;
      while (run + 1 < starts.length && (starts[run + 1]! as i32) <= code) run++;
      this.index[at] = run as u16;
    }
  }

  /** Returns the run that a code point is in, or -1. */
  runOf(code: i32): i32 {
    let run: i32 = this.index[code >> INDEX_SHIFT]!;
    const last: i32 = this.index[(code >> INDEX_SHIFT) + 1]!;
    while (run < last && (this.starts[run + 1]! as i32) <= code) run++;
    const offset = code - (this.starts[run]! as i32);
    return offset >= 0 && offset < (this.lengths[run]! as i32) ? run : -1;
  }
}

// unicode-table.ts, written by tools/tables/unicode.mjs: UTS #46 as tr46 has it (MIT, copyright Sebastian Mayr),
// normalization as UAX #15 defines it. Copyright 1991-2026 Unicode, Inc., https://www.unicode.org/license.txt.
//
// A line is a column of numbers in the digits that DIGITS has; a gap or a difference counts from the number before. The
// comments below have the beginnings of the lines.

/**
 * The names of the kinds: a status and, of valid code points, a Bidi_Class, a Joining_Type and an M for marks.
 * `valid O,valid F,valid E,mapped`
 */
const KINDS: i32 = 0;
/**
 * All code points in runs of one kind, in the newest version: the number of the kind, and the length less 1.
 * ` ! !` and `+&0&`: 9 code points of kind 0, 5 of kind 1, 14 of kind 0, 5 of kind 1.
 */
const RUNS: i32 = 1;
/**
 * The code points that are mapped to one, ascending, are mapped below U+4E00, below U+20000 or beyond: which of these,
 * repeated the next number of times and once more. ` !` and `mP `: 557 below U+4E00, then 1 below U+20000.
 */
const MAPPED_CLASSES: i32 = 3;
/** Their distances, for each of the three, as differences. `f   `: A to C are mapped to 32 code points after them. */
const MAPPED: i32 = 5;
/**
 * The code points that are mapped to several, ascending: how many, repeated the next number of times and once more.
 * `#%` and `%#`: four are mapped to 2 each, then three to 3 each.
 */
const MAPPING_LENGTHS: i32 = 8;
/**
 * The code points that those are mapped to: the difference of each from the one in its place in the mapping before, or
 * from the last one there. `f }3 *`: U+0020 and U+0308 for U+00A8, then the first of these and U+0304 for U+00AF.
 */
const MAPPED_TO_SEVERAL: i32 = 10;
/**
 * The marks, ascending: the rank of the Canonical_Combining_Class, or 0, repeated as above.
 * `WX` and `7 `: 21 marks of the class with rank 51, then one of rank 52.
 */
const MARK_CLASSES: i32 = 11;
/**
 * The parts of the composites, ascending: gaps, the differences of the distances from the first code point to the
 * composite, and the differences of the second code points. `hD!`, `hd#` and `} #`: U+00E0 is the code point 127 before
 * it and U+0300, U+00E1 that 128 before it and U+0301.
 */
const COMPOSITES: i32 = 13;
/**
 * Five lines for each older version: its number; the runs that differ, as gaps from the end of the run before, lengths
 * less 1, and kinds; and what those that are mapped are mapped to, in decimal. `17`, `z;`, ` ` and `(`: in Unicode 17,
 * U+0558 alone is of kind 5.
 */
const OLDER_VERSIONS: i32 = 16;

const versions: UnicodeData[] = [];

/** Returns the data of a version, which are read once. */
export function unicodeData(version: i32): UnicodeData {
  for (let at = 0; at < versions.length; at++) if (versions[at]!.version === version) return versions[at]!;
  const data = new UnicodeData(version);
  versions.push(data);
  return data;
}

/** The data of a version of Unicode. */
export class UnicodeData {
  readonly version: i32;
  private readonly kinds: Kind[];
  private readonly runs: Runs;
  /** The place in its column of each run's first code point: of the marks, those mapped to one, or to several. */
  private readonly places: Uint32Array;
  /** The distance of each code point that is mapped to one. */
  private readonly distances: Int32Array;
  /** The code points that the others are mapped to, and where those of each begin. */
  private readonly several: Int32Array;
  private readonly severalStarts: Uint32Array;
  /** The rank of each mark's class among all, from 1 on, since only their order counts; 0 for none. */
  private readonly combiningClasses: Uint8Array;
  private readonly composites: Map<f64, i32> = new Map<f64, i32>();
  private readonly decompositions: Map<i32, f64> = new Map<i32, f64>();
  /** The code points that may compose with the one before them, but for parts of Hangul syllables. */
  readonly seconds: Set<i32> = new Set<i32>();
  /** Where an older version has other kinds than the newest, and what it maps code points to there. */
  private older: Runs | null = null;
  private readonly olderMappings: Map<i32, i32[]> = new Map<i32, i32[]>();

  constructor(version: i32) {
    const lines = TABLE.split('\n');
    this.version = version;
    const kinds = kindsNamed(lines[KINDS]!.split(','));
    const runs = readRuns('', lines[RUNS + 1]!, lines[RUNS]!);
    this.kinds = kinds;
    this.runs = runs;
    this.places = readPlaces(runs, kinds);
    this.distances = readDistances(lines);
    const starts = startsOf(repeated(lines[MAPPING_LENGTHS]!, lines[MAPPING_LENGTHS + 1]!));
    this.severalStarts = starts;
    this.several = readSeveral(lines[MAPPED_TO_SEVERAL]!, starts);
    this.combiningClasses = repeated(lines[MARK_CLASSES]!, lines[MARK_CLASSES + 1]!);
    this.readComposites(lines);
    for (let at = OLDER_VERSIONS; at + 4 < lines.length; at += 5) {
      if (numberOf(lines[at]!) === version) this.readOlder(lines, at);
    }
  }

  private readComposites(lines: string[]): void {
    const gaps = numbersIn(lines[COMPOSITES]!);
    const distances = signedSumsIn(lines[COMPOSITES + 1]!);
    const seconds = signedSumsIn(lines[COMPOSITES + 2]!);
    let composite = 0;
    for (let at = 0; at < gaps.length; at++) {
      composite += gaps[at]! as i32;
      const pair = pairOf(composite - distances[at]!, seconds[at]!);
      this.composites.set(pair, composite);
      this.seconds.add(seconds[at]!);
      this.decompositions.set(composite, pair);
    }
  }

  private readOlder(lines: string[], at: i32): void {
    this.older = readRuns(lines[at + 1]!, lines[at + 2]!, lines[at + 3]!);
    const mappings = lines[at + 4]!.split(',');
    for (let index = 0; index < mappings.length; index++) {
      const words = mappings[index]!.split(' ');
      const codes: i32[] = [];
      for (let word = 1; word < words.length; word++) codes.push(numberOf(words[word]!));
      this.olderMappings.set(numberOf(words[0]!), codes);
    }
  }

  kindOf(code: i32): Kind {
    const older = this.older;
    const run = older === null ? -1 : older.runOf(code);
    if (older !== null && run !== -1) return this.kinds[older.kinds[run]!]!;
    return this.kinds[this.runs.kinds[this.runs.runOf(code)]!]!;
  }

  /** Adds what UTS #46 maps a code point to: nothing if it ignores it, itself if it leaves it. */
  addMapping(code: i32, text: TextWriter): void {
    const kind = this.kindOf(code);
    if (!kind.isMapped) {
      if (kind.status !== 'ignored') text.addCodePoint(code);
    } else if (this.olderMappings.has(code)) {
      const codes = this.olderMappings.get(code)!;
      for (let at = 0; at < codes.length; at++) text.addCodePoint(codes[at]!);
    } else if (kind.status === 'mapped') {
      text.addCodePoint(code + this.distances[this.placeOf(code)]!);
    } else {
      const place = this.placeOf(code);
      const end: i32 = this.severalStarts[place + 1]!;
      for (let at: i32 = this.severalStarts[place]!; at < end; at++) text.addCodePoint(this.several[at]!);
    }
  }

  /** Returns the place of a code point in its column. */
  private placeOf(code: i32): i32 {
    const run = this.runs.runOf(code);
    return (this.places[run]! as i32) + code - (this.runs.starts[run]! as i32);
  }

  /** Returns a code point's rank by Canonical_Combining_Class: 0 for a starter, and for what no valid label has. */
  combiningClassOf(code: i32): i32 {
    return this.kindOf(code).isMark ? this.combiningClasses[this.placeOf(code)]! : 0;
  }

  /** Returns the pair of valid code points that a valid one decomposes into, or 0; Hangul follows from arithmetic. */
  decompositionOf(code: i32): f64 {
    return this.decompositions.has(code) && this.kindOf(code).isValid ? this.decompositions.get(code)! : 0;
  }

  /** Returns the composite, or -1. Parts of an older version have one of that version, as the tests verify. */
  compositeOf(first: i32, second: i32): i32 {
    const pair = pairOf(first, second);
    return this.composites.has(pair) ? this.composites.get(pair)! : -1;
  }
}

function kindsNamed(names: string[]): Kind[] {
  const kinds: Kind[] = [];
  for (let at = 0; at < names.length; at++) kinds.push(new Kind(names[at]!));
  return kinds;
}

const PAIR_FACTOR: f64 = 0x200000;

/** Returns two code points as one number. */
function pairOf(first: i32, second: i32): f64 {
  return (first as f64) * PAIR_FACTOR + (second as f64);
}

export function firstOf(pair: f64): i32 {
  return Math.floor(pair / PAIR_FACTOR) as i32;
}

export function secondOf(pair: f64): i32 {
  return (pair % PAIR_FACTOR) as i32;
}

function readRuns(gaps: string, lengths: string, kinds: string): Runs {
  const before = numbersIn(gaps);
  const counts = numbersIn(lengths);
  const starts = new Uint32Array(counts.length);
  for (let run = 0, end: u32 = 0; run < counts.length; run++) {
    starts[run] = before.length === 0 ? end : end + before[run]!;
    counts[run]! += 1;
    end = starts[run]! + counts[run]!;
  }
  return new Runs(starts, counts, numbersIn(kinds));
}

function readPlaces(runs: Runs, kinds: Kind[]): Uint32Array {
  const places = new Uint32Array(runs.starts.length);
  const ends = new Uint32Array(3);
  for (let run = 0; run < places.length; run++) {
    const kind = kinds[runs.kinds[run]!]!;
    if (!kind.isMark && !kind.isMapped) continue;
    const column = kind.isMark ? 0 : kind.status === 'mapped' ? 1 : 2;
    places[run] = ends[column]!;
    ends[column]! += runs.lengths[run]!;
  }
  return places;
}

function readDistances(lines: string[]): Int32Array {
  const ofClasses: Int32Array[] = [];
  for (let each = 0; each < 3; each++) ofClasses.push(signedSumsIn(lines[MAPPED + each]!));
  const read = new Uint32Array(3);
  const classes = repeated(lines[MAPPED_CLASSES]!, lines[MAPPED_CLASSES + 1]!);
  const distances = new Int32Array(classes.length);
  for (let at = 0; at < distances.length; at++) {
    const each: i32 = classes[at]!;
    distances[at] = ofClasses[each]![read[each]!]!;
    read[each]! += 1;
  }
  return distances;
}

function startsOf(counts: Uint8Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let index = 0; index < counts.length; index++) starts[index + 1] = starts[index]! + (counts[index]! as u32);
  return starts;
}

function readSeveral(column: string, starts: Uint32Array): Int32Array {
  const several = signedNumbersIn(column);
  let before = 0;
  for (let index = 0; index + 1 < starts.length; index++) {
    const start: i32 = starts[index]!;
    const end: i32 = starts[index + 1]!;
    for (let at = start; at < end && start > 0; at++) {
      const same = before + at - start;
      several[at]! += several[same < start ? same : start - 1]!;
    }
    before = start;
  }
  return several;
}

/**
 * The digits of the columns in unicode-table.ts: printable ASCII except what a string literal or a page would escape
 * (quotes, `$`, `<` and the backslash). The first 64 end a number, the others come before such a digit.
 */
export const DIGITS: string =
  ' !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~';
export const FINAL_DIGITS: i32 = 64;

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
    const digit: i32 = values[text.charCodeAt(at)]!;
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

function signed(number: u32): i32 {
  return (number >>> 1) ^ -(number & 1);
}

/** Reads differences of either sign, and returns their running sums. */
export function signedSumsIn(text: string): Int32Array {
  const sums = signedNumbersIn(text);
  for (let at = 1; at < sums.length; at++) sums[at]! += sums[at - 1]!;
  return sums;
}

/** Returns numbers up to 255, each repeated as many times as the counts say, plus once. */
export function repeated(values: string, counts: string): Uint8Array {
  const eachValue = numbersIn(values);
  const eachCount = numbersIn(counts);
  let length = 0;
  for (let at = 0; at < eachCount.length; at++) length += (eachCount[at]! as i32) + 1;
  const numbers = new Uint8Array(length);
  let start = 0;
  for (let at = 0; at < eachValue.length; at++) {
    const end = start + (eachCount[at]! as i32) + 1;
    numbers.fill(eachValue[at]! as u8, start, end);
    start = end;
  }
  return numbers;
}

/** Reads a decimal number. */
function numberOf(text: string): i32 {
  let number = 0;
  for (let at = 0; at < text.length; at++) number = number * 10 + text.charCodeAt(at) - 0x30;
  return number;
}
