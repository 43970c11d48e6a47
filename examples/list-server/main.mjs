// Serves lists of your own by two methods of Safe Browsing v5, on loopback:
//
//   node main.mjs [--port N] [--wait SECONDS] [--cache SECONDS] NAME=FILE…
//
//   NAME    ends in the bytes per prefix: mw-4b, se-4b; gc-32b is the Global Cache of likely safe sites
//   FILE    one URL per line, read again when it changes
//   --wait  how long clients wait until they fetch the lists again (1800)
//   --cache how long they may keep an answer of hashes:search (300)
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { HostedList } from './hosted-list.mjs';
import { batchGet, RequestError, search } from './methods.mjs';

const METHODS = { '/v5/hashLists:batchGet': batchGet, '/v5/hashes:search': search };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '8080' },
    wait: { type: 'string', default: '1800' },
    cache: { type: 'string', default: '300' },
  },
});
if (positionals.length === 0) throw new RangeError('no list to serve: give one as NAME=FILE, such as mw-4b=urls.txt');
const lists = new Map(
  positionals.map((argument) => {
    const [name, ...path] = argument.split('=');
    return [name, new HostedList(name, path.join('='))];
  }),
);
await Promise.all([...lists.values()].map((list) => list.refresh()));
const settings = { lists, waitSeconds: secondsOf('wait'), cacheSeconds: secondsOf('cache') };

function secondsOf(option) {
  const seconds = Number(values[option]);
  if (seconds >= 0) return seconds;
  throw new RangeError(`--${option} must be a number of seconds, not '${values[option]}'`);
}

async function answer({ method, url }, response) {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const called = METHODS[pathname];
  try {
    if (method !== 'GET') throw new RequestError(405, 'only GET is answered');
    if (called === undefined) throw new RequestError(404, `there is no ${pathname}`);
    const body = await called(searchParams, settings);
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(body);
  } catch (error) {
    if (!(error instanceof RequestError)) console.error(error);
    response.writeHead(error.status ?? 500, { 'content-type': 'text/plain' }).end(`${error.message}\n`);
  }
}

// 1000 prefixes make a request line of 22 KB
const server = createServer({ maxHeaderSize: 1 << 16 }, answer);
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/v5/`);
});
