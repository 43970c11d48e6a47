import { readFile } from 'node:fs/promises';
import type { SafeBrowsingChecker } from '../../service/check/checker.ts';
import type { CheckerOptions } from '../../service/check/options.ts';
import { GLOBAL_CACHE, isGlobalCache, THREAT_LISTS } from '../../service/lists/threats.ts';
import { packageVersion } from '../arguments/diagnostics.ts';
import { choice, group, text, texts, type ValuesOf } from '../arguments/flag.ts';
import { reasonOf, usageFault, usageFaultsFrom } from '../fault.ts';

const GOOGLE = 'https://safebrowsing.googleapis.com/v5/';

const KEY_VARIABLE = 'URLSUM_API_KEY';

/** Flags of every command of `urlsum safe-browsing`. */
export const CHECKER_FLAGS = group('Safe Browsing', {
  store: text('DIR', 'the folder that keeps the lists'),
  server: text('URL', 'the server of the v5 methods; default Google'),
  list: texts('NAME', `a list to hold; repeat it for several; default ${THREAT_LISTS.join(', ')}`),
  keyFile: text('FILE', `a file with the API key; otherwise the variable ${KEY_VARIABLE}`, { isPath: true }),
});

/** Returns the flags of a command that checks URLs; `initial` and `help` are those of `--when-unsure`. */
export function checkFlags<const I extends 'block' | 'allow' | undefined>(initial: I, help: string) {
  const flags = {
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
    whenUnsure: choice('ACTION', ['block', 'allow'], initial, help),
  };
  return { ...CHECKER_FLAGS, ...group('Safe Browsing', flags) };
}

/** Google sizes its longest list at 67 MB: a link of 2 Mbit/s brings it in time. */
const UPDATE_MS = 300_000;

type Procedure = CheckerOptions['procedure'];
type CheckerValues = ValuesOf<typeof CHECKER_FLAGS>;

/** Makes the options of a checker that holds lists in a folder. @throws {Fault} */
export async function storedOptions(values: CheckerValues, procedure: Procedure): Promise<CheckerOptions> {
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
export async function checkOptions(
  values: ValuesOf<ReturnType<typeof checkFlags<'block' | 'allow' | undefined>>>,
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
export async function openChecker(options: CheckerOptions): Promise<SafeBrowsingChecker> {
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
