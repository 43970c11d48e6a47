import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { accessLog } from '../../../../src/command/read/access-log/access-log.ts';
import { MALFORMED, valueText } from '../../../../src/command/read/batch.ts';
import { openKernel } from '../../../../src/core/kernel/open.ts';
import { ENVIRONMENT } from '../../../support/environment.ts';
import { hasProgram } from '../../../support/programs.ts';
import { FOLDER } from '../../../support/scratch.ts';
import { cases, random } from '../../../support/seed.ts';
import { batchesOf } from '../../rows.ts';

// Servers write logs of requests that a generator makes, and count them: each row is found, and each URL is the one that
// was asked for. What a client writes into its fields is `good.example` and what a format has between fields.

const test = suite('--log and --log-format on the logs of servers');
const next = random();
const one = <T>(of: readonly T[]): T => of[next(of.length)]!;

const FORGED = 'GET http://good.example/ HTTP/1.1" 200 5 "-" "-"';
/** Part of what Squid writes after a URL. Of a URL with it, nobody can say where it ends. */
const AFTER_URL = ' - HIER_DIRECT/1.1.1.1 text/html';
const TEXTS = [
  ...['x', '"', '\\', '\\"', ' ', '\t', '[', '] "', ' - ', '\xe9', '\xc3\xa9', '#', "'", '{', '|', '%20', '%', '\\x41'],
  ...[FORGED, 'good.example', '- - [24/Nov/2026:02:01:00 +0000] "', AFTER_URL, '<b>', '^`'],
];
const METHODS = [
  ...['GET', 'GET', 'GET', 'HEAD', 'POST', 'get', '1GET', '!GET', 'G~T', "A'B", 'GET&', 'X+Y', '-', '_GET', '.'],
];
const NO_REQUESTS = ['\x16\x03\x01\x02\x00\x01', '\x80\x2e\x01', '\x03\x00\x00', '\x01x', 'SSH-2.0-Go'];

interface Sent {
  /** The target has `/id-N/`, or there is no request. */
  readonly id: number | undefined;
  readonly isAbsolute: boolean;
  readonly bytes: Buffer;
}

const text = () => Array.from({ length: next(4) }, () => one(TEXTS)).join('');

function request(id: number, isProxied: boolean): Sent {
  if (next(20) === 0)
    return { id: undefined, isAbsolute: false, bytes: Buffer.from(`${one(NO_REQUESTS)}\r\n\r\n`, 'latin1') };
  const isAbsolute = isProxied || next(2) === 0;
  const target = `${isAbsolute ? `http://h${id}.example` : ''}/id-${id}/${text()}`;
  const user = Buffer.from(`${text()}:x`, 'latin1').toString('base64');
  const lines = [
    `${one(METHODS)} ${target} HTTP/1.1`,
    `Host: ${isAbsolute ? 'good.example' : `h${id}.example`}`,
    `User-Agent: ${text()}`,
    `Referer: ${text()}`,
    `X-Forwarded-For: ${text()}`,
    `Authorization: Basic ${user}`,
    'Content-Length: 0',
    'Connection: close',
  ];
  return { id, isAbsolute, bytes: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1') };
}

/** @param isEnded whether nothing more is to be sent, which Squid takes for the end of the client */
async function answerTo(port: number, bytes: Uint8Array, isEnded = true): Promise<string> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => (isEnded ? socket.end(bytes) : socket.write(bytes)));
    socket.setTimeout(5000, () => socket.destroy());
    socket.on('data', (part) => parts.push(part));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
  });
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { readonly port: number }).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Site {
  readonly folder: string;
  readonly port: number;
  /** The port of an origin behind a proxy. */
  readonly originPort: number;
}

interface Served {
  readonly program: string;
  /** Returns the arguments that start it, and the text of its configuration. */
  configured(site: Site): { readonly args: readonly string[]; readonly configuration: string };
  /** The target that tells how many requests there were, and the number in the answer, which counts itself. */
  readonly counter: { readonly target: string; readonly pattern: RegExp };
  /** The format of each log, by the name of its file; undefined where it is one that is known. */
  readonly logs: Readonly<Record<string, string | undefined>>;
  /** Whether it takes no paths, as a proxy. */
  readonly isProxy?: boolean;
}

const NGINX_LOGS = {
  combined:
    '\'$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"\'',
  host: '\'$host $remote_addr - $remote_user [$time_local] "$request" "$http_x_forwarded_for"\'',
  quoted: '\'"$http_user_agent" "$http_host" "$http_x_forwarded_for" "$request" $scheme $server_port $remote_user\'',
  tabs: "'$time_iso8601\t$http_referer\t$request\t$http_host'",
  json: 'escape=json \'{"agent":"$http_user_agent","request":"$request","host":"$http_host","user":"$remote_user"}\'',
  none: "escape=none '$status $scheme $request'",
};

const nginx: Served = {
  program: 'nginx',
  configured: ({ folder, port }) => ({
    args: ['-e', `${folder}/error.log`, '-c', `${folder}/conf`],
    configuration: `daemon off; worker_processes 1; error_log ${folder}/error.log; pid ${folder}/pid; events {}
      http {
        ${Object.entries(NGINX_LOGS)
          .map(([name, format]) => `log_format l_${name} ${format};`)
          .join('\n')}
        ${Object.keys(NGINX_LOGS)
          .map((name) => `access_log ${folder}/${name}.log l_${name};`)
          .join('\n')}
        client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
        uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        server {
          listen 127.0.0.1:${port};
          location / { return 200 ok; }
          location = /status { stub_status; }
        }
      }`,
  }),
  counter: { target: '/status', pattern: /\n +\d+ \d+ (\d+)/ },
  logs: {
    ...Object.fromEntries(
      Object.entries(NGINX_LOGS).map(([name, format]) => [name, `log_format l_${name} ${format};`]),
    ),
    combined: undefined,
  },
};

const APACHE_LOGS = {
  combined: '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"',
  vhost_combined: '%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i"',
  common: '%h %l %u %t "%r" %>s %b',
  quoted: '"%{User-Agent}i" "%{Host}i" "%{X-Forwarded-For}i" "%r" %m %U',
  users: '"%{Host}i" %a %u %l [%{%s}t] "%r" %{Referer}i',
};

const apache: Served = {
  program: 'apache2',
  configured: ({ folder, port, originPort }) => ({
    args: ['-X', '-f', `${folder}/conf`],
    configuration: `ServerRoot ${folder}
      PidFile ${folder}/pid
      Mutex file:${folder} default
      Listen 127.0.0.1:${port}
      ServerName server.example
      ${['mpm_event', 'authz_core', 'authn_core', 'status', 'proxy', 'proxy_http'].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
      ErrorLog ${folder}/error.log
      ExtendedStatus On
      ${Object.entries(APACHE_LOGS)
        .map(([name, format]) => `CustomLog ${folder}/${name}.log "${format.replaceAll('"', '\\"')}"`)
        .join('\n')}
      ProxyRequests On
      ProxyRemote * http://127.0.0.1:${originPort}
      <Location /server-status>
        SetHandler server-status
      </Location>`,
  }),
  counter: { target: '/server-status?auto', pattern: /Total Accesses: (\d+)/ },
  logs: { ...APACHE_LOGS, combined: undefined, common: undefined, vhost_combined: undefined },
};

const squid: Served = {
  program: 'squid',
  configured: ({ folder, port, originPort }) => ({
    args: ['-N', '-f', `${folder}/conf`],
    configuration: `http_port 127.0.0.1:${port}
      access_log stdio:${folder}/native.log squid
      cache_log ${folder}/cache.log
      pid_filename ${folder}/pid
      coredump_dir ${folder}
      cache deny all
      http_access allow all
      uri_whitespace allow
      shutdown_lifetime 0 seconds
      buffered_logs off
      dns_nameservers 127.0.0.1
      cache_peer 127.0.0.1 parent ${originPort} 0 no-query no-digest default
      never_direct allow all`,
  }),
  counter: { target: 'cache_object://127.0.0.1/counters', pattern: /client_http\.requests = (\d+)/ },
  logs: { native: undefined },
  isProxy: true,
};

/** Starts a server, and returns how many requests it has counted. */
async function started(served: Served, site: Site): Promise<readonly [child: ChildProcess, count: number]> {
  const { args, configuration } = served.configured(site);
  writeFileSync(`${site.folder}/conf`, `${configuration}\n`);
  const child = spawn(served.program, args, { env: ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr!.on('data', (part) => (said += part));
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    const count = await requestCount(served, site);
    if (count !== undefined) return [child, count];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill('SIGKILL');
  throw new Error(`${served.program} does not answer: ${said}`);
}

/** Ends a server, which may have ended by itself. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}

async function requestCount({ counter }: Served, { port }: Site): Promise<number | undefined> {
  const question = Buffer.from(`GET ${counter.target} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n`);
  const [, count] = counter.pattern.exec(await answerTo(port, question, false)) ?? [];
  return count === undefined ? undefined : Number(count);
}

/** The values of a log's rows: undefined for one without a request, null for a bad one. */
function rowsOf(log: Uint8Array, logFormat: string | undefined): readonly (string | undefined | null)[] {
  const framing = accessLog(
    { base: 'http://base.example', defaultScheme: 'http', logFormat },
    { kernel: openKernel(), skipsBlank: false },
  );
  return Array.from(batchesOf(framing, [log])).flatMap((batch) =>
    Array.from({ length: batch.length }, (_, row) => (batch.kinds[row] === MALFORMED ? null : valueText(batch, row))),
  );
}

for (const served of [nginx, apache, squid]) {
  if (!hasProgram(served.program)) continue;
  test(`${served.program}: as many rows as it counts requests, and each URL is the one that was asked for`, async () => {
    const folder = `${FOLDER}/${served.program}`;
    mkdirSync(folder);
    // it may run as another user, who must get at the folder, which is some folders below one of this user's
    for (
      let above = FOLDER;
      basename(above).startsWith('urlsum-') || /^\d+$/.test(basename(above));
      above = dirname(above)
    )
      chmodSync(above, 0o755);
    chmodSync(folder, 0o777);
    const origin = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'));
    });
    const site = { folder, port: await freePort(), originPort: await listening(origin) };
    const sent: Sent[] = [];
    let count = 0;
    let child: ChildProcess | undefined;
    try {
      const [server, countBefore] = await started(served, site);
      child = server;
      for (let id = 0; id < cases(200); id++) {
        const each = request(id, served.isProxy === true);
        sent.push(each);
        await answerTo(site.port, each.bytes);
      }
      count = (await requestCount(served, site))! - countBefore;
    } finally {
      origin.close();
      if (child !== undefined) await ended(child);
    }
    for (const [name, format] of Object.entries(served.logs)) {
      const log = readFileSync(`${folder}/${name}.log`);
      const lines = log.toString('latin1').split('\n').slice(0, -1);
      const rows = rowsOf(log, format);
      assert.is(lines.length, sent.length + 2, 'the requests, and two for their count');
      assert.is(rows.length, lines.length, name);
      assert.is(count, sent.length + 1, name);
      const withoutUrl = sent.filter(({ id }) => id === undefined).length + (served.isProxy === true ? 2 : 0);
      assert.is(rows.filter((row) => row === undefined).length, withoutUrl, name);
      for (const [row, url] of rows.entries())
        assert.ok(url !== null || lines[row]!.includes(AFTER_URL), `${name}: ${lines[row]} is bad`);
      for (const { id, isAbsolute } of sent) {
        if (id === undefined) continue;
        const ofId = lines.findIndex((line) => line.includes(`/id-${id}/`));
        const url = rows[ofId];
        assert.is(rows.filter((row) => row?.includes(`/id-${id}/`)).length, url === null ? 0 : 1, lines[ofId]);
        const hosts = [`h${id}.example`, ...(isAbsolute ? [] : ['base.example', 'server.example:80'])];
        const host = url && /^http:\/\/([^/]*)\//.exec(url)?.[1];
        assert.ok(url === null || hosts.includes(host!), `${name}: ${url} of ${lines[ofId]}`);
      }
    }
  });
}

test.run();
