import { readFile } from 'node:fs/promises';
import { decodeLine } from '../../core/bytes/text.ts';
import { quote } from '../../core/quote.ts';
import type { Answer } from '../../service/check/answer.ts';
import type { SafeBrowsingChecker } from '../../service/check/checker.ts';
import type { ListReport } from '../../service/check/list-updates.ts';
import type { CheckerOptions } from '../../service/check/options.ts';
import type { OwnList } from '../../service/http/own-list.ts';
import {
  GLOBAL_CACHE,
  isGlobalCache,
  KNOWN_THREAT_TYPES,
  THREAT_LISTS,
  threatTypesOf,
} from '../../service/lists/threats.ts';
import type { TextSource } from '../../specs/safe-browsing/doubt.ts';
import { counted, type Diagnostics, packageVersion, TROUBLE, timeText } from '../arguments/diagnostics.ts';
import { choice, group, oneOf, text, texts, toggle, type ValuesOf } from '../arguments/flag.ts';
import { reasonOf, usageFault, usageFaultsFrom } from '../fault.ts';
import { type Batch, givenIn, type RowProblem, VALUE } from '../read/batch.ts';
import { addedName, type RowForm } from '../read/framing.ts';
import { type Format, type Results, rowByRow, type Stage, unhashed } from '../work/results.ts';
import { print } from '../write/output.ts';
import { RecordFormat } from '../write/records.ts';
import { action, block, lineCommand } from './command.ts';
import { ANY_SCHEME, COMPLAINT_FLAGS, linePlan, ORIGIN_FLAGS, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { SPACES_FLAG, sourceIn } from './safe-browsing-flags.ts';
import { LISTEN_FLAGS, loadAll, SERVED_LIST_FLAGS, serveUntilEnded, untilEnded, watchOptions } from './server.ts';

const GOOGLE = 'https://safebrowsing.googleapis.com/v5/';

const KEY_VARIABLE = 'URLSUM_API_KEY';

/** Flags of every command of `urlsum safe-browsing`. */
const CHECKER_FLAGS = group('Safe Browsing', {
  store: text('DIR', 'the folder that keeps the lists'),
  server: text('URL', 'the server of the v5 methods; default Google'),
  list: texts('NAME', `a list to hold; repeat it for several; default ${THREAT_LISTS.join(', ')}`),
  keyFile: text('FILE', `a file with the API key; otherwise the variable ${KEY_VARIABLE}`, { isPath: true }),
});

const UNSURE_ACTIONS = ['block', 'allow'] as const;

/** Flags of the commands that check URLs, beside `--when-unsure`. */
const PROCEDURE_FLAGS = group('Safe Browsing', {
  procedure: choice(
    'NAME',
    {
      'local-list': 'ask for what is on a list here (default with --store)',
      'real-time': 'ask for all but the Global Cache; the lists if that fails',
      'no-storage': 'ask for everything, hold no lists',
    },
    undefined,
    'how URLs are checked:',
  ),
});

const UPDATE_FLAGS = {
  ...CHECKER_FLAGS,
  ...group('Update', {
    procedure: choice(
      'NAME',
      ['local-list', 'real-time'],
      'local-list',
      'local-list (default), or real-time, which holds the Global Cache, gc-32b, too',
    ),
    watch: toggle('update whenever the server says, until the command is ended'),
  }),
};

/** `urlsum safe-browsing update`: brings the lists in a folder up to date. */
export const UPDATE = action({
  examples: [
    ['--store lists --key-file key.txt', 'once'],
    ['--store lists --watch', 'whenever the server says'],
    ['--store lists --list mw-4b', 'one list'],
  ],
  operands: '',
  about: [
    'Fetches what has changed in the lists of Safe Browsing v5 and prints a line for each: its name, what became of it, ' +
      'its prefixes, and when it was last up to date. Processes can share a folder. Exit status: 0, all are up to date; ' +
      '2, one is not. A list that is not stays as it was.',
  ],
  flags: UPDATE_FLAGS,
  async run(values, operands, { diagnostics }) {
    if (operands.length > 0) throw usageFault(`safe-browsing update takes no operands, not '${operands[0]}'`);
    const checker = await openChecker(await storedOptions(values, values.procedure));
    if (!values.watch) {
      const reports = await checker.update();
      await print(linesOf(reports, checker));
      reportProblems(reports, checker, diagnostics);
      return;
    }
    await untilEnded({
      async start(write) {
        checker.start({
          onUpdate(reports) {
            write(linesOf(reports, checker));
            for (const { name, detail } of reports)
              if (detail !== undefined) void diagnostics.tell([`${name}: ${detail}`]);
          },
        });
      },
      stop: () => checker.stop({ signal: AbortSignal.abort() }),
    });
  },
});

function linesOf(reports: readonly ListReport[], checker: SafeBrowsingChecker): string {
  const times = new Map(checker.status().lists.map(({ name, updatedAt }) => [name, updatedAt]));
  return block(
    reports.map(({ name, status, size }) => [name, status, size, timeText(times.get(name)) ?? ''].join('\t')),
  );
}

/** Reports lists that are not up to date, or that the store did not keep for the next command. */
function reportProblems(reports: readonly ListReport[], checker: SafeBrowsingChecker, diagnostics: Diagnostics): void {
  const lists = new Map(checker.status().lists.map((list) => [list.name, list]));
  for (const { name, status, detail } of reports) {
    const { isFresh, trouble } = lists.get(name)!;
    if (status === 'failed' || !isFresh || trouble !== undefined)
      diagnostics.trouble(`${name}: ${detail ?? trouble ?? 'it is not up to date'}`);
    else if (detail !== undefined) void diagnostics.tell([`${name}: ${detail}`]);
  }
}

const CHECK_FLAGS = {
  ...CHECKER_FLAGS,
  ...PROCEDURE_FLAGS,
  ...group('Safe Browsing', {
    whenUnsure: choice(
      'ACTION',
      UNSURE_ACTIONS,
      'block',
      'what isAllowed of ndjson says of URLs without an answer: block (default) or allow',
    ),
  }),
  ...group('Output', {
    format: choice(
      'FORMAT',
      { tsv: 'verdict, threats, URL (default)', ndjson: 'all that is known, as a JSON object per line' },
      'tsv',
      'output for each line:',
    ),
  }),
  ...ROW_FLAGS,
  ...ORIGIN_FLAGS,
  ...SPACES_FLAG,
  ...group('Bad lines', { quiet: COMPLAINT_FLAGS.quiet, allErrors: COMPLAINT_FLAGS.allErrors }),
  ...group('Run', { out: RUN_FLAGS.out, stats: RUN_FLAGS.stats, kernel: RUN_FLAGS.kernel }),
};

/** `urlsum safe-browsing check`: whether each URL is listed. */
export const CHECK = lineCommand({
  examples: [
    ['--store lists urls.txt', 'with lists'],
    ['--procedure no-storage urls.txt', 'without'],
  ],
  operands: '[URL|FILE…]',
  about: [
    'Checks each URL by Safe Browsing v5 and prints its verdict (safe, unsafe or unsure), its threats and the URL. The ' +
      'lists are those that urlsum safe-browsing update keeps in --store. Exit status: 0, all are safe; 1, one is ' +
      'unsafe; 2, one is unsure, or usage or file errors, even if another is unsafe: an alert asks for any status but 0.',
  ],
  flags: CHECK_FLAGS,
  async plan(values, inputs) {
    const options = await checkOptions(values);
    const lines = await linePlan({ ...values, ...ANY_SCHEME, exitZero: true, onError: 'keep', jobs: 1 }, inputs, {
      added: VERDICT_NAMES,
    });
    if (lines.records !== undefined && values.format === 'ndjson')
      throw usageFault('--format ndjson is for lines; records keep their form and gain verdict and threats');
    return {
      ...lines,
      ...verdictsBy(await openChecker(options), sourceIn(values, lines.records)),
      openFormat: () => openVerdictFormat(lines, values.format),
      facts: () => ({ profile: 'safe-browsing' }),
      closedPipeStatus: TROUBLE,
      conclude({ unsafe = 0 }, diagnostics, invalidCount) {
        if (unsafe > 0) diagnostics.failed();
        if (invalidCount > 0) diagnostics.trouble(`${counted(invalidCount, 'line is', 'lines are')} unsure`);
      },
    };
  },
});

interface Verdicts extends Results {
  /** The answer for each row; a row without a value has none. */
  readonly answers: readonly (Answer | undefined)[];
}

/**
 * Checks the values of rows. The pipeline does not wait for a stage, so all values of a block are asked for before its
 * rows are worked on, which also saves requests. An unsure row is a problem; it is written all the same.
 */
function verdictsBy(checker: SafeBrowsingChecker, source: TextSource) {
  let answersOfBlock: Iterator<Answer> = [].values();
  const prepare = async (batches: Iterable<Batch>): Promise<void> => {
    const urls: Uint8Array[] = [];
    for (const batch of batches)
      for (let row = 0; row < batch.length; row++)
        if (batch.kinds[row] === VALUE) urls.push(Uint8Array.from(givenIn(batch, row)));
    answersOfBlock = (await checker.answersFor(urls, source)).values();
  };
  const stage: Stage<Verdicts> = (batch) => {
    const counts = { unsafe: 0, unsure: 0 };
    const unsure: RowProblem[] = [];
    const answers = Array.from({ length: batch.length }, (_, row) => {
      const answer: Answer | undefined = batch.kinds[row] === VALUE ? answersOfBlock.next().value : undefined;
      if (answer?.verdict === 'unsafe') counts.unsafe++;
      if (answer?.verdict === 'unsure') {
        counts.unsure++;
        const { reason, detail } = answer;
        unsure.push({ row, reason, message: `${reason}: ${detail}` });
      }
      return answer;
    });
    return { ...unhashed(batch, unsure, counts), answers };
  };
  return { prepare, stage };
}

const VERDICT_NAMES = [addedName('verdict'), addedName('threats')] as const;

/** Writes verdict, threats and the URL of each row, or adds the first two to records. */
function openVerdictFormat({ lineEnd, records }: RowForm, format: 'tsv' | 'ndjson'): Format<Verdicts> {
  const answerOf = (results: Results, row: number) => (results as Verdicts).answers[row];
  if (records !== undefined)
    return new RecordFormat(records, [
      { name: VERDICT_NAMES[0], textOf: (results, row) => verdictOf(answerOf(results, row)) },
      { name: VERDICT_NAMES[1], textOf: (results, row) => threatsText(answerOf(results, row)) },
    ]);
  return rowByRow((out, results, row) => {
    const url = givenIn(results.batch, row);
    const answer = answerOf(results, row);
    if (format === 'ndjson') out.text(JSON.stringify(recordOf(decodeLine(url), answer)));
    else {
      out.text(`${verdictOf(answer)}\t${threatsText(answer)}\t`);
      out.bytes(url);
    }
    out.byte(lineEnd);
  });
}

/** A row without a URL is unsure, too. */
function verdictOf(answer: Answer | undefined): Answer['verdict'] {
  return answer?.verdict ?? 'unsure';
}

/** Returns each type once; one that counts in frames alone says so. */
function threatsText(answer: Answer | undefined): string {
  const threats = answer?.threats ?? [];
  return [...new Set(threats.map(({ type, isFrameOnly }) => (isFrameOnly ? `${type}:FRAME_ONLY` : type)))].join(',');
}

function recordOf(url: string, answer: Answer | undefined): object {
  if (answer === undefined) return { url, verdict: verdictOf(answer) };
  const { verdict, reason, isAllowed, matched, detail } = answer;
  const threats = answer.threats.map(({ type, isFrameOnly, expression }) => ({ type, isFrameOnly, expression }));
  const expiresAt = timeText(answer.expiresAt);
  return { url, verdict, reason, isAllowed, threats, matched, detail, expiresAt };
}

const SERVE_FLAGS = {
  ...CHECKER_FLAGS,
  ...PROCEDURE_FLAGS,
  ...group('Safe Browsing', {
    whenUnsure: choice(
      'ACTION',
      UNSURE_ACTIONS,
      undefined,
      'what becomes of URLs without an answer: block or allow; there is no default',
    ),
  }),
  ...group('Server', {
    ...LISTEN_FLAGS,
    own: texts('FILE=TYPE', 'a list, built or of lines, and what its URLs are, as bad.list=MALWARE; repeat it'),
    frames: toggle('answer threats that count in frames alone, too'),
    logUrls: toggle('write each URL that is checked to standard error'),
  }),
  ...SERVED_LIST_FLAGS,
};

/** `urlsum safe-browsing serve`: answers programs of this machine. */
export const SERVE = action({
  examples: [
    ['--store lists --when-unsure block', 'with lists'],
    ['--own bad.list=MALWARE --store lists --when-unsure block', 'and yours'],
    ['--procedure no-storage --when-unsure allow', 'without lists'],
  ],
  operands: '',
  about: [
    'Answers GET /v5/urls:search and, for programs that call Safe Browsing v4, POST /v4/threatMatches:find and GET ' +
      '/v4/threatLists; for operators, /status, /healthz and /metrics. Google ends its support of v4 on 31 March 2027; ' +
      'it may remain accessible. The lists are kept up to date in the background. ' +
      'SIGTERM ends it when what runs is answered. docs/safe-browsing-server.md says what changes from v4 and sbserver.',
  ],
  flags: SERVE_FLAGS,
  async run(values, operands, { diagnostics }) {
    if (operands.length > 0) throw usageFault(`safe-browsing serve takes no operands, not '${operands[0]}'`);
    const options = await checkOptions(values);
    const watched = watchOptions(values, diagnostics);
    const ownLists = await Promise.all(values.own.map((own) => ownListOf(own, watched)));
    await loadAll(ownLists);
    const checker = await openChecker(options);
    const { CheckServer } = await import('../../service/http/check-server.ts');
    const held = options.procedure === 'local-list' ? threatTypesOf(options.lists ?? []) : KNOWN_THREAT_TYPES;
    const server = new CheckServer({
      checker,
      ownLists,
      now: Date.now,
      withFrames: values.frames,
      whenUnsure: options.whenUnsure,
      types: KNOWN_THREAT_TYPES.filter((type) => held.includes(type) || ownLists.some((list) => list.type === type)),
      hosts: values.host,
      origins: values.allowOrigin,
      log: (message) => void diagnostics.tell([message]),
      ...(values.logUrls && {
        logUrl: (url: string, types: readonly string[]) =>
          void diagnostics.tell([`${types.join(',') || 'safe'} ${quote(url)}`]),
      }),
    });
    await serveUntilEnded(server, values.listen);
  },
});

/** @throws {Fault} on the option */
async function ownListOf(value: string, options: ReturnType<typeof watchOptions>): Promise<OwnList> {
  const at = value.lastIndexOf('=');
  if (at < 1) throw usageFault(`--own must be FILE=TYPE, as bad.list=MALWARE, not '${value}'`);
  const path = value.slice(0, at);
  const { OwnList } = await import('../../service/http/check-server.ts');
  return new OwnList(path, oneOf('the type of --own', value.slice(at + 1), KNOWN_THREAT_TYPES), options);
}

/** Google sizes its longest list at 67 MB: a link of 2 Mbit/s brings it in time. */
const UPDATE_MS = 300_000;

type Procedure = CheckerOptions['procedure'];
type CheckerValues = ValuesOf<typeof CHECKER_FLAGS>;

/** Makes the options of a checker that holds lists in a folder. @throws {Fault} */
async function storedOptions(values: CheckerValues, procedure: Procedure): Promise<CheckerOptions> {
  const { FileStore } = await import('../../service/check/file-store.ts');
  const { store, server = GOOGLE, list } = values;
  const headers = await headersOf(values);
  const options = { server, procedure, whenUnsure: 'block', headers, updateTimeoutMs: UPDATE_MS } as const;
  if (procedure === 'no-storage') {
    if (store !== undefined || list.length > 0)
      throw usageFault('--procedure no-storage cannot be combined with --store or --list: it holds no lists');
    return options;
  }
  if (store === undefined) throw usageFault(`${procedure} needs --store DIR, the folder of the lists`);
  const isRealTime = procedure === 'real-time';
  const names = list.length > 0 ? list : isRealTime ? [...THREAT_LISTS, GLOBAL_CACHE] : THREAT_LISTS;
  const globalCache = isRealTime ? names.find(isGlobalCache) : undefined;
  return {
    ...options,
    lists: names.filter((name) => name !== globalCache),
    ...(globalCache !== undefined && { globalCache }),
    store: new FileStore(store),
  };
}

/** Makes the options of a checker of URLs. @throws {Fault} */
async function checkOptions(
  values: CheckerValues & ValuesOf<typeof PROCEDURE_FLAGS> & { readonly whenUnsure: 'block' | 'allow' | undefined },
): Promise<CheckerOptions> {
  const { store, whenUnsure } = values;
  if (whenUnsure === undefined) throw usageFault('--when-unsure block or --when-unsure allow is needed');
  const procedure = values.procedure ?? (store === undefined ? undefined : 'local-list');
  if (procedure === undefined) throw usageFault('--store DIR or --procedure no-storage is needed');
  const options = await storedOptions(values, procedure);
  const threatLists = options.lists ?? [];
  const cache = threatLists.find(isGlobalCache);
  if (cache !== undefined)
    throw usageFault(`--list ${cache} is for --procedure real-time: it lists what is likely safe`);
  return { ...options, whenUnsure };
}

/** @throws {Fault} on options that a checker refuses; its messages quote no key */
async function openChecker(options: CheckerOptions): Promise<SafeBrowsingChecker> {
  const { SafeBrowsingChecker } = await import('../../service/check/checker.ts');
  return usageFaultsFrom(Error, () => new SafeBrowsingChecker(options));
}

/** "Simply use the well-known User-Agent header" (Migration from V4). */
async function headersOf({ keyFile }: CheckerValues): Promise<Record<string, string>> {
  const key = keyFile === undefined ? process.env[KEY_VARIABLE] : await keyIn(keyFile);
  return {
    'User-Agent': `urlsum/${await packageVersion()}`,
    ...(key !== undefined && key !== '' && { 'X-Goog-Api-Key': key }),
  };
}

/** @throws {Fault} that names the file and quotes nothing of its content */
async function keyIn(path: string): Promise<string> {
  const content = await readFile(path, 'utf8').catch((error) => {
    throw usageFault(`--key-file ${path}: ${reasonOf(error)}`);
  });
  const key = content.trim();
  if (key === '') throw usageFault(`--key-file ${path}: it is empty`);
  if (/[^\x21-\x7e]/.test(key)) throw usageFault(`--key-file ${path}: it holds more than a key`);
  return key;
}
