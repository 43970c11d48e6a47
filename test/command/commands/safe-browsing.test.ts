// The commands as users call them: update, check and serve of `urlsum safe-browsing`, against `urlsum list serve`.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ListProcess } from '../../service/http/served-lists.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { mustGive, spawned, urlsum } from '../command.ts';

const tests = suite('urlsum safe-browsing');

const KEY = 'AIzaSECRETSECRET';
const LISTS = ['--list', 'mw-4b', '--list', 'se-4b'];
const URLS = 'http://good.example/\nhttp://www.evil.example/x\nhttp://login.example/\n';

let folder: string;
let lists: ListProcess;
let store: string;
let held: string[];

tests.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'urlsum-commands-'));
  lists = await ListProcess.start({
    'mw-4b': ['evil.example/'],
    'se-4b': ['login.example/'],
    'gc-32b': ['popular.example/'],
  });
  store = join(folder, 'lists');
  held = ['--store', store, '--server', lists.url, ...LISTS];
  assert.is(update(held).status, 0);
});
tests.after(async () => {
  await lists.stop();
  rmSync(folder, { recursive: true });
});

const update = (args: readonly string[]) => urlsum(['safe-browsing', 'update', ...args]);
const check = (args: readonly string[], input = '') => urlsum(['safe-browsing', 'check', ...args], input);

tests('update: a line per list, and 0 where all are fresh', () => {
  const fresh = join(folder, 'fresh');
  const args = ['--store', fresh, '--server', lists.url, ...LISTS];
  for (const what of ['updated', 'waiting']) {
    const { status, stdout, stderr } = update(args);
    assert.equal([status, stderr], [0, '']);
    assert.match(stdout.toString(), new RegExp(`^mw-4b\t${what}\t1\t20\\S+Z\nse-4b\t${what}\t1\t20\\S+Z\n$`));
  }
  writeFileSync(join(fresh, 'mw-4b.list'), 'damaged');
  mustGive(update(args), {
    status: 0,
    stdout: /^mw-4b\tupdated\t1\t.*\nse-4b\twaiting\t1\t/,
    says: 'urlsum: mw-4b: the stored list could not be read: file: the checksum is not that of the bytes',
  });
});

tests('update: 2 where a list could not be fetched or kept', () => {
  const fresh = join(folder, 'other');
  const absent = update(['--store', fresh, '--server', lists.url, '--list', 'mw-4b', '--list', 'none-4b']);
  assert.is(absent.status, 2);
  assert.match(absent.stdout.toString(), /^mw-4b\tupdated\t1\t20.*\nnone-4b\tfailed\t0\t\n$/);
  const lacking = 'the server answered with the status 404: it has no list none-4b';
  assert.is(absent.stderr, `urlsum: none-4b: ${lacking}\n`);
  writeFileSync(join(folder, 'file'), '');
  const unkept = update(['--store', join(folder, 'file'), '--server', lists.url, '--list', 'mw-4b']);
  assert.is(unkept.status, 2);
  assert.match(unkept.stderr, /the store did not keep the list: E\w+/);
});

tests('update --procedure real-time fetches the Global Cache, too', () => {
  const names = 'mw-4b se-4b uws-4b uwsa-4b pha-4b'.split(' ');
  for (const [more, expected] of [
    [[], names],
    [
      ['--procedure', 'real-time'],
      [...names, 'gc-32b'],
    ],
  ] as const) {
    const { stdout } = update(['--store', join(folder, 'none'), '--server', lists.url, ...more]);
    assert.equal(
      stdout
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0]),
      expected,
    );
  }
});

tests('check: verdict, threats and URL; 0 all safe, 1 one unsafe, 2 one unsure', () => {
  const { status, stdout, stderr } = check(held, URLS);
  assert.equal([status, stderr], [1, '']);
  const expected =
    'safe\t\thttp://good.example/\nunsafe\tMALWARE\thttp://www.evil.example/x\nunsafe\tSOCIAL_ENGINEERING\thttp://login.example/\n';
  assert.is(stdout.toString(), expected);
  assert.is(check(held, 'http://good.example/\n').status, 0);
  const unsure = check(held, 'mailto:x\nhttp://evil.example/\n');
  assert.is(unsure.status, 2);
  assert.is(unsure.stdout.toString(), 'unsure\t\tmailto:x\nunsafe\tMALWARE\thttp://evil.example/\n');
  assert.match(unsure.stderr, /^urlsum: -:1: unsure: no-host: /);
  assert.is(check([...held, 'http://login.example/']).status, 1);
  const many = URLS.repeat(5000);
  const all = check(held, many);
  assert.equal([all.status, all.stdout.toString() === expected.repeat(5000)], [1, true]);
});

tests('check: JSON with all that is known; records gain two fields', () => {
  const { stdout } = check([...held, '--format', 'ndjson', 'http://evil.example/']);
  const { expiresAt, ...answer } = JSON.parse(stdout.toString());
  assert.ok(Date.parse(expiresAt) > Date.now());
  assert.equal(answer, {
    url: 'http://evil.example/',
    verdict: 'unsafe',
    reason: answer.reason,
    isAllowed: false,
    threats: [{ type: 'MALWARE', isFrameOnly: false, expression: 'evil.example/' }],
    matched: ['mw-4b'],
  });
  const table = check(
    [...held, '--csv', '-f', 'url'],
    'id,url\n1,http://evil.example/\n2,"http://good.example/"\n3,x:\n',
  );
  assert.is(
    table.stdout.toString(),
    'id,url,verdict,threats\n1,http://evil.example/,unsafe,MALWARE\n2,"http://good.example/",safe,\n3,x:,unsure,\n',
  );
  mustGive(check([...held, '--json', 'url'], '{"url":"http://evil.example/"}\n'), {
    stdout: '{"url":"http://evil.example/","urlsum_verdict":"unsafe","urlsum_threats":"MALWARE"}\n',
  });
});

tests('check: the other procedures, and lists that were not fetched', () => {
  const server = ['--server', lists.url];
  assert.is(check([...server, '--procedure', 'no-storage'], URLS).status, 1);
  const realTime = [
    '--store',
    join(folder, 'real'),
    ...server,
    ...LISTS,
    '--list',
    'gc-32b',
    '--procedure',
    'real-time',
  ];
  assert.is(update(realTime).status, 0);
  const { stdout, status } = check(
    [...realTime, '--format', 'ndjson'],
    'http://popular.example/\nhttp://evil.example/\n',
  );
  assert.is(status, 1);
  assert.equal(
    stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).reason),
    ['list', 'server'],
  );
  const missing = check(['--store', join(folder, 'nothing'), ...server, ...LISTS], 'http://good.example/\n');
  assert.equal([missing.status, missing.stdout.toString()], [2, 'unsure\t\thttp://good.example/\n']);
  assert.match(missing.stderr, 'unsure: list-missing: the list mw-4b has not been fetched');
});

tests('wrong calls', () => {
  for (const [args, message] of [
    [['serve', '--store', 's'], '--when-unsure block or --when-unsure allow is needed'],
    [['check', '--when-unsure', 'block'], '--store DIR or --procedure no-storage is needed'],
    [['check', '--when-unsure', 'block', '--procedure', 'real-time'], 'real-time needs --store DIR'],
    [
      ['check', '--when-unsure', 'allow', '--store', 's', '--procedure', 'no-storage'],
      '--procedure no-storage cannot be combined with --store or --list: it holds no lists',
    ],
    [
      ['check', '--when-unsure', 'allow', '--store', 's', '--list', 'gc-32b'],
      '--list gc-32b is for --procedure real-time',
    ],
    [
      ['check', '--when-unsure', 'allow', '--store', 's', '--server', 'ftp://h/'],
      'server must be an absolute URL of http or https',
    ],
    [['update'], 'local-list needs --store DIR'],
    [['update', '--store', 's', 'x'], "safe-browsing update takes no operands, not 'x'"],
    [['update', '--store', 's', '--api-key', KEY], "unknown option '--api-key'"],
    [['update', '--store', 's', '--key-file', 'absent'], '--key-file absent: no such file'],
    [['serve', '--store', 's', '--when-unsure', 'block', '--own', 'bad.list'], '--own must be FILE=TYPE'],
    [['serve', '--store', 's', '--when-unsure', 'block', '--own', 'x=BAD'], 'the type of --own must be one of MALWARE'],
    [['serve', '--store', 's', '--when-unsure', 'block', '--own', 'absent.list=MALWARE'], 'absent.list: no such file'],
    [['serve', '--store', 's', '--when-unsure', 'block', '--listen', '8080'], '--listen must be an address and a port'],
    ...['*', 'null', 'https://a.example', 'chrome-extension://*', 'chrome-extension://abc/', 'a.example'].map(
      (origin) =>
        [
          ['serve', '--store', 's', '--when-unsure', 'block', '--allow-origin', origin],
          `--allow-origin must be that of an extension, as chrome-extension://ID, not '${origin}'`,
        ] as const,
    ),
    [['serve', '--store', 's', '--when-unsure', 'block', '--listen', '192.0.2.1:1'], /EADDRNOTAVAIL|EACCES/],
  ] as const) {
    const { status, stdout, stderr } = urlsum(['safe-browsing', ...args]);
    assert.equal([status, stdout.length], [2, 0], args.join(' '));
    assert.match(stderr, message);
    assert.not.match(stderr, KEY);
  }
});

/** A server that notes the headers it gets, and refuses all. */
async function noting(): Promise<{ server: Server; url: string; headers: Record<string, unknown>[] }> {
  const headers: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    response.writeHead(403).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v5/`, headers };
}

/** Runs the command to its end, without blocking this process. */
async function run(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['dist/esm/cli.js', 'safe-browsing', ...args], {
    env: { ...ENVIRONMENT, ...env },
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const [status] = await once(child, 'close');
  return { status, text: Buffer.concat(chunks).toString() };
}

tests('the key comes from the variable or a file, goes to the server alone, and is in no message', async () => {
  const { server, url, headers } = await noting();
  writeFileSync(join(folder, 'key'), `${KEY}\n`);
  const args = ['update', '--store', join(folder, 'keys'), '--server', url, '--list', 'mw-4b'];
  for (const [more, env] of [
    [[], { URLSUM_API_KEY: KEY }],
    [['--key-file', join(folder, 'key')], { URLSUM_API_KEY: 'another' }],
  ] as const) {
    const { status, text } = await run([...args, ...more], env);
    assert.is(status, 2);
    assert.match(text, 'status 403: it refuses the API key');
    assert.not.match(text, 'SECRET');
    assert.is(headers.at(-1)!['x-goog-api-key'], KEY);
    assert.match(String(headers.at(-1)!['user-agent']), /^urlsum\/\d/);
  }
  assert.match((await run(args, {})).text, 'status 403: no API key was sent');
  assert.is(headers.at(-1)!['x-goog-api-key'], undefined);
  writeFileSync(join(folder, 'key'), `${KEY}\u0000\n`);
  const bad = await run([...args, '--key-file', join(folder, 'key')], {});
  assert.is(bad.status, 2);
  assert.match(bad.text, /--key-file \/.*\/key: it holds more than a key\n/);
  assert.not.match(bad.text, 'SECRET');
  server.close();
});

/** `serve` or `update --watch` as a process of its own. */
class Running {
  readonly process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  stderr = '';

  constructor(args: readonly string[], env: Record<string, string> = {}) {
    this.process = spawn(process.execPath, ['dist/esm/cli.js', 'safe-browsing', ...args], {
      env: { ...ENVIRONMENT, ...env },
    });
    this.#lines = createInterface(this.process.stdout!)[Symbol.asyncIterator]();
    this.process.stderr!.on('data', (chunk) => {
      this.stderr += chunk;
    });
  }

  async line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`it ended: ${this.stderr}`);
    return value;
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const closed = once(this.process, 'close');
    this.process.kill(signal);
    const [status] = await closed;
    return status;
  }
}

tests('serve: v5, v4 and lists of one’s own at one address; SIGTERM ends it with 0', async () => {
  const own = join(folder, 'own.list');
  assert.is(spawned(['list', 'build', '--out', own], 'own.example/\n').status, 0);
  const serving = new Running([
    ...['serve', '--listen', '127.0.0.1:0', '--when-unsure', 'block', '--own', `${own}=UNWANTED_SOFTWARE`],
    ...held,
  ]);
  const url = await serving.line();
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  const v5 = await fetch(
    `${url}v5/urls:search?alt=json&key=${KEY}&urls=http://evil.example/&urls=http://own.example/x`,
  );
  const { threats } = (await v5.json()) as { threats: readonly { url: string }[] };
  assert.equal(
    threats.map((threat) => threat.url),
    ['http://evil.example/', 'http://own.example/x'],
  );
  const { threatLists } = (await (await fetch(`${url}v4/threatLists`)).json()) as {
    threatLists: { threatType: string }[];
  };
  assert.equal(
    threatLists.map(({ threatType }) => threatType),
    ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'],
  );
  assert.is(await serving.end('SIGTERM'), 0);
  assert.is(serving.stderr, '', 'no URL and no key is logged');
});

tests('serve --log-urls writes each URL and what it is; control characters cannot reach a terminal', async () => {
  const serving = new Running(['serve', '--log-urls', '--listen', 'localhost:0', '--when-unsure', 'allow', ...held]);
  const url = await serving.line();
  await fetch(`${url}v5/urls:search?urls=http://evil.example/%1b[2J%0a`);
  assert.is(await serving.end('SIGINT'), 0);
  assert.is(serving.stderr, 'urlsum: MALWARE "http://evil.example/\\u001b[2J\\n"\n');
});

tests('serve fetches lists that it does not have, and takes over what update fetched', async () => {
  const fresh = join(folder, 'served');
  const serving = new Running([
    'serve',
    '--listen',
    '127.0.0.1:0',
    '--when-unsure',
    'block',
    '--store',
    fresh,
    '--server',
    lists.url,
    ...LISTS,
  ]);
  const url = await serving.line();
  let health = 503;
  while (health === 503) health = (await fetch(`${url}healthz`)).status; // the lists are fetched in the background
  assert.is(health, 200);
  assert.is(await serving.end('SIGTERM'), 0);
  const info = JSON.parse(urlsum(['list', 'info', '--json', join(fresh, 'mw-4b.list')]).stdout.toString());
  assert.equal([info.name, info.prefixes, info.prefixLengths, info.profile], ['mw-4b', 1, [4], 'safe-browsing']);
  assert.ok(Date.parse(info.updatedAt) <= Date.now() && Date.parse(info.nextUpdateAt) > Date.now());
  assert.ok(info.ageSeconds >= 0);
});

tests('update --watch prints each update, and ends at once when it is told to', async () => {
  const watching = new Running([
    'update',
    '--watch',
    '--store',
    join(folder, 'watched'),
    '--server',
    lists.url,
    ...LISTS,
  ]);
  assert.match(await watching.line(), /^mw-4b\tupdated\t1\t/);
  assert.match(await watching.line(), /^se-4b\tupdated\t1\t/);
  assert.is(await watching.end('SIGTERM'), 0);
});

/** The commands that run until they are ended, but for `--server`. */
const SERVICES = [
  ['serve', '--listen', '127.0.0.1:0', '--when-unsure', 'block', '--list', 'mw-4b'],
  ['update', '--watch', '--list', 'mw-4b'],
];

tests('SIGTERM ends serve and update --watch while the server is silent, and their lock goes', async () => {
  for (const [at, args] of SERVICES.entries()) {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const fresh = join(folder, `silent${at}`);
    const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v5/`;
    const running = new Running([...args, '--store', fresh, '--server', server]);
    await once(silent, 'request');
    assert.equal(readdirSync(fresh), ['.urlsum.lock']);
    assert.is(await running.end('SIGTERM'), 0, args[0]);
    assert.is(running.stderr, '');
    assert.equal(readdirSync(fresh), []);
    silent.closeAllConnections();
    silent.close();
  }
});

tests('a standard output that fails ends a service with 2 and a sentence, and closes what it opened', async () => {
  const list = join(folder, 'served.txt');
  writeFileSync(list, 'evil.example/\n# END 1 entries\n');
  const fresh = join(folder, 'unheard');
  const services = [
    ...SERVICES.map((args) => ['safe-browsing', ...args, '--store', fresh, '--server', lists.url]),
    ['list', 'serve', '--listen', '127.0.0.1:0', `mw-4b=${list}`],
  ];
  for (const args of services) {
    for (const [code, stdout] of [
      ['EPIPE: broken pipe', 'pipe'],
      ['ENOSPC: no space left on device', existsSync('/dev/full') ? openSync('/dev/full', 'w') : undefined],
    ] as const) {
      if (stdout === undefined) continue;
      rmSync(fresh, { recursive: true, force: true });
      const child = spawn(process.execPath, ['dist/esm/cli.js', ...args], {
        env: ENVIRONMENT,
        stdio: ['ignore', stdout, 'pipe'],
      });
      child.stdout?.destroy(); // a reader that has ended
      let stderr = '';
      child.stderr!.on('data', (chunk) => {
        stderr += chunk;
      });
      const [status] = await once(child, 'close');
      assert.equal([status, stderr], [2, `urlsum: standard output: ${code}\n`], args.join(' '));
      assert.not(existsSync(join(fresh, '.urlsum.lock')));
      if (typeof stdout === 'number') closeSync(stdout);
    }
  }
});

tests('list info --json of a list of one’s own has no times', () => {
  const path = join(folder, 'plain.list');
  urlsum(['list', 'build', '--out', path, '--name', 'ours'], 'a.example/\nb.example/\n');
  const { status, stdout } = urlsum(['list', 'info', '--json', path]);
  const { version, checksum, suffixList, ...rest } = JSON.parse(stdout.toString());
  assert.equal([status, rest], [0, { name: 'ours', profile: 'safe-browsing', prefixes: 2, prefixLengths: [8] }]);
  assert.ok(checksum.startsWith(version));
  assert.is(suffixList, undefined);
  const damaged = join(folder, 'damaged.list');
  writeFileSync(damaged, readFileSync(join(store, 'mw-4b.list')).subarray(1));
  assert.is(urlsum(['list', 'info', '--json', damaged]).status, 2);
});

tests.run();
