import { constants } from 'node:buffer';
import { hasOwn } from '../../core/argument.ts';
import { concatBytes, GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { rowIn } from '../../core/bytes/lines.ts';
import { asciiText, decodeLine } from '../../core/bytes/text.ts';
import { digestOfBytes } from '../../core/digest/digest.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { quote } from '../../core/quote.ts';
import { HashList, type HashListOptions } from '../../service/lists/hash-list.ts';
import {
  BLOCK,
  type BlockListLine,
  type LeftOutKind,
  leftOut,
  type ReadLine,
  type Refusal,
  trimmed,
} from '../../specs/safe-browsing/block-list.ts';
import type { SafeBrowsingFailure } from '../../specs/safe-browsing/failure.ts';
import { HASH_BYTES } from '../../specs/safe-browsing/hash-prefix.ts';
import { type EntryKind, type EntryLimit, EntryReader } from '../../specs/safe-browsing/list-entry.ts';
import { type Effects, effectsOf, type RuleEntries } from '../../specs/safe-browsing/list-rules.ts';
import type { Reading } from '../../specs/safe-browsing/settings.ts';
import type { SuffixList } from '../../specs/safe-browsing/suffix-list.ts';
import { type Batch, type RowProblem, rowProblem, VALUE } from '../read/batch.ts';
import { bufferOf } from '../read/framing.ts';
import { type TableForm, TableRecords, valueOf } from '../read/table-records.ts';
import { addTo, type Format, type Results, type Stage, unhashed } from '../work/results.ts';
import { safeBrowsingProblem, shownBytes } from '../work/urls.ts';
import { firstOfPair, isListedType, isUnclear } from './indicators.ts';
import { LEFT_OUT_KINDS, LIMITS, NOT_MISSED, OF_TYPE } from './list-summary.ts';

/** The entries of a batch, of which a row may have none, or several. */
export interface Entries {
  /** The prefixes, packed. */
  readonly prefixes: Uint8Array<ArrayBuffer>;
  /** The lines that have entries, each with as many prefixes, and other rules, where lines may be rules. */
  readonly rules: readonly RuleEntries[];
}

type EntryResults = Results & Entries;

/** The options that read or allow what is refused, by the reason of the refusal. */
const HINTS: Readonly<Partial<Record<string, string>>> = {
  'adblock-rule': '--input adblock reads those',
  exception: '--ignore-exceptions drops those that name no host, too',
  'resolver-line': '--input auto reads those',
  defanged: '--refang reads those',
  'text-before-scheme': '--column with --csv, --tsv or --delimiter reads tables',
  'hosts-file-line': '--input hosts reads hosts files',
  'table-row': '--column with --csv, --tsv or --delimiter reads tables',
  tab: '--input hosts reads hosts files, --column a column of a table',
  'space-in-host': '--input hosts reads hosts files, --column a column of a table',
  'space-after-host': "--delimiter ' ' -f N reads a field of such lines",
  'no-address': '--input lines reads hosts alone',
};

/** The length at which a type is cut: longer than any that a message shows. */
const TYPE_LIMIT = 40;

/** An entry that is listed if all of its line can be. */
interface Entry {
  readonly kind: EntryKind;
  readonly expression: string;
  readonly hash: Uint8Array;
  readonly note: RowProblem | undefined;
}

interface ListEntryOptions {
  readonly kernel: Kernel;
  readonly width: number;
  readonly reading: Reading;
  readonly suffixList: SuffixList;
  readonly readLine: ReadLine;
  /** Whether lines may be rules that act on others. */
  readonly hasRules: boolean;
  /** Whether each line that is left out is named. */
  readonly namesLeftOut: boolean;
  /** The form of a table whose column of types decides which of its rows are listed. */
  readonly table?: TableForm | undefined;
  /** Whether words that could be names of files are left out, where no column says what they are. */
  readonly leavesUnclear?: boolean;
}

/** Makes the hash prefixes of the entries in the lines of a block list. */
export class ListEntryStage {
  readonly #options: ListEntryOptions;
  readonly #reader: EntryReader;
  readonly #writer = new GrowingBytes();
  #counts: Record<string, number> = {};
  #notes: RowProblem[] = [];
  #rules: RuleEntries[] = [];

  constructor(options: ListEntryOptions) {
    this.#options = options;
    this.#reader = new EntryReader(options.reading, options.suffixList);
  }

  readonly run: Stage<EntryResults> = (batch) => {
    const { values, kinds, length } = batch;
    const found: RowProblem[] = [];
    this.#counts = {};
    this.#notes = [];
    this.#rules = [];
    for (let row = 0; row < length; row++) {
      if (kinds[row] !== VALUE) continue;
      const problem = this.#addLine(rowIn(values, row), row, this.#typeIn(batch, row));
      if (problem !== undefined) found.push(problem);
    }
    return {
      ...unhashed(batch, found, this.#counts),
      notes: this.#notes,
      prefixes: Uint8Array.from(this.#writer.take()),
      rules: this.#rules,
    };
  };

  /** Adds all entries of a line, or none and returns the reason. */
  #addLine(line: Uint8Array, row: number, type: string | undefined): RowProblem | undefined {
    if (line.length > constants.MAX_STRING_LENGTH) return tooLong(row, line);
    const result = this.#read(bufferOf(line).toString('latin1'), type);
    if (hasOwn(result, 'reason')) return refused(row, line, result);
    const entries: Entry[] = [];
    for (const url of result.urls) {
      const expression = this.#reader.expressionOf(url);
      if (!(expression instanceof Uint8Array)) return refused(row, line, expression);
      entries.push(this.#entryOf(row, expression));
    }
    this.#addLeftOut(line, row, result.leftOut);
    if (this.#options.hasRules && entries.length > 0) {
      const { rule = BLOCK, key = '' } = result; // a line that is not a rule blocks
      this.#rules.push({ rule, key, expressions: entries.map(({ expression }) => expression) });
    }
    if (result.rule === undefined || result.rule.effect === 'block') for (const entry of entries) this.#add(entry);
    return undefined;
  }

  /** Reads a value if its type, or what it looks like, does not say that it is something else. */
  #read(value: string, type: string | undefined): BlockListLine {
    if (type === undefined) {
      const isOut = this.#options.leavesUnclear === true && isUnclear(trimmed(value));
      return isOut ? leftOut('unclear') : this.#options.readLine(value);
    }
    if (isListedType(type)) return this.#options.readLine(firstOfPair(value, type));
    const found = value.startsWith('#') ? this.#options.readLine(value) : leftOut('otherTypes');
    if (!value.startsWith('#')) addTo(this.#counts, `${OF_TYPE}${type.slice(0, TYPE_LIMIT)}`);
    return found;
  }

  /** Returns what the column of types says of a record. */
  #typeIn({ rows, typeIndex, delimiter }: Batch, row: number): string | undefined {
    const { table } = this.#options;
    if (table === undefined || typeIndex === undefined) return undefined;
    const separator = delimiter?.charCodeAt(0) ?? table.separator;
    const records = new TableRecords({ ...table, separator }, typeIndex);
    const record = rowIn(rows, row);
    return records.next(record, true) && typeIndex < records.fieldCount ? decodeLine(valueOf(record, records)) : '';
  }

  #entryOf(row: number, expression: Uint8Array): Entry {
    const hash = digestOfBytes(this.#options.kernel, expression, HASH_BYTES);
    const text = this.#options.hasRules ? asciiText(expression) : '';
    const note = noteOf(row, expression, this.#reader.limit());
    return { kind: this.#reader.kind(), expression: text, hash, note };
  }

  #addLeftOut(line: Uint8Array, row: number, kinds: readonly LeftOutKind[]): void {
    for (const kind of kinds) {
      addTo(this.#counts, kind);
      if (this.#options.namesLeftOut && !NOT_MISSED.has(kind)) this.#notes.push(leftOutNote(row, line, kind));
    }
  }

  #add({ kind, hash, note }: Entry): void {
    this.#writer.fewBytes(hash, 0, this.#options.width);
    addTo(this.#counts, kind);
    if (note === undefined) return;
    addTo(this.#counts, note.reason);
    this.#notes.push(note);
  }
}

function leftOutNote(row: number, line: Uint8Array, kind: LeftOutKind): RowProblem {
  const shown = shownBytes(line);
  return rowProblem(row, kind, () => `left out: ${quote(decodeLine(shown))}: ${LEFT_OUT_KINDS[kind][0]}`);
}

/** Returns the prefixes of the entries that stand, packed, and what the rules of all batches did to each other. */
export function standingIn(batches: readonly Entries[], width: number): Effects & { readonly prefixes: Uint8Array } {
  const effects = effectsOf(batches.flatMap(({ rules }) => rules));
  const all = concatBytes(batches.map(({ prefixes }) => prefixes));
  return { ...effects, prefixes: effects.stands.includes(false) ? keptOf(all, width, effects.stands) : all };
}

/** Writes the list of all entries, at the end. */
export class ListFile implements Format<EntryResults> {
  readonly #width: number;
  readonly #options: HashListOptions;
  readonly #batches: Entries[] = [];
  #made: MadeList | undefined;

  constructor(width: number, options: HashListOptions) {
    this.#width = width;
    this.#options = options;
  }

  write({ prefixes, rules }: EntryResults): void {
    this.#batches.push({ prefixes, rules });
  }

  /** Makes the list, once all is written. */
  get made(): MadeList {
    return (this.#made ??= this.#make());
  }

  *end(): Generator<Uint8Array> {
    yield this.made.list.toBytes();
  }

  #make(): MadeList {
    const { prefixes, ...effects } = standingIn(this.#batches, this.#width);
    return { list: HashList.from(prefixes, this.#width, this.#options), ...effects };
  }
}

/** A list, and what its rules did to each other. */
interface MadeList extends Effects {
  readonly list: HashList;
}

function keptOf(prefixes: Uint8Array, width: number, stands: readonly boolean[]): Uint8Array {
  return concatBytes(stands.flatMap((each, at) => (each ? [prefixes.subarray(at * width, (at + 1) * width)] : [])));
}

function noteOf(row: number, expression: Uint8Array, limit: EntryLimit | undefined): RowProblem | undefined {
  if (limit === undefined) return undefined;
  const shown = shownBytes(expression);
  return rowProblem(row, limit, () => `${quote(decodeLine(shown))}: it has ${LIMITS[limit]} (${limit})`);
}

/** Makes the problem of a line that is not an entry, or not as it is written. */
function refused(row: number, line: Uint8Array, failure: SafeBrowsingFailure | Refusal): RowProblem {
  const hint = HINTS[failure.reason];
  const hinted = hint === undefined ? failure : ({ ...failure, sentence: `${failure.sentence}; ${hint}` } as Refusal);
  return safeBrowsingProblem(row, line, hinted);
}

function tooLong(row: number, line: Uint8Array): RowProblem {
  const shown = decodeLine(shownBytes(line));
  const message = `not listed: ${quote(shown)}: it is too long for a string (length-limit)`;
  return { row, reason: 'length-limit', message };
}
