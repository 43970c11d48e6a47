import { constants } from 'node:buffer';
import { QUESTION_MARK, SLASH } from '../../core/bytes/code-points.ts';
import { concatBytes, GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import { rowIn } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import { digestOfBytes } from '../../core/digest/digest.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { quote } from '../../core/url/failure.ts';
import { HashList, type HashListOptions } from '../../service/lists/hash-list.ts';
import type { ReadLine, Refusal } from '../../specs/safe-browsing/block-list.ts';
import type { SafeBrowsingFailure } from '../../specs/safe-browsing/failure.ts';
import { HASH_BYTES } from '../../specs/safe-browsing/hashes.ts';
import { type EntryLimit, EntryReader } from '../../specs/safe-browsing/list-entry.ts';
import type { Reading } from '../../specs/safe-browsing/settings.ts';
import type { SuffixList } from '../../specs/safe-browsing/suffix-list.ts';
import { DeferredProblem, type RowProblem, VALUE } from '../read/batch.ts';
import { addTo, allProblems, type Format, NO_DIGESTS, type Results, type Stage } from './results.ts';
import { latin1Of, safeBrowsingProblem, shownBytes } from './safe-browsing.ts';

/** The prefixes of the entries in a block's rows, packed; a row may have none, or several. */
export interface ListEntries extends Results {
  readonly prefixes: Uint8Array<ArrayBuffer>;
}

/** The options that read, or allow, what is refused. */
const HINTS: Readonly<Partial<Record<string, string>>> = {
  'adblock-rule': '--input adblock reads those',
  exception: '--ignore-exceptions drops them and lists what they exempt',
  'hosts-file-line': '--input hosts reads hosts files',
  'table-row': '--column with --csv, --tsv or --delimiter reads tables',
  tab: '--input hosts reads hosts files, --column a column of a table',
  'space-in-host': '--input hosts reads hosts files, --column a column of a table',
  'space-after-host': "--delimiter ' ' -f N reads a field of such lines",
  'no-address': '--input lines reads hosts alone',
};

/** What an entry has that may be meant for all that is under it, but matches none of it. */
export const LIMITS: Readonly<Record<EntryLimit, string>> = {
  'public-suffix': 'a public suffix as host',
  'deep-host': 'a host of too many labels',
  'deep-path': 'a path of more than three folders',
};

/** An entry that is listed if all of its line can be. */
interface Entry {
  readonly kind: 'hosts' | 'folders' | 'pages';
  readonly hash: Uint8Array;
  readonly note: RowProblem | undefined;
}

/** Makes the hash prefixes of the entries in the lines of a block list. */
export class ListEntryStage {
  readonly #kernel: Kernel;
  readonly #width: number;
  readonly #reader: EntryReader;
  readonly #readLine: ReadLine;
  readonly #writer = new GrowingBytes();
  #counts: Record<string, number> = {};
  #notes: RowProblem[] = [];

  constructor(kernel: Kernel, width: number, reading: Reading, suffixList: SuffixList, readLine: ReadLine) {
    this.#kernel = kernel;
    this.#width = width;
    this.#reader = new EntryReader(reading, suffixList);
    this.#readLine = readLine;
  }

  readonly run: Stage<ListEntries> = (batch) => {
    const { values, kinds, length } = batch;
    const found: RowProblem[] = [];
    this.#counts = {};
    this.#notes = [];
    for (let row = 0; row < length; row++) {
      if (kinds[row] !== VALUE) continue;
      const problem = this.#addLine(rowIn(values, row), row);
      if (problem !== undefined) found.push(problem);
    }
    return {
      batch,
      problems: allProblems(batch, found),
      notes: this.#notes,
      digests: NO_DIGESTS,
      width: 0,
      counts: this.#counts,
      prefixes: Uint8Array.from(this.#writer.take()),
    };
  };

  /** Adds all entries of a line, or none and returns the reason. */
  #addLine(line: Uint8Array, row: number): RowProblem | undefined {
    if (line.length > constants.MAX_STRING_LENGTH) return tooLong(row, line);
    const result = this.#readLine(latin1Of(line));
    if ('reason' in result) return refused(row, line, result);
    const entries: Entry[] = [];
    for (const { start, end } of result.urls) {
      const expression = this.#reader.expressionOf(line, start, end);
      if (!(expression instanceof Uint8Array)) return refused(row, line, expression);
      const hash = digestOfBytes(this.#kernel, expression, HASH_BYTES);
      entries.push({ kind: kindOf(expression), hash, note: noteOf(row, expression, this.#reader.limit()) });
    }
    for (const kind of result.leftOut) addTo(this.#counts, kind);
    for (const entry of entries) this.#add(entry);
    return undefined;
  }

  #add({ kind, hash, note }: Entry): void {
    this.#writer.bytes(hash, 0, this.#width);
    addTo(this.#counts, kind);
    if (note === undefined) return;
    addTo(this.#counts, note.reason);
    this.#notes.push(note);
  }
}

/** Writes the list of all entries, at the end. */
export class ListFile implements Format<ListEntries> {
  readonly #pieces: Uint8Array[] = [];
  readonly #width: number;
  readonly #options: HashListOptions;
  /** Entries with the same prefix as another entry; known at the end. */
  mergedCount = 0;

  constructor(width: number, options: HashListOptions) {
    this.#width = width;
    this.#options = options;
  }

  write({ prefixes }: ListEntries): void {
    if (prefixes.length > 0) this.#pieces.push(prefixes);
  }

  *end(): Generator<Uint8Array> {
    const list = HashList.from(concatBytes(this.#pieces), this.#width, this.#options);
    this.mergedCount = list.mergedCount;
    yield list.toBytes();
  }
}

/** Returns what the entry matches: all of a host, everything in a folder, or one page. */
function kindOf(expression: Uint8Array): Entry['kind'] {
  if (expression.at(-1) !== SLASH || expression.includes(QUESTION_MARK)) return 'pages';
  return expression.indexOf(SLASH) === expression.length - 1 ? 'hosts' : 'folders';
}

function noteOf(row: number, expression: Uint8Array, limit: EntryLimit | undefined): RowProblem | undefined {
  if (limit === undefined) return undefined;
  const shown = shownBytes(expression);
  return new DeferredProblem(row, limit, () => `${quote(decodeLine(shown))}: it has ${LIMITS[limit]} (${limit})`);
}

/** Makes the problem of a line that is not an entry, or not as it is written. */
function refused(row: number, line: Uint8Array, failure: SafeBrowsingFailure | Refusal): RowProblem {
  const hint = HINTS[failure.reason];
  const hinted = hint === undefined ? failure : ({ ...failure, sentence: `${failure.sentence}; ${hint}` } as Refusal);
  return safeBrowsingProblem(row, line, hinted);
}

function tooLong(row: number, line: Uint8Array): RowProblem {
  const shown = decodeLine(shownBytes(line));
  return new DeferredProblem(
    row,
    'length-limit',
    () => `not listed: ${quote(shown)}: it is too long for a string (length-limit)`,
  );
}
