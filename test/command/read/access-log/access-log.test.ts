import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accessLog } from '../../../../src/command/read/access-log/access-log.ts';
import type { LogFlags } from '../../../../src/command/read/access-log/request.ts';
import { MALFORMED, NULL, OMITTED, VALUE, valueText } from '../../../../src/command/read/batch.ts';
import { openKernel } from '../../../../src/core/kernel/open.ts';
import { canonicalize } from '../../../../src/index.ts';
import { mustBeLinear } from '../../../support/linear.ts';
import { file } from '../../../support/scratch.ts';
import { cases, random } from '../../../support/seed.ts';
import { mustGive, urlsum } from '../../command.ts';
import { batchesOf } from '../../rows.ts';
import { apache, hex, nginx } from './escapes.ts';

const test = suite('urlsum --log');
const next = random();
const one = <T>(of: readonly T[]): T => of[next(of.length)]!;
const BASE = 'https://shop.example:8443';

type Reading = readonly (string | 'none' | 'bad')[];

/** The value of each row that is written or bad. */
function read(lines: readonly (string | Buffer)[], flags: LogFlags = {}, cutAt = lines.length): Reading {
  const blockOf = (part: readonly (string | Buffer)[]) =>
    Uint8Array.from(Buffer.concat(part.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])));
  const blocks = [lines.slice(0, cutAt), lines.slice(cutAt)].filter(({ length }) => length > 0).map(blockOf);
  const values: string[] = [];
  for (const batch of batchesOf(accessLog(flags, { kernel: openKernel(), skipsBlank: false }), blocks))
    for (let row = 0; row < batch.length; row++) {
      const kind = batch.kinds[row];
      if (kind === VALUE) values.push(valueText(batch, row)!);
      else if (kind === NULL || kind === MALFORMED) values.push(kind === NULL ? 'none' : 'bad');
      else assert.ok(kind === OMITTED || kind === 3);
    }
  return values;
}

/** The value of each line in a log of its own. */
const readEach = (lines: readonly (string | Buffer)[], flags: LogFlags = {}): Reading =>
  lines.flatMap((line) => read([line], flags));

const canonical = (values: Reading) => values.map((value) => (value.includes('://') ? canonicalize(value) : value));

/** A request as the server got it. */
interface Sent {
  readonly host: string;
  readonly path: Buffer;
  readonly query: Buffer | undefined;
}

const HOSTS = ['a.example', 'b.example:8080', '[2001:db8::1]', '[::1]:8443', '10.0.0.1'];
const PIECES = [
  ...['/', '//', '/\\', '\\', 'evil', 'a.example', ' ', ' HTTP/1.1', '"', '\t', '\x01', '\x7f', "'", '[x]', '%20'],
  ...['%2F', '\\x41', '\\"', '\\\\', '#', '{', '~', '^', '`', '|', '<b>', 'é', '☃', '-', '+', '=', '&', '@', ':'],
  ...[';', ',', '..'],
];

function sent(pieces: readonly string[], bytes: readonly number[] = []): Sent {
  const text = () =>
    Buffer.concat(
      Array.from({ length: next(6) }, () =>
        next(9) === 0 && bytes.length > 0 ? Buffer.of(one(bytes)) : Buffer.from(one(pieces)),
      ),
    );
  const path = Buffer.concat([Buffer.from('/'), text()]);
  return { host: one(HOSTS), path, query: next(2) === 0 ? undefined : Buffer.concat([Buffer.from('q='), text()]) };
}

/** Returns what a server takes for the URL: the bytes of the path, whatever they are, on its own host. */
function urlOf(origin: string, { path, query }: Sent): string {
  const escaped = (bytes: Buffer) =>
    Array.from(bytes, (byte) =>
      byte <= 0x20 || byte >= 0x7f ? `%${byte.toString(16).padStart(2, '0').toUpperCase()}` : String.fromCharCode(byte),
    ).join('');
  return canonicalize(`${origin}${escaped(path)}${query === undefined ? '' : `?${escaped(query)}`}`);
}

const bytesIn = (bytes: Buffer) => bytes.toString('latin1');
const targetOf = ({ path, query }: Sent) =>
  query === undefined ? path : Buffer.concat([path, Buffer.from('?'), query]);

/** Escapes the bytes that CloudFront's documentation lists. */
const cloudFront = (text: string) =>
  text.replace(/[\0-\x20\x7f-\xff<>"#%{}|\\^~[\]`']/g, (byte) => `%${hex(byte).toUpperCase()}`);

const TIME = '[24/Nov/2026:02:01:00 +0000]';
const BEHIND = ['', ' "-" "Mozilla/5.0 (X11; \\"x\\")"', ' "https://r.example/GET /x HTTP/1.1" "M" "203.0.113.9"'];

/** Spaces before the version are not part of the target: RFC 9112, 3. */
function withoutLastSpaces({ host, path, query }: Sent): Sent {
  const trimmed = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace(/ +$/, ''), 'latin1');
  return query === undefined ? { host, query, path: trimmed(path) } : { host, path, query: trimmed(query) };
}

test('Common and Combined Log Format: each path, as Apache and nginx escape it, is one of its host', () => {
  for (let index = 0; index < cases(2000); index++) {
    const request = sent(PIECES, [0xe4, 0xff, 0x80, 0x0b]);
    const target = one([nginx, apache])(bytesIn(targetOf(request))).replace(/ +$/, '');
    const version = one([' HTTP/1.1', ' HTTP/2.0', ' HTTP/3']);
    const rest = `"GET ${target}${version}" 200 512${one(BEHIND)}`;
    const user = one(['-', 'ann', 'John Smith', 'x[y]', '""', `a ${TIME} b`, 'a \\" [']);
    const line = `10.0.0.7 - ${user} ${TIME} ${rest}`;
    const found = canonical(readEach([line, `${request.host} ${line}`], { base: BASE, defaultScheme: 'http' }));
    const trimmed = withoutLastSpaces(request);
    assert.equal(found, [urlOf(BASE, trimmed), urlOf(`http://${request.host}`, trimmed)], line);
  }
});

test('a URL in a request stands for itself: proxies, and the load balancers of AWS', () => {
  for (let index = 0; index < cases(500); index++) {
    const request = withoutLastSpaces(sent(PIECES));
    const url = `http://${request.host}${nginx(bytesIn(targetOf(request)))}`;
    const found = readEach([
      `10.0.0.7 - - ${TIME} "GET ${url} HTTP/1.1" 200 5`,
      `https 2026-07-02T22:23:00.186641Z app/lb/50d 10.0.0.7:2817 10.0.0.1:80 0.086 0.048 0.037 200 200 0 57 ` +
        `"GET ${url} HTTP/1.1" "curl/7.46.0 \\x22" ECDHE TLSv1.2 arn:x "Root=1" "-" "-" 0 2026-07-02T22:22:48.364000Z "forward"`,
      `2026-05-13T23:39:43.945958Z lb 10.0.0.7:2817 10.0.0.1:80 0.1 0.1 0.1 200 200 0 29 "GET ${url} HTTP/1.1" "c" - -`,
    ]);
    assert.equal(canonical(found), Array(3).fill(urlOf(`http://${request.host}`, request)), url);
  }
});

test('Squid: what is between the method and the last three fields, spaces and all', () => {
  for (let index = 0; index < cases(500); index++) {
    const request = sent(PIECES.filter((piece) => !/[\t\x01\x7f]/.test(piece)));
    const url = `http://${request.host}${targetOf(request)}`.replace(/ +$/, '');
    const line = `1795485660.779    180 10.0.0.7 TCP_MISS/200 411 GET ${url} ann HIER_DIRECT/192.0.2.1 text/html`;
    const headers = ' [Host: a%5b\\r\\n] [HTTP/1.1 200 OK\\r\\n]';
    const expected = canonicalize(url.replaceAll(' ', '%20'));
    assert.equal(canonical(readEach([line, `${line}${headers}`])), [expected, expected], line);
  }
});

const CLOUDFRONT = [
  ...[
    '#Version: 1.0',
    '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) ' +
      'cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes',
  ],
];

test('CloudFront: fields are joined, its escapes undone once, with its directive or without', () => {
  for (let index = 0; index < cases(1000); index++) {
    const request = sent(
      PIECES.filter((piece) => piece !== '?'),
      [0xe4],
    );
    const { host, path, query } = request;
    const scheme = one(['http', 'https']);
    const line = [
      ...[
        '2026-12-04',
        '21:02:31',
        'LAX1',
        '392',
        '192.0.2.100',
        'GET',
        'd1.cloudfront.net',
        cloudFront(bytesIn(path)),
      ],
      ...['200', '-', 'Mozilla/5.0%20(X)', query === undefined ? '-' : cloudFront(bytesIn(query)), '-', 'Hit', 'SOX=='],
      ...[host, scheme, '23'],
    ].join('\t');
    const expected = urlOf(`${scheme}://${host}`, request);
    assert.equal(canonical(read([...CLOUDFRONT, line, line], {}, 3)), [expected, expected], line);
    assert.equal(canonical(read([line])), [expected], line);
  }
});

test('W3C extended: the host that a client asked for counts before that of the server', () => {
  const columns = '#Fields: date cs-method cs-host x-host-header cs-uri-stem cs-protocol sc-status';
  const line = '2026-11-24 GET d1.cloudfront.net a.example /x https 200';
  assert.equal(canonical(read([columns, line])), ['https://a.example/x']);
});

test('W3C extended: columns by #Fields, which may change; IIS writes spaces in paths as +', () => {
  const columns = '#Fields: date s-ip cs-method cs-uri-stem cs-uri-query s-port cs-host sc-status';
  const iis = ['#Software: Microsoft Internet Information Services 10.0', columns];
  const line = '2026-11-24 10.0.0.1 GET /a+b q=a+b 8443 a.example 200';
  const expected = ['https://a.example/a%20b?q=a+b']; // Host has the port of a URL with one
  assert.equal(canonical(read([...iis, line], { defaultScheme: 'https' })), expected);
  assert.equal(canonical(read([columns, line], { defaultScheme: 'https' })), expected, 'an excerpt');
  const foreign = ['#Software: SGOS 7', columns, line];
  assert.equal(canonical(read(foreign, { defaultScheme: 'https' })), ['https://a.example/a+b?q=a+b']);
  const absent = '2026-11-24 10.0.0.1 GET /a - 443 - 200';
  assert.equal(read([columns, absent], { base: BASE }), [`${BASE}/a`]);
  const proxy = [
    ...['#Fields: time cs-method cs-uri-scheme cs-host cs-uri-port cs-uri-path cs-uri-query cs(User-Agent) sc-status'],
    ...['1 GET http a.example 80 //evil/x ?b=c "M (X ""y"")" 200', '1 CONNECT tcp a.example 443 - - "M" 200'],
    ...['1 CONNECT tcp a.example 443 - - "M" 503', '1 - - - - - - - 0', '1 GET http a.example 80'],
  ];
  const found = ['http://a.example:80//evil/x?b=c', 'https://a.example:443/', 'none', 'none', 'bad'];
  for (let cut = 1; cut < proxy.length; cut++) {
    assert.equal(read(proxy, {}, cut), found, 'wherever blocks are cut');
    const ending = proxy.map((line) => `${line}\r`);
    assert.equal(read(ending, {}, cut), found, 'and where lines end in CR LF');
  }
  const changed = [...proxy.slice(0, 2), '#Fields: date cs-host cs-uri-path', '1 b.example /y', ...proxy.slice(0, 2)];
  for (let cut = 1; cut < changed.length; cut++)
    assert.equal(read(changed, { defaultScheme: 'http' }, cut), [found[0], 'http://b.example/y', found[0]]);
});

test('JSON of Caddy and of Traefik', () => {
  for (let index = 0; index < cases(500); index++) {
    const request = sent(PIECES);
    const { host } = request;
    const target = targetOf(request).toString();
    const [tls, scheme] = one([
      [undefined, 'http'],
      [{ version: 772 }, 'https'],
    ] as const);
    const caddy = { level: 'info', request: { method: 'GET', host, uri: target, tls }, status: 200 };
    const traefik = {
      RequestAddr: host,
      RequestHost: 'x',
      RequestMethod: 'GET',
      RequestPath: target,
      RequestScheme: scheme,
    };
    const expected = urlOf(`${scheme}://${host}`, request);
    assert.equal(canonical(readEach([JSON.stringify(caddy), JSON.stringify(traefik)])), [expected, expected], target);
  }
  const split = {
    RequestHost: '::1',
    RequestPort: '81',
    RequestMethod: 'GET',
    RequestPath: '/',
    RequestScheme: 'http',
  };
  assert.equal(read([JSON.stringify(split), '{"a":1}', '{']), ['http://[::1]:81/', 'bad', 'bad']);
});

const clf = (request: string, status = 400) => `10.0.0.7 - - ${TIME} "${request}" ${status} 0`;
const squid = (result: string, request: string) =>
  `1795485661.020      0 10.0.0.8 ${result} 3811 ${request} - HIER_NONE/- text/html`;

test('there is no request in a hyphen, in nothing, and in the bytes of a handshake that failed; * is no page', () => {
  const lines = [
    ...['-', '', '\\x16\\x03\\x01\\x00\\xF7\\x01 x', '\x16\x03\x01', '\\x80.\\x01', '\\x03\\x00', 'SSH-2.0-Go'],
    ...['OPTIONS * HTTP/1.1', 'PRI * HTTP/2.0', 'CONNECT a.example:443 HTTP/1.1'],
  ].map((request) => clf(request));
  lines.push(
    squid('NONE_NONE/400', 'NONE error:invalid-request'),
    squid('NONE_NONE/000', '- error:transaction-end-before-headers'),
    squid('NONE_NONE/000', 'CONNECT a.example:443'),
    squid('TCP_DENIED/407', 'CONNECT a.example:443'),
    'http 2026-07-02T22:23:00.186641Z app/x 10.0.0.7:2817 - -1 -1 -1 400 - 0 57 "- http://x.amazonaws.com:80- -" "-" - -',
    '2026-05-13T23:39:43.945958Z lb 10.0.0.7:2817 10.0.0.1:80 0.1 0.1 0.1 - - 82 305 "- - - " "-" - -',
  );
  assert.equal(readEach(lines, { base: BASE }), Array(lines.length).fill('none'));
  const bad = [
    ...['GET', 'GET  HTTP/1.1', 'Host: a.example', 't3 12.2.1', 'GET x HTTP/1.1', 'GET * HTTP/1.1', ' GET / HTTP/1.1'],
  ];
  assert.equal(
    readEach(
      bad.map((request) => clf(request)),
      { base: BASE },
    ),
    Array(bad.length).fill('bad'),
  );
});

test('a method is any token of RFC 9110; a tunnel is that of its host if it was served, or a path', () => {
  for (const method of "1GET !GET G~T A'B GET& X+Y _GET -GET . 0 - get X.Y CONNECT".split(' '))
    assert.equal(read([clf(`${method} http://a.example/x HTTP/1.1`)]), [
      method === 'CONNECT' ? 'none' : 'http://a.example/x',
    ]);
  const lines = [
    squid('TCP_TUNNEL/200', 'CONNECT a.example:443'),
    squid('TCP_TUNNEL/200', 'CONNECT [::1]:8443'),
    squid('TCP_MISS/200', '- http://a.example/dash'),
    clf('CONNECT a.example:80 HTTP/1.1', 200),
    clf('CONNECT /chat HTTP/2.0', 200),
    clf('GET   /two   HTTP/1.1', 200),
    clf('GET /', 200),
    '{"request":{"method":"CONNECT","host":"a.example","uri":"/chat","tls":{}},"status":200}',
  ];
  const expected = ['https://a.example/', 'https://[::1]:8443/', 'http://a.example/dash', 'http://a.example/'];
  const paths = [`${BASE}/chat`, `${BASE}/two`, `${BASE}/`, 'https://a.example/chat'];
  assert.equal(canonical(readEach(lines, { base: BASE })), [...expected, ...paths]);
});

test('what the log does not say is asked for, and a host is a host', () => {
  const path = `10.0.0.7 - - ${TIME} "GET /x HTTP/1.1" 200 5`;
  const lines = [path, `a.example ${path}`, `a.example/b@evil ${path}`, `_ ${path}`, 'a b c', '"GET /x HTTP/1.1"'];
  assert.equal(readEach(lines), Array(6).fill('bad'));
  assert.equal(readEach(lines.slice(0, 4), { defaultScheme: 'http' }), ['bad', 'http://a.example/x', 'bad', 'bad']);
  const ports = [`a.example:443 ${path}`, `a.example:80 ${path}`, `a.example:8080 ${path}`];
  assert.equal(read(ports), ['https://a.example:443/x', 'http://a.example:80/x', 'bad']);
  assert.equal(read(ports.slice(2), { defaultScheme: 'https' }), ['https://a.example:8080/x']);
  assert.equal(read([path, path], { base: 'http://u@b.example/c/d' }), Array(2).fill('http://b.example/x'));
  const { status, stderr } = urlsum(['--log'], `${path}\n`);
  assert.is(status, 2);
  assert.match(stderr, /-:1: the log names no host: --base URL does \(malformed-record\)\n/);
  for (const line of [path, squid('TCP_MISS/200', 'GET http://a/')])
    assert.match(urlsum(['canon'], `${line}\n`).stderr, /--log/);
  assert.match(urlsum(['--log', '--base', 'mailto:x'], '').stderr, /--base of a log must be a URL of http or https/);
  assert.match(
    urlsum(['lookup', '--list', 'x', '--base', BASE], '').stderr,
    /--base needs --log, --log-format or --links/,
  );
});

test('no client chooses the format, a comment or the columns', () => {
  const usual = `10.0.0.7 - - ${TIME} "GET /evil HTTP/1.1" 200 5`;
  const others = [
    `1795485660.779 1 a TCP_MISS/200 1 GET http://good.example/ - HIER_DIRECT/1.1.1.1 - - ${TIME} "GET /evil HTTP/1.1" 200 5`,
    `good.example 1.2.3.4 - x ${TIME} "GET /evil HTTP/1.1" 200 5`,
    `1.2.3.4, 5.6.7.8 - - ${TIME} "GET /evil HTTP/1.1" 200 5`,
    `#x - - ${TIME} "GET /evil HTTP/1.1" 200 5`,
    '#Fields: date time',
    '#Remark: x',
    '{"request":{"method":"GET","host":"good.example","uri":"/"},"status":200}',
    squid('TCP_MISS/200', 'GET http://good.example/'),
    `10.0.0.7 good.example - ${TIME} "GET /evil HTTP/1.1" 200 5`,
    `10.0.0.7 good.example good.example - ${TIME} "GET /evil HTTP/1.1" 200 5`,
    `10.0.0.7 - - ${TIME} "good.example" "GET /evil HTTP/1.1" 200 5`,
  ];
  for (const line of others)
    for (let cut = 0; cut <= 3; cut++)
      assert.equal(read([usual, line, usual], { base: BASE }, cut), [`${BASE}/evil`, 'bad', `${BASE}/evil`], line);
  const forged = 'http://evil.example/x - HIER_DIRECT/9.9.9.9 text/html';
  assert.equal(read([squid('TCP_MISS/200', `GET ${forged}`)]), ['bad'], 'two ends of a URL');
  const columns = ['#Fields: date cs-host cs-uri-stem', '2026-11-24 a.example /x'];
  const flags = { defaultScheme: 'http' };
  assert.equal(
    read([...columns, '#Fields: date cs-uri-stem cs-host', '2026-11-24 /x a.example'], flags),
    Array(2).fill('http://a.example/x'),
  );
  const ofClient = ['#Fields: cs(User-Agent) cs-host cs-uri-stem', 'x a.example /x'];
  assert.equal(read([...ofClient, '#Fields: cs-uri-stem cs-host cs(User-Agent)', 'x a.example /x'], flags), [
    'http://a.example/x',
    'bad',
    'http://a.example/x',
  ]);
  assert.equal(read(['#Fields: cs(User-Agent) cs-host cs-uri-stem', '"x y" a.example /x', '"x a.example /x'], flags), [
    'http://a.example/x',
    'http://a.example/x',
  ]);
  assert.equal(read(['#Version: 1.0', usual], { base: BASE }), ['bad'], 'a directive at the head, and no columns');
});

test('bytes of a path stay what they are, in every format', () => {
  const bytes = Buffer.from('http://a.example/\xe9\xc3\xa9', 'latin1');
  const line = (front: string, end: string) => Buffer.concat([Buffer.from(front), bytes, Buffer.from(end)]);
  const lines = [
    line(`10.0.0.7 - - ${TIME} "GET `, ' HTTP/1.1" 200 5'),
    line('1795485661.020      0 10.0.0.8 TCP_MISS/200 3811 GET ', ' - HIER_NONE/- text/html'),
    Buffer.concat([
      Buffer.from('{"request":{"method":"GET","host":"a.example","uri":"/'),
      bytes.subarray(17),
      Buffer.from('"}}'),
    ]),
  ];
  assert.equal(canonical(readEach(lines)), Array(3).fill('http://a.example/%E9%C3%A9'));
  const { stdout, stderr, status } = urlsum(['canon', '--log'], Buffer.concat([lines[0]!, Buffer.from('\n')]));
  assert.is(status, 0);
  assert.is(stderr, '', 'no advice would lose the byte');
  assert.ok(stdout.toString('latin1').endsWith('\thttp://a.example/%E9%C3%A9\n'));
});

test('a line that is longer than any request is a bad row, and costs no other', () => {
  const usual = `10.0.0.7 - - ${TIME} "GET /evil HTTP/1.1" 200 5`;
  const long = (length: number) => clf(`GET /${'a'.repeat(length)} HTTP/1.1`);
  const found = read([usual, long(1 << 21), usual, long(1 << 16), usual], { base: BASE });
  assert.equal(
    found.map((each) => (each.length > 100 ? 'long' : each)),
    [`${BASE}/evil`, 'bad', `${BASE}/evil`, 'long', `${BASE}/evil`],
  );
});

test('every line takes linear time', () => {
  const squid = '1795485660.779    180 10.0.0.7 TCP_MISS/200 411 GET ';
  const shapes: readonly ((length: number) => string)[] = [
    (length) => `10.0.0.7 - - ${TIME} "GET /${'\\'.repeat(length)}`,
    (length) => `10.0.0.7 - - ${TIME} "GET /${'\\"'.repeat(length)}"`,
    (length) => `10.0.0.7 - - ${TIME} "${'"x'.repeat(length)}`,
    (length) => `10.0.0.7 - - ${TIME} "GET ${' '.repeat(length)} HTTP`,
    (length) => `${'['.repeat(length)}${' [x'.repeat(length)}"GET / HTTP/1.1" 200`,
    (length) => `a b - ${'c ['.repeat(length)}] "GET / HTTP/1.1" 200`,
    (length) => `${squid}${'/ '.repeat(length)}`,
    (length) => `${squid}${' ['.repeat(length)}${']'.repeat(length)}`,
    (length) => `${squid.replace('GET ', '')}${'GET / a HIER_X/ '.repeat(length)}`,
    (length) => `#Fields: a b\n${'""'.repeat(length)}x`,
    (length) => `{"request":{"method":"GET","uri":"/","host":"${':'.repeat(length)}"}}`,
    (length) => `#Fields: a b\n${'"'.repeat(length)}x${' "x'.repeat(length)}`,
  ];
  for (const shape of shapes) mustBeLinear(shape(2), shape, (line) => read([line], { base: BASE }));
});

test('URLs that are longer than their lines, with the origin and what is escaped, are as many', () => {
  const line = `a - - ${TIME} "GET /\u0001\u0001 HTTP/1.1" 200 1`;
  const base = `http://${'h.'.repeat(120)}example`;
  const { stdout, status } = urlsum(['canon', '--log', '--base', base], `${line}\n`.repeat(5000));
  assert.is(status, 0);
  assert.ok(stdout.toString() === `${line}\t${base}/%01%01\n`.repeat(5000));
});

test('lines pass through and gain the result, on one thread or two', () => {
  const request = `10.0.0.7 - - ${TIME} "GET http://a.example/a b HTTP/1.1" 200 5`;
  const none = `10.0.0.7 - - ${TIME} "-" 408 0`;
  const entry = '{"request":{"method":"GET","host":"a.example","uri":"/"},"status":200}';
  const withMember = `${entry.slice(0, -1)},"urlsum_canonical":"http://a.example/"}`;
  const directives = ['#Version: 1.0', '#Fields: date cs-uri-scheme cs-host cs-uri-path'];
  const logs: readonly (readonly [given: readonly string[], written: readonly string[], notUrls?: number])[] = [
    [[request, none], [`${request}\thttp://a.example/a%20b`, `${none}\t`], 6000],
    [[entry], [withMember]],
    [
      [...directives, '1 http a.example /y'],
      [`${directives[1]}\turlsum_canonical`, '1 http a.example /y\thttp://a.example/y'],
    ],
  ];
  for (const [given, written, notUrls] of logs) {
    const path = file('access.log', `${given.join('\n')}\n`.repeat(6000));
    for (const threads of ['1', '2']) {
      const { status, stdout, stderr } = urlsum(['canon', '--log', '-j', threads, '--stats=json', path]);
      assert.is(status, 0, stderr.slice(0, 500));
      assert.ok(stdout.toString() === `${written.join('\n')}\n`.repeat(6000), `-j ${threads}`);
      assert.is((JSON.parse(stderr) as Record<string, unknown>)['notUrls'], notUrls);
    }
  }
  const list = file('evil.list', '');
  urlsum(['list', 'build', '--out', list], 'a.example\n');
  const paths = [file('a.log', `${request}\n${none}\n`), file('b.log', `${entry}\n`)];
  const found = urlsum(['lookup', '--list', list, '--log', ...paths]);
  assert.is(found.status, 1);
  assert.is(
    found.stdout.toString(),
    `${request}\t${list}\ta.example/\n` +
      `${entry.slice(0, -1)},"urlsum_list":${JSON.stringify(list)},"urlsum_expression":"a.example/"}\n`,
  );
  mustGive(urlsum(['canon', '--log'], `${withMember}\n`), { says: /it already has a member "urlsum_canonical"/ });
  const withoutScheme = `a.example 10.0.0.7 - - ${TIME} "GET /x HTTP/1.1" 200 5\n`;
  assert.is(urlsum(['lookup', '--list', list, '--log'], withoutScheme).status, 1, 'a list needs no scheme');
});

test.run();
