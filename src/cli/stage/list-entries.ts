import { constants } from 'node:buffer';
import { QUESTION_MARK, SLASH } from '../../bytes/code-points.ts';
import { GrowingBytes } from '../../bytes/growing-bytes.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { digestOfBytes } from '../../digest/index.ts';
import type { Kernel } from '../../kernel/index.ts';
import {
  afterByteOrderMark,
  EntryReader,
  HASH_BYTES,
  type Reading,
  type SuffixList,
} from '../../safe-browsing/index.ts';
import { quote } from '../../url/index.ts';
import { DeferredProblem, type RowBatch, type RowProblem, VALUE } from '../rows/row-batch.ts';
import { type EntryKind, type ReadLine, type Refusal, refusalOfGiven, refusalOfHost, type Span } from './block-list.ts';
import { safeBrowsingProblem, shownBytes } from './safe-browsing.ts';
import { allProblems, NO_DIGESTS, type ResultBatch, type Stage } from './stage.ts';

/** The prefixes of the entries in a block's rows, packed; a row may have none, or several. */
export interface ListEntries extends ResultBatch {
  readonly prefixes: Uint8Array<ArrayBuffer>;
}

const TOO_LONG: Refusal = { reason: 'length-limit', sentence: 'it is too long for a string' };

/** An entry that is listed if all of its line can be. */
interface Entry {
  readonly kind: EntryKind;
  readonly hash: Uint8Array;
  readonly hasPublicSuffix: boolean;
}

/** Makes the hash prefixes of the entries in the lines of a block list. */
export function listEntryStage(...args: ConstructorParameters<typeof ListEntryStage>): Stage<ListEntries> {
  const stage = new ListEntryStage(...args);
  return (rows) => stage.run(rows);
}

class ListEntryStage {
  readonly #kernel: Kernel;
  readonly #width: number;
  readonly #reader: EntryReader;
  readonly #readLine: ReadLine;
  readonly #writer = new GrowingBytes();
  #counts: Record<string, number> = {};

  constructor(kernel: Kernel, width: number, reading: Reading, suffixList: SuffixList, readLine: ReadLine) {
    this.#kernel = kernel;
    this.#width = width;
    this.#reader = new EntryReader(reading, suffixList);
    this.#readLine = readLine;
  }

  run(rows: RowBatch): ListEntries {
    const { values, kinds, length } = rows;
    const found: RowProblem[] = [];
    this.#counts = {};
    for (let row = 0; row < length; row++) {
      if (kinds[row] !== VALUE) continue;
      const problem = this.#addLine(values.bytes.subarray(values.starts[row], values.ends[row]), row);
      if (problem !== undefined) found.push(problem);
    }
    return {
      rows,
      problems: allProblems(rows, found),
      digests: NO_DIGESTS,
      width: 0,
      counts: this.#counts,
      prefixes: Uint8Array.from(this.#writer.take()),
    };
  }

  /** Adds all entries of a line, or none and returns the reason. */
  #addLine(line: Uint8Array, row: number): RowProblem | undefined {
    if (line.length > constants.MAX_STRING_LENGTH) return refused(row, line, TOO_LONG);
    const text = latin1Of(line);
    const result = this.#readLine(text);
    if ('reason' in result) return refused(row, line, result);
    const entries: Entry[] = [];
    for (const span of result.urls) {
      const entry = this.#entryOf(line, text, span, row);
      if (!('hash' in entry)) return entry;
      entries.push(entry);
    }
    for (const kind of result.leftOut) this.#count(kind);
    for (const entry of entries) this.#add(entry);
    return undefined;
  }

  #entryOf(line: Uint8Array, text: string, { start, end }: Span, row: number): Entry | RowProblem {
    const expression = this.#reader.expressionOf(line, afterByteOrderMark(line, start, end), end);
    if (!(expression instanceof Uint8Array)) {
      const refusal = refusalOfGiven(text.slice(start, end));
      return refusal === undefined ? safeBrowsingProblem(row, line, expression) : refused(row, line, refusal);
    }
    const domain = this.#reader.domain();
    const refusal = domain && refusalOfHost(latin1Of(domain));
    if (refusal !== undefined) return refused(row, line, refusal);
    const hash = digestOfBytes(this.#kernel, expression, HASH_BYTES);
    return { kind: kindOf(expression), hash, hasPublicSuffix: this.#reader.hasPublicSuffix() };
  }

  #add({ kind, hash, hasPublicSuffix }: Entry): void {
    this.#writer.bytes(hash, 0, this.#width);
    this.#count(kind);
    if (hasPublicSuffix) this.#count('publicSuffixes');
  }

  #count(name: string): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + 1;
  }
}

/** Returns what the entry matches: all of a host, everything in a folder, or one page. */
function kindOf(expression: Uint8Array): EntryKind {
  if (expression.at(-1) !== SLASH || expression.includes(QUESTION_MARK)) return 'pages';
  return expression.indexOf(SLASH) === expression.length - 1 ? 'hosts' : 'folders';
}

function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

/** Makes the problem of a line that is not an entry, or not as it is written. */
function refused(row: number, line: Uint8Array, { reason, sentence }: Refusal): RowProblem {
  const shown = shownBytes(line);
  return new DeferredProblem(row, reason, () => `not listed: ${quote(decodeLine(shown))}: ${sentence} (${reason})`);
}
