// What a server may answer to hashLists:batchGet that the example server does not: waits, orders and lists of its own.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { BATCH_GET_HASH_LISTS_RESPONSE, HashList, type ListUpdate } from '../../../src/entries/safe-browsing/lists.ts';
import { sha256 } from './scripted-server.ts';

const tests = suite('safe-browsing/check: hashLists:batchGet');

const NOW = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

function listOf(name: string, ...expressions: readonly string[]): HashList {
  return HashList.from(Buffer.concat(expressions.map((each) => sha256(each).subarray(0, 4))), 4, { name });
}

/** A checker with two lists, whose server gives these answers one after another, then the last one each time. */
function opened(...answers: readonly (readonly ListUpdate[])[]): { checker: SafeBrowsingChecker; queries: string[] } {
  const queries: string[] = [];
  const checker = new SafeBrowsingChecker({
    server: 'http://127.0.0.1:9/v5/',
    procedure: 'local-list',
    whenUnsure: 'block',
    lists: ['mw-4b', 'se-4b'],
    now: () => NOW,
    random: () => 0,
    fetch: async (url) => {
      queries.push(new URL(url).search);
      const answer = answers[Math.min(queries.length, answers.length) - 1]!;
      return new Response(BATCH_GET_HASH_LISTS_RESPONSE.encode(answer));
    },
  });
  return { checker, queries };
}

const [mw, se] = [listOf('mw-4b', 'evil.example/'), listOf('se-4b', 'login.example/')];
const both = [mw, se].map((list) => list.toUpdate(1_800_000));

tests('after a wait of zero the list is fetched again at once, with its new version', async () => {
  const newer = listOf('mw-4b', 'evil.example/', 'new.example/');
  const { checker, queries } = opened([mw.toUpdate(0), both[1]!], [mw.updateTo(newer, 1_800_000)]);
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

tests('a server that always has more is not asked forever', async () => {
  const { checker, queries } = opened([mw.toUpdate(0), se.toUpdate(0)]);
  assert.equal(
    (await checker.update()).map(({ status }) => status),
    ['updated', 'updated'],
  );
  assert.is(queries.length, 32);
});

tests('a wait of more than a day is one of a day', async () => {
  const { checker } = opened([mw, se].map((list) => list.toUpdate(1e12)));
  await checker.update();
  assert.is(checker.nextUpdateAt, NOW + DAY);
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
    const { checker, queries } = opened(answer);
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

tests('a whole list without a checksum is refused', async () => {
  const { checker } = opened([{ ...both[0]!, checksum: undefined }, both[1]!]);
  const [report] = await checker.update();
  assert.is(report!.detail, 'checksum: the update changes the list, and has no checksum');
});

tests('a checker without lists has nothing to update', async () => {
  const checker = new SafeBrowsingChecker({
    server: 'http://127.0.0.1:9/v5/',
    procedure: 'no-storage',
    whenUnsure: 'block',
    fetch: () => Promise.reject(assert.unreachable()),
  });
  assert.equal(await checker.update(), []);
  assert.is(checker.nextUpdateAt, Number.POSITIVE_INFINITY);
});

tests.run();
