import { TAB } from '../../core/bytes/code-points.ts';
import type { GrowingBytes } from '../../core/bytes/growing-bytes.ts';
import type { Kernel } from '../../core/kernel/kernel.ts';
import { type Listing, ListSearch, type NamedList } from '../../service/lists/list-search.ts';
import type { Settings } from '../../specs/safe-browsing/settings.ts';
import { givenIn, HEADING, type RowProblem } from '../read/batch.ts';
import { type AddedName, addedName, type Records, type RowForm } from '../read/framing.ts';
import { type AddedField, RecordFormat } from '../write/records.ts';
import { logLinesIn, type ValueKind } from './log-lines.ts';
import { allProblems, type Format, type KeptRows, NO_DIGESTS, type Results, type Stage } from './results.ts';
import { safeBrowsingProblem } from './safe-browsing.ts';

export interface LookedUp extends Results {
  /** By listed row, ascending: each list that has it, in the order given. */
  readonly listings: ReadonlyMap<number, readonly Listing[]>;
}

export interface LookupOptions {
  readonly settings: Settings;
  readonly valueKind: ValueKind;
  /** Whether lines of logs are looked up as they are. */
  readonly allowsLogLines: boolean;
}

/** Looks each URL up in lists of one profile. */
export class LookupStage {
  readonly #search: ListSearch;
  readonly #options: LookupOptions;

  constructor(kernel: Kernel, lists: readonly NamedList[], options: LookupOptions) {
    this.#search = new ListSearch(kernel, lists, options.settings);
    this.#options = options;
  }

  readonly run: Stage<LookedUp> = (batch) => {
    const listings = new Map<number, readonly Listing[]>();
    const { allowsLogLines, valueKind } = this.#options;
    const logLines = allowsLogLines ? undefined : logLinesIn(batch, valueKind);
    const found: RowProblem[] = [];
    for (const part of this.#search.reader.rows(batch.values, batch.length, logLines?.kinds ?? batch.kinds)) {
      this.#search.lookUp(part, listings);
      for (const { row, input, failure } of part.rejected) found.push(safeBrowsingProblem(row, input, failure));
    }
    const { problems, separatorCount = 0 } = logLines ?? { problems: [] };
    return {
      batch,
      problems: allProblems(batch, problems, found),
      digests: NO_DIGESTS,
      width: 0,
      counts: { matched: listings.size, ...(separatorCount > 0 && { fieldsBeforeScheme: separatorCount }) },
      listings,
    };
  };
}

/**
 * Writes each listed row once for each list that has it: as a line of list, expression and the line as given, or as a
 * record with two more fields.
 */
export function openMatchFormat({ lineEnd, records }: RowForm): Format<LookedUp> {
  return records === undefined ? matchLines(lineEnd) : new MatchRecords(records);
}

const REMEDY = 'one run looks lines up in several lists, --list LIST --list LIST';

/** The fields that listed records gain. */
export const MATCH_NAMES = [addedName('list', REMEDY), addedName('expression', REMEDY)] as const;

function matchLines(lineEnd: number): Format<LookedUp> {
  return {
    write({ batch, listings }, { rows: kept, count }, out) {
      if (listings.size === 0) return;
      for (let index = 0; index < count; index++) {
        const row = kept[index]!;
        for (const listing of listings.get(row) ?? []) writeMatch(out, listing, givenIn(batch, row), lineEnd);
      }
    },
  };
}

function writeMatch(out: GrowingBytes, { list, expression }: Listing, given: Uint8Array, lineEnd: number): void {
  out.text(list);
  out.byte(TAB);
  out.text(expression);
  out.byte(TAB);
  out.bytes(given);
  out.byte(lineEnd);
}

class MatchRecords implements Format<LookedUp> {
  readonly #records: RecordFormat;
  /** The one row that is being written. */
  readonly #one: KeptRows = { rows: new Uint32Array(1), count: 1, fields: new Uint8Array(0) };
  #listing: Listing | undefined;

  constructor(records: Records) {
    this.#records = new RecordFormat(records, [
      this.#field('list', MATCH_NAMES[0]),
      this.#field('expression', MATCH_NAMES[1]),
    ]);
  }

  write(results: LookedUp, { rows: kept, count, fields }: KeptRows, out: GrowingBytes): void {
    for (let index = 0; index < count; index++) {
      const row = kept[index]!;
      this.#one.rows[0] = row;
      if (results.batch.kinds[row]! === HEADING) this.#records.write(results, { ...this.#one, fields }, out);
      for (this.#listing of results.listings.get(row) ?? [])
        this.#records.write(results, { ...this.#one, fields }, out);
    }
  }

  #field(key: keyof Listing, name: AddedName): AddedField {
    return { name, textOf: () => this.#listing![key] };
  }
}
