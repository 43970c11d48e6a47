// What `safe-browsing serve` answers by version 5, and what it says of itself.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OwnList } from '../../../src/service/http/own-list.ts';
import { SEARCH_URLS_RESPONSE } from '../../../src/service/lists/messages/search-responses.ts';
import { file } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { refusal } from '../check/scripted-server.ts';
import { watching } from './list-files.ts';
import { lookUpsOf } from './look-ups.ts';
import { ServedLists } from './served-lists.ts';

const tests = suite('http: answers of serve');
const { opened, started } = lookUpsOf(tests);

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
  allowing.service.answers.push(refusal);
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

tests('lists that are missing or stale: 503, and healthz says so', async () => {
  const server = opened({}, { fetch: refusal, backOff: { refusedMs: 1000 } });
  await server.start();
  const { status, json } = await server.v5(['http://good.example/']);
  assert.equal([status, json.error.details[0].reason], [503, 'LIST_MISSING']);
  assert.is((await server.send('/healthz')).status, 503);
  assert.is((await (await started()).send('/healthz')).status, 200);
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
  const own = new OwnList(file('own.txt', 'own.example/\n# END 1 entries\n'), 'MALWARE', watching());
  await own.load();
  const server = await started({ ownLists: [own], whenUnsure: 'allow' });
  const start = server.service.time;
  server.service.time += 90_500;
  await server.v5(['http://evil.example/', 'http://good.example/', 'http://own.example/']);
  server.service.answers.push(refusal);
  await server.v5(['http://both.example/']);
  await server.send('/nothing/here?x=1');
  const lists = ['mw-4b', 'se-4b', 'uws-4b'].map((name) => {
    const { size, version } = server.checker.status().lists.find((list) => list.name === name)!;
    return { name, size, version, updatedAt: new Date(start).toISOString(), ageMs: 90_500, isFresh: true };
  });
  const fine = { trouble: '', troubleSince: null, waitingFor: '', waitingSince: null };
  assert.equal((await server.send('/status')).json, {
    lists,
    ownLists: [{ name: 'own.txt', type: 'MALWARE', size: 1, ...fine }],
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
  server.service.answers.push(refusal, refusal);
  for (const url of ['http://evil.example/1', 'http://both.example/', 'http://evil.example/2']) await server.v5([url]);
  server.service.answers.push(refusal);
  await server.v5(['http://why.example/']);
  const down = server.logged.filter((message) => message.startsWith('hashes:search: '));
  assert.is(down.length, 2, down.join('\n'));
  assert.match(down[0]!, /^hashes:search: .*503.*; URLs that need it are unsure until it answers again$/);

  const failing = opened({}, { fetch: refusal, backOff: { refusedMs: 1000 } });
  await failing.server.listen({ host: '127.0.0.1', port: 0 }).then((url) => (failing.url = url));
  await failing.checker.update();
  const metrics = (await failing.send('/metrics')).body.toString();
  for (const list of ['mw-4b', 'se-4b', 'uws-4b'])
    assert.ok(metrics.includes(`urlsum_updates_failed_total{list="${list}",reason="status"} 1\n`), metrics);
});

tests.run();
