// Serves lists of your own by the methods of Safe Browsing v5 that deal with hashes, on loopback:
//
//   node main.mjs [--port N] [--wait SECONDS] [--cache SECONDS] [--shrink PERCENT] NAME=FILE…
//
//   NAME      ends in the bytes per prefix: mw-4b, se-4b; gc-32b is the Global Cache of likely safe sites
//   FILE      one URL per line; # begins a comment. It is read again when it changes: at once where it is put in place by a
//             rename, else when it has not changed for two seconds
//   --wait    how long clients wait until they fetch the lists again (1800)
//   --cache   how long they may keep an answer of hashes:search (300)
//   --shrink  how much of its entries a list may lose at once (50); 100 takes any file as it is
//
// A list whose file is missing, has a bad line or has shrunk too much stays as it was, and standard error says why.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { HostedList } from './hosted-list.mjs';
import { answerTo, RequestError } from './methods.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '8080' },
    wait: { type: 'string', default: '1800' },
    cache: { type: 'string', default: '300' },
    shrink: { type: 'string', default: '50' },
  },
});
if (positionals.length === 0) throw new RangeError('no list to serve: give one as NAME=FILE, such as mw-4b=urls.txt');
const maxShrink = numberOf('shrink', 'percent') / 100;
const lists = new Map(
  positionals.map((argument) => {
    const [name, ...path] = argument.split('=');
    return [name, new HostedList(name, path.join('='), { maxShrink, onTrouble: console.error })];
  }),
);
const settings = { lists, waitMs: 1000 * numberOf('wait', 'seconds'), cacheMs: 1000 * numberOf('cache', 'seconds') };
await Promise.all([...lists.values()].map((list) => list.load()));

function numberOf(option, unit) {
  const number = Number(values[option]);
  if (number >= 0) return number;
  throw new RangeError(`--${option} must be a number of ${unit}, not '${values[option]}'`);
}

async function answer({ method, url }, response) {
  try {
    if (method !== 'GET') throw new RequestError(405, 'only GET is answered');
    const { type, body } = await answerTo(new URL(url, 'http://127.0.0.1'), settings);
    response.writeHead(200, { 'content-type': type }).end(body);
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
