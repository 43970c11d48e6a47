import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reach } from '../../../src/specs/safe-browsing/block-list.ts';
import { hasProgram } from '../../support/programs.ts';
import { file } from '../../support/scratch.ts';
import { cases, random } from '../../support/seed.ts';
import { readList } from './read-list.ts';

const test = suite('safe-browsing: lines of name servers, against dnsmasq and unbound');
const next = random();
const oneOf = <T>(all: readonly T[]): T => all[next(all.length)]!;
const someOf = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** The answer of a server that is asked in turn: who gets it was let pass. */
const PASSED = '9.9.9.9';

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.unref();
}

async function freePort(): Promise<number> {
  const socket = await bound();
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

/** Where the question of a message ends (RFC 1035 section 4.1). */
function questionEnd(message: Buffer): number {
  let at = 12;
  while (message[at] !== 0) at += message[at]! + 1;
  return at + 5;
}

async function passingServer(): Promise<Socket> {
  const socket = await bound();
  socket.on('message', (message, { port, address }) => {
    const question = message.subarray(12, questionEnd(message));
    const head = Buffer.from([message[0]!, message[1]!, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...PASSED.split('.').map(Number)]);
    socket.send(Buffer.concat([head, question, answer]), port, address);
  });
  return socket;
}

/** Asks for the address of a name, again where the answer gets lost; returns the first address, or ''. */
async function ask(port: number, name: string): Promise<string> {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]));
  const query = Buffer.concat([
    Buffer.from([1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...labels,
    Buffer.from([0, 0, 1, 0, 1]),
  ]);
  const socket = await bound();
  try {
    const answer = once(socket, 'message');
    for (let attempt = 0; attempt < 100; attempt++) {
      socket.send(query, port, '127.0.0.1');
      const answered = await Promise.race([answer, wait(200)]);
      if (answered === undefined) continue;
      const [message] = answered as [Buffer];
      const answerAt = questionEnd(message);
      const isAddress = message.readUInt16BE(6) > 0 && message.readUInt16BE(answerAt + 2) === 1;
      return isAddress ? message.subarray(answerAt + 12, answerAt + 16).join('.') : '';
    }
  } finally {
    socket.close();
  }
  throw new Error(`no answer for ${name}`);
}

async function withServer(program: string, args: readonly string[], use: () => Promise<void>): Promise<void> {
  const server: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(server, 'exit');
  const failed = ended.then(([status]) => Promise.reject(new Error(`${program} ended with ${status}`)));
  failed.catch(() => {}); // it is killed at the end
  try {
    await Promise.race([use(), failed]);
  } finally {
    server.kill('SIGKILL');
    await ended;
  }
}

/** A part of a list: its lines, and names that it may say something about. Parts have no names in common. */
interface Part {
  readonly lines: readonly string[];
  readonly names: readonly string[];
}

function namesOf(part: number): readonly string[] {
  const top = `p${part}.test`;
  return [top, `a.${top}`, `b.a.${top}`, `c.b.a.${top}`, `x${top}`, `d.${top}`];
}

/** Below a name that a zone has, its wildcards above that do not count (RFC 4592 section 3.3.1): `hosts` are its names. */
function isMeant(name: string, host: string, reach: Reach, hosts: readonly string[]): boolean {
  if (reach === 'alone' || name === host) return reach !== 'below' && name === host;
  const isBetween = (each: string) => each.endsWith(`.${host}`) && `.${name}`.endsWith(`.${each}`);
  return name.endsWith(`.${host}`) && (reach === 'whole' || !hosts.some(isBetween));
}

/** A look-up finds what the server keeps back; it finds more only as the documents say: of lines for less, of exceptions. */
function compare(part: Part, isBlocked: ReadonlyMap<string, boolean>): void {
  const { rules, isWhole, refused, idle, finders: findersOf } = readList(part.lines, 'auto');
  assert.equal(refused, []);
  const hosts = rules.flatMap(({ expressions: named }) => named.map((each) => each.slice(0, -1)));
  for (const name of part.names) {
    const finders = findersOf(`http://${name}/`);
    const shown = JSON.stringify({ name, lines: part.lines });
    if (isBlocked.get(name) === true) assert.ok(finders.length > 0 || !isWhole, `passes for clean: ${shown}`);
    else if (isWhole)
      for (const { rule, expression } of finders)
        assert.ok(!isMeant(name, expression.slice(0, -1), rule.reach, hosts) || idle.length > 0, `listed: ${shown}`);
  }
}

async function askForAll(port: number, parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    const answers = await Promise.all(
      part.names.map(async (name) => [name, (await ask(port, name)) !== PASSED] as const),
    );
    compare(part, new Map(answers));
  }
}

if (hasProgram('dnsmasq'))
  test('dnsmasq answers for the names that a list of its lines finds', async () => {
    const passing = await passingServer();
    const { port: passingPort } = passing.address();
    const parts = Array.from({ length: cases(80) }, (_, part): Part => {
      const names = namesOf(part);
      const line = () => {
        const name = oneOf(names) + oneOf(['', '', '.']);
        const [both, wild] = [`/${name}/${oneOf(names)}/`, `/*.${name}/`];
        const answer = oneOf(['', '#', '0.0.0.0', '192.0.2.7', '127.0.0.1']);
        const server = oneOf(['', '#', '#', `127.0.0.1#${passingPort}`]);
        return oneOf([
          `address=${oneOf([`/${name}/`, `/${name}/`, both, wild])}${answer}`,
          `${oneOf(['server', 'local'])}=/${name}/${server}`,
        ]);
      };
      return { names, lines: someOf(next(4) + 1, line) };
    });
    const port = await freePort();
    const config = file('dnsmasq.conf', parts.flatMap(({ lines }) => [...lines, '']).join('\n'));
    const settings = ['--keep-in-foreground', '--no-resolv', '--no-hosts', '--cache-size=0', `--port=${port}`];
    const own = [`--user=${userInfo().username}`, '--pid-file', '--listen-address=127.0.0.1', '--bind-interfaces'];
    const args = [...settings, ...own, `--server=127.0.0.1#${passingPort}`, `--conf-file=${config}`];
    await withServer('dnsmasq', args, () => askForAll(port, parts));
    passing.close();
  });

/** The types of zones that answer something, or let pass. */
const ZONE_TYPES = [
  ...[
    'always_nxdomain',
    'always_null',
    'always_refuse',
    'always_nodata',
    'static',
    'refuse',
    'redirect',
    'inform_redirect',
  ],
  ...['transparent', 'typetransparent', 'always_transparent', 'inform'],
];
const ZONE_DATA = [
  'CNAME .',
  'CNAME *.',
  'CNAME rpz-passthru.',
  'A 0.0.0.0',
  'AAAA ::',
  'CNAME wall.example.',
  'A 192.0.2.7',
];

if (hasProgram('unbound'))
  for (const kind of ['zones', 'rpz'] as const)
    test(`unbound answers for the names that a list of its lines finds: ${kind}`, async () => {
      const passing = await passingServer();
      const [port, count] = [await freePort(), cases(80)];
      const origin = oneOf(['$ORIGIN rpz.test.', '$TTL 60']);
      const head = [origin, 'rpz.test. SOA ns. admin. (', '  1 ; serial', '  2 3 4 5 )', 'rpz.test. NS ns.'];
      const parts = Array.from({ length: count }, (_, part): Part => {
        const names = namesOf(part);
        const own = names.filter(() => next(3) === 0);
        if (kind === 'zones') return { names, lines: own.map((name) => `local-zone: "${name}" ${oneOf(ZONE_TYPES)}`) };
        const owners = own.flatMap((name) => [name, `*.${name}`].filter(() => next(3) > 0));
        const lines = owners.map(
          (name) => `${name}${oneOf(['', '.rpz.test.'])} ${oneOf(['', '300 IN '])}${oneOf(ZONE_DATA)}`,
        );
        return { names, lines: [...head, ...lines] };
      });
      const lines = parts.flatMap(({ lines }) => (kind === 'zones' ? lines : lines.slice(head.length)));
      const zone = file('zone.rpz', [...head, ...lines, ''].join('\n'));
      const config = file(
        `unbound-${kind}.conf`,
        [
          ...['server:', `interface: 127.0.0.1@${port}`, 'username: ""', 'chroot: ""', 'pidfile: ""'],
          ...[
            'use-syslog: no',
            'do-daemonize: no',
            'verbosity: 0',
            'do-not-query-localhost: no',
            'do-ip6: no',
            'num-threads: 1',
          ],
          `module-config: "${kind === 'rpz' ? 'respip ' : ''}iterator"`,
          ...(kind === 'zones' ? lines : []),
          ...[
            'local-zone: "test." transparent',
            'forward-zone:',
            'name: "."',
            `forward-addr: 127.0.0.1@${passing.address().port}`,
          ],
          ...(kind === 'rpz' ? ['rpz:', 'name: "rpz.test"', `zonefile: "${zone}"`] : []),
          '',
        ].join('\n'),
      );
      await withServer('unbound', ['-d', '-c', config], () => askForAll(port, parts));
      passing.close();
    });

test.run();
