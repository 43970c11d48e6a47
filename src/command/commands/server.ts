import { writeWholeLater } from '../../store/files.ts';
import { parsed, texts } from '../arguments/flag.ts';
import { type Fault, outputFault, usageFault } from '../fault.ts';
import { STANDARD_OUTPUT } from '../write/output.ts';

interface Address {
  readonly host: string;
  readonly port: number;
}

interface Server {
  /** Settles with the URL to print. */
  listen(address: Address): Promise<string>;
  close(): Promise<void>;
}

/** Flags of the commands that serve HTTP. */
export const LISTEN_FLAGS = {
  listen: parsed(
    'ADDRESS',
    'the address and port to answer on; default 127.0.0.1:8080',
    { host: '127.0.0.1', port: 8080 },
    addressOf,
  ),
  host: texts('NAME', 'a name that requests may have as Host, besides those of loopback; repeat it for several'),
  allowOrigin: texts('ORIGIN', 'a browser extension that may ask, as chrome-extension://ID; repeat it for several'),
};

/** Reads `127.0.0.1:8080`, `[::1]:8080` or `localhost:0`. @throws {Fault} */
function addressOf(value: string, option: string): Address {
  const [, ipv6, name, port] = /^(?:\[([\da-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(value) ?? [];
  const host = ipv6 ?? name;
  if (host !== undefined && Number(port) < 2 ** 16) return { host, port: Number(port) };
  throw usageFault(`${option} must be an address and a port, as 127.0.0.1:8080, not '${value}'`);
}

/** @throws {Fault} on a host with a port or a slash: `Host` is compared without its port */
export function hostNames(names: readonly string[]): string[] {
  const wrong = names.find((name) => !/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(name));
  if (wrong === undefined) return names.map((name) => name.toLowerCase());
  throw usageFault(`--host must be a name without a port, not '${wrong}'`);
}

/** @throws {Fault} on the origin of a page, and on patterns: a server without authentication names who may ask */
export function extensionOrigins(origins: readonly string[]): string[] {
  const wrong = origins.find((origin) => !/^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/.test(origin));
  if (wrong === undefined) return [...origins];
  throw usageFault(`--allow-origin must be that of an extension, as chrome-extension://ID, not '${wrong}'`);
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
  /** Closes what was opened, if `start` has failed, too. */
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
