import { group, parsed } from '../../arguments/flag.ts';
import { usageFault, usageFaultsFrom } from '../../fault.ts';
import { action } from '../command.ts';
import { extensionOrigins, hostNames, LISTEN_FLAGS, serveUntilEnded } from '../safe-browsing/server.ts';

const FLAGS = {
  ...group('Server', {
    ...LISTEN_FLAGS,
    wait: parsed('SECONDS', 'how long clients wait until they fetch the lists again; default 1800', 1800, secondsOf),
    cache: parsed('SECONDS', 'how long they may keep an answer of hashes:search; default 300', 300, secondsOf),
    shrink: parsed(
      'PERCENT',
      'how much of its entries a list may lose at once; default 50; 100 takes any',
      50,
      numberOf,
    ),
  }),
};

/** `urlsum list serve`: lists of one's own for clients of Safe Browsing v5. */
export const SERVE = action({
  examples: [
    ['mw-4b=malware.txt se-4b=phishing.txt', 'two lists'],
    ['--wait 60 mw-4b=bad.txt gc-32b=popular.txt', 'with a Global Cache'],
  ],
  operands: 'NAME=FILE…',
  about: [
    'Serves lists of URLs by the methods of Safe Browsing v5 that deal with hashes: hashLists:batchGet, hashLists, ' +
      'hashList and hashes:search. A name begins with what its URLs are, mw, se, uws, pha, or gc for likely safe, and ' +
      'ends in the bytes per prefix: mw-4b. A file has a URL per line; # begins a comment. It is read again when it has ' +
      'changed and then stayed as it is for two seconds. One that is missing, has a bad line or lost more than --shrink ' +
      'stays as it was, and standard error says why.',
  ],
  flags: FLAGS,
  async run({ listen, host, allowOrigin, wait, cache, shrink }, operands, { diagnostics }) {
    if (operands.length === 0) throw usageFault('no list to serve: give one as NAME=FILE, such as mw-4b=urls.txt');
    const { HostedList, ListServer } = await import('../../../service/http/index.ts');
    const log = (message: string) => void diagnostics.tell([message]);
    const lists = operands.map((operand) => {
      const [name = '', ...path] = operand.split('=');
      if (path.length === 0) throw usageFault(`'${operand}' is not NAME=FILE`);
      return usageFaultsFrom(
        RangeError,
        () => new HostedList(name, path.join('='), { maxShrink: shrink / 100, waitMs: 1000 * wait, onTrouble: log }),
      );
    });
    const names = lists.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw usageFault(`the list ${twice} is named twice`);
    const [hosts, origins] = [hostNames(host), extensionOrigins(allowOrigin)];
    const server = new ListServer({ lists, cacheMs: 1000 * cache, hosts, origins, log });
    await Promise.all(lists.map((list) => list.load()));
    await serveUntilEnded(server, listen);
  },
});

/** google.protobuf.Duration: 10,000 years. */
const MAX_SECONDS = 315_576_000_000;

function secondsOf(value: string, option: string): number {
  const seconds = numberOf(value, option);
  if (seconds <= MAX_SECONDS) return seconds;
  throw usageFault(`${option} must be at most ${MAX_SECONDS} seconds, not '${value}'`);
}

function numberOf(value: string, option: string): number {
  const number = Number(value);
  if (value !== '' && number >= 0 && Number.isFinite(number)) return number;
  throw usageFault(`${option} must be a number from 0 on, not '${value}'`);
}
