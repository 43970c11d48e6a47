import { group, parsed } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
import { usageFault, usageFaultsFrom } from '../fault.ts';
import { action } from './command.ts';
import { LISTEN_FLAGS, loadAll, SERVED_LIST_FLAGS, serveUntilEnded, watchOptions } from './server.ts';

const SERVE_FLAGS = {
  ...group('Server', {
    ...LISTEN_FLAGS,
    wait: parsed(
      'SECONDS',
      'how long clients wait until they fetch the lists again; default 1800',
      1800,
      NUMBER.seconds,
    ),
    cache: parsed('SECONDS', 'how long they may keep an answer of hashes:search; default 300', 300, NUMBER.seconds),
  }),
  ...SERVED_LIST_FLAGS,
};

/** `urlsum list serve`: lists of one's own for clients of Safe Browsing v5. */
export const LIST_SERVE = action({
  examples: [
    ['mw-4b=malware.txt se-4b=phishing.txt', 'two lists'],
    ['--wait 60 mw-4b=bad.txt gc-32b=popular.txt', 'with a Global Cache'],
  ],
  operands: 'NAME=FILE…',
  about: [
    'Serves lists of URLs by the methods of Safe Browsing v5 that deal with hashes: hashLists:batchGet, hashLists, ' +
      'hashList and hashes:search. A name begins with what its URLs are, mw, se, uws, pha, or gc for likely safe, and ' +
      'ends in the bytes per prefix: mw-4b. A file is read as urlsum list build reads it, or is a list of urlsum list ' +
      'build --prefix 32. It is read when it is whole: at once if its last line counts its entries, as ' +
      "'# END 1000 entries', or if it is a built list, otherwise once it has stayed as it is for --settle. A list " +
      'whose file is missing, has a bad line or lost more than --shrink stays as it was; standard error says why, ' +
      '/status and /metrics since when.',
  ],
  flags: SERVE_FLAGS,
  async run({ listen, host, allowOrigin, wait, cache, ...watched }, operands, { diagnostics }) {
    if (operands.length === 0) throw usageFault('no list to serve: give one as NAME=FILE, such as mw-4b=urls.txt');
    const { HostedList, ListServer } = await import('../../service/http/list-server.ts');
    const options = { ...watchOptions(watched, diagnostics), waitMs: 1000 * wait };
    const lists = operands.map((operand) => {
      const [name = '', ...path] = operand.split('=');
      if (path.length === 0) throw usageFault(`'${operand}' is not NAME=FILE`);
      return usageFaultsFrom(RangeError, () => new HostedList(name, path.join('='), options));
    });
    const names = lists.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw usageFault(`the list ${twice} is named twice`);
    const server = new ListServer({
      lists,
      cacheMs: 1000 * cache,
      hosts: host,
      origins: allowOrigin,
      log: options.log,
    });
    await loadAll(lists);
    await serveUntilEnded(server, listen);
  },
});
