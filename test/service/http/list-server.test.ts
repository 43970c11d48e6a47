// `urlsum list serve`: what it answers, byte by byte, and what it refuses; when it reads a file again, and what it then
// keeps, in a time of the test's.
import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BATCH_GET_HASH_LISTS_RESPONSE,
  HASH_LIST,
  type ListUpdate,
  SEARCH_HASHES_RESPONSE,
} from '../../../src/entries/safe-browsing/lists.ts';
import { HostedList, type HostedListOptions } from '../../../src/service/http/list-server.ts';
import { urlsum } from '../../command/command.ts';
import { SettlingClock } from '../../store/settling-clock.ts';
import { FOLDER as folder } from '../../support/scratch.ts';
import { sha256 } from '../check/scripted-server.ts';
import { duration, fullHash, searchResponse } from '../check/search-response.ts';
import { watching } from './list-files.ts';
import { ServedLists } from './served-lists.ts';

const tests = suite('http: list serve');

const LISTS = {
  'mw-4b': ['http://evil.example/a?b', 'http://evil.example/a?b#c', 'evil.example/both'],
  'se-8b': ['http://evil.example/both'],
  'own-4b': ['own.example/'],
  'gc-32b': ['http://popular.example/'],
};

let server: ServedLists;
tests.before(async () => {
  server = await ServedLists.start(LISTS);
});
tests.after(() => server.stop());

async function get(path: string, init?: RequestInit): Promise<{ status: number; body: Buffer }> {
  const response = await fetch(server.url + path, init);
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

const prefixesOf = (...expressions: readonly string[]) =>
  expressions.map((each) => `hashPrefixes=${sha256(each).subarray(0, 4).toString('base64url')}`).join('&');

tests('hashes:search answers with the whole hashes, their threats and how long that holds', async () => {
  for (const [expression, details] of [
    ['evil.example/a?b', [{ threatType: 1 }]],
    ['evil.example/both', [{ threatType: 1 }, { threatType: 2 }]],
    ['own.example/', [{ threatType: 1 }]],
  ] as const) {
    const { status, body } = await get(`hashes:search?${prefixesOf(expression)}`);
    assert.is(status, 200);
    assert.equal(body, searchResponse([fullHash(sha256(expression), details)], duration(300)), expression);
  }
});

tests('what is not listed, or likely safe, has no hashes', async () => {
  const { status, body } = await get(`hashes:search?${prefixesOf('evil.example/', 'popular.example/')}`);
  assert.is(status, 200);
  assert.equal(body, searchResponse([], duration(300)));
});

tests('both alphabets of Base64 are read', async () => {
  const expression = Array.from({ length: 10_000 }, (_, row) => `h${row}.example/`).find((each) =>
    /[+/].*=/.test(sha256(each).subarray(0, 4).toString('base64')),
  )!;
  await server.write('own-4b', [expression]);
  const prefix = sha256(expression).subarray(0, 4);
  for (const text of [prefix.toString('base64'), prefix.toString('base64url')]) {
    const { body } = await get(`hashes:search?hashPrefixes=${encodeURIComponent(text)}`);
    assert.equal(body, searchResponse([fullHash(sha256(expression), [{ threatType: 1 }])], duration(300)));
  }
});

tests('equal lists of two names have different versions', async () => {
  await server.write('mw-4b', LISTS['own-4b']);
  await server.write('own-4b', LISTS['own-4b']);
  const { body } = await get('hashLists:batchGet?names=mw-4b&names=own-4b');
  const [mw, own] = BATCH_GET_HASH_LISTS_RESPONSE.decode(body);
  assert.equal(mw!.checksum, own!.checksum);
  assert.not.equal(mw!.version, own!.version);
  const version = Buffer.from(mw!.version).toString('base64url');
  const second = await get(`hashLists:batchGet?names=mw-4b&names=own-4b&version=${version}`);
  const updates = BATCH_GET_HASH_LISTS_RESPONSE.decode(second.body);
  assert.equal(
    updates.map(({ isPartial, additions }) => [isPartial, additions.length]),
    [
      [true, 0],
      [false, 1],
    ],
  );
  await server.write('mw-4b', LISTS['mw-4b']);
});

tests('what cannot be served is said, and nothing is', () => {
  for (const [args, message] of [
    [[], 'no list to serve: give one as NAME=FILE'],
    [['--shrink', 'x', 'mw-4b=LICENSE'], "--shrink must be a number from 0 on, not 'x'"],
    [['--wait', '-1', 'mw-4b=LICENSE'], '--wait'],
    [['--wait', '1e12', 'mw-4b=LICENSE'], "--wait must be at most 315576000000 seconds, not '1e12'"],
    [['--cache', '1e12', 'mw-4b=LICENSE'], "--cache must be at most 315576000000 seconds, not '1e12'"],
    [
      ['--listen', 'localhost', 'mw-4b=LICENSE'],
      "--listen must be an address and a port, as 127.0.0.1:8080, not 'localhost'",
    ],
    [['--host', 'lists.example:80', 'mw-4b=LICENSE'], "--host must be a name without a port, not 'lists.example:80'"],
    [['mw-4b'], "'mw-4b' is not NAME=FILE"],
    [['mw-4b=LICENSE', 'mw-4b=README.md'], 'the list mw-4b is named twice'],
    [['mw=LICENSE'], 'the name mw does not end in -4b, -8b, -16b or -32b'],
    [['mw-4b=absent.txt'], 'absent.txt: no such file'],
  ] as const) {
    const { status, stderr, stdout } = urlsum(['list', 'serve', ...args]);
    assert.equal([status, stdout.length], [2, 0], args.join(' '));
    assert.match(stderr, message);
  }
});

tests('what cannot be answered is refused', async () => {
  const prefixes = (count: number, byteLength: number) =>
    Array.from({ length: count }, () => `hashPrefixes=${Buffer.alloc(byteLength).toString('base64url')}`).join('&');
  for (const [path, status] of [
    ['hashes:search', 400],
    [`hashes:search?${prefixes(1, 3)}`, 400],
    [`hashes:search?${prefixes(1, 5)}`, 400],
    [`hashes:search?${prefixes(1001, 4)}`, 400],
    [`hashes:search?${prefixes(1000, 4)}`, 200],
    ['hashLists:batchGet', 400],
    ['hashLists:batchGet?names=mw-4b&names=mw-4b', 400],
    ['hashLists:batchGet?names=none-4b', 404],
    ['hashLists:batchGet?names=mw-4b&version=AAAA', 200],
    ['hashLists:batchGet?names=mw-4b&sizeConstraints.maxUpdateEntries=9', 400],
    ['hashLists:batchGet?names=mw-4b&sizeConstraints.maxDatabaseEntries=9', 400],
    ['hashLists:batchGet?names=mw-4b&alt=media', 400],
    ['hashLists:batchGet?names=mw-4b&alt=json&alt=proto', 400],
    ['hashLists:batchGet?names=mw-4b&fields=name', 400],
    ['hashLists:batchGet?names=mw-4b&key=x', 200],
    ['hashLists?pageSize=1', 400],
    ['hashList/none-4b', 404],
    ['hashList/mw-4b?names=mw-4b', 400],
    ['hashList/mw-4b/x', 404],
    ['threatLists', 404],
  ] as const) {
    assert.is((await get(path)).status, status, path.slice(0, 80));
  }
  assert.is((await get('hashes:search', { method: 'POST' })).status, 415);
  assert.is((await get('hashes:search', { method: 'PUT' })).status, 405);
});

tests('/status and /metrics say since when a list stays as it was although its file changed', async () => {
  const served = await ServedLists.start({
    'mw-4b': ['a.example/', 'b.example/', 'c.example/'],
    'se-4b': ['d.example/'],
  });
  try {
    const url = new URL('/', served.url);
    const status = async () =>
      (await (await fetch(new URL('status', url))).json()) as { lists: Record<string, unknown>[] };
    const metrics = async () => (await fetch(new URL('metrics', url))).text();
    const fine = { trouble: '', troubleSince: null, waitingFor: '', waitingSince: null };
    assert.equal(await status(), {
      lists: [
        { name: 'mw-4b', size: 3, ...fine },
        { name: 'se-4b', size: 1, ...fine },
      ],
    });
    const trouble = [
      '# TYPE urlsum_own_list_trouble_since_seconds gauge',
      '# HELP urlsum_own_list_trouble_since_seconds Unix time since which a list differs from its file.',
    ];
    const sizes = [
      '# TYPE urlsum_list_prefixes gauge',
      '# HELP urlsum_list_prefixes Prefixes in a list.',
      'urlsum_list_prefixes{list="mw-4b"} 3',
      'urlsum_list_prefixes{list="se-4b"} 1',
    ];
    assert.is((await fetch(new URL('healthz', url))).status, 200);
    assert.equal((await metrics()).split('\n'), [...sizes, ...trouble, '# EOF', '']);
    await served.write('mw-4b', ['a.example/']);
    const [first] = (await status()).lists;
    assert.is(first!['size'], 3);
    assert.match(String(first!['trouble']), /it has 1 entry in place of 3/);
    const since = Date.parse(String(first!['troubleSince']));
    assert.ok(since <= Date.now() && since > Date.now() - 60_000);
    const metric = `urlsum_own_list_trouble_since_seconds{list="mw-4b"} ${since / 1000}`;
    assert.equal((await metrics()).split('\n'), [...sizes, ...trouble, metric, '# EOF', '']);
    await served.write('mw-4b', ['not a list']);
    assert.is((await status()).lists[0]!['troubleSince'], first!['troubleSince']);
    await served.write('mw-4b', ['a.example/', 'b.example/']);
    assert.equal((await status()).lists[0], { name: 'mw-4b', size: 2, ...fine });
    assert.not.match(await metrics(), 'trouble_since_seconds{');
    assert.is((await fetch(new URL('status?x=1', url))).status, 400);
  } finally {
    await served.stop();
  }
});

tests('one list, and the names of all', async () => {
  const batch = await get('hashLists:batchGet?names=se-8b');
  const [update] = BATCH_GET_HASH_LISTS_RESPONSE.decode(batch.body);
  assert.equal(HASH_LIST.decode((await get('hashList/se-8b')).body), update);
  const version = Buffer.from(update!.version).toString('base64url');
  assert.ok(HASH_LIST.decode((await get(`hashList/se-8b?version=${version}`)).body).isPartial);
  const named = BATCH_GET_HASH_LISTS_RESPONSE.decode((await get('hashLists')).body);
  assert.equal(
    named.map(({ name, additions }) => [name, additions.length]),
    Object.keys(LISTS).map((name) => [name, 0]),
  );
});

tests('alt=json answers in JSON', async () => {
  for (const path of [
    'hashLists:batchGet?names=mw-4b',
    'hashLists?',
    'hashList/mw-4b?',
    `hashes:search?${prefixesOf('own.example/')}`,
  ]) {
    for (const parameter of ['alt=json', '$alt=json']) {
      const response = await fetch(`${server.url}${path}&${parameter}`);
      assert.is(response.headers.get('content-type'), 'application/json');
      const json = await response.json();
      const bytes = (await get(`${path}&alt=proto`)).body;
      const format = path.startsWith('hashes')
        ? SEARCH_HASHES_RESPONSE
        : path.startsWith('hashList/')
          ? HASH_LIST
          : BATCH_GET_HASH_LISTS_RESPONSE;
      assert.equal(format.fromJson(json), format.decode(bytes), path);
    }
  }
});

tests(
  'a bad line, a missing file or one that was emptied costs its own list nothing, and the others neither',
  async () => {
    const whole = (await get('hashLists:batchGet?names=own-4b')).body;
    for (const [spoil, trouble] of [
      [() => server.write('own-4b', ['own.example/', 'mailto:x']), /own-4b:2: nothing to look up: "mailto:x"/],
      [() => server.write('own-4b', []), /own-4b: it has 0 entries in place of 1, more than 50 % at once \(--shrink\)/],
      [() => server.remove('own-4b'), /ENOENT: no such file or directory, stat '.*own-4b'/],
    ] as const) {
      await spoil();
      const { status, body } = await get(`hashes:search?${prefixesOf('own.example/', 'evil.example/both')}`);
      assert.is(status, 200);
      assert.is(SEARCH_HASHES_RESPONSE.decode(body).fullHashes.length, 2);
      assert.equal((await get('hashLists:batchGet?names=own-4b')).body, whole);
      assert.match(server.said.at(-1)!, /^own-4b: it stays as it was: /);
      assert.match(server.said.at(-1)!, trouble);
    }
    await server.write('own-4b', ['own.example/']);
    assert.is(server.said.at(-1), 'own-4b: it is as its file again');
  },
);

let fileCount = 0;

/** A list of 100 entries, its file, and what was said of it. */
async function hosted(options: Partial<HostedListOptions> = {}) {
  const path = join(folder, `list-${fileCount++}`);
  const said: string[] = [];
  writeFileSync(path, lines(100));
  const clock = new SettlingClock();
  const log = (message: string) => void said.push(message);
  const list = new HostedList('mw-4b', path, watching({ ...clock.options, log, waitMs: 0, ...options }));
  await list.load();
  assert.match(said.pop()!, /list-\d+: nothing in it says that it is whole; waiting until it has stayed so for 60 s/);
  const served = () => sizeOf(HASH_LIST.decode(list.message([], false)));
  const size = async () => {
    await clock.settle(() => list.look());
    return served();
  };
  return { path, said, clock, list, size, served };
}

const sizeOf = ({ additions }: ListUpdate) => additions.reduce((sum, { prefixes }) => sum + prefixes.length / 4, 0);

const lines = (count: number) => Array.from({ length: count }, (_, row) => `h${row}.example/\n`).join('');

function rename(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

tests('a file without entries is refused at the start, unless a list may lose all', async () => {
  const path = join(folder, 'empty');
  for (const text of ['', '\n# a comment\n']) {
    writeFileSync(path, text);
    const serving = (maxShrink: number) =>
      new HostedList('mw-4b', path, watching({ settleMs: 0, maxShrink, waitMs: 0 })).load();
    const said = await serving(0.5).then(String, (error: Error) => error.message);
    assert.match(said, /empty: it has no entries, so nothing would be unsafe \(--shrink 100 serves it\)/);
    await serving(1);
  }
});

tests('a file that has changed is read when it has stayed so for a minute, however it has come', async () => {
  const ways = {
    renamed: rename,
    'unlinked and created': (path: string, text: string) => {
      rmSync(path);
      writeFileSync(path, text);
    },
    'written in place': writeFileSync,
  };
  for (const [way, write] of Object.entries(ways)) {
    const { path, clock, list, served } = await hosted();
    write(path, lines(90));
    await list.look();
    clock.time += 59_999;
    await list.look();
    assert.is(served(), 100, way);
    clock.time += 1;
    await list.look();
    assert.is(served(), 90, way);
  }
});

tests('a file of the same size and time of modification is read, since its time of change is another', async () => {
  const { path, list, clock } = await hosted();
  const { atime, mtime } = statSync(path);
  writeFileSync(path, lines(100).replace('h7.', 'x7.'));
  utimesSync(path, atime, mtime);
  await clock.settle(() => list.look());
  assert.is(list.hashesUnder(sha256('x7.example/').subarray(0, 4)).length, 1);
  assert.is(list.hashesUnder(sha256('h7.example/').subarray(0, 4)).length, 0);
});

tests(
  'a message is encoded once for each version and format, and the whole hashes are found by their prefixes',
  async () => {
    const { list, path, clock } = await hosted();
    const whole = list.message([], false);
    assert.is(list.message([], false), whole);
    const { version } = HASH_LIST.decode(whole);
    assert.ok(HASH_LIST.decode(list.message([Buffer.alloc(32), version], false)).isPartial);
    const json = list.message([], true);
    assert.equal(HASH_LIST.fromJson(JSON.parse(Buffer.from(json).toString())), HASH_LIST.decode(whole));
    for (let row = 0; row < 100; row++) {
      const hash = sha256(`h${row}.example/`);
      assert.equal(
        list.hashesUnder(hash.subarray(0, 4)).map((each) => Buffer.from(each)),
        [hash],
      );
    }
    rename(path, lines(101));
    await clock.settle(() => list.look());
    assert.is.not(list.message([], false), whole);
  },
);

tests(
  'a list that shrinks by more than its share is held back, said once, and taken when it has grown again',
  async () => {
    const { path, said, size } = await hosted();
    rename(path, lines(50));
    assert.is(await size(), 50);
    rename(path, lines(24));
    assert.equal([await size(), await size()], [50, 50]);
    const trouble = `${path}: it has 24 entries in place of 50, more than 50 % at once (--shrink)`;
    assert.equal(said, [`mw-4b: it stays as it was: ${trouble}`]);
    rename(path, lines(25));
    assert.is(await size(), 25);
    assert.is(said[1], 'mw-4b: it is as its file again');
  },
);

tests('another share, and none', async () => {
  const strict = await hosted({ maxShrink: 0.01 });
  rename(strict.path, lines(98));
  assert.is(await strict.size(), 100);
  rename(strict.path, lines(99));
  assert.is(await strict.size(), 99);
  const lenient = await hosted({ maxShrink: 1 });
  rename(lenient.path, '');
  assert.is(await lenient.size(), 0);
});

tests('a comment is not an entry, and a line that no URL matches changes nothing', async () => {
  const { path, said, size } = await hosted();
  rename(path, `# reported today\n${lines(101)}\n  # and yesterday\r\n`);
  assert.is(await size(), 101);
  rename(path, `${lines(102)}0.0.0.0 evil.example\n`);
  assert.is(await size(), 101);
  assert.match(said.at(-1)!, /:103: not listed: "0\.0\.0\.0 evil\.example": .* \(hosts-file-line\)$/);
});

tests('updates go on from the versions before a trouble', async () => {
  const { path, list, size } = await hosted();
  const { version } = HASH_LIST.decode(list.message([], false));
  rename(path, `${lines(100)}mailto:x\n`);
  assert.is(await size(), 100);
  rename(path, lines(101));
  await size();
  const update = HASH_LIST.decode(list.message([version], false));
  assert.ok(update.isPartial);
  assert.is(update.additions[0]!.prefixes.length, 4);
});

tests.run();
