import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logFormat } from '../../../../src/command/read/access-log/log-format.ts';
import { NO_REQUEST, Problem, urlOf } from '../../../../src/command/read/access-log/request.ts';
import { mustBeLinear } from '../../../support/linear.ts';
import { cases, random } from '../../../support/seed.ts';
import { mustGive, urlsum } from '../../command.ts';
import { apache, hex, nginx } from './escapes.ts';

const test = suite('--log-format');
const next = random();
const one = <T>(of: readonly T[]): T => of[next(of.length)]!;

const ORIGIN = { base: 'http://base.example', scheme: 'http' };

/** The URL of a line; 'none', 'bad' for a request that is not one, or 'other' for a line of another format. */
function urlIn(format: string, line: string): string {
  const reading = logFormat(format).read(line);
  if (reading === undefined) return 'other';
  if (reading === NO_REQUEST) return 'none';
  const url = reading instanceof Problem ? reading : urlOf(reading, ORIGIN);
  return url instanceof Problem ? 'bad' : (url ?? 'none');
}

const TIME = '24/Nov/2026:02:01:00 +0000';

test('the text of a configuration, with what is around it or without', () => {
  const line = `203.0.113.9 - a b [${TIME}] "GET /x HTTP/1.1" 200 "evil.example:81" https`;
  const text = '$remote_addr - $remote_user [$time_local] "$request" $status "$http_host" $scheme';
  const [first, second] = [text.slice(0, 30), text.slice(30)];
  for (const format of [
    text,
    `'${first}' '${second}'`,
    `main '${first}'\n  '${second}';`,
    `main escape=default '${text}'`,
    `log_format main '${first}'\n    '${second}';`,
    `log_format main escape=default "${text.replaceAll('"', '\\"')}";`,
    text.replace(/\$(http_host)/, (_, name: string) => `$\{${name}}`),
  ])
    assert.is(urlIn(format, line), 'https://evil.example:81/x', format);
  const apache = '%h %l %u %t "%r" %>s "%{Host}i" %{HTTPS}e';
  for (const format of [apache, apache.replaceAll('"', '\\"'), `LogFormat "${apache.replaceAll('"', '\\"')}" main`])
    assert.is(
      urlIn(format, line.replace(' a b ', ' - a b ').replace(/https$/, 'on')),
      'https://evil.example:81/x',
      format,
    );
});

test('hosts, schemes and ports by their fields, and no others', () => {
  const cases: readonly (readonly [format: string, line: string, url: string])[] = [
    ['$host "$request"', 'e.example "GET http://abs.example/x HTTP/1.1"', 'http://abs.example/x'],
    ['$server_name $host "$request"', 's.example e.example "GET /x HTTP/1.1"', 'http://e.example/x'],
    ['$server_name $host "$request"', 's.example - "GET /x HTTP/1.1"', 'http://s.example/x'],
    ['$server_name "$request"', '_ "GET /x HTTP/1.1"', 'http://base.example/x'],
    ['$host:$server_port "$request"', 'e.example:443 "GET /x HTTP/1.1"', 'https://e.example:443/x'],
    ['"$http_host" $server_port "$request"', '"e.example" 443 "GET /x HTTP/1.1"', 'https://e.example/x'],
    ['"$http_x_forwarded_host" "$request"', '"good.example" "GET /x HTTP/1.1"', 'http://base.example/x'],
    ['$https $host "$request"', 'on e.example "GET /x HTTP/1.1"', 'https://e.example/x'],
    [
      '$host "$http_host" $request_method "$request_uri"',
      'e.example "good.example" GET "/x?y"',
      'http://e.example/x?y',
    ],
    ['"$http_host" "$request"', '"e.example" "-"', 'none'],
    ['%v:%p "%r"', '[2001:db8::1]:443 "GET /x HTTP/1.1"', 'https://[2001:db8::1]:443/x'],
    ['%h %V %u %t "%r" %>s %b', `203.0.113.9 e.example - [${TIME}] "GET /x HTTP/1.1" 200 5`, 'http://e.example/x'],
    ['%v %{SSL_PROTOCOL}x "%r"', 'e.example TLSv1.3 "GET /x HTTP/1.1"', 'https://e.example/x'],
    ['%{%Y-%m-%d %T}t "%r" %U', '2026-11-24 02:01:00 "GET http://e.example/x HTTP/1.1" /x" y', 'http://e.example/x'],
    ['100%% "%r"', '100% "GET http://e.example/x HTTP/1.1"', 'http://e.example/x'],
    ['$status\t$request\t$host', '200\tGET /x"y HTTP/1.1\te.example', 'other'],
    ['$status\\t$request', '200\\tGET /x HTTP/1.1', 'http://base.example/x'],
    ['escape=none $status $request', '200 GET /x"y\\x22 HTTP/1.1', 'http://base.example/x"y\\x22'],
    [
      'escape=json {"r":"$request","h":"$host"}',
      '{"r":"GET /\\"\\\\\\u0001\xe9 HTTP/1.1","h":"e.example"}',
      'http://e.example/"\\\x01\xe9',
    ],
  ];
  for (const [format, line, url] of cases) assert.is(urlIn(format, line), url, `${format}: ${line}`);
});

test('Envoy and HAProxy by name', () => {
  const envoy = (request: string, agent: string, host: string) =>
    `[2026-11-24T02:01:00.186Z] "${request}" 200 - 0 57 3 2 "203.0.113.9" "${agent}" "cc21" "${host}" "10.0.35.28:80"`;
  assert.is(urlIn('envoy', envoy('GET /x HTTP/2', 'curl', 'e.example:443')), 'https://e.example:443/x');
  const forged = 'x" "i" "good.example" "1.1.1.1:80';
  assert.is(urlIn('envoy', envoy('GET /x HTTP/2', forged, 'e.example')), 'http://e.example/x');
  assert.is(urlIn('envoy', envoy('CONNECT /chat HTTP/2', '-', 'e.example')), 'http://e.example/chat');
  assert.is(urlIn('envoy', envoy('- - -', '-', '-')), 'none');
  const haproxy = (request: string, frontend = 'f', headers = '') =>
    `203.0.113.9:33317 [06/Feb/2026:12:14:14.655] ${frontend} b/s 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0${headers} "${request}"`;
  assert.is(urlIn('haproxy', haproxy('GET /#22x#23 HTTP/1.1')), 'http://base.example/"x#');
  assert.is(
    urlIn('haproxy', haproxy('GET https://e.example/x HTTP/2.0', 'f~', ' {a b|#7D} {}')),
    'https://e.example/x',
  );
  const syslog = 'Feb  6 12:14:14 localhost haproxy[14389]: ';
  assert.is(urlIn('haproxy', syslog + haproxy('GET /x HTTP/1.1')), 'http://base.example/x');
  assert.is(urlIn('haproxy', haproxy('<BADREQ>')), 'none');
  assert.is(urlIn('haproxy', haproxy('GET /x HTTP/1.1').slice(0, -5)), 'other', 'a line that is cut');
});

test('a format in which a client could write another request is refused, with the reason', () => {
  for (const [format, reason] of [
    ['$remote_addr $status', /the format has no request: \$request of nginx or %r of Apache is one/],
    ['%h %U %q', /the format has no request/],
    [
      '$request_uri $status',
      /\$request_uri lacks the host of a request for a whole URL: log \$request, or \$host beside it/,
    ],
    ['"$http_host" "$request_uri"', /\$request_uri lacks the host/],
    ['$http_host $remote_user "$request"', /\$http_host cannot be told from \$remote_user/],
    ['$request $http_referer', /\$request cannot be told from \$http_referer/],
    ['escape=none "$http_referer" "$request"', /\$request cannot be told from \$http_referer/],
    ['%U "%r"', /%r cannot be told from %U/],
    ['"%{Apache}C" "%r" %s', /%r cannot be told from %\{Apache\}C/],
    ['$request$host', /\$request/],
    ['%!200r', /%!200r leaves out requests by their status/],
    ["escape=xml '$request'", /escape=xml is not default, json or none/],
    ["log_format main '$request", /a quotation mark is not closed/],
  ] as const) {
    assert.throws(
      () => logFormat(format),
      (error: Error) => reason.test(error.message),
      `${format}: ${String(reason)}`,
    );
    mustGive(urlsum(['canon', `--log-format=${format}`], ''), { status: 2, says: /^urlsum: --log-format: / });
  }
});

/** A variable of nginx, what it can hold, and how. */
const PIECES = [
  ...['x', '"', '\\', ' ', ' - ', '[', `] "`, '\t', '\xe9', '\x01', '|', '#', "'", '{', '}', ',', ':'],
  ...['GET /good HTTP/1.1'],
];

const json = (text: string) =>
  text.replace(
    /[\0-\x1f"\\]/g,
    (byte) => ({ '"': '\\"', '\\': '\\\\', '\t': '\\t' })[byte] ?? `\\u00${hex(byte).toUpperCase()}`,
  );
const orHyphen = (escaped: (text: string) => string) => (text: string) => escaped(text) || '-';

test('of formats that are not refused, no text of a client changes the URL', () => {
  const text = () => Array.from({ length: next(5) }, () => one(PIECES)).join('');
  const address = () => one(['203.0.113.9', '2001:db8::1', 'unix:']);
  const user = { nginx: '$remote_user', apache: '%u' };
  const kinds = [
    { nginx: '$remote_addr', apache: '%a', value: address },
    { nginx: '$status', apache: '%>s', value: () => one(['200', '404']) },
    { nginx: '[$time_local]', apache: '%t', value: () => `[${TIME}]`, isPlain: true },
    { ...user, value: text },
    { nginx: '$http_referer', apache: '%{Referer}i', value: text },
    { nginx: '$http_x_forwarded_for', apache: '%{X-Forwarded-For}i', value: text },
    { nginx: '$bytes_sent', apache: '%O', value: () => String(next(999)) },
  ];
  let refused = 0;
  let read = 0;
  for (let round = 0; round < cases(4000); round++) {
    const server = one(['nginx', 'apache'] as const);
    const escaping = server === 'apache' ? 'apache' : one(['default', 'json', 'none'] as const);
    const written = {
      ...{ default: orHyphen(nginx), json },
      ...{ none: (value: string) => value, apache: orHyphen(apache) },
    }[escaping];
    const escape = escaping === 'json' || escaping === 'none' ? `escape=${escaping} ` : '';
    const request = { nginx: '$request', apache: '%r', isRequest: true, value: () => '', isPlain: false };
    const fields = Array.from({ length: next(5) }, () => ({ isRequest: false, isPlain: false, ...one(kinds) }));
    fields.splice(next(fields.length + 1), 0, request);
    const path = `/${text()}`.replace(/ +$/, '');
    let [format, line] = ['', ''];
    for (const field of fields) {
      const separator = format === '' ? '' : one([' ', ' ', ' ', '\t', ' - ', '|', '']);
      const mark = next(2) === 0 ? '"' : '';
      const value = field.isRequest ? `GET ${path} HTTP/1.1` : field.value();
      format += separator + mark + field[server] + mark;
      line += separator + mark + (field.isPlain ? value : written(value)) + mark;
    }
    let grammar: ReturnType<typeof logFormat>;
    try {
      grammar = logFormat(escape + format);
    } catch {
      refused++;
      continue;
    }
    read++;
    const reading = grammar.read(line);
    assert.ok(typeof reading === 'object' && !(reading instanceof Problem), `${escape + format}: ${line}`);
    assert.is(reading.target, path, `${escape + format}: ${line}`);
  }
  assert.ok(read > cases(1500) && refused > cases(500), `${read} read, ${refused} refused`);
});

test('every format reads in linear time', () => {
  const formats = [
    ...['%h %l %u %t "%r" %>s %b', '$remote_addr - $remote_user [$time_local] "$request" $http_referer'],
    ...['$host $remote_addr - - [$time_local] "$request" "$http_user_agent" $request_time'],
    ...['%{Referer}i %{Cookie}i "%r" %{X}i %t', 'envoy', 'haproxy'],
  ];
  const parts = [' ', ' - ', ' [', '] "', '"', '\\"', '\\\\', 'a', ` [${TIME}] "`, '" "', 'x" 1 ', '[', '{} ', '1 2 '];
  for (const format of formats) {
    const grammar = logFormat(format);
    for (const part of parts)
      mustBeLinear(
        `${format}: ${part}`,
        (length) => `1.1.1.1 - ${part.repeat(length / part.length)}\n`,
        (line) => grammar.read(line),
        1 << 13,
      );
  }
});

test.run();
