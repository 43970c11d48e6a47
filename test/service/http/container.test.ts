// examples/look-ups/Dockerfile without a daemon: what it runs, in folders in the place of its root, and its health check.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENVIRONMENT } from '../../support/environment.ts';
import { FOLDER } from '../../support/scratch.ts';
import { ListProcess } from './served-lists.ts';

const tests = suite('http: a container of serve');

const FILE = readFileSync('examples/look-ups/Dockerfile', 'utf8');
const valueOf = (instruction: string) => new RegExp(`^${instruction} (.*)$`, 'm').exec(FILE)![1]!;
const listOf = (instruction: string) => JSON.parse(valueOf(instruction)) as string[];

/** A folder in the place of the root of the image. */
const inFolder = (text: string) => text.replace(/(?<![\w.])\/(package\.tgz|urlsum|lists|key)\b/g, `${FOLDER}/$1`);

function ran(program: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(program, args, { encoding: 'utf8', env: ENVIRONMENT, cwd: FOLDER });
}

tests('every base is pinned, nothing is installed at the start, and the process has no rights of root', () => {
  for (const [, image] of FILE.matchAll(/^FROM (\S+)/gm)) assert.match(image!, /:\d+\.\d+\.\d+-/);
  assert.not.match([...listOf('ENTRYPOINT'), ...listOf('CMD')].join(' '), /npm|npx|sh\b/);
  assert.is(valueOf('USER'), 'node');
});

tests('the folder of the image, made of the packed package, answers and is healthy', async () => {
  const packed = spawnSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', FOLDER], {
    encoding: 'utf8',
  });
  assert.is(packed.status, 0, packed.stderr);
  const [install, ...args] = valueOf('RUN').replace('/package.tgz', join(FOLDER, packed.stdout.trim())).split(' ');
  assert.is(install, 'npm');
  const installed = ran('npm', [...args.map(inFolder), '--offline']);
  assert.is(installed.status, 0, installed.stderr);
  const lists = await ListProcess.start({ 'mw-4b': ['evil.example/'] });
  const [node, ...entry] = listOf('ENTRYPOINT').map((each) => inFolder(each).replace('0.0.0.0:8080', '127.0.0.1:0'));
  const own = ['--server', lists.url, '--list', 'mw-4b', '--when-unsure', 'block'];
  const server = spawn(node!, [...entry, ...own], { stdio: ['ignore', 'pipe', 'inherit'], env: ENVIRONMENT });
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
  const health = listOf('HEALTHCHECK.* CMD').map((each) => each.replace('http://127.0.0.1:8080/', url));
  let healthy = 1;
  for (let tries = 0; tries < 50 && healthy !== 0; tries++) healthy = ran(health[0]!, health.slice(1)).status!;
  assert.is(healthy, 0);
  const answer = await fetch(`${url}v5/urls:search?alt=json&urls=http://evil.example/x`);
  assert.equal((await answer.json()).threats, [{ url: 'http://evil.example/x', threatTypes: ['MALWARE'] }]);
  server.kill('SIGTERM');
  assert.equal(await once(server, 'exit'), [0, null]);
  assert.is.not(ran(health[0]!, health.slice(1)).status, 0, 'a server that has gone is not healthy');
  await lists.stop();
});

tests.run();
