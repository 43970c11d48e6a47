import type { ListFileReader } from '../../service/http/watched-list.ts';
import { BlockListReader, type BlockListState, type EntryInput } from '../../specs/safe-browsing/block-list-reader.ts';
import { HASH_BYTES } from '../../specs/safe-browsing/hash-prefix.ts';
import type { Reading } from '../../specs/safe-browsing/settings.ts';
import { BUNDLED_LIST, type SuffixList } from '../../specs/safe-browsing/suffix-list.ts';
import { urlValueReader } from '../../specs/safe-browsing/url-line.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { choice, group, optionOf, text, toggle, type ValuesOf } from '../arguments/flag.ts';
import { fileFault, usageFault } from '../fault.ts';
import { bufferOf, type Framing } from '../read/framing.ts';
import { Input } from '../read/inputs.ts';
import type { TypeColumn } from '../read/table.ts';
import { addTo } from '../work/results.ts';
import { reportsOf } from '../work/work.ts';
import { TYPE_COLUMNS } from './indicators.ts';
import { ROW_FLAGS } from './line-flags.ts';
import { linePlan } from './line-plan.ts';
import { type Entries, ListEntryStage, standingIn } from './list-entries.ts';
import { entryCountOf, leavesOut, summaryOf } from './list-summary.ts';

/** The kinds of block lists. */
const INPUTS: Readonly<Record<EntryInput, string>> = {
  lines: 'a URL, a host or an expression per line (default)',
  hosts: 'hosts files: 0.0.0.0 or 127.0.0.1, and hosts',
  adblock: 'rules of ad blockers: those that block pages; others are counted',
  auto: 'all of these, and RPZ, unbound and dnsmasq',
};

export const LIST_KIND_FLAGS = group('Input', {
  input: choice('KIND', INPUTS, 'lines', 'what each line is; # begins a comment:'),
  refang: toggle('read URLs that are written as hxxp[:]//evil[.]example, which are refused otherwise'),
  ignoreExceptions: toggle('leave out exceptions (@@) of ad-block rules: what they lift is listed'),
});

export const TYPE_COLUMN_FLAG = group('Input', {
  typeColumn: text('NAME', 'list rows of a table that column NAME calls URLs or hosts', {
    needs: { column: '' },
  }),
});

const { encoding, column, csv, tsv, delimiter, json, comment } = ROW_FLAGS;

/** Flags of the commands that serve lists of files, which are read as `list build` reads them. */
export const SERVED_FILE_FLAGS = {
  ...LIST_KIND_FLAGS,
  ...{ encoding, column, csv, tsv, delimiter, json, comment },
  ...TYPE_COLUMN_FLAG,
};

type LineValues = Parameters<typeof linePlan>[0];
type InputValues = LineValues & ValuesOf<typeof LIST_KIND_FLAGS & typeof TYPE_COLUMN_FLAG>;

interface EntryOptions extends Pick<ConstructorParameters<typeof ListEntryStage>[0], 'width'> {
  readonly reading: Reading;
  readonly suffixList: SuffixList;
}

/**
 * Returns the part of a plan that reads the entries of lists.
 *
 * @throws {Fault} where flags exclude each other
 */
export async function entryPlan(values: InputValues, inputs: readonly Input[], options: EntryOptions) {
  const { input, ignoreExceptions, refang, allErrors } = values;
  mustFitKind(values);
  const skipBlank = values.skipBlank || input !== 'lines';
  const types = typeColumnOf(values);
  const lines = await linePlan({ ...values, skipBlank }, inputs, { mayHaveTabs: true, keepsComments: true, types });
  const { kernel, records } = lines;
  const isTable = records?.kind === 'csv' || records?.kind === 'delimited';
  if (values.typeColumn !== undefined && !isTable) throw usageFault('--type-column needs a table of text, not Parquet');
  const table = isTable ? { separator: records.delimiter.charCodeAt(0), isQuoted: records.kind === 'csv' } : undefined;
  const leavesUnclear = input === 'lines' && (values.column !== undefined || values.json !== undefined);
  const isOfRecords = records !== undefined || values.links === true;
  const reader = new BlockListReader({ input, ignoresExceptions: ignoreExceptions, refangs: refang });
  const readLine = isOfRecords ? urlValueReader(refang) : (line: string) => reader.read(line);
  const hasRules = input === 'adblock' || input === 'auto';
  const reading = { kernel, ...options, readLine, hasRules, namesLeftOut: allErrors, table, leavesUnclear };
  return {
    ...lines,
    framing: hasRules ? blockListFraming(lines.framing, reader) : lines.framing,
    onError: 'skip' as const,
    stage: new ListEntryStage(reading).run,
  };
}

/** Bytes that are read until other work may go on: some 10 ms. */
const PIECE_BYTES = 1 << 16;

/**
 * Returns what reads the contents of a file for a server, as `list build` reads the file. A bad line is an error, so
 * that the list stays as it was; what is left out of a list is told.
 */
export function listFileReader(values: ValuesOf<typeof SERVED_FILE_FLAGS>, tell: Diagnostics['tell']): ListFileReader {
  const noReports = { quiet: false, allErrors: false, exitZero: false, out: undefined, stats: undefined };
  const lineValues = { ...values, ...noReports, kernel: undefined, jobs: 1, zero: false, skipBlank: true };
  const options = { width: HASH_BYTES, reading: { profile: 'v5', mode: 'spec' }, suffixList: BUNDLED_LIST } as const;
  return async (path, content) => {
    const plan = await entryPlan(lineValues, [new Input(path, content)], options);
    if ('blocksOf' in plan.framing) throw fileFault(path, 'it is Parquet, which list build --prefix 32 reads');
    const batches: Entries[] = [];
    const counts: Record<string, number> = {};
    let rowsBefore = 0;
    const add = ({ prefixes, rules }: Entries) => void batches.push({ prefixes, rules });
    for await (const report of reportsOf({ ...plan, shownLimit: 1 }, contentInput(path, content), add)) {
      const [problem] = report.problems;
      if (problem !== undefined) throw fileFault(`${path}:${rowsBefore + problem.number + 1}`, problem.message!);
      for (const [name, count] of Object.entries(report.counts)) addTo(counts, name, count);
      rowsBefore += report.recordCount;
    }
    const found = standingIn(batches, HASH_BYTES);
    if (leavesOut(counts, found)) void tell([`${path}: ${summaryOf(counts, found).join('; ')}`]);
    return { hashes: found.prefixes, entryCount: entryCountOf(counts) };
  };
}

/** Makes an input of what a file held when it was read. */
function contentInput(name: string, content: Uint8Array) {
  return { name, chunks: piecesOf(content), readBytes: 0, opened: () => Promise.reject(new Error('it was read')) };
}

async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    yield content.subarray(at, at + PIECE_BYTES);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns the column of types that is asked for, or the usual ones. */
function typeColumnOf({ typeColumn }: InputValues): TypeColumn | undefined {
  if (typeColumn === undefined) return { names: TYPE_COLUMNS, isRequired: false };
  return typeColumn === '' ? undefined : { names: [typeColumn], isRequired: true };
}

/** The state of the reader before a block, and after it. */
type States = readonly [before: BlockListState, after: BlockListState];

/** Lets the reader go on at each block, in whatever thread, with what the blocks of its list before it say. */
function blockListFraming(lines: Framing, reader: BlockListReader): Framing {
  return {
    ...lines,
    stateOf(block, before): States {
      reader.begin();
      if (before !== undefined) reader.state = (before as States)[1];
      const { state } = reader;
      reader.pass(bufferOf(block));
      return [state, reader.state];
    },
    *batches(block, states) {
      reader.state = (states as States)[0];
      yield* lines.batches(block, undefined);
    },
  };
}

/** @throws {Fault} where flags exclude each other */
function mustFitKind(values: InputValues): void {
  const { input, ignoreExceptions, refang } = values;
  if (ignoreExceptions && input !== 'adblock' && input !== 'auto')
    throw usageFault('--ignore-exceptions needs --input adblock or auto');
  if (refang && input !== 'lines' && input !== 'auto') throw usageFault('--refang needs --input lines or auto');
  const records = (['column', 'json', 'cdx', 'log', 'logFormat', 'links'] as const).find((name) => values[name]);
  if (input !== 'lines' && records !== undefined && !(input === 'hosts' && records === 'column'))
    throw usageFault(`--input ${input} and ${optionOf(records)} cannot be combined`);
}
