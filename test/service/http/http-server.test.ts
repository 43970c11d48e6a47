// What the servers refuse: web pages, and requests that are too long, too many, too slow or not what they seem.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpServer, type HttpServerOptions } from '../../../src/service/http/http-server.ts';
import { cases, random, randomBytes } from '../../support/seed.ts';
import { MALWARE } from '../check/scripted-server.ts';
import { LookUps, threatInfoOf } from './look-ups.ts';

const tests = suite('http: hostile requests');
const next = random();

const GOOD = '/v5/urls:search?alt=json&urls=http://good.example/';
let server: LookUps;

tests.before(async () => {
  server = new LookUps();
  server.list('evil.example/', [MALWARE]);
  await server.start();
});
tests.after.each(async () => {
  assert.is((await server.send(GOOD)).status, 200, 'nothing else is disturbed');
  assert.equal(server.logged, []);
});
tests.after(() => server.stop());

/** Sends bytes as they are. Settles with all that comes back until the server ends the connection. */
async function raw(bytes: string | Buffer, more?: (socket: Socket) => void): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined); // a server may end what it refuses
  socket.write(bytes);
  more?.(socket);
  await new Promise((resolve) => socket.on('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** Serves answers at a URL while `work` asks for them: a fault of the server is one of the test. */
async function whileServing(options: Partial<HttpServerOptions>, work: (url: URL) => Promise<void>): Promise<void> {
  const http = new HttpServer({
    answer: () => ({ type: 'text/plain', body: '' }),
    hosts: [],
    lists: [],
    onFault: (error) => assert.unreachable(String(error)),
    ...options,
  });
  try {
    await work(new URL(await http.listen({ host: '127.0.0.1', port: 0 })));
  } finally {
    await http.close();
  }
}

const get = (target: string, more = '') =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`;

tests('no web page may ask: Host, Origin and Sec-Fetch-Site', async () => {
  const status = async (headers: Record<string, string>) => (await server.send(GOOD, { headers })).status;
  for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:8080', '127.1.2.3', '[::1]', '[::1]:8080'])
    assert.is(await status({ host }), 200, host);
  for (const host of [
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'a@localhost',
    '[::2]',
    '0.0.0.0',
  ])
    assert.is(await status({ host }), 403, host);
  assert.match(await raw('GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 403 /);
  for (const origin of ['http://evil.example', 'http://localhost:8080', 'null', ''])
    assert.is(await status({ origin }), 403, origin);
  for (const [site, expected] of Object.entries({ 'cross-site': 403, 'same-site': 403, 'same-origin': 200, none: 200 }))
    assert.is(await status({ 'sec-fetch-site': site }), expected, site);
  const named = await new LookUps({ hosts: ['urlsum.internal'] }).start();
  try {
    assert.is((await named.send(GOOD, { headers: { host: 'URLSUM.internal:80' } })).status, 200);
    assert.is((await named.send(GOOD, { headers: { host: 'internal' } })).status, 403);
  } finally {
    await named.stop();
  }
});

tests('an extension may ask whose exact origin is named, and no other', async () => {
  const extension = 'chrome-extension://abcdefghijklmnop';
  const named = await new LookUps({ origins: [extension] }).start();
  const asked = async (headers: Record<string, string>) => {
    const { status, allowed } = await named.send(GOOD, { headers: { 'sec-fetch-site': 'cross-site', ...headers } });
    return [status, allowed];
  };
  try {
    assert.equal(await asked({ origin: extension }), [200, extension]);
    assert.equal(await asked({ origin: extension, host: 'evil.example' }), [403, extension]);
    for (const origin of [
      `${extension}q`,
      `${extension}/`,
      extension.toUpperCase(),
      extension.slice(0, -1),
      `${extension}, ${extension}`,
      'chrome-extension://*',
      'http://evil.example',
      'null',
      '*',
    ])
      assert.equal(await asked({ origin }), [403, undefined], origin);
    assert.equal(await asked({}), [403, undefined]);
  } finally {
    await named.stop();
  }
  assert.is((await server.send(GOOD, { headers: { origin: extension } })).status, 403);
});

tests('two Hosts are refused: what is before this server may go by the other one', async () => {
  const hosts = (...names: readonly string[]) => {
    const fields = names.map((name, index) => `${['Host', 'hOST'][index % 2]}: ${name}\r\n`).join('');
    return raw(`GET ${GOOD} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`);
  };
  assert.match(await hosts('localhost'), /^HTTP\/1\.1 200 /);
  for (const names of [
    ['localhost', 'localhost'],
    ['localhost', 'evil.example'],
    ['evil.example', 'localhost'],
  ])
    assert.match(await hosts(...names), /^HTTP\/1\.1 400 /, names.join());
});

tests('a GET whose Referer is another site is refused', async () => {
  const host = 'localhost:8080';
  const status = async (referer: string) => (await server.send(GOOD, { headers: { host, referer } })).status;
  for (const own of [`http://${host}/status`, `HTTPS://LocalHost:8080`, `http://${host}?x#y`])
    assert.is(await status(own), 200, own);
  for (const foreign of [
    'http://evil.example/',
    `http://${host}.evil.example/`,
    'http://localhost/',
    'localhost:8080',
    '',
    `http://${host}@evil.example/`,
  ])
    assert.is(await status(foreign), 403, foreign);
});

tests('a name that is twice in an object of a request is refused: two readers would read two requests', async () => {
  const info = '"threatTypes":["MALWARE"],"platformTypes":["LINUX"],"threatEntryTypes":["URL"]';
  const [evil, good] = ['evil', 'good'].map((name) => `"threatEntries":[{"url":"http://${name}.example/"}]`);
  for (const body of [
    `{"threatInfo":{${info},${evil},${good}}}`,
    `{"threatInfo":{${info},${evil},${good!.replace('E', '\\u0045')}}}`,
    `{"threatInfo":{${info},"threatEntries":[{"url":"http://evil.example/","url":"http://good.example/"}]}}`,
    `{"threatInfo":{${info},${evil}},"threatInfo":{${info},${good}}}`,
  ]) {
    const { status, json } = await server.post(body);
    assert.is(status, 400, body);
    assert.match(json.error.message, /^the name "(?:threatEntries|url|threatInfo)" occurs twice in one object$/);
  }
  assert.is((await server.post(`{"threatInfo":{${info},${evil}}}`)).json.matches.length, 1);
});

tests('no answer has a CORS header, and a preflight is refused', async () => {
  const answer = await raw(get(GOOD));
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.not.match(answer, /access-control/i);
  const preflight = await server.send('/v4/threatMatches:find', {
    method: 'OPTIONS',
    headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
  });
  assert.is(preflight.status, 403);
  assert.is((await server.send(GOOD, { method: 'OPTIONS' })).status, 405);
});

tests('a POST needs application/json, which no form of a page can send', async () => {
  const body = JSON.stringify({ threatInfo: {} });
  for (const [type, status] of [
    ['application/json', 400],
    ['Application/JSON; charset=UTF-8', 400],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['', 415],
  ] as const)
    assert.is((await server.post(body, { 'content-type': type })).status, status, type);
});

tests('a body may be packed by gzip, and by nothing else; the limit counts what it unpacks to', async () => {
  const urls = ['http://evil.example/', 'http://good.example/'];
  const body = Buffer.from(JSON.stringify({ threatInfo: threatInfoOf(urls) }));
  const plain = await server.post(body);
  assert.is(plain.json.matches.length, 1);
  const post = (bytes: Buffer, coding: string) => server.post(bytes, { 'content-encoding': coding });
  for (const coding of ['gzip', 'x-gzip', 'GZIP']) assert.equal((await post(gzipSync(body), coding)).json, plain.json);
  assert.equal((await post(body, 'identity')).json, plain.json);
  for (const coding of ['br', 'deflate', 'gzip, gzip', '']) assert.is((await post(body, coding)).status, 415, coding);
  const halves = Buffer.concat([gzipSync(body.subarray(0, 40)), gzipSync(body.subarray(40))]);
  assert.equal((await post(halves, 'gzip')).json, plain.json, 'two members are one body (RFC 1952 section 2.2)');
  for (const wrong of [body, Buffer.alloc(0), gzipSync(body).subarray(0, -1), gzipSync(body).subarray(0, 20)])
    assert.is((await post(wrong, 'gzip')).status, 400, wrong.toString('latin1'));
  const padded = (length: number) => gzipSync(Buffer.concat([body, Buffer.alloc(length - body.length, ' ')]));
  assert.equal((await post(padded(1 << 20), 'gzip')).json, plain.json);
  assert.is((await post(padded((1 << 20) + 1), 'gzip')).status, 413);
  assert.is((await post(gzipSync(Buffer.alloc(1 << 25)), 'gzip')).status, 413, 'a bomb');
  const members = Array(50_000).fill(gzipSync(''));
  assert.is((await post(Buffer.concat(members), 'gzip')).status, 400, 'a million bytes that unpack to none');
});

tests('HEAD is answered as GET, without the body', async () => {
  for (const path of [GOOD, '/healthz', '/v4/threatLists']) {
    const [got, head] = [await server.send(path), await server.send(path, { method: 'HEAD' })];
    assert.equal([head.status, head.body.length, head.length], [got.status, 0, got.length], path);
    assert.is(got.length, got.body.length);
  }
  assert.is((await server.send('/v4/threatMatches:find', { method: 'HEAD' })).status, 405);
});

tests('a GET that is sent as a POST, as Google’s clients do when it is long', async () => {
  const ask = (override: string, body: string, type = 'application/x-www-form-urlencoded') =>
    server.send('/v5/urls:search', {
      method: 'POST',
      headers: { 'x-http-method-override': override, 'content-type': type },
      body,
    });
  const { status, json } = await ask(
    'GET',
    'alt=json&urls=http%3A%2F%2Fevil.example%2F&urls=http%3A%2F%2Fgood.example%2F',
  );
  assert.equal([status, json.threats.length], [200, 1]);
  assert.is((await ask('DELETE', 'alt=json&urls=x')).status, 405);
  assert.is((await ask('GET', '{}', 'application/json')).status, 415);
  assert.is(
    (await server.send('/v5/urls:search', { method: 'POST', headers: { 'content-type': 'application/json' } })).status,
    405,
  );
  assert.is((await server.send('/v4/threatMatches:find')).status, 405);
});

tests('clients that are generated from descriptions of APIs read JSON unless they ask for protobuf', async () => {
  const typeFor = async (client: string, query = '') =>
    (
      await server.send(`/v5/urls:search?urls=http://evil.example/${query}`, {
        headers: { 'x-goog-api-client': client },
      })
    ).type;
  for (const client of ['gdcl/8.0.3 gl-node/20.20.2', 'gl-java/17.0.15 gdcl/2.4.0 linux/6.18.44']) {
    assert.is(await typeFor(client), 'application/json');
    assert.is(await typeFor(client, '&alt=proto'), 'application/x-protobuf');
    assert.is(await typeFor(client, '&$alt=json'), 'application/json');
  }
  assert.is(await typeFor('gl-go/1.26.0 gapic/1.0'), 'application/x-protobuf');
});

tests('a client’s key is in no answer, no log and no request to the server', async () => {
  const { body } = await server.send(`${GOOD}&key=SECRET-KEY&fields=x`);
  assert.not.match(body.toString(), 'SECRET-KEY');
});

tests('a body of more than 1 MiB is refused, whether it says so or not, and not kept', async () => {
  const long = Buffer.alloc((1 << 20) + 1, 0x20);
  assert.is((await server.post(long)).status, 413);
  assert.is((await server.post(long, { 'transfer-encoding': 'chunked' })).status, 413);
  assert.is((await server.post(long.subarray(1))).status, 400);
  const claimed = `POST /v4/threatMatches:find HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999999999\r\n\r\n`;
  const answer = await raw(claimed, (socket) => socket.on('data', () => socket.destroy()));
  assert.match(answer, /^HTTP\/1\.1 413 /);
});

tests('a client that does not stop sending is cut off', async () => {
  const head =
    'POST /v4/threatMatches:find HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20), Buffer.from('\r\n')]);
  let sent = 0;
  await raw(head, (socket) => {
    const more = () => {
      if (socket.writable && sent++ < 100) socket.write(chunk, more);
    };
    more();
  });
  assert.ok(sent < 60, `${sent} MiB were taken`);
});

tests('what is not JSON, not UTF-8, deep or wide: 400', async () => {
  for (const body of [
    '',
    'null',
    '[]',
    '7',
    '{',
    '{"threatInfo":null}',
    '{"threatInfo":[]}',
    '{"__proto__":{"threatInfo":{}}}',
    '{"constructor":1}',
    `${'['.repeat(500_000)}`,
    `${'{"threatInfo":'.repeat(50_000)}${'}'.repeat(50_000)}`,
    Buffer.from('{"threatInfo":{"threatEntries":[{"url":"\xff"}]}}', 'latin1'),
    JSON.stringify({ threatInfo: { threatEntries: Array(100_000).fill(0) } }),
    JSON.stringify({ threatInfo: { threatTypes: Array(100_000).fill('MALWARE') } }),
  ]) {
    const { status, json } = await server.post(body);
    assert.equal([status, json.error.status], [400, 'INVALID_ARGUMENT'], String(body).slice(0, 40));
    assert.ok(json.error.message.length < 1000);
  }
});

tests('a query that is not percent-encoded UTF-8 would look up another URL: 400', async () => {
  for (const query of ['urls=%ff', 'urls=%', 'urls=%zz', 'urls=%c3', '%ff=x'])
    assert.is((await server.send(`/v5/urls:search?${query}`)).status, 400, query);
  for (const target of ['http://localhost/v5/urls:search?urls=x', '*', '/v5/urls:search?urls=\u00fc'])
    assert.match(await raw(get(target)), /^HTTP\/1\.1 400 /, target);
});

tests('unknown paths, whatever they are named', async () => {
  for (const path of [
    '/',
    '/r',
    '/v5',
    '/v5/hashes:search',
    '/constructor',
    '/__proto__',
    `/${'x'.repeat(10_000)}`,
    '//v5/urls:search',
  ])
    assert.is((await server.send(path)).status, 404, path.slice(0, 40));
});

tests('a header that is too long, and bytes that are not HTTP', async () => {
  assert.match(await raw(get(`/v5/urls:search?urls=${'x'.repeat(70_000)}`)), /^HTTP\/1\.1 431 .*"code":431/s);
  assert.match(await raw(get('/', `X: ${'x'.repeat(70_000)}\r\n`)), /^HTTP\/1\.1 431 /);
  assert.match(await raw('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'), /^HTTP\/1\.1 400 .*"INVALID_ARGUMENT"/s);
  assert.match(await raw('GET / HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /);
  assert.match(await raw('GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 403 /);
  // two lengths: a proxy before this server could take one of them, and this server the other
  const two = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
  assert.match(await raw(two), /^HTTP\/1\.1 400 /);
});

tests('random bytes, and requests with random damage', async () => {
  const whole = Buffer.from(
    `POST /v4/threatMatches:find HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 59\r\n\r\n{"threatInfo":{"threatEntries":[{"url":"http://x.example"}]}}`,
  );
  for (let count = 0; count < cases(100); count++) {
    const bytes = count % 4 === 0 ? Buffer.from(randomBytes(next, 1 + next(200))) : Buffer.from(whole);
    for (let damage = next(4); count % 4 > 0 && damage >= 0; damage--) bytes[next(bytes.length)] = next(256);
    const answer = await raw(bytes, (socket) => socket.end());
    assert.match(answer, /^$|^HTTP\/1\.1 (?:200|400|403|404|405|408|413|415|431) /);
  }
});

tests('slow clients are told to hurry, and hold nothing', async () => {
  const times = { headerMs: 50, requestMs: 50, answerMs: 50, checkMs: 10 };
  await whileServing({ times }, async ({ port }) => {
    for (const start of [
      'GET / HTTP/1.1\r\nHost: local',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ]) {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(start));
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      await once(socket, 'close');
      assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 408 /);
    }
  });
});

const HALF_OPEN = [
  '',
  'GET / HTTP/1.1\r\nHost: local',
  'GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /',
  'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999999\r\n\r\n{',
  'this is not HTTP\r\n\r\n',
];

tests('a thousand clients that never close their side hold no place for long', async () => {
  const times = { headerMs: 2000, requestMs: 2000, checkMs: 20, graceMs: 20 };
  await whileServing({ times }, async (url) => {
    const sockets = Array.from({ length: 1000 }, (_, index) => {
      const socket = connect({ port: Number(url.port), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined).resume();
      socket.write(HALF_OPEN[index % HALF_OPEN.length]!);
      return socket;
    });
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      /** Connections that this process holds beside those of the clients. */
      const held = () =>
        process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length -
        sockets.filter(({ destroyed }) => !destroyed).length;
      // an idle connection has a minute: these are not idle
      const deadline = Date.now() + 30_000;
      for (const [isThere, what] of [
        [() => held() > 500, 'begin'],
        [() => held() < 50, 'end'],
      ] as const)
        for (; !isThere(); await new Promise((resolve) => setTimeout(resolve, 20)))
          assert.ok(Date.now() < deadline, `${held()} connections did not ${what}`);
      assert.is((await fetch(url)).status, 200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

tests('one request of a connection is answered at a time, in order, whatever was sent at once', async () => {
  let [running, most, count] = [0, 0, 0];
  const answer: HttpServerOptions['answer'] = async ({ query, body }) => {
    most = Math.max(most, ++running);
    for (let turn = next(4); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
    running--;
    count++;
    return { type: 'text/plain', body: `${query[0]?.[1]}:${body.length};`.padEnd(next(2) * 100_000) };
  };
  await whileServing({ answer }, async ({ port }) => {
    const requests = Array.from({ length: cases(300) }, (_, index) => {
      const last = index === cases(300) - 1 ? 'Connection: close\r\n' : '';
      const body = next(2) * (1 + next(3000));
      if (body === 0) return `GET /?n=${index} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
      const head = `POST /?n=${index} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${last}`;
      return `${head}Content-Length: ${body}\r\n\r\n${' '.repeat(body)}`;
    });
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(requests.join('')));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'close');
    const answered = [
      ...Buffer.concat(chunks)
        .toString()
        .matchAll(/(\d+):(\d+);/g),
    ].map(([, number]) => Number(number));
    assert.equal(
      answered,
      requests.map((_, index) => index),
    );
    assert.equal([most, count], [1, requests.length]);
  });
});

tests('what waits behind an answer that nobody reads is not answered, and ends with its connection', async () => {
  let begun = 0;
  const answer = () => {
    begun++;
    return { type: 'text/plain', body: Buffer.alloc(1 << 20) };
  };
  await whileServing({ answer }, async (url) => {
    const socket = connect(Number(url.port), '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2000)),
    );
    socket.pause();
    // other connections are answered meanwhile
    for (let count = 0; count < 5; count++) assert.is((await fetch(url)).status, 200);
    const before = begun;
    assert.ok(before < 5 + 100, `${before} answers were made`); // what fits in the buffers of the system, some MiB
    socket.destroy();
    for (let count = 0; count < 5; count++) assert.is((await fetch(url)).status, 200);
    assert.is(begun, before + 5);
  });
});

tests('an answer that takes too long is 504, and one that fails is 500 without a word of why', async () => {
  const faults: unknown[] = [];
  let answer = (): Promise<never> => new Promise(() => undefined);
  const onFault = (error: unknown) => void faults.push(error);
  await whileServing({ answer: () => answer(), onFault, times: { answerMs: 20 } }, async (url) => {
    const late = await fetch(url);
    assert.is(late.status, 504);
    assert.match(await late.text(), '"status":"DEADLINE_EXCEEDED"');
    answer = () => Promise.reject(new TypeError('http://secret.example/'));
    const failed = await fetch(url);
    assert.is(failed.status, 500);
    assert.not.match(await failed.text(), 'secret');
    assert.is(faults.length, 1);
  });
});

tests('closing answers what runs, and takes nothing new', async () => {
  let begun: () => void;
  let finish: () => void;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const slow = new HttpServer({
    answer: () =>
      new Promise((resolve) => {
        finish = () => resolve({ type: 'text/plain', body: 'done' });
        begun();
      }),
    hosts: [],
    lists: [],
    onFault: () => assert.unreachable(),
  });
  const url = await slow.listen({ host: '127.0.0.1', port: 0 });
  const asked = fetch(url);
  await running;
  const closed = slow.close();
  const refused = await fetch(url).catch((error) => error);
  assert.instance(refused, Error);
  finish!();
  const response = await asked;
  assert.equal([response.status, await response.text(), response.headers.get('connection')], [200, 'done', 'close']);
  await closed;
});

tests.run();
