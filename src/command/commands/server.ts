import type { WatchedList } from '../../service/http/watched-list.ts';
import { MAX_SHRINK } from '../../service/lists/update.ts';
import { writeWholeLater } from '../../store/files.ts';
import type { Diagnostics } from '../arguments/diagnostics.ts';
import { group, matching, parsed, texts, type ValuesOf } from '../arguments/flag.ts';
import { NUMBER } from '../arguments/numbers.ts';
import { type Fault, fileFault, outputFault, reasonOf, usageFault } from '../fault.ts';
import { STANDARD_OUTPUT } from '../write/output.ts';
import { listFileReader, SERVED_FILE_FLAGS } from './list-input.ts';

interface Address {
  readonly host: string;
  readonly port: number;
}

interface Server {
  /** Settles with the URL to print. */
  listen(address: Address): Promise<string>;
  close(): Promise<void>;
}

/** `Host` is compared without its port. */
const HOST = matching(/^(?:[\w.-]+|\[[\da-f:.]+\])$/i, 'a name without a port');
/** The origin of an extension, never of a page, nor a pattern: a server without authentication names who may ask. */
const ORIGIN = matching(
  /^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/,
  'that of an extension, as chrome-extension://ID',
);

/** Flags of the commands that serve HTTP. */
export const LISTEN_FLAGS = {
  listen: parsed(
    'ADDRESS',
    'the address and port to answer on; default 127.0.0.1:8080',
    { host: '127.0.0.1', port: 8080 },
    addressOf,
  ),
  host: {
    ...texts('NAME', 'a name that requests may have as Host, besides those of loopback; repeat it for several'),
    read: (values: readonly string[], option: string) => values.map((value) => HOST(value, option).toLowerCase()),
  },
  allowOrigin: {
    ...texts('ORIGIN', 'a browser extension that may ask, as chrome-extension://ID; repeat it for several'),
    read: (values: readonly string[], option: string) => values.map((value) => ORIGIN(value, option)),
  },
};

/** Flags of the commands that serve lists of files. */
const WATCH_FLAGS = {
  settle: parsed(
    'SECONDS',
    'how long a file that does not say that it is whole has to stay as it is before it is read; default 60; 0 if files ' +
      'are always renamed to their names',
    60,
    NUMBER.seconds,
  ),
  shrink: parsed(
    'PERCENT',
    'how much of its entries a list of a file may lose at once; default 50; 100 takes any',
    100 * MAX_SHRINK,
    NUMBER.any,
  ),
};

/** Flags of the commands that serve lists of files, which they read as `list build` does. */
export const SERVED_LIST_FLAGS = { ...group('Server', WATCH_FLAGS), ...SERVED_FILE_FLAGS };

/** Reads the files of lists for the first time. @throws {Fault} */
export async function loadAll(lists: readonly Pick<WatchedList, 'path' | 'load'>[]): Promise<void> {
  await Promise.all(
    lists.map((list) =>
      list.load().catch((error: NodeJS.ErrnoException) => {
        throw error.code === undefined ? error : fileFault(list.path, reasonOf(error));
      }),
    ),
  );
}

/** Returns the options of a list of a file. */
export function watchOptions(values: ValuesOf<typeof SERVED_LIST_FLAGS>, diagnostics: Diagnostics) {
  return {
    readEntries: listFileReader(values, (lines) => diagnostics.tell(lines)),
    settleMs: 1000 * values.settle,
    maxShrink: values.shrink / 100,
    log: (message: string) => void diagnostics.tell([message]),
  };
}

/** Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:0`. @throws {Fault} */
function addressOf(value: string, option: string): Address {
  const [, ipv6, name, port] = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(value) ?? [];
  const host = ipv6 ?? name;
  if (host !== undefined && Number(port) < 2 ** 16) return { host, port: Number(port) };
  throw usageFault(`${option} must be an address and a port, as 127.0.0.1:8080, not '${value}'`);
}

export function serveUntilEnded(server: Server, address: Address): Promise<void> {
  return untilEnded({
    start: async (write) => write(`${await server.listen(address)}\n`),
    stop: () => server.close(),
  });
}

interface Service {
  /** @param write writes to standard output */
  start(write: (text: string) => void): Promise<void>;
  /** Closes what `start` has opened, even where that has failed. */
  stop(): Promise<void>;
}

/**
 * Runs a service until SIGINT, SIGTERM or SIGHUP. A second signal ends the process at once.
 *
 * @throws {Fault} where standard output fails, whose reader may have ended: the service is stopped then
 */
export async function untilEnded(service: Service): Promise<void> {
  const alive = setInterval(() => undefined, 2 ** 30);
  let started = Promise.resolve();
  try {
    await new Promise<void>((resolve, reject) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
      started = service.start(textWriter(reject));
      started.catch(reject);
    });
  } finally {
    await started.catch(() => undefined); // its error has been thrown already
    await service.stop();
    clearInterval(alive);
  }
}

/** Writes texts to standard output one after another. @param fail is told where one cannot be written */
function textWriter(fail: (error: Fault) => void): (text: string) => void {
  let written = Promise.resolve();
  return (text) => {
    written = written.then(() => writeWholeLater(STANDARD_OUTPUT, Buffer.from(text)));
    written.catch((error) => fail(outputFault('standard output', error)));
  };
}
