// The data of each version of Unicode that UTS #46 and Normalization Form C need, whatever the host has. The tables are
// text, and read when a domain first needs them: those of the newest version, and what differs in older ones.

import { numbersIn, repeated, signedNumbersIn, signedSumsIn } from './number-column.ts';
import {
  COMPOSITE_DISTANCES,
  COMPOSITE_GAPS,
  COMPOSITE_SECONDS,
  KINDS,
  MAPPED_CLASS_COUNTS,
  MAPPED_CLASSES,
  MAPPED_HIGH,
  MAPPED_LOW,
  MAPPED_MIDDLE,
  MAPPED_TO_SEVERAL,
  MAPPING_LENGTH_COUNTS,
  MAPPING_LENGTHS,
  MARK_CLASS_COUNTS,
  MARK_CLASSES,
  OLDER_VERSIONS,
  RUN_KINDS,
  RUN_LENGTHS,
  type UNICODE_VERSIONS,
} from './unicode-table.ts';

/** A version of Unicode. */
export type UnicodeVersion = (typeof UNICODE_VERSIONS)[number];

/** A Bidi_Class; `R` includes AL, `other` is one of ES, CS, ET, ON and BN, `forbidden` any that no label may have. */
export type BidiClass = 'L' | 'R' | 'EN' | 'AN' | 'NSM' | 'other' | 'forbidden';

/** The properties of a code point that the rules for domains need: there are 20 kinds. */
export interface Kind {
  /** By the IDNA mapping table; a deviation is valid, and only the valid have the properties below. */
  readonly status: 'disallowed' | 'ignored' | 'mapped' | 'mapped-to-several' | 'valid';
  readonly bidi: BidiClass;
  /** General_Category M */
  readonly isMark: boolean;
  /** Joining_Type L or D: it joins the one after it. */
  readonly isLeftJoining: boolean;
  /** Joining_Type R or D: it joins the one before it. */
  readonly isRightJoining: boolean;
  /** Joining_Type T */
  readonly isTransparent: boolean;
}

/**
 * Runs of code points of one kind, ascending: where each begins, its kind, and how many code points before it are in
 * the same column as its own: the marks, those mapped to one, those mapped to several.
 */
interface Runs {
  readonly starts: Uint32Array;
  readonly kinds: readonly Kind[];
  readonly columnStarts: Uint16Array;
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

let runs: Runs | undefined;
let mappings: Mappings | undefined;
let normalization: Normalization | undefined;

/** What an older version has in place of runs of code points; nothing of it in the newest. */
interface Differences {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly kinds: readonly Kind[];
  readonly mappings: ReadonlyMap<number, string>;
}

const versions: Partial<Record<UnicodeVersion, UnicodeData>> = {};

/** Returns the data of a version, which are read once. */
export function unicodeData(version: UnicodeVersion): UnicodeData {
  return (versions[version] ??= new UnicodeData(version));
}

/** The data of a version of Unicode. */
export class UnicodeData {
  readonly #differences: Differences | undefined;

  constructor(version: UnicodeVersion) {
    runs ??= readRuns();
    this.#differences = readDifferences(version);
  }

  kindOf(code: number): Kind {
    return this.#differing(code) ?? runs!.kinds[runAt(code, runs!.starts)]!;
  }

  /** Returns what UTS #46 maps a code point to: nothing if it ignores it, itself if it leaves it. */
  mappingOf(code: number): string {
    const run = runAt(code, runs!.starts);
    const differing = this.#differing(code);
    const { status } = differing ?? runs!.kinds[run]!;
    if (status === 'ignored') return '';
    if (status !== 'mapped' && status !== 'mapped-to-several') return String.fromCodePoint(code);
    if (differing !== undefined) return this.#differences!.mappings.get(code)!;
    const { distances, several, severalStarts } = (mappings ??= readMappings());
    const at = runs!.columnStarts[run]! + code - runs!.starts[run]!;
    if (status === 'mapped') return String.fromCodePoint(code + distances[at]!);
    return String.fromCodePoint(...several.subarray(severalStarts[at], severalStarts[at + 1]));
  }

  /** Returns a code point's rank by Canonical_Combining_Class: 0 for a starter, and for what no valid label has. */
  combiningClassOf(code: number): number {
    const run = runAt(code, runs!.starts);
    if (!runs!.kinds[run]!.isMark || !this.#isValid(code)) return 0;
    normalization ??= readNormalization();
    return normalization.combiningClasses[runs!.columnStarts[run]! + code - runs!.starts[run]!]!;
  }

  /** Returns the two valid code points that a valid one decomposes into; Hangul follows from arithmetic. */
  decompositionOf(code: number): readonly [first: number, second: number] | undefined {
    normalization ??= readNormalization();
    const pair = normalization.decompositions.get(code);
    return pair !== undefined && this.#isValid(code) ? pair : undefined;
  }

  /** What is valid in an older version composes to what is valid there, too: tools/unicode-relation.mjs checks it. */
  compositeOf(first: number, second: number): number | undefined {
    normalization ??= readNormalization();
    return normalization.composites.get(pairOf(first, second));
  }

  /** Of code points that are valid in the newest version. */
  #isValid(code: number): boolean {
    return (this.#differing(code)?.status ?? 'valid') === 'valid';
  }

  #differing(code: number): Kind | undefined {
    if (this.#differences === undefined) return undefined;
    const { starts, ends, kinds } = this.#differences;
    const run = runAt(code, starts);
    return code >= starts[run]! && code < ends[run]! ? kinds[run] : undefined;
  }
}

/** Returns two code points as one number. */
function pairOf(first: number, second: number): number {
  return first * 2 ** 21 + second;
}

function runAt(code: number, starts: Uint32Array): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle]! <= code) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The columns are described in unicode-table.ts.

function readRuns(): Runs {
  const allKinds = KINDS.map(kindNamed);
  const runKinds = numbersIn(RUN_KINDS);
  const lengths = numbersIn(RUN_LENGTHS);
  const kinds: Kind[] = [];
  const starts = new Uint32Array(runKinds.length);
  const columnStarts = new Uint16Array(runKinds.length);
  const columnEnds = [0, 0, 0];
  let code = 0;
  for (let run = 0; run < runKinds.length; run++) {
    const kind = allKinds[runKinds[run]!]!;
    const length = lengths[run]! + 1;
    kinds.push(kind);
    starts[run] = code;
    code += length;
    const column = columnOf(kind);
    if (column === undefined) continue;
    columnStarts[run] = columnEnds[column]!;
    columnEnds[column]! += length;
  }
  return { starts, kinds, columnStarts };
}

function readDifferences(version: UnicodeVersion): Differences | undefined {
  const older = OLDER_VERSIONS.find((each) => each.version === version);
  if (older === undefined) return undefined;
  const lengths = numbersIn(older.lengths);
  const starts = numbersIn(older.gaps);
  const ends = new Uint32Array(starts.length);
  for (let run = 0; run < starts.length; run++) {
    starts[run]! += ends[run - 1] ?? 0;
    ends[run] = starts[run]! + lengths[run]! + 1;
  }
  const kinds = Array.from(numbersIn(older.kinds), (kind) => kindNamed(KINDS[kind]!));
  return { starts, ends, kinds, mappings: readDifferingMappings(starts, ends, kinds, numbersIn(older.mappings)) };
}

function readDifferingMappings(
  starts: Uint32Array,
  ends: Uint32Array,
  kinds: readonly Kind[],
  numbers: Uint32Array,
): ReadonlyMap<number, string> {
  const differing = new Map<number, string>();
  let at = 0;
  for (const [run, { status }] of kinds.entries()) {
    if (status !== 'mapped' && status !== 'mapped-to-several') continue;
    for (let code = starts[run]!; code < ends[run]!; code++) {
      const end = at + 1 + numbers[at]!;
      differing.set(code, String.fromCodePoint(...numbers.subarray(at + 1, end)));
      at = end;
    }
  }
  return differing;
}

function columnOf({ status, isMark }: Kind): number | undefined {
  if (isMark) return 0;
  if (status === 'mapped') return 1;
  return status === 'mapped-to-several' ? 2 : undefined;
}

function kindNamed(name: string): Kind {
  const [status, bidi, ...properties] = name.split(' ');
  return {
    status: status as Kind['status'],
    bidi: (bidi ?? 'forbidden') as BidiClass,
    isMark: properties.includes('mark'),
    isLeftJoining: properties.includes('left-joining'),
    isRightJoining: properties.includes('right-joining'),
    isTransparent: properties.includes('transparent'),
  };
}

function readMappings(): Mappings {
  return { distances: readDistances(), ...readSeveral() };
}

function readDistances(): Int32Array {
  const ofClasses = [MAPPED_LOW, MAPPED_MIDDLE, MAPPED_HIGH].map(signedSumsIn);
  const read = [0, 0, 0];
  const classes = repeated(MAPPED_CLASSES, MAPPED_CLASS_COUNTS);
  const distances = new Int32Array(classes.length);
  for (let at = 0; at < distances.length; at++) {
    const each = classes[at]!;
    distances[at] = ofClasses[each]![read[each]!++]!;
  }
  return distances;
}

function readSeveral(): Pick<Mappings, 'several' | 'severalStarts'> {
  const lengths = repeated(MAPPING_LENGTHS, MAPPING_LENGTH_COUNTS);
  const several = signedNumbersIn(MAPPED_TO_SEVERAL);
  const severalStarts = new Uint16Array(lengths.length + 1);
  let start = 0;
  let lengthBefore = 0;
  for (let index = 0; index < lengths.length; index++) {
    const length = lengths[index]!;
    const before = start - lengthBefore;
    const lastBefore = start - 1;
    if (lengthBefore > 0)
      for (let at = 0; at < length; at++) several[start + at]! += several[Math.min(before + at, lastBefore)]!;
    start += length;
    severalStarts[index + 1] = start;
    lengthBefore = length;
  }
  return { several, severalStarts };
}

function readNormalization(): Normalization {
  return { combiningClasses: repeated(MARK_CLASSES, MARK_CLASS_COUNTS), ...readComposites() };
}

function readComposites(): Pick<Normalization, 'composites' | 'decompositions'> {
  const gaps = numbersIn(COMPOSITE_GAPS);
  const distances = signedSumsIn(COMPOSITE_DISTANCES);
  const seconds = signedSumsIn(COMPOSITE_SECONDS);
  const composites = new Map<number, number>();
  const decompositions = new Map<number, readonly [number, number]>();
  let composite = 0;
  for (let at = 0; at < gaps.length; at++) {
    composite += gaps[at]!;
    const [first, second] = [composite - distances[at]!, seconds[at]!];
    composites.set(pairOf(first, second), composite);
    decompositions.set(composite, [first, second]);
  }
  return { composites, decompositions };
}
