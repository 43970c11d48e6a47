// What `safe-browsing serve` answers: nobody is told "safe" by omission.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { PUBLIC_SUFFIX_LIST } from '../../../src/entries/safe-browsing.ts';
import type { AnswerReason } from '../../../src/service/check/answer.ts';
import type { CheckerOptions } from '../../../src/service/check/options.ts';
import { OwnList } from '../../../src/service/http/own-list.ts';
import { SEARCH_URLS_RESPONSE } from '../../../src/service/lists/messages/search-responses.ts';
import { SettlingClock } from '../../store/settling-clock.ts';
import { random } from '../../support/seed.ts';
import { rejectionOf } from '../../support/thrown.ts';
import { MALWARE, sha256 } from '../check/scripted-server.ts';
import { duration } from '../check/search-response.ts';
import { readEntries } from './list-files.ts';
import { LookUps } from './look-ups.ts';
import { ServedLists } from './served-lists.ts';

const tests = suite('http: answers of serve');

const PHISHING = { threatType: 2 };
const IN_FRAMES = { threatType: 2, attributes: [2] };
const REFUSAL = async () => new Response(null, { status: 503 });

let folder: string;
let open: LookUps[] = [];
tests.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'urlsum-http-'));
});
tests.after.each(async () => {
  await Promise.all(open.map((each) => each.stop()));
  open = [];
});
tests.after(() => rmSync(folder, { recursive: true }));

function opened(...args: ConstructorParameters<typeof LookUps>): LookUps {
  const lookUps = new LookUps(...args);
  open.push(lookUps);
  lookUps.list('evil.example/', [MALWARE]);
  lookUps.list('both.example/', [MALWARE, PHISHING]);
  lookUps.list('both.example/a', [PHISHING]);
  lookUps.list('frame.example/', [IN_FRAMES]);
  lookUps.list('new.both.example/', [MALWARE]);
  lookUps.list('why.example/', []);
  return lookUps;
}

const started = (...args: ConstructorParameters<typeof LookUps>) => opened(...args).start();

type Match = { threatEntryMetadata: { entries: readonly { key: string; value: string }[] } };

const typesOf = (matches: readonly { threatType: string; threat: { url: string } }[] = []) =>
  matches.map(({ threatType, threat }) => `${threat.url} ${threatType}`);

tests('v4: one match per URL and threat type, with the URL as it was given', async () => {
  const server = await started();
  const odd = 'HTTP://www.BOTH.example:80/a/../a#f\u00fc "';
  const { status, json } = await server.v4([odd, 'http://good.example/', 'evil.example', odd]);
  assert.is(status, 200);
  assert.equal(typesOf(json.matches), [`${odd} SOCIAL_ENGINEERING`, `${odd} MALWARE`, 'evil.example MALWARE']);
  for (const { platformType, threatEntryType, cacheDuration, ...rest } of json.matches) {
    assert.equal([platformType, threatEntryType], ['ANY_PLATFORM', 'URL']);
    assert.equal(Object.keys(rest).sort(), ['threat', 'threatType']);
    assert.is(cacheDuration, '300s');
  }
});

tests('v4: no match is exactly {}', async () => {
  const server = await started();
  const { status, body, type } = await server.v4(['http://good.example/']);
  assert.equal([status, body.toString(), type], [200, '{}', 'application/json']);
});

tests('v4: only the types that were asked for, but one that v4 does not have always', async () => {
  const server = await started();
  const asked = async (threatTypes: readonly string[]) =>
    typesOf((await server.v4(['http://both.example/', 'http://why.example/'], { threatTypes })).json.matches);
  const unspecified = 'http://why.example/ THREAT_TYPE_UNSPECIFIED';
  assert.equal(await asked(['MALWARE']), ['http://both.example/ MALWARE', unspecified]);
  assert.equal(await asked(['UNWANTED_SOFTWARE', 'THREAT_TYPE_UNSPECIFIED']), [unspecified]);
});

tests('v4: the platform is ANY_PLATFORM if that was asked for, else the first', async () => {
  const server = await started();
  for (const [platformTypes, expected] of [
    [['WINDOWS', 'ANY_PLATFORM'], 'ANY_PLATFORM'],
    [['LINUX', 'WINDOWS'], 'LINUX'],
  ] as const) {
    const { json } = await server.v4(['http://evil.example/'], { platformTypes });
    assert.is(json.matches[0].platformType, expected);
  }
});

tests('v4: a type that no list here tells of is refused, and threatLists says which are', async () => {
  const server = await started({ types: ['MALWARE'] });
  const { status, json } = await server.v4(['http://evil.example/']);
  assert.equal([status, json.error.status], [400, 'INVALID_ARGUMENT']);
  assert.is(json.error.details[0].fieldViolations[0].field, 'threatInfo.threatTypes[1]');
  assert.equal((await server.send('/v4/threatLists')).json, {
    threatLists: [{ threatType: 'MALWARE', platformType: 'ANY_PLATFORM', threatEntryType: 'URL' }],
  });
});

tests('a threat that counts in frames alone is answered only with --frames', async () => {
  for (const [withFrames, count] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const server = await started({ withFrames });
    assert.is((await server.v4(['http://frame.example/'])).json.matches?.length ?? 0, count);
    assert.is((await server.v5(['http://frame.example/'])).json.threats?.length ?? 0, count);
  }
});

tests('v4: the cache duration is what is left of the answer that lists the URL, in whole seconds', async () => {
  const server = await started();
  const left = async () => (await server.v4(['http://evil.example/'])).json.matches[0].cacheDuration;
  assert.is(await left(), '300s');
  server.search.time += 1;
  assert.is(await left(), '299s');
  server.search.time += 299_998;
  assert.is(await left(), '0s', 'a second that is not whole does not count');
  server.search.cacheDuration = duration(0);
  server.search.time += 2;
  assert.is(await left(), '0s');
});

tests('v4: an unsure URL is 503 for the whole request under block, and left out and counted under allow', async () => {
  for (const whenUnsure of ['block', 'allow'] as const) {
    const server = await started({ whenUnsure });
    server.search.answers.push(REFUSAL);
    const { status, json } = await server.v4(['http://good.example/', 'http://evil.example/']);
    if (whenUnsure === 'block') {
      assert.equal([status, json.error.code, json.error.status], [503, 503, 'UNAVAILABLE']);
      assert.match(json.error.message, /^threatInfo\.threatEntries\[1\]\.url: nothing can say whether the URL is safe/);
      const [{ reason, metadata }] = json.error.details;
      assert.equal([reason, metadata.field], ['STATUS', 'threatInfo.threatEntries[1].url']);
    } else assert.equal([status, json], [200, {}]);
    const { unsureAllowed } = (await server.send('/status')).json;
    assert.is(unsureAllowed, whenUnsure === 'allow' ? 1 : 0);
  }
});

tests('a URL that is listed for another type, where the rest was not answered, is not safe', async () => {
  const server = await started();
  await server.v4(['http://both.example/']); // from now on, this expression is cached
  const ask = (type: string) => server.v4(['http://new.both.example/'], { threatTypes: [type] });
  server.search.answers.push(REFUSAL, REFUSAL);
  const listed = await ask('SOCIAL_ENGINEERING');
  assert.equal([listed.status, typesOf(listed.json.matches)], [200, ['http://new.both.example/ SOCIAL_ENGINEERING']]);
  const other = await ask('UNWANTED_SOFTWARE');
  assert.equal([other.status, other.json.error.details[0].reason], [503, 'INCOMPLETE']);
  const whole = await ask('UNWANTED_SOFTWARE');
  assert.equal([whole.status, whole.json], [200, {}], 'now the server has answered');
});

tests('lists that are missing or stale: 503, and healthz says so', async () => {
  const server = new LookUps({}, { fetch: REFUSAL, backOff: { refusedMs: 1000 } });
  open.push(server);
  await server.start();
  const { status, json } = await server.v5(['http://good.example/']);
  assert.equal([status, json.error.details[0].reason], [503, 'LIST_MISSING']);
  assert.is((await server.send('/healthz')).status, 503);
  assert.is((await (await started()).send('/healthz')).status, 200);
});

tests('a URL without a host is 400 that names the entry', async () => {
  for (const whenUnsure of ['block', 'allow'] as const) {
    const server = await started({ whenUnsure });
    for (const url of ['mailto:x', '', 'http://', ' ']) {
      const v4 = await server.v4(['http://evil.example/', url]);
      assert.equal([v4.status, v4.json.error.status], [400, 'INVALID_ARGUMENT'], url);
      assert.is(v4.json.error.details[0].fieldViolations[0].field, 'threatInfo.threatEntries[1].url');
      const v5 = await server.v5([url]);
      assert.equal([v5.status, v5.json.error.details[0].fieldViolations[0].field], [400, 'urls[0]']);
    }
  }
});

tests('v4: what is not such a request is 400 that names the field', async () => {
  const server = await started();
  const field = async (more: object) => {
    const { status, json } = await server.v4(['http://evil.example/'], more);
    assert.equal([status, json.error.code, json.error.status], [400, 400, 'INVALID_ARGUMENT']);
    return json.error.details[0].fieldViolations[0].field;
  };
  const entry = (value: unknown) => field({ threatEntries: [{ url: 'http://evil.example/' }, value] });
  assert.is(await entry({ hash: 'AAAA' }), 'threatInfo.threatEntries[1]');
  assert.is(await entry({ digest: 'AAAA', url: 'http://evil.example/' }), 'threatInfo.threatEntries[1]');
  assert.is(await entry({}), 'threatInfo.threatEntries[1].url');
  assert.is(await entry({ url: 7 }), 'threatInfo.threatEntries[1].url');
  assert.is(await entry({ uri: 'x' }), 'threatInfo.threatEntries[1]');
  assert.is(await entry(null), 'threatInfo.threatEntries[1]');
  assert.is(await field({ threatTypes: [] }), 'threatInfo.threatTypes');
  assert.is(await field({ threatTypes: undefined }), 'threatInfo.threatTypes');
  assert.is(await field({ threatTypes: ['THREAT_TYPE_UNSPECIFIED'] }), 'threatInfo.threatTypes');
  assert.is(await field({ threatTypes: ['malware'] }), 'threatInfo.threatTypes[0]');
  assert.is(await field({ platformTypes: [] }), 'threatInfo.platformTypes');
  assert.is(await field({ platformTypes: ['BEOS'] }), 'threatInfo.platformTypes[0]');
  assert.is(await field({ threatEntryTypes: ['EXECUTABLE'] }), 'threatInfo.threatEntryTypes');
  assert.is(await field({ threatEntries: [] }), 'threatInfo.threatEntries');
  assert.is(await field({ threatEntries: Array(501).fill({ url: 'http://x.example/' }) }), 'threatInfo.threatEntries');
  assert.is(await field({ threatentries: [] }), 'threatInfo');
  assert.is((await server.v4(Array(500).fill('http://good.example/'))).status, 200);
});

tests('v4: fields may be spelled as in the .proto', async () => {
  const server = await started();
  const info = { threat_types: ['MALWARE'], platform_types: ['LINUX'], threat_entry_types: ['URL'] };
  const ask = (more: object) =>
    server.post(
      JSON.stringify({ threat_info: { ...info, threat_entries: [{ url: 'http://evil.example/' }], ...more } }),
    );
  assert.is((await ask({})).json.matches.length, 1);
  assert.is((await ask({ threatTypes: ['MALWARE'] })).status, 400, 'twice');
});

tests('v5: the URLs that are listed, in JSON and, as from Google, in protobuf', async () => {
  const server = await started();
  const urls = ['http://both.example/', 'http://good.example/', 'http://both.example/', 'http://why.example/'];
  const { status, json } = await server.v5(urls);
  assert.is(status, 200);
  assert.equal(json.threats, [
    { url: 'http://both.example/', threatTypes: ['MALWARE', 'SOCIAL_ENGINEERING'] },
    { url: 'http://why.example/', threatTypes: ['THREAT_TYPE_UNSPECIFIED'] },
  ]);
  assert.is(json.cacheDuration, '300s');
  for (const more of ['', '&alt=proto', '&%24alt=proto']) {
    const { type, body } = await server.v5(urls, more);
    assert.is(type, 'application/x-protobuf');
    const { threats, cacheMs } = SEARCH_URLS_RESPONSE.decode(body);
    assert.equal(
      threats.map(({ url, threatTypes }) => [url, threatTypes]),
      [
        ['http://both.example/', ['MALWARE', 'SOCIAL_ENGINEERING']],
        ['http://why.example/', ['UNKNOWN']],
      ],
    );
    assert.is(cacheMs, 300000);
  }
});

tests('v5: the cache duration is always there: the least of all that was consulted and the next update', async () => {
  const server = await started();
  const none = await server.v5(['http://good.example/']);
  assert.equal(Object.keys(none.json), ['cacheDuration']);
  assert.is(none.json.cacheDuration, '1800s');
  assert.is((await server.v5(['http://good.example/', 'http://evil.example/'])).json.cacheDuration, '300s');
  const allowing = await started({ whenUnsure: 'allow' });
  allowing.search.answers.push(REFUSAL);
  assert.equal((await allowing.v5(['http://evil.example/'])).json, { cacheDuration: '0s' });
  const { body } = await (await started({}, { procedure: 'no-storage', lists: [] })).v5(['http://good.example/'], '');
  assert.is(SEARCH_URLS_RESPONSE.decode(body).cacheMs, 300000);
});

tests('v5: at most 50 URLs, at least one, and no parameter that is not known', async () => {
  const server = await started();
  assert.is((await server.v5(Array(50).fill('http://good.example/'))).status, 200);
  assert.is((await server.v5(Array(51).fill('http://good.example/'))).status, 400);
  assert.is((await server.v5([])).status, 400);
  for (const more of ['&fields=threats', '&callback=f', '&alt=media', '&alt=json&alt=proto', '&url=x'])
    assert.is((await server.v5(['http://evil.example/'], more)).status, 400, more);
  for (const more of ['&key=K', '&prettyPrint=false', '&quotaUser=x', '&access_token=x', '&%24.xgafv=2'])
    assert.is((await server.v5(['http://evil.example/'], more)).status, 200, more);
});

tests('lists of one’s own are answered as their type, named in v4, and read again when they change', async () => {
  const write = (name: string, expressions: readonly string[], width = 8) => {
    const path = join(folder, name);
    const prefixes = Buffer.concat(expressions.map((each) => sha256(each).subarray(0, width)));
    writeFileSync(
      path,
      HashList.from(prefixes, width, { name: name.replace('.list', ''), suffixList: PUBLIC_SUFFIX_LIST }).toBytes(),
    );
    return path;
  };
  const clock = new SettlingClock();
  const said: string[] = [];
  const options = { ...clock.options, readEntries, maxShrink: 0.5, log: (message: string) => void said.push(message) };
  const lists = [
    new OwnList(write('ours.list', ['own.example/', 'evil.example/']), 'MALWARE', options),
    new OwnList(write('theirs.list', ['own.example/a'], 32), 'UNWANTED_SOFTWARE', options),
  ];
  for (const list of lists) await list.load();
  const server = await started({ ownLists: lists });
  const { json } = await server.v4(['http://own.example/a', 'http://evil.example/', 'http://good.example/']);
  assert.equal(typesOf(json.matches), [
    'http://own.example/a MALWARE',
    'http://own.example/a UNWANTED_SOFTWARE',
    'http://evil.example/ MALWARE',
  ]);
  const text = (base64: string) => Buffer.from(base64, 'base64').toString();
  assert.equal(
    json.matches.map((match: Match) =>
      match.threatEntryMetadata.entries.map(({ key, value }) => [text(key), text(value)]),
    ),
    [[['list', 'ours']], [['list', 'theirs']], [['list', 'ours']]],
  );
  for (const { cacheDuration } of json.matches) assert.is(cacheDuration, '300s');
  const v5 = await server.v5(['http://own.example/a', 'http://good.example/']);
  assert.equal(v5.json.threats, [{ url: 'http://own.example/a', threatTypes: ['MALWARE', 'UNWANTED_SOFTWARE'] }]);
  assert.is(v5.json.cacheDuration, '300s');
  server.search.answers.push(REFUSAL);
  assert.is((await server.v4(['http://own.example/'], { threatTypes: ['MALWARE'] })).json.matches.length, 1);

  write('ours.list', ['other.example/', 'more.example/', 'yet.example/']);
  await lists[0]!.look();
  assert.is((await server.v4(['http://other.example/'])).json.matches.length, 1, 'its checksum says that it is whole');
  assert.is(clock.time, 0);
  writeFileSync(join(folder, 'ours.list'), 'not a list');
  await lists[0]!.look();
  assert.equal(said, []);
  const waiting = (await server.send('/status')).json.ownLists[0];
  assert.match(waiting.waitingFor, /^nothing in it says that it is whole; .* for 60 s \(--settle\)$/);
  assert.ok(Date.parse(waiting.waitingSince) <= Date.now());
  await clock.settle(() => lists[0]!.look());
  assert.is(said.length, 1, 'it is said once');
  assert.match(said[0]!, /^ours: it stays as it was: .*ours\.list:1: not listed: "not a list": /);
  assert.is((await server.v4(['http://other.example/'])).json.matches.length, 1, 'the list stays');
  const status = async () => (await server.send('/status')).json.ownLists[0];
  assert.match((await status()).trouble, /ours\.list/);
  const since = (await status()).troubleSince;
  assert.ok(Date.parse(since) <= Date.now());
  const metric = `urlsum_own_list_trouble_since_seconds{list="ours"} ${Date.parse(since) / 1000}\n`;
  assert.ok((await server.send('/metrics')).body.includes(metric));
  for (const entries of [[], ['other.example/']]) {
    write('ours.list', entries);
    await clock.settle(() => lists[0]!.look());
    assert.match((await status()).trouble, /in place of 3, more than 50 % at once \(--shrink\)/);
    assert.is((await status()).troubleSince, since);
    assert.is((await server.v4(['http://more.example/'])).json.matches.length, 1, 'the list stays');
  }
  write('ours.list', ['other.example/', 'more.example/']);
  await clock.settle(() => lists[0]!.look());
  assert.equal([(await status()).trouble, (await status()).troubleSince], ['', null]);

  writeFileSync(join(folder, 'ours.list'), 'lines.example\nmore.example/x\n# END 2 entries\n');
  await lists[0]!.look();
  assert.is((await server.v4(['http://www.lines.example/'])).json.matches.length, 1, 'lines are read, too');
  assert.equal([(await status()).name, (await status()).size], ['ours.list', 2]);
});

tests('a list of one’s own that look-ups would misread is refused', async () => {
  const refusal = async (name: string, width: number, options: object) => {
    const path = join(folder, name);
    writeFileSync(path, HashList.from(sha256('own.example/').subarray(0, width), width, options).toBytes());
    return (
      await rejectionOf(
        new OwnList(path, 'MALWARE', { ...new SettlingClock().options, readEntries, maxShrink: 0.5, log() {} }).load(),
      )
    ).message;
  };
  assert.match(await refusal('a', 4, {}), 'its prefixes have 4 bytes; a list that is served here needs 8');
  assert.match(await refusal('b', 7, {}), 'its prefixes have 7 bytes');
  assert.match(await refusal('c', 8, { profile: 'web-risk' }), 'its profile is web-risk, not safe-browsing');
  assert.match(await refusal('d', 8, { suffixList: 'psl/1' }), 'it was built with the Public Suffix List psl/1');
});

const LE = ['0.0001', '0.0010', '0.0100', '0.0500', '0.1000', '0.5000', '1.0000', '5.0000', '30.0000', '+Inf'];

/** The lines of a histogram, but for what depends on the machine: `sum` is undefined where that does. */
function histogramLines(name: string, help: string, count: number, sum: string | undefined): string[] {
  const isTimed = sum === undefined;
  const buckets = LE.map((le, index) => `${name}_bucket{le="${le}"} ${isTimed && index < LE.length - 1 ? '…' : count}`);
  const totals = [`${name}_count ${count}`, `${name}_sum ${sum ?? '…'}`];
  return [`# TYPE ${name} histogram`, `# HELP ${name} ${help}`, ...buckets, ...totals];
}

function withoutTimes(text: string): string[] {
  const timed = /^(urlsum_request_seconds_(?:bucket\{le="\d[\d.]*"\}|sum)) [\d.e-]+$/;
  return text.split('\n').map((line) => line.replace(timed, '$1 …'));
}

tests('/status and /metrics say all that there is to say, with no label of a client’s choice', async () => {
  writeFileSync(join(folder, 'own.txt'), 'own.example/\n# END 1 entries\n');
  const own = new OwnList(join(folder, 'own.txt'), 'MALWARE', {
    ...new SettlingClock().options,
    readEntries,
    maxShrink: 0.5,
    log() {},
  });
  await own.load();
  const server = await started({ ownLists: [own], whenUnsure: 'allow' });
  const start = server.search.time;
  server.search.time += 90_500;
  await server.v5(['http://evil.example/', 'http://good.example/', 'http://own.example/']);
  server.search.answers.push(REFUSAL);
  await server.v5(['http://both.example/']);
  await server.send('/nothing/here?x=1');
  const lists = ['mw-4b', 'se-4b', 'uws-4b'].map((name) => {
    const { size, version } = server.checker.status().lists.find((list) => list.name === name)!;
    return { name, size, version, updatedAt: new Date(start).toISOString(), ageMs: 90_500, isFresh: true };
  });
  const file = { trouble: '', troubleSince: null, waitingFor: '', waitingSince: null };
  assert.equal((await server.send('/status')).json, {
    lists,
    ownLists: [{ name: 'own.txt', type: 'MALWARE', size: 1, ...file }],
    nextUpdateAt: new Date(server.checker.nextUpdateAt).toISOString(),
    verdicts: { safe: 1, unsafe: 2, unsure: 1 },
    answers: { server: 1, list: 1, 'own-list': 1, 'unsure: status': 1 },
    prefixesSent: 2,
    unsureAllowed: 1,
  });
  const { type, body } = await server.send('/metrics');
  assert.is(type, 'application/openmetrics-text; version=1.0.0; charset=utf-8');
  const ofLists = (name: string, value: number) => lists.map((list) => `${name}{list="${list.name}"} ${value}`);
  assert.equal(withoutTimes(body.toString()), [
    '# TYPE urlsum_verdicts counter',
    '# HELP urlsum_verdicts URLs answered, by verdict.',
    'urlsum_verdicts_total{verdict="safe"} 1',
    'urlsum_verdicts_total{verdict="unsafe"} 2',
    'urlsum_verdicts_total{verdict="unsure"} 1',
    '# TYPE urlsum_answers counter',
    '# HELP urlsum_answers URLs answered, by what decided.',
    'urlsum_answers_total{reason="server"} 1',
    'urlsum_answers_total{reason="list"} 1',
    'urlsum_answers_total{reason="own-list"} 1',
    'urlsum_answers_total{reason="unsure: status"} 1',
    '# TYPE urlsum_unsure_allowed counter',
    '# HELP urlsum_unsure_allowed Unsure URLs that were left out of an answer.',
    'urlsum_unsure_allowed_total 1',
    '# TYPE urlsum_prefixes_sent counter',
    '# HELP urlsum_prefixes_sent Hash prefixes sent to the server.',
    'urlsum_prefixes_sent_total 2',
    ...histogramLines('urlsum_search_seconds', 'Durations of hashes:search.', 2, '0'),
    '# TYPE urlsum_requests counter',
    '# HELP urlsum_requests Requests answered, by path and status.',
    'urlsum_requests_total{path="/v5/urls:search",status="200"} 2',
    'urlsum_requests_total{path="other",status="404"} 1',
    'urlsum_requests_total{path="/status",status="200"} 1',
    ...histogramLines('urlsum_request_seconds', 'Durations of requests.', 4, undefined),
    '# TYPE urlsum_list_prefixes gauge',
    '# HELP urlsum_list_prefixes Prefixes in a list.',
    ...ofLists('urlsum_list_prefixes', 6),
    '# TYPE urlsum_list_fresh gauge',
    '# HELP urlsum_list_fresh Whether a list may say that a URL is safe.',
    ...ofLists('urlsum_list_fresh', 1),
    '# TYPE urlsum_list_age_seconds gauge',
    '# HELP urlsum_list_age_seconds Time since the last good update.',
    ...ofLists('urlsum_list_age_seconds', 90.5),
    '# TYPE urlsum_updates_failed counter',
    '# HELP urlsum_updates_failed Updates that failed, by list and reason.',
    '# TYPE urlsum_own_list_trouble_since_seconds gauge',
    '# HELP urlsum_own_list_trouble_since_seconds Unix time since which a list differs from its file.',
    '# EOF',
    '',
  ]);
});

tests('the documents list every metric of both servers, and no others', async () => {
  const served = await ServedLists.start({ 'mw-4b': ['a.example/'] });
  const bodies = [
    (await (await started()).send('/metrics')).body.toString(),
    await (await fetch(new URL('/metrics', served.url))).text(),
  ];
  await served.stop();
  const text = readFileSync('docs/safe-browsing-server.md', 'utf8');
  const listed = [...text.matchAll(/^\| `(urlsum_\w+?)(?:_total)?(?:\{[^`]*\})?` /gm)].map(([, name]) => name!);
  const known = bodies.flatMap((body) => [...body.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));
  assert.equal(listed.sort(), [...new Set(known)].sort());
});

tests('what is logged has no URL, unless it is asked for', async () => {
  const urls: string[] = [];
  const server = await started({ logUrl: (url, types) => urls.push(`${types} ${url}`), whenUnsure: 'allow' });
  await server.v5(['http://evil.example/', 'http://good.example/']);
  server.search.answers.push(REFUSAL);
  await server.v5(['http://both.example/']);
  assert.equal(urls, ['MALWARE http://evil.example/', ' http://good.example/', 'unsure http://both.example/']);
  assert.not.match(server.logged.join(), /evil|good|both/);
});

/** The answers of a server, as its clients see them, beside what its counters say of them. */
interface Way {
  readonly name: string;
  readonly urls: readonly string[];
  /** URLs that were safe, unsafe and unsure. */
  readonly told: readonly [safe: number, unsafe: number, unsure: number];
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  readonly types?: readonly string[];
  /** The answer of the server of hashes, in place of what it lists. */
  readonly answer?: () => Response | Promise<Response>;
  readonly whenUnsure?: 'allow' | 'block';
  readonly checker?: Partial<CheckerOptions>;
  /** Happens before the lists are fetched. */
  prepare?(server: LookUps): void;
  /** Happens before the URLs are asked for. */
  before?(server: LookUps): unknown;
}

type Reason = AnswerReason | 'own-list' | 'not-asked';

const EVIL = ['http://evil.example/'];
const GOOD = ['http://good.example/'];
const DAY_MS = 86_400_000;

const WAYS: readonly Way[] = [
  { name: 'the lists have nothing', urls: GOOD, told: [1, 0, 0], reasons: { list: 1 } },
  {
    name: 'a whole hash, now and from the cache',
    urls: EVIL,
    told: [0, 2, 0],
    reasons: { server: 1, cache: 1 },
    before: (server) => server.v4(EVIL),
  },
  {
    name: 'the server has no whole hash',
    urls: ['http://gone.example/'],
    told: [1, 0, 0],
    reasons: { server: 1 },
    prepare: ({ service }) => void service.lists.set('mw-4b', ['gone.example/']),
  },
  { name: 'a list of one’s own', urls: ['http://own.example/'], told: [0, 1, 0], reasons: { 'own-list': 1 } },
  {
    name: 'a list of one’s own, where the server is down',
    urls: ['http://own.example/', 'http://evil.example/x'],
    told: [0, 1, 1],
    reasons: { 'own-list': 1, 'unsure: status': 1 },
    answer: REFUSAL,
    whenUnsure: 'allow',
  },
  {
    name: 'unsure, and blocked: the request has no answer for the others',
    urls: [...GOOD, ...EVIL],
    told: [0, 0, 1],
    reasons: { 'unsure: status': 1 },
    answer: REFUSAL,
  },
  {
    name: 'a list that is trusted',
    urls: EVIL,
    told: [0, 1, 0],
    reasons: { list: 1 },
    checker: { trustedLists: ['mw-4b'] },
    answer: REFUSAL,
  },
  { name: 'no host', urls: ['mailto:x'], told: [0, 0, 1], reasons: { 'unsure: no-host': 1 } },
  {
    name: 'listed for a type that the request does not ask',
    urls: EVIL,
    types: ['SOCIAL_ENGINEERING'],
    told: [1, 0, 0],
    reasons: { 'not-asked': 1 },
  },
  { name: 'listed in frames', urls: ['http://frame.example/'], told: [1, 0, 0], reasons: { 'not-asked': 1 } },
  ...(['block', 'allow'] as const).flatMap((whenUnsure): Way[] => [
    {
      name: `${whenUnsure}: no connection`,
      urls: EVIL,
      told: [0, 0, 1],
      reasons: { 'unsure: network': 1 },
      answer: () => Promise.reject(new TypeError('fetch failed')),
      whenUnsure,
    },
    {
      name: `${whenUnsure}: no answer in time`,
      urls: EVIL,
      told: [0, 0, 1],
      reasons: { 'unsure: time-out': 1 },
      answer: () => new Promise(() => undefined),
      checker: { timeoutMs: 1 },
      whenUnsure,
    },
    {
      name: `${whenUnsure}: an answer that is not one`,
      urls: EVIL,
      told: [0, 0, 1],
      reasons: { 'unsure: malformed': 1 },
      answer: () => new Response('<html>'),
      whenUnsure,
    },
    {
      name: `${whenUnsure}: the server is left alone after a refusal`,
      urls: ['http://both.example/'],
      told: [0, 0, 2],
      reasons: { 'unsure: status': 1, 'unsure: back-off': 1 },
      answer: REFUSAL,
      checker: { backOff: { refusedMs: 60_000 } },
      before: (server) => server.v4(EVIL),
      whenUnsure,
    },
    {
      name: `${whenUnsure}: no list has come yet`,
      urls: GOOD,
      told: [0, 0, 1],
      reasons: { 'unsure: list-missing': 1 },
      prepare: ({ service }) => {
        service.fault = REFUSAL;
      },
      checker: { backOff: { refusedMs: 60_000 } },
      whenUnsure,
    },
    {
      name: `${whenUnsure}: lists that are too old`,
      urls: GOOD,
      told: [0, 0, 1],
      reasons: { 'unsure: list-stale': 1 },
      before: (server) => {
        server.search.time += 30 * DAY_MS;
      },
      whenUnsure,
    },
  ]),
];

for (const { name, urls, told, reasons, types, answer, whenUnsure = 'block', checker = {}, prepare, before } of WAYS)
  tests(`a verdict is counted once, as it was answered: ${name}`, async () => {
    writeFileSync(join(folder, 'counted.txt'), 'own.example/\n# END 1 entries\n');
    const settling = { ...new SettlingClock().options, readEntries, maxShrink: 0.5, log() {} };
    const own = new OwnList(join(folder, 'counted.txt'), 'MALWARE', settling);
    await own.load();
    const server = opened({ ownLists: [own], whenUnsure }, checker);
    prepare?.(server);
    await server.start();
    if (answer !== undefined) server.search.answers.push(answer);
    await before?.(server);
    const { status, json } = await server.v4(urls, types === undefined ? {} : { threatTypes: types });
    const unsafe = new Set((json.matches ?? []).map(({ threat }: { threat: { url: string } }) => threat.url)).size;
    const sum = told[0] + told[1] + told[2];
    const [asked, toldNow] = before === undefined ? [urls.length, told[1]] : [sum, Math.min(told[1], 1)];
    assert.is(unsafe, toldNow);
    if (status === 200) assert.is(sum, asked);
    else assert.equal([told[0], told[1]], [0, 0]);
    const [safe, , unsure] = told;
    const verdicts = { safe, unsafe: told[1], unsure };
    const counted = (await server.send('/status')).json;
    assert.equal([counted.verdicts, counted.answers], [verdicts, reasons]);
    assert.is(counted.unsureAllowed, whenUnsure === 'allow' ? unsure : 0);
    const metrics = (await server.send('/metrics')).body.toString();
    for (const [verdict, count] of Object.entries(verdicts))
      assert.ok(metrics.includes(`urlsum_verdicts_total{verdict="${verdict}"} ${count}\n`));
    for (const [reason, count] of Object.entries(reasons))
      assert.ok(metrics.includes(`urlsum_answers_total{reason="${reason}"} ${count}\n`));
  });

/** Each reason that there is: the compiler names one that is missing. */
const REASONS: Readonly<Record<Reason, true>> = {
  ...{ list: true, cache: true, server: true, 'own-list': true, 'not-asked': true },
  ...{ 'unsure: no-host': true, 'unsure: list-missing': true, 'unsure: list-stale': true, 'unsure: network': true },
  ...{ 'unsure: time-out': true, 'unsure: status': true, 'unsure: malformed': true, 'unsure: back-off': true },
};

tests('the ways to a verdict have every reason', () => {
  const found = new Set(WAYS.flatMap(({ reasons }) => Object.keys(reasons)));
  assert.equal([...found].sort(), Object.keys(REASONS).sort());
});

tests('no label of a metric is of a client’s choice', async () => {
  const server = await started({ whenUnsure: 'allow' });
  const labels = async () => {
    const text = (await server.send('/metrics')).body.toString();
    return [...new Set(text.split('\n').flatMap((line) => /^\w+(?:\{.*\})?/.exec(line)?.[0] ?? []))];
  };
  const next = random();
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY'];
  const wild = () => String.fromCharCode(...Array.from({ length: 1 + next(20) }, () => 33 + next(94)));
  const bodies = [
    gzipSync('{}'),
    gzipSync(Buffer.alloc(3 << 20)),
    gzipSync('{"a":1}').subarray(0, 12),
    Buffer.from('{}'),
  ];
  let before: readonly string[] = [];
  for (let round = 0; round < 2; round++) {
    for (let count = 0; count < 250; count++) {
      const path =
        next(3) === 0 ? '/v4/threatMatches:find' : `/${next(2) === 0 ? 'v5/urls:search?urls=' : ''}${wild()}`;
      const method = methods[next(methods.length)]!;
      const headers: Record<string, string> = { 'content-type': next(4) === 0 ? wild() : 'application/json' };
      if (next(2) === 0) headers['content-encoding'] = next(4) === 0 ? wild() : 'gzip';
      if (next(8) === 0) headers['x-goog-api-client'] = wild();
      const body = method === 'POST' ? { body: bodies[next(bodies.length)]! } : {};
      await server.send(path, { method, headers, ...body });
    }
    if (round === 0) before = await labels();
  }
  const after = await labels();
  assert.ok(after.length < 110, `${after.length}`);
  const paths = new Set(after.flatMap((each) => /path="([^"]*)"/.exec(each)?.[1] ?? []));
  const served = ['/v5/urls:search', '/v4/threatMatches:find', '/v4/threatLists', '/status', '/healthz', '/metrics'];
  for (const path of paths) assert.ok([...served, 'other'].includes(path), path);
  const statuses = new Set(after.flatMap((each) => /status="([^"]*)"/.exec(each)?.[1] ?? []));
  for (const status of statuses) assert.match(status, /^(?:200|400|403|404|405|413|415)$/);
  assert.ok(before.length > 30);
});

tests('an update that fails is counted by list and reason, and a search that is down is logged once', async () => {
  const server = await started({ whenUnsure: 'allow' });
  server.search.answers.push(REFUSAL, REFUSAL);
  for (const url of ['http://evil.example/1', 'http://both.example/', 'http://evil.example/2']) await server.v5([url]);
  server.search.answers.push(REFUSAL);
  await server.v5(['http://why.example/']);
  const down = server.logged.filter((message) => message.startsWith('hashes:search: '));
  assert.is(down.length, 2, down.join('\n'));
  assert.match(down[0]!, /^hashes:search: .*503.*; URLs that need it are unsure until it answers again$/);

  const failing = new LookUps({}, { fetch: REFUSAL, backOff: { refusedMs: 1000 } });
  open.push(failing);
  await failing.server.listen({ host: '127.0.0.1', port: 0 }).then((url) => (failing.url = url));
  await failing.checker.update();
  const metrics = (await failing.send('/metrics')).body.toString();
  for (const list of ['mw-4b', 'se-4b', 'uws-4b'])
    assert.ok(metrics.includes(`urlsum_updates_failed_total{list="${list}",reason="status"} 1\n`), metrics);
});

tests.run();
