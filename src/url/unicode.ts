// What UTS #46 and Normalization Form C ask of Unicode 17, whatever the host has. The tables are text, and read when a
// domain first needs them.

import { NumberColumn } from './number-column.ts';
import {
  COMPOSITE_DISTANCES,
  COMPOSITE_GAPS,
  COMPOSITE_SECONDS,
  KINDS,
  MAPPED_TO_ONE,
  MAPPED_TO_SEVERAL,
  MAPPING_LENGTH_COUNTS,
  MAPPING_LENGTHS,
  MARK_CLASS_COUNTS,
  MARK_CLASSES,
  RUN_KINDS,
  RUN_LENGTHS,
} from './unicode-table.ts';

/** A Bidi_Class; `R` is AL as well, `other` one of ES, CS, ET, ON and BN, `forbidden` any that no label may have. */
export type BidiClass = 'L' | 'R' | 'EN' | 'AN' | 'NSM' | 'other' | 'forbidden';

/** What the rules for domains ask of a code point: there are 19 kinds. */
export interface Kind {
  /** By the IDNA mapping table; a deviation is valid, and none but the valid have the properties below. */
  readonly status: 'disallowed' | 'ignored' | 'mapped' | 'valid';
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

/** Runs of code points of one kind, ascending: where each begins, its kind, and the first mapping of a mapped one. */
interface Runs {
  readonly starts: Uint32Array;
  readonly kinds: readonly Kind[];
  readonly mappings: Uint16Array;
}

const CODE_POINTS = 0x110000;

interface Tables {
  readonly runs: Runs;
  /** By code point: those of the mapped ones, ascending. */
  readonly mappings: readonly string[];
  /** By code point, of those that have one: its rank among all classes, from 1 on, since only their order counts. */
  readonly combiningClasses: ReadonlyMap<number, number>;
  readonly composites: ReadonlyMap<number, number>;
  readonly decompositions: ReadonlyMap<number, readonly [first: number, second: number]>;
}

let tables: Tables | undefined;

function read(): Tables {
  return (tables ??= readTables());
}

export function kindOf(code: number): Kind {
  const { runs } = read();
  return runs.kinds[runAt(code, runs)]!;
}

/** Of a mapped code point. */
export function mappingOf(code: number): string {
  const { runs, mappings } = read();
  const run = runAt(code, runs);
  return mappings[runs.mappings[run]! + code - runs.starts[run]!]!;
}

/** The rank of its Canonical_Combining_Class: 0 for a starter, and for what no valid label has. */
export function combiningClassOf(code: number): number {
  return read().combiningClasses.get(code) ?? 0;
}

/** The two valid code points that a valid one decomposes into; Hangul follows from arithmetic. */
export function decompositionOf(code: number): readonly [first: number, second: number] | undefined {
  return read().decompositions.get(code);
}

export function compositeOf(first: number, second: number): number | undefined {
  return read().composites.get(pairOf(first, second));
}

/** Two code points as one number. */
function pairOf(first: number, second: number): number {
  return first * 2 ** 21 + second;
}

function runAt(code: number, { starts }: Runs): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle]! <= code) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The columns are described in unicode-table.ts. */
function readTables(): Tables {
  const runs = readRuns();
  return { runs, mappings: readMappings(runs), combiningClasses: readClasses(runs), ...readComposites() };
}

function readRuns(): Runs {
  const allKinds = KINDS.map(kindNamed);
  const runKinds = new NumberColumn(RUN_KINDS);
  const lengths = new NumberColumn(RUN_LENGTHS);
  const starts = new Uint32Array(RUN_KINDS.length);
  const mappings = new Uint16Array(RUN_KINDS.length);
  const kinds: Kind[] = [];
  for (let [run, code, mapping] = [0, 0, 0]; run < starts.length; run++) {
    const kind = allKinds[runKinds.next()]!;
    const length = lengths.next() + 1;
    kinds.push(kind);
    starts[run] = code;
    mappings[run] = mapping;
    code += length;
    if (kind.status === 'mapped') mapping += length;
  }
  return { starts, kinds, mappings };
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

function* codePointsOf({ starts, kinds }: Runs, isWanted: (kind: Kind) => boolean): Generator<number> {
  for (const [run, kind] of kinds.entries()) {
    if (!isWanted(kind)) continue;
    for (let code = starts[run]!; code < (starts[run + 1] ?? CODE_POINTS); code++) yield code;
  }
}

function readMappings(runs: Runs): string[] {
  const lengths = repeated(MAPPING_LENGTHS, MAPPING_LENGTH_COUNTS);
  const ones = new NumberColumn(MAPPED_TO_ONE);
  const several = new NumberColumn(MAPPED_TO_SEVERAL);
  const mappings: string[] = [];
  let distance = 0;
  let before: number[] = [];
  for (const code of codePointsOf(runs, ({ status }) => status === 'mapped')) {
    const length = lengths[mappings.length]!;
    if (length === 1) {
      distance += ones.nextSigned();
      mappings.push(String.fromCodePoint(code + distance));
    } else {
      const mapping: number[] = [];
      for (let at = 0; at < length; at++) mapping.push((before[at] ?? before.at(-1) ?? 0) + several.nextSigned());
      mappings.push(String.fromCodePoint(...mapping));
      before = mapping;
    }
  }
  return mappings;
}

function readClasses(runs: Runs): Map<number, number> {
  const ranks = repeated(MARK_CLASSES, MARK_CLASS_COUNTS);
  const classes = new Map<number, number>();
  let mark = 0;
  for (const code of codePointsOf(runs, ({ isMark }) => isMark)) {
    const rank = ranks[mark++]!;
    if (rank > 0) classes.set(code, rank);
  }
  return classes;
}

/** Numbers, each as many times as the counts say. */
function repeated(values: string, counts: string): number[] {
  const [valueColumn, countColumn] = [new NumberColumn(values), new NumberColumn(counts)];
  const numbers: number[] = [];
  while (!valueColumn.isAtEnd) {
    const value = valueColumn.next();
    for (let count = countColumn.next() + 1; count > 0; count--) numbers.push(value);
  }
  return numbers;
}

function readComposites(): Pick<Tables, 'composites' | 'decompositions'> {
  const composites = new Map<number, number>();
  const decompositions = new Map<number, readonly [number, number]>();
  const gaps = new NumberColumn(COMPOSITE_GAPS);
  const distances = new NumberColumn(COMPOSITE_DISTANCES);
  const seconds = new NumberColumn(COMPOSITE_SECONDS);
  let [composite, distance, second] = [0, 0, 0];
  while (!gaps.isAtEnd) {
    composite += gaps.next();
    distance += distances.nextSigned();
    second += seconds.nextSigned();
    const first = composite - distance;
    composites.set(pairOf(first, second), composite);
    decompositions.set(composite, [first, second]);
  }
  return { composites, decompositions };
}
