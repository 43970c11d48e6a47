import { readFile } from 'node:fs/promises';
import type { CheckerOptions, SafeBrowsingChecker } from '../../../service/check/index.ts';
import { GLOBAL_CACHE, isGlobalCache, THREAT_LISTS } from '../../../service/lists/threats.ts';
import { type Diagnostics, packageVersion } from '../../arguments/diagnostics.ts';
import { choice, group, text, texts, type ValuesOf } from '../../arguments/flag.ts';
import { sentenceOf, usageFault, usageFaultsFrom } from '../../fault.ts';

const GOOGLE = 'https://safebrowsing.googleapis.com/v5/';

const KEY_VARIABLE = 'URLSUM_API_KEY';

/** Flags of all three commands. */
export const CHECKER_FLAGS = group('Safe Browsing', {
  store: text('DIR', 'the folder that keeps the lists'),
  server: text('URL', 'the server of the v5 methods; default Google'),
  list: texts('NAME', `a list to hold; repeat it for several; default ${THREAT_LISTS.join(', ')}`),
  keyFile: text('FILE', `a file with the API key; otherwise the variable ${KEY_VARIABLE}`, { isPath: true }),
});

/** Flags of those that check URLs. */
export const PROCEDURE_FLAGS = group('Safe Browsing', {
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
  whenUnsure: choice(
    'ACTION',
    ['block', 'allow'],
    undefined,
    'what becomes of URLs without an answer: block or allow; there is no default',
  ),
});

/** Google sizes its longest list at 67 MB: a link of 2 Mbit/s brings it in time. */
const UPDATE_MS = 300_000;

type Procedure = CheckerOptions['procedure'];
type CheckerValues = ValuesOf<typeof CHECKER_FLAGS>;

/** Makes the options of a checker that holds lists in a folder. @throws {Fault} */
export async function storedOptions(values: CheckerValues, procedure: Procedure): Promise<CheckerOptions> {
  const { FileStore } = await import('../../../service/check/index.ts');
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
export async function checkOptions(values: CheckerValues & ValuesOf<typeof PROCEDURE_FLAGS>): Promise<CheckerOptions> {
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
export async function openChecker(options: CheckerOptions, diagnostics: Diagnostics): Promise<SafeBrowsingChecker> {
  const { SafeBrowsingChecker } = await import('../../../service/check/index.ts');
  const checker = usageFaultsFrom(Error, () => new SafeBrowsingChecker(options));
  const proxy = unusedProxy(String(options.server), process);
  if (proxy !== undefined) await diagnostics.tell([proxy]);
  return checker;
}

/** Adds to what is wrong the option that mends it: the library, which says what is wrong, has others. */
export function withAdvice(detail: string): string {
  if (detail.includes('API key')) return `${detail}; --key-file FILE or ${KEY_VARIABLE} gives the key`;
  return detail.includes('it has no list') ? `${detail}; --list NAME says which to hold` : detail;
}

/** "Simply use the well-known User-Agent header" (Migration from V4). */
async function headersOf({ keyFile }: CheckerValues): Promise<Record<string, string>> {
  const key = keyFile === undefined ? process.env[KEY_VARIABLE] : await keyIn(keyFile);
  return {
    'User-Agent': `urlsum/${await packageVersion()}`,
    ...(key !== undefined && key !== '' && { 'X-Goog-Api-Key': key }),
  };
}

/** @throws {Fault} which names the file and nothing of what is in it */
async function keyIn(path: string): Promise<string> {
  const content = await readFile(path, 'utf8').catch((error) => {
    throw usageFault(`--key-file ${path}: ${sentenceOf(error)}`);
  });
  const key = content.trim();
  if (key === '') throw usageFault(`--key-file ${path}: it is empty`);
  if (/[^\x21-\x7e]/.test(key)) throw usageFault(`--key-file ${path}: it holds more than a key`);
  return key;
}

/** The first Node of each release line whose `fetch` can go through the proxy of the environment. */
const FIRST_MINORS: Readonly<Record<string, number>> = { 22: 21, 23: Number.POSITIVE_INFINITY };
const FIRST_MAJOR = 22;

/** What is looked at of a process. */
export interface ProxyHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly execArgv: readonly string[];
  /** Of Node, as `v24.1.0`. */
  readonly version: string;
}

/**
 * Names a proxy of the environment that requests to a server do not go through, and what makes them; undefined where
 * there is none. Its URL is not quoted: it may hold a password.
 */
export function unusedProxy(server: string, { env, execArgv, version }: ProxyHost): string | undefined {
  const { protocol, hostname } = new URL(server);
  const names = [`${protocol.slice(0, -1)}_proxy`, `${protocol.slice(0, -1)}_proxy`.toUpperCase()];
  const variable = names.find((name) => env[name]);
  const exceptions = env['no_proxy'] || env['NO_PROXY'] || '';
  if (variable === undefined || isLoopback(hostname) || isExcepted(hostname, exceptions)) return undefined;
  const isAsked =
    env['NODE_USE_ENV_PROXY'] === '1' || [...execArgv, env['NODE_OPTIONS'] ?? ''].join(' ').includes('--use-env-proxy');
  const canUse = hasProxies(version);
  if (isAsked && canUse) return undefined;
  const advice = canUse
    ? 'set NODE_USE_ENV_PROXY=1'
    : `that takes Node 24 or newer, with NODE_USE_ENV_PROXY=1; this is ${version}`;
  return `${variable} is set, but requests to ${hostname} do not go through the proxy: ${advice}`;
}

function hasProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  return major >= FIRST_MAJOR && minor >= (FIRST_MINORS[major] ?? 0);
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** NO_PROXY has hosts, each for those under it, too, or `*`. */
function isExcepted(hostname: string, exceptions: string): boolean {
  const hosts = exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return hosts.some((host) => {
    const name = host.replace(/^\*?\.|:\d+$/g, '');
    return name === '*' || hostname === name || hostname.endsWith(`.${name}`);
  });
}
