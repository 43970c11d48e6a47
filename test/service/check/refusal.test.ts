// What a server's refusal says to whoever runs the client: its reason in our words, and never what may be the key.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { ListService } from './list-service.ts';

const tests = suite('safe-browsing/check: refusals');

const KEY = 'AIzaSECRET';
const PERIOD = 15 * 60_000;

/** google.rpc.Status with google.rpc.ErrorInfo, as AIP-193 prints it. */
const jsonStatus = (code: number, reason: string) =>
  JSON.stringify({
    error: {
      code,
      message: `API key ${KEY} not valid. Please pass a valid API key.`,
      status: 'PERMISSION_DENIED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
    },
  });

const field = (number: number, bytes: Buffer) => Buffer.concat([Buffer.of((number << 3) | 2, bytes.length), bytes]);
/** The same in protobuf: code, message, details; Any has type_url and value, ErrorInfo reason and domain. */
const protobufStatus = (reason: string): Uint8Array<ArrayBuffer> => {
  const info = Buffer.concat([field(1, Buffer.from(reason)), field(2, Buffer.from('googleapis.com'))]);
  const any = Buffer.concat([field(1, Buffer.from('type.googleapis.com/google.rpc.ErrorInfo')), field(2, info)]);
  return Uint8Array.from(Buffer.concat([Buffer.of(8, 7), field(2, Buffer.from(`key ${KEY}`)), field(3, any)]));
};

async function detailOf(response: () => Response, headers: Record<string, string> = { 'x-goog-api-key': KEY }) {
  const checker = new SafeBrowsingChecker({
    server: 'http://127.0.0.1/v5/',
    procedure: 'no-storage',
    whenUnsure: 'block',
    headers,
    fetch: async () => response(),
  });
  const { reason, detail } = await checker.check('http://a.example/');
  assert.is(reason, 'unsure: status');
  assert.not.match(detail!, 'SECRET');
  return detail!.replace('the server answered with the status ', '');
}

tests('Google’s reasons, in both forms of its errors', async () => {
  const invalid = (body: string | Uint8Array<ArrayBuffer>, status: number) =>
    detailOf(() => new Response(body, { status }));
  const expected = '403: the API key is not for this IP address (API_KEY_IP_ADDRESS_BLOCKED)';
  assert.is(await invalid(jsonStatus(403, 'API_KEY_IP_ADDRESS_BLOCKED'), 403), expected);
  assert.is(await invalid(protobufStatus('API_KEY_IP_ADDRESS_BLOCKED'), 403), expected);
  assert.is(await invalid(jsonStatus(400, 'API_KEY_INVALID'), 400), '400: the API key is not valid (API_KEY_INVALID)');
  assert.is(
    await invalid(jsonStatus(429, 'RATE_LIMIT_EXCEEDED'), 429),
    '429: the quota is used up (RATE_LIMIT_EXCEEDED)',
  );
});

tests('without a reason, a 403 says whether a key was sent; other statuses stand alone', async () => {
  const status = (code: number) => () => new Response(jsonStatus(code, KEY), { status: code });
  assert.is(await detailOf(status(403)), '403: it refuses the API key');
  assert.is(await detailOf(status(401), {}), '401: no API key was sent');
  assert.is(await detailOf(status(403), { 'X-Other': KEY }), '403: no API key was sent');
  for (const code of [400, 404, 429, 500, 503]) assert.is(await detailOf(status(code)), String(code));
  assert.is(await detailOf(() => new Response(null, { status: 403 })), '403: it refuses the API key');
});

tests('a refusal whose body is endless, broken or late is the refusal', async () => {
  const bodies: ((controller: ReadableStreamDefaultController) => void)[] = [
    (controller) => controller.enqueue(Buffer.alloc(10_000, '{')),
    (controller) => controller.error(new Error(KEY)),
  ];
  for (const pull of bodies)
    assert.is(
      await detailOf(() => new Response(new ReadableStream({ pull }), { status: 403 })),
      '403: it refuses the API key',
    );
});

/** Answers for the lists that a server has, and 404 for a request that names another one, as `urlsum list serve`. */
function serverOf(...names: readonly string[]) {
  const service = new ListService();
  const requests: string[][] = [];
  for (const name of names) service.lists.set(name, ['evil.example/']);
  const has = new Set(names);
  const open = (lists: readonly string[]) =>
    new SafeBrowsingChecker({
      server: 'http://127.0.0.1/v5/',
      procedure: 'local-list',
      whenUnsure: 'block',
      lists,
      now: service.now,
      random: () => 0,
      fetch: async (url, init) => {
        const asked = new URL(url).searchParams.getAll('names');
        requests.push(asked);
        if (asked.some((name) => !has.has(name))) return new Response('{}', { status: 404 });
        return service.fetch(url, init);
      },
    });
  return { service, requests, has, open };
}

const outcomes = async (checker: SafeBrowsingChecker) =>
  (await checker.update()).map(({ name, status, detail }) => [name, status, detail]);
const lacks = (name: string) => `the server answered with the status 404: it has no list ${name}`;

tests('a list that the server lacks is named; the others are fetched, and not again before they are due', async () => {
  for (const lists of [
    ['no-4b', 'mw-4b', 'se-4b'],
    ['mw-4b', 'se-4b', 'no-4b'],
  ]) {
    const { service, requests, has, open } = serverOf('mw-4b', 'se-4b');
    const checker = open(lists);
    const others = (await outcomes(checker)).filter(([name]) => name !== 'no-4b');
    assert.equal(others, [
      ['mw-4b', 'updated', undefined],
      ['se-4b', 'updated', undefined],
    ]);
    assert.equal(requests.splice(0), [lists, ...lists.map((name) => [name])]);
    const expected = lists.map((name) => [name, 'waiting', undefined]);
    assert.equal(await outcomes(checker), expected);
    assert.is(checker.nextUpdateAt, service.time + PERIOD);
    assert.equal(requests, []);

    service.time += PERIOD;
    const withLack = lists.map((name) =>
      name === 'no-4b' ? [name, 'failed', lacks(name)] : [name, 'waiting', undefined],
    );
    assert.equal(await outcomes(checker), withLack);
    assert.equal(requests.splice(0), [['no-4b']]);
    assert.is(checker.nextUpdateAt, service.time + PERIOD, 'the lists that are there are due on time');

    has.add('no-4b');
    service.time += PERIOD;
    assert.equal(
      (await outcomes(checker)).map(([, status]) => status),
      lists.map((name) => (name === 'no-4b' ? 'updated' : 'unchanged')),
    );
  }
});

tests('a server without any of the lists is left alone, as one that fails', async () => {
  const { service, requests, open } = serverOf('mw-4b');
  for (const lists of [['no-4b'], ['no-4b', 'other-4b']]) {
    const checker = open(lists);
    const expected = lists.map((name) => [name, 'failed', lacks(lists.join(', '))]);
    assert.equal(await outcomes(checker), expected);
    assert.is(requests.splice(0).length, lists.length === 1 ? 1 : 3);
    assert.is(checker.nextUpdateAt, service.time + PERIOD);
    const [[, , detail]] = (await outcomes(checker)) as [string[]];
    assert.match(detail!, 'the server is left alone until');
    assert.equal(requests, []);
  }
});

tests('while lists are asked for alone, a failure of the server ends the update', async () => {
  const { service, requests, open } = serverOf('mw-4b', 'se-4b');
  const checker = open(['no-4b', 'mw-4b', 'se-4b']);
  service.fault = async () => new Response(null, { status: 503 });
  assert.equal(await outcomes(checker), [
    ['no-4b', 'failed', lacks('no-4b')],
    ['mw-4b', 'failed', 'the server answered with the status 503'],
    ['se-4b', 'failed', `the server is left alone until ${new Date(service.time + PERIOD).toISOString()}`],
  ]);
  assert.equal(requests, [['no-4b', 'mw-4b', 'se-4b'], ['no-4b'], ['mw-4b']]);
});

tests.run();
