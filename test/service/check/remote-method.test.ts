// Requests, what a server's refusal says to whoever runs the client, and how long a server is left alone after it.
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Fetch } from '../../../src/entries/safe-browsing/check.ts';
import { BackOff, retryAfterOf } from '../../../src/service/check/remote-method.ts';
import { message } from '../lists/wire.ts';
import { MALWARE, opened, shown } from './scripted-server.ts';
import { duration } from './search-response.ts';

const tests = suite('safe-browsing/check: requests of a method');

const EVIL = 'http://evil.example/a?b';
const KEY = 'AIzaSECRET';

tests('the request has the headers it was told, follows no redirect and can be aborted', async () => {
  const seen: unknown[] = [];
  const { checker } = opened({
    headers: { 'X-Goog-Api-Key': 'key' },
    fetch: async (url, { headers, redirect, signal }) => {
      seen.push(url.replace(/\?.*/, ''), headers, redirect, signal instanceof AbortSignal);
      return new Response(null, { status: 302, headers: { location: 'http://other.example/' } });
    },
  });
  assert.is(shown(await checker.check(EVIL)), 'unsure, unsure: status');
  assert.equal(seen, ['http://127.0.0.1:9/v5/hashes:search', { 'X-Goog-Api-Key': 'key' }, 'manual', true]);
});

/** Troubles, and the reason that each check then has. */
const TROUBLES: readonly (readonly [string, () => Response | Promise<Response>])[] = [
  ['network', () => Promise.reject(new TypeError('fetch failed'))],
  ['status', () => new Response(null, { status: 500 })],
  ['status', () => new Response(null, { status: 503 })],
  ['status', () => new Response(null, { status: 404 })],
  ['status', () => new Response(null, { status: 204 })],
  ['malformed', () => new Response('<html>captive portal</html>')],
  ['malformed', () => new Response(new Uint8Array(message([1, message([1, new Uint8Array(31)])])))],
  ['malformed', () => new Response(new Uint8Array(5 << 20))],
  ['time-out', () => sleep(1000).then(() => new Response())],
];

tests('without an answer the URL is unsure, and allowed as the caller chose', async () => {
  for (const [cause, answer] of TROUBLES) {
    for (const whenUnsure of ['allow', 'block'] as const) {
      const timeoutMs = cause === 'time-out' ? 20 : 60_000; // on a busy machine 5 MB take longer than 20 ms
      const { server, checker } = opened({ whenUnsure, timeoutMs });
      server.answers.push(answer);
      const found = await checker.check(EVIL);
      assert.is(shown(found), `unsure, unsure: ${cause}`);
      assert.is(found.isAllowed, whenUnsure === 'allow');
      assert.ok(found.detail !== undefined && found.detail.length > 10, found.detail);
    }
  }
});

tests('a server that failed is left alone, and asked again when that is over', async () => {
  const { server, checker } = opened();
  for (const [status, headers, wait] of [
    [500, {}, 15 * 60_000],
    [503, { 'retry-after': '7' }, 7000],
    [429, { 'retry-after': new Date(server.time + 3_600_000).toUTCString() }, 3_600_000 - 15 * 60_000 - 7000],
  ] as const) {
    server.answers.push(() => new Response(null, { status, headers }));
    assert.is(shown(await checker.check(EVIL)), 'unsure, unsure: status');
    const count = server.requests.length;
    server.time += wait - 1;
    const { detail, reason } = await checker.check(EVIL);
    assert.is(reason, 'unsure: back-off');
    assert.match(detail!, new Date(server.time + 1).toISOString());
    assert.is(server.requests.length, count);
    server.time += 1;
  }
  assert.is(shown(await checker.check(EVIL)), 'safe, server');
});

tests('what is cached holds while the server is left alone', async () => {
  const { server, checker } = opened();
  server.cacheDuration = duration(86_400);
  server.listed.set('evil.example/', [MALWARE]);
  await checker.check(EVIL);
  server.answers.push(() => new Response(null, { status: 500 }));
  await checker.check('http://good.example/');
  assert.is(shown(await checker.check('http://good.example/')), 'unsure, unsure: back-off');
  assert.is(shown(await checker.check(EVIL)), 'unsafe, cache');
});

tests('what an injected function throws reaches the caller', async () => {
  const failing = { isFailing: false };
  const { checker } = opened({
    now: () => {
      if (failing.isFailing) throw new Error('the clock stands still');
      return 0;
    },
    fetch: async () => {
      failing.isFailing = true;
      return new Response(null, { status: 500 });
    },
  });
  assert.is(await checker.check(EVIL).catch((error: Error) => error.message), 'the clock stands still');
});

tests('the fetch of the platform can be passed, and is the default', async () => {
  const { checker } = opened({ fetch });
  assert.is(shown(await checker.check(EVIL)), 'unsure, unsure: network');
  assert.is(shown(await opened({ fetch: undefined as never }).checker.check(EVIL)), 'unsure, unsure: network');
});

tests('a fetch that ignores its signal is not waited for', async () => {
  let isCancelled = false;
  let answer: (response: Awaited<ReturnType<Fetch>>) => void = () => undefined;
  let fetch: Fetch = () => new Promise((resolve) => (answer = resolve));
  const { server, checker } = opened({ timeoutMs: 20, fetch: (url, init) => fetch(url, init) });
  const { reason, detail } = await checker.check(EVIL);
  assert.equal([reason, detail], ['unsure: time-out', 'the server did not answer within 20 ms']);
  answer({
    status: 200,
    headers: new Headers(),
    body: new ReadableStream({ cancel: () => void (isCancelled = true) }),
  });
  await new Promise((resolve) => void setImmediate(resolve));
  assert.ok(isCancelled, 'what comes too late is not read');
  fetch = async () => ({ status: 200, headers: new Headers(), body: new ReadableStream() });
  server.time += 3_600_000;
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
  const { checker } = opened({ headers, fetch: async () => response() });
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

const MINUTE = 60_000;

/** Waits after failures one after another, in milliseconds. */
function waits(backOff: BackOff, kind: 'refused' | 'unanswered', count: number): number[] {
  return Array.from({ length: count }, () => {
    backOff.failed(kind, backOff.failureCount, 0);
    return backOff.openAt;
  });
}

tests('min(2^(n-1) × 15 minutes × (1 + random), 24 hours)', () => {
  const minutes = [15, 30, 60, 120, 240, 480, 960, 1440, 1440].map((each) => each * MINUTE);
  assert.equal(waits(new BackOff({}, () => 0), 'refused', 9), minutes);
  assert.equal(
    waits(new BackOff({}, () => 1), 'refused', 3),
    [30, 60, 120].map((each) => each * MINUTE),
  );
});

tests('a request without an answer costs a second, doubled', () => {
  assert.equal(waits(new BackOff({}, () => 0.5), 'unanswered', 3), [1500, 3000, 6000]);
  assert.equal(waits(new BackOff({ unansweredMs: 10, maxDelayMs: 35 }, () => 0), 'unanswered', 4), [10, 20, 35, 35]);
});

tests('what the server asks for holds, up to the most', () => {
  const backOff = new BackOff({}, () => 0);
  backOff.failed('refused', 0, 100, 5000);
  assert.is(backOff.openAt, 5100);
  backOff.failed('refused', 1, 100, 1e12);
  assert.is(backOff.openAt, 100 + 86_400_000);
});

tests('requests that were under way together fail as one; a good answer ends it', () => {
  const backOff = new BackOff({}, () => 0);
  const countAtStart = backOff.failureCount;
  for (let request = 0; request < 6; request++) backOff.failed('refused', countAtStart, 0);
  assert.is(backOff.openAt, 15 * MINUTE);
  backOff.succeeded();
  assert.is(backOff.openAt, Number.NEGATIVE_INFINITY);
  assert.equal(waits(backOff, 'refused', 1), [15 * MINUTE]);
});

tests('Retry-After is seconds or a date, and nothing else', () => {
  const now = Date.UTC(2026, 0, 1);
  for (const [value, milliseconds] of [
    ['120', 120_000],
    [' 0 ', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
    ['soon', undefined],
    ['', undefined],
  ] as const) {
    assert.is(retryAfterOf(new Headers({ 'retry-after': value }), now), milliseconds, value);
  }
  assert.is(retryAfterOf(new Headers(), now), undefined);
});

tests.run();
