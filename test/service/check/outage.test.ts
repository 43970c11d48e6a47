// What a checker says while its server cannot answer, and what its messages never say.
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CheckerOptions, type Fetch, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { sha256 } from './scripted-server.ts';

const tests = suite('safe-browsing/check: outages');

const EVIL = 'http://evil.example/';
const KEY = 'a-secret-KEY-0123456789';
const WIDTHS: Readonly<Record<string, number>> = { 'own-32b': 32, 'own-8b': 8, 'mw-4b': 4 };

let time: number;
let search: Fetch;

tests.before.each(() => {
  time = Date.UTC(2026, 0, 1);
  search = () => Promise.reject(new TypeError(`cannot fetch http://127.0.0.1/?key=${KEY}`));
});

const fetch: Fetch = async (url, init) => {
  if (url.includes('hashes:search')) return search(url, init);
  const names = new URL(url).searchParams.getAll('names');
  const updates = names.map((name) => {
    const width = WIDTHS[name]!;
    return HashList.from(sha256('evil.example/').subarray(0, width), width, { name }).toUpdate(1_800_000);
  });
  return new Response(BATCH_GET_HASH_LISTS_RESPONSE.encode(updates));
};

async function opened(options: Partial<CheckerOptions>): Promise<SafeBrowsingChecker> {
  const checker = new SafeBrowsingChecker({
    server: 'http://127.0.0.1/v5/',
    procedure: 'local-list',
    whenUnsure: 'allow',
    now: () => time,
    random: () => 0,
    fetch,
    ...options,
  });
  await checker.update();
  return checker;
}

tests('a whole hash on a fresh list is an answer, in both procedures with lists', async () => {
  for (const procedure of ['local-list', 'real-time'] as const) {
    const checker = await opened({ procedure, lists: ['own-32b'] });
    const { verdict, reason, isAllowed, threats, matched, detail } = await checker.check(EVIL);
    assert.equal([verdict, reason, isAllowed, matched], ['unsafe', 'list', false, ['own-32b']]);
    const expiresAt = checker.nextUpdateAt;
    assert.equal(threats, [{ type: 'UNKNOWN', isFrameOnly: false, expression: 'evil.example/', expiresAt }]);
    assert.match(detail!, 'the connection failed: TypeError');
    time += 25 * 3_600_000;
    const stale = await checker.check(EVIL);
    assert.equal([stale.verdict, stale.reason, stale.matched], ['unsure', 'unsure: list-stale', ['own-32b']]);
    time = Date.UTC(2026, 0, 1);
  }
});

tests('a prefix is one where the list is trusted; otherwise the answer says what matched', async () => {
  const lists = ['own-8b', 'mw-4b'];
  const doubted = await (await opened({ lists })).check(EVIL);
  assert.equal([doubted.verdict, doubted.isAllowed, doubted.matched], ['unsure', true, lists]);
  const trusted = await (await opened({ lists, trustedLists: ['own-8b'] })).check(EVIL);
  assert.equal([trusted.verdict, trusted.reason, trusted.isAllowed], ['unsafe', 'list', false]);
  const other = await (await opened({ lists, trustedLists: ['own-8b'] })).check('http://good.example/');
  assert.equal([other.verdict, other.reason, other.matched], ['safe', 'list', []]);
  const wrong = () => opened({ lists, trustedLists: ['own-32b'] });
  assert.match(String(await wrong().catch(String)), 'trustedLists must be some of lists, got "own-32b"');
});

/** The words of a cause in Deno 2.9, for servers that do not answer, and the kind of it. */
const DENO_SAYS = [
  [
    `for url (http://h/?key=${KEY}): client error (Connect): tcp connect error: Connection refused (os error 111)`,
    'ECONNREFUSED',
  ],
  [
    `for url (https://h/?key=${KEY}): client error (Connect): dns error: failed to lookup address information: refused`,
    'ENOTFOUND',
  ],
  [
    `from [::1]:9 for http://h/?key=${KEY} ([::1]:8): client error (SendRequest): connection closed before message completed`,
    'ECONNRESET',
  ],
  [
    `for url (https://${KEY}.h/): client error (Connect): invalid peer certificate: UnknownIssuer`,
    'an invalid certificate',
  ],
  [`for url (https://h/?key=${KEY}): client error (Connect): received corrupt message of type ${KEY}`, 'TypeError'],
  [`for url (https://h/?key=${KEY}&reset=refused): error in ${KEY}`, 'TypeError'],
] as const;

tests('no message quotes what a fetch or a store says: it may hold a key', async () => {
  const errors = [
    new TypeError(`error sending request for url (https://h/?key=${KEY})`),
    Object.assign(new Error(KEY), { code: KEY, name: KEY }),
    Object.assign(new Error(KEY), { cause: Object.assign(new Error(KEY), { code: 'ECONNREFUSED' }) }),
    KEY,
    { message: KEY, toString: () => KEY },
    undefined,
    Object.defineProperty(new Error(KEY), 'code', {
      get: () => {
        throw new Error(KEY);
      },
    }),
    ...DENO_SAYS.map(([said]) => new TypeError('fetch failed', { cause: new Error(`error sending request ${said}`) })),
  ];
  const details: string[] = [];
  for (const error of errors) {
    search = () => Promise.reject(error);
    const refuse = () => Promise.reject(error);
    const checker = await opened({ lists: ['mw-4b'], store: { get: refuse, set: refuse } });
    const { detail } = await checker.check(EVIL);
    const [report] = await (await opened({ lists: ['mw-4b'], fetch: refuse })).update();
    const [kept] = await new SafeBrowsingChecker({
      server: 'http://127.0.0.1/',
      procedure: 'local-list',
      whenUnsure: 'block',
      lists: ['mw-4b'],
      now: () => time,
      fetch,
      store: { get: refuse, set: refuse },
    }).update();
    for (const text of [detail, report!.detail, kept!.detail]) assert.not.match(text!, KEY);
    details.push(detail!.replace('the connection failed: ', ''));
    assert.match(kept!.detail!, /^the store did not keep the list: /);
  }
  assert.equal(details, [
    ...['TypeError', 'an error', 'ECONNREFUSED', 'an error', 'an error', 'an error', 'an error'],
    ...DENO_SAYS.map(([, kind]) => kind),
  ]);
});

tests('a fetch that ignores its signal is not waited for', async () => {
  let isCancelled = false;
  let answer: (response: Awaited<ReturnType<Fetch>>) => void = () => undefined;
  search = () => new Promise((resolve) => (answer = resolve));
  const checker = await opened({ procedure: 'no-storage', timeoutMs: 20 });
  const { reason, detail } = await checker.check(EVIL);
  assert.equal([reason, detail], ['unsure: time-out', 'the server did not answer within 20 ms']);
  answer({
    status: 200,
    headers: new Headers(),
    body: new ReadableStream({ cancel: () => void (isCancelled = true) }),
  });
  await new Promise((resolve) => void setImmediate(resolve));
  assert.ok(isCancelled, 'what comes too late is not read');
  search = async () => ({ status: 200, headers: new Headers(), body: new ReadableStream() });
  time += 3_600_000;
  assert.is((await checker.check('http://other.example/')).reason, 'unsure: time-out');
});

tests('a process waits for its answers, though nothing but their time limit goes on in it', () => {
  const script = `
    import { SafeBrowsingChecker } from './dist/esm/safe-browsing-check.js';
    const reason = async (fetch, timeoutMs) => {
      const options = { server: 'https://a/', procedure: 'no-storage', whenUnsure: 'allow', fetch, timeoutMs };
      return (await new SafeBrowsingChecker(options).check('http://a.example/')).reason;
    };
    console.log(await reason(() => new Promise(() => {}), 20));
    console.log(await reason(async () => new Response(new ReadableStream()), 20));
    console.log(await reason(async () => new Response(null, { status: 503 }), 2 ** 31 - 1)); // and no longer than that`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal([stdout, stderr], ['unsure: time-out\nunsure: time-out\nunsure: status\n', '']);
});

tests('a clock of any value, once, rejects nothing', async () => {
  for (const wrong of [1e16, -1e16, Number.MAX_VALUE, Number.NaN, Number.POSITIVE_INFINITY]) {
    time = wrong;
    const checker = await opened({ lists: ['mw-4b'] });
    assert.type((await checker.check(EVIL)).verdict, 'string');
    time = Date.UTC(2026, 0, 1);
    for (const each of await checker.checkMany([EVIL, 'http://good.example/'])) assert.type(each.verdict, 'string');
    assert.ok(checker.nextUpdateAt >= time && Number.isFinite(checker.nextUpdateAt), `${wrong}`);
    assert.is((await checker.update()).length, 1);
    time = wrong;
    assert.type((await checker.check(EVIL)).verdict, 'string');
  }
});

tests('URL objects are checked; what is not a URL is a TypeError, before anything is asked', async () => {
  const checker = await opened({ lists: ['own-32b'] });
  const location = { href: EVIL, toString: () => EVIL };
  for (const url of [new URL(EVIL), location as URL]) {
    const answer = await checker.check(url);
    assert.equal([answer.url, answer.verdict], [EVIL, 'unsafe']);
  }
  let count = 0;
  search = () => Promise.reject(new Error(`asked ${++count} times`));
  for (const wrong of [undefined, null, 7, {}, { href: EVIL }, [EVIL], Symbol('x')]) {
    const told = await checker.check(wrong as never).catch(String);
    assert.match(String(told), /^TypeError: url must be a string, a URL or a Uint8Array, got /);
    const many = await checker.checkMany([EVIL, wrong as never]).catch(String);
    assert.match(String(many), /^TypeError: urls\[1\] must be a string, a URL or a Uint8Array, got /);
  }
  const moved = Buffer.from(Uint8Array.from(Buffer.from(EVIL)).buffer);
  structuredClone(moved.buffer, { transfer: [moved.buffer] });
  assert.match(String(await checker.check(moved).catch(String)), 'url must be in memory, got what was transferred');
  assert.is(count, 0);
});

tests.run();
