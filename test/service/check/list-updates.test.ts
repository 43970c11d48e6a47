// Lists over real HTTP, from the example server and through a proxy that spoils its answers.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CheckerOptions, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, type ListUpdate } from '../../../src/entries/safe-browsing/lists.ts';
import { SharedWork } from '../../../src/service/check/list-updates.ts';
import { cases, random } from '../../support/seed.ts';
import { ServedLists } from '../http/served-lists.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { listOf, refusal, ScriptedServer, shown } from './scripted-server.ts';

const tests = suite('safe-browsing/check: list updates');
const next = random();

const MALWARE = 'http://evil.example/a?b';
const PHISHING = 'http://login.example/';
const GOOD = 'http://good.example/';
const others = Array.from({ length: 199 }, (_, row) => `http://other${row}.example/x`);
const FIRST = { 'mw-4b': [MALWARE, ...others], 'se-16b': [PHISHING, ...others] };

let server: ServedLists;
let proxy: FaultyProxy;
let time: number;
let paths: string[];

tests.before(async () => {
  server = await ServedLists.start(FIRST);
  proxy = await FaultyProxy.start(server.url);
});
tests.before.each(async () => {
  for (const [name, urls] of Object.entries(FIRST)) await server.write(name, urls);
  time = Date.UTC(2026, 0, 1);
  paths = [];
  proxy.fault = (path) => void paths.push(path);
  proxy.rewriteLists = (body) => body;
});
tests.after(async () => {
  await proxy.stop();
  await server.stop();
});

function opened(options: Partial<CheckerOptions> = {}): SafeBrowsingChecker {
  return new SafeBrowsingChecker({
    server: proxy.url,
    procedure: 'local-list',
    whenUnsure: 'block',
    lists: ['mw-4b', 'se-16b'],
    now: () => time,
    random: () => 0,
    ...options,
  });
}

const statuses = async (checker: SafeBrowsingChecker) => (await checker.update()).map(({ status }) => status);
const WAIT = 1_800_000;

tests(
  'without its lists the checker is unsure; with them it asks the server for what may be listed alone',
  async () => {
    const checker = opened();
    const before = await checker.check(GOOD);
    assert.is(shown(before), 'unsure, unsure: list-missing');
    assert.is(before.detail, 'the list mw-4b has not been fetched');
    assert.is(checker.nextUpdateAt, time);
    assert.equal(await checker.update(), [
      { name: 'mw-4b', status: 'updated', detail: undefined, cause: undefined, size: 200 },
      { name: 'se-16b', status: 'updated', detail: undefined, cause: undefined, size: 200 },
    ]);
    paths.length = 0;
    const answers = await checker.checkMany([GOOD, MALWARE, PHISHING, 'http://evil.example/a']);
    assert.equal(answers.map(shown), ['safe, list', 'unsafe, server', 'unsafe, server', 'safe, list']);
    assert.equal(
      answers.map(({ threats }) => threats[0]?.type),
      [undefined, 'MALWARE', 'SOCIAL_ENGINEERING', undefined],
    );
    assert.is(new URLSearchParams(paths[0]!.replace(/.*\?/, '')).getAll('hashPrefixes').length, 2);
    assert.equal((await checker.checkMany([MALWARE, GOOD])).map(shown), ['unsafe, cache', 'safe, list']);
    assert.is(paths.length, 1);
  },
);

tests('lists are fetched again when the server lets them, and then only what has changed', async () => {
  const checker = opened();
  let byteLength = 0;
  proxy.rewriteLists = (body) => {
    byteLength = body.length;
    return body;
  };
  await checker.update();
  assert.not.match(paths.at(-1)!, 'version=');
  const wholeLength = byteLength;
  assert.is(checker.nextUpdateAt, time + WAIT);
  assert.equal(await statuses(checker), ['waiting', 'waiting']);
  time += WAIT;
  assert.equal(await statuses(checker), ['unchanged', 'unchanged']);
  assert.is(paths.length, 2);
  await server.write('mw-4b', [...others, 'http://new.example/']);
  time += WAIT;
  assert.equal(await statuses(checker), ['updated', 'unchanged']);
  assert.ok(byteLength < wholeLength / 4, `${byteLength} of ${wholeLength} bytes`);
  assert.is(new URLSearchParams(paths.at(-1)!.replace(/.*\?/, '')).getAll('version').length, 2);
  const answers = await checker.checkMany([MALWARE, 'http://new.example/', PHISHING]);
  assert.equal(answers.map(shown), ['safe, list', 'unsafe, server', 'unsafe, server']);
});

tests('updates at the same time are one', async () => {
  const checker = opened();
  const [one, other] = await Promise.all([checker.update(), checker.update()]);
  assert.is(one, other);
  assert.is(paths.length, 1);
});

tests('an update with a wrong checksum leaves the list as it is, and the next is of the whole list', async () => {
  const checker = opened();
  await checker.update();
  await server.write('mw-4b', [...others, 'http://new.example/']);
  time += WAIT;
  proxy.rewriteLists = withAnotherChecksum;
  const [malware, phishing] = await checker.update();
  assert.is(malware!.status, 'failed');
  assert.match(malware!.detail!, /^checksum: the SHA-256 of the 200 prefixes is \w{64}, not \w{64}$/);
  assert.is(malware!.size, 200);
  assert.is(phishing!.status, 'unchanged');
  // what is on the old list still is asked for, and what is new is not
  assert.equal((await checker.checkMany([MALWARE, 'http://new.example/'])).map(shown), ['safe, server', 'safe, list']);
  proxy.rewriteLists = (body) => body;
  assert.equal(await statuses(checker), ['waiting', 'waiting']);
  time += 60_000;
  paths.length = 0;
  assert.equal(await statuses(checker), ['updated', 'waiting']);
  assert.is(paths[0], '/v5/hashLists:batchGet?names=mw-4b');
  assert.is(shown(await checker.check('http://new.example/')), 'unsafe, server');
});

/** Changes the checksum of the first list, which is the last field of 34 bytes before the next list. */
function withAnotherChecksum(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  changed[changed.indexOf(Buffer.of(0x3a, 32)) + 2]! ^= 1;
  return changed;
}

tests('an update of an older version is refused, and so is a change where the whole list was asked for', async () => {
  const checker = opened();
  await checker.update();
  const bodies: Buffer[] = [];
  proxy.rewriteLists = (body) => {
    bodies.push(body);
    return body;
  };
  for (const url of ['http://one.example/', 'http://two.example/']) {
    await server.write('mw-4b', [...others, url]);
    time += WAIT;
    assert.equal(await statuses(checker), ['updated', 'unchanged']);
  }
  time += WAIT;
  proxy.rewriteLists = () => bodies[0]!;
  assert.equal(await statuses(checker), ['failed', 'unchanged']);
  assert.is(shown(await checker.check('http://two.example/')), 'unsafe, server');
  const reports = await opened().update();
  for (const { status, detail } of reports) {
    assert.is(`${status}: ${detail}`, 'failed: the list was asked for whole, and the answer is a partial update');
  }
});

tests('a damaged or cut answer never makes a wrong list', async () => {
  const counts: Record<string, number> = {};
  for (let damage = 0; damage < cases(40); damage++) {
    const checker = opened({ backOff: { unansweredMs: 0 } });
    await checker.update();
    await server.write('mw-4b', [...others, 'http://new.example/', 'http://new.example/2']);
    time += WAIT;
    proxy.rewriteLists = (body) => damaged(body);
    const { status, size } = (await checker.update())[0]!;
    counts[status] = (counts[status] ?? 0) + 1;
    proxy.rewriteLists = (body) => body;
    // the old list or the new one: a damaged wait has a round after it, which may fail when the list is new already
    assert.ok(size === 201 || (size === 200 && status === 'failed'), `damage ${damage}: ${status}, ${size}`);
    const answers = (await checker.checkMany([MALWARE, 'http://new.example/', GOOD])).map(({ verdict }) => verdict);
    // the search tells the truth of the new list; MALWARE is off it
    assert.equal(answers, ['safe', size === 201 ? 'unsafe' : 'safe', 'safe'], `damage ${damage}`);
    await server.write('mw-4b', FIRST['mw-4b']);
  }
  assert.ok(counts['failed']! > 12, JSON.stringify(counts));
});

function damaged(body: Buffer): Buffer {
  if (next(3) === 0) return body.subarray(0, next(body.length));
  const changed = Buffer.from(body);
  for (let bytes = 1 + next(3); bytes > 0; bytes--) changed[next(changed.length)]! ^= 1 << next(8);
  return changed;
}

tests('a server that fails leaves the lists as they are, and is left alone', async () => {
  const checker = opened();
  await checker.update();
  time += WAIT;
  proxy.fault = (path) => {
    paths.push(path);
    return 'status 500';
  };
  const [report] = await checker.update();
  assert.is(report!.status, 'failed');
  assert.is(report!.detail, 'the server answered with the status 500');
  assert.is(checker.nextUpdateAt, time + 15 * 60_000);
  assert.is(shown(await checker.check(GOOD)), 'safe, list');
  const count = paths.length;
  time += 15 * 60_000 - 1;
  assert.match((await checker.update())[0]!.detail!, 'the server is left alone until 2026-');
  assert.is(paths.length, count);
  time += 1;
  proxy.fault = () => undefined;
  assert.equal(await statuses(checker), ['unchanged', 'unchanged']);
});

tests('callers share what is under way, and the next one starts it again', async () => {
  let count = 0;
  const work = new SharedWork(async () => ++count, Date.now, 1000);
  assert.equal(await Promise.all([work.run(), work.run()]), [1, 1]);
  assert.is(await work.run(), 2);
});

tests('what failed is not shared with later callers', async () => {
  let count = 0;
  const start = () => (++count === 1 ? Promise.reject(new Error('once')) : Promise.resolve(count));
  const work = new SharedWork(start, Date.now, 1000);
  for (const shared of [work.run(), work.run()]) {
    assert.is(await shared.catch((error: Error) => error.message), 'once');
  }
  assert.is(await work.run(), 2);
});

tests('what never ends is started again when it is old, and its end changes nothing then', async () => {
  let time = 0;
  const ends: ((value: string) => void)[] = [];
  const work = new SharedWork(
    () => new Promise<string>((resolve) => ends.push(resolve)),
    () => time,
    1000,
  );
  const lost = work.run();
  time = 1000;
  assert.is(work.run(), lost);
  time = 1001;
  const second = work.run();
  assert.is.not(second, lost);
  ends[0]!('late');
  await lost;
  assert.is(work.run(), second);
  ends[1]!('in time');
  assert.is(await second, 'in time');
});

/** A checker with two lists, whose server gives these answers one after another, then the last one each time. */
function answeredWith(...answers: readonly (readonly ListUpdate[])[]) {
  const queries: string[] = [];
  const fetch: CheckerOptions['fetch'] = async (url) => {
    queries.push(new URL(url).search);
    const answer = answers[Math.min(queries.length, answers.length) - 1]!;
    return new Response(BATCH_GET_HASH_LISTS_RESPONSE.encode(answer));
  };
  return { queries, checker: new ScriptedServer().checker({ lists: ['mw-4b', 'se-4b'], fetch }) };
}

const [mw, se] = [listOf('mw-4b', 'evil.example/'), listOf('se-4b', 'login.example/')];
const both = [mw, se].map((list) => list.toUpdate(1_800_000));

tests('after a wait of zero the list is fetched again at once, with its new version', async () => {
  const newer = listOf('mw-4b', 'evil.example/', 'new.example/');
  const { checker, queries } = answeredWith([mw.toUpdate(0), both[1]!], [mw.updateTo(newer, 1_800_000)]);
  const reports = await checker.update();
  assert.equal(
    reports.map(({ status, size }) => [status, size]),
    [
      ['updated', 2],
      ['updated', 1],
    ],
  );
  const version = Buffer.from(mw.version).toString('base64url');
  assert.equal(queries, ['?names=mw-4b&names=se-4b', `?names=mw-4b&version=${version}==`]);
});

tests('a wait of more than a day is one of a day', async () => {
  const { checker } = answeredWith([mw, se].map((list) => list.toUpdate(1e12)));
  await checker.update();
  assert.is(checker.nextUpdateAt, Date.UTC(2026, 0, 2));
});

tests('a list that is missing or not in its place is refused, the others are taken', async () => {
  const detail = 'the answer does not have the list in its place';
  for (const [answer, statuses] of [
    [[both[0]!], ['updated', 'failed']],
    [
      [both[1]!, both[0]!],
      ['failed', 'failed'],
    ],
    [
      [both[0]!, both[0]!],
      ['updated', 'failed'],
    ],
    [
      [{ ...both[0]!, name: '' }, both[1]!],
      ['failed', 'updated'],
    ],
    [[], ['failed', 'failed']],
  ] as const) {
    const { checker, queries } = answeredWith(answer);
    const reports = await checker.update();
    assert.equal(
      reports.map(({ status }) => status),
      statuses,
    );
    for (const report of reports) assert.is(report.detail, report.status === 'failed' ? detail : undefined);
    assert.is((await checker.check('http://good.example/')).reason, 'unsure: list-missing');
    assert.is(queries.length, 1);
  }
});

tests('a checker without lists has nothing to update', async () => {
  const checker = new ScriptedServer().checker({ procedure: 'no-storage', fetch: () => assert.unreachable() as never });
  assert.equal(await checker.update(), []);
  assert.is(checker.nextUpdateAt, Number.POSITIVE_INFINITY);
});

/** The time until a list is asked for again that the server lacks. */
const PAUSE = 15 * 60_000;

/** Answers for the lists that a server has, and 404 for a request that names another one, as `urlsum list serve`. */
function serverOf(...names: readonly string[]) {
  const server = new ScriptedServer();
  const requests: string[][] = [];
  for (const name of names) server.lists.set(name, ['evil.example/']);
  const has = new Set(names);
  const fetch: CheckerOptions['fetch'] = async (url, init) => {
    const asked = new URL(url).searchParams.getAll('names');
    requests.push(asked);
    return asked.every((name) => has.has(name)) ? server.fetch(url, init) : new Response('{}', { status: 404 });
  };
  const open = (lists: readonly string[]) => server.checker({ lists, fetch });
  return { server, requests, has, open };
}

const outcomes = async (checker: SafeBrowsingChecker) =>
  (await checker.update()).map(({ name, status, detail }) => [name, status, detail]);
const lacks = (name: string) => `the server answered with the status 404: it has no list ${name}`;

tests('a list that the server lacks is named; the others are fetched, and not again before they are due', async () => {
  for (const lists of [
    ['no-4b', 'mw-4b', 'se-4b'],
    ['mw-4b', 'se-4b', 'no-4b'],
  ]) {
    const { server, requests, has, open } = serverOf('mw-4b', 'se-4b');
    const checker = open(lists);
    const others = (await outcomes(checker)).filter(([name]) => name !== 'no-4b');
    assert.equal(others, [
      ['mw-4b', 'updated', undefined],
      ['se-4b', 'updated', undefined],
    ]);
    assert.equal(requests.splice(0), [lists, ...lists.map((name) => [name])]);
    const expected = lists.map((name) => [name, 'waiting', undefined]);
    assert.equal(await outcomes(checker), expected);
    assert.is(checker.nextUpdateAt, server.time + PAUSE);
    assert.equal(requests, []);

    server.time += PAUSE;
    const withLack = lists.map((name) =>
      name === 'no-4b' ? [name, 'failed', lacks(name)] : [name, 'waiting', undefined],
    );
    assert.equal(await outcomes(checker), withLack);
    assert.equal(requests.splice(0), [['no-4b']]);
    assert.is(checker.nextUpdateAt, server.time + PAUSE, 'the lists that are there are due on time');

    has.add('no-4b');
    server.time += PAUSE;
    assert.equal(
      (await outcomes(checker)).map(([, status]) => status),
      lists.map((name) => (name === 'no-4b' ? 'updated' : 'unchanged')),
    );
  }
});

tests('a server without any of the lists is left alone, as one that fails', async () => {
  const { server, requests, open } = serverOf('mw-4b');
  for (const lists of [['no-4b'], ['no-4b', 'other-4b']]) {
    const checker = open(lists);
    const expected = lists.map((name) => [name, 'failed', `${lacks(lists.join(', '))}, or v5 has another URL`]);
    assert.equal(await outcomes(checker), expected);
    assert.is(requests.splice(0).length, lists.length === 1 ? 1 : 3);
    assert.is(checker.nextUpdateAt, server.time + PAUSE);
    const [[, , detail]] = (await outcomes(checker)) as [string[]];
    assert.match(detail!, 'the server is left alone until');
    assert.equal(requests, []);
  }
});

tests('while lists are asked for alone, a failure of the server ends the update', async () => {
  const { server, requests, open } = serverOf('mw-4b', 'se-4b');
  const checker = open(['no-4b', 'mw-4b', 'se-4b']);
  server.listAnswers.push(refusal);
  assert.equal(await outcomes(checker), [
    ['no-4b', 'failed', lacks('no-4b')],
    ['mw-4b', 'failed', 'the server answered with the status 503'],
    ['se-4b', 'failed', `the server is left alone until ${new Date(server.time + PAUSE).toISOString()}`],
  ]);
  assert.equal(requests, [['no-4b', 'mw-4b', 'se-4b'], ['no-4b'], ['mw-4b']]);
});

tests.run();
