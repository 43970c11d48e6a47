import { request } from 'node:http';
import type { Test } from 'uvu';
import type { CheckerOptions, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { CheckServer, type CheckServerOptions } from '../../../src/service/http/check-server.ts';
import { MALWARE, PHISHING, ScriptedServer } from '../check/scripted-server.ts';

export interface Got {
  readonly status: number;
  readonly type: string;
  /** The origin whose scripts may read it. */
  readonly allowed: string | undefined;
  readonly body: Buffer;
  /** The `Content-Length`. */
  readonly length: number;
  /** The JSON of the body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  readonly json: any;
}

type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string | Buffer };

/** A CheckServer in this process, on a port of its own, and the server that it asks, without a network. */
export class LookUps {
  readonly service = new ScriptedServer();
  readonly logged: string[] = [];
  readonly urls: string[] = [];
  readonly checker: SafeBrowsingChecker;
  readonly server: CheckServer;
  url = '';

  constructor(options: Partial<CheckServerOptions> = {}, checker: Partial<CheckerOptions> = {}) {
    const { whenUnsure = 'block' } = options;
    for (const name of ['mw-4b', 'se-4b', 'uws-4b']) this.service.lists.set(name, []);
    this.checker = this.service.checker({
      lists: [...this.service.lists.keys()],
      whenUnsure,
      backOff: { refusedMs: 0, unansweredMs: 0 },
      ...checker,
    });
    this.server = new CheckServer({
      checker: this.checker,
      ownLists: [],
      now: this.service.now,
      withFrames: false,
      whenUnsure,
      types: ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'],
      hosts: [],
      log: (message) => this.logged.push(message),
      ...options,
    });
  }

  /** Lists an expression under all lists, so that the server is asked for it; `details` are what it answers. */
  list(expression: string, details: Parameters<ScriptedServer['listed']['set']>[1]): void {
    this.service.listed.set(expression, details);
    for (const [name, known] of this.service.lists) this.service.lists.set(name, [...known, expression]);
  }

  /** Settles when the lists are here, too. */
  async start(): Promise<this> {
    await this.checker.update();
    this.url = await this.server.listen({ host: '127.0.0.1', port: 0 });
    return this;
  }

  stop(): Promise<void> {
    return this.server.close();
  }

  /** Sends by Node's own client, which sends what it is told, and nothing that browsers add. */
  send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Got> {
    return sent(new URL(this.url.slice(0, -1) + path), { method, headers, ...(body !== undefined && { body }) });
  }

  v5(urls: readonly string[], more = '&alt=json'): Promise<Got> {
    return this.send(`/v5/urls:search?${urls.map((url) => `urls=${encodeURIComponent(url)}`).join('&')}${more}`);
  }

  /** `more` replaces fields of `threatInfo`. */
  v4(urls: readonly string[], more: object = {}): Promise<Got> {
    const threatInfo = { ...threatInfoOf(urls), ...more };
    return this.post(JSON.stringify({ client: { clientId: 'test', clientVersion: '1' }, threatInfo }));
  }

  post(body: string | Buffer, headers: Record<string, string> = {}): Promise<Got> {
    const json = { 'content-type': 'application/json' };
    return this.send('/v4/threatMatches:find?key=K', { method: 'POST', headers: { ...json, ...headers }, body });
  }
}

/** Opens servers for the tests of a suite, which list some URLs, and stops them after each test. */
export function lookUpsOf(tests: Pick<Test, 'after'>) {
  const open: LookUps[] = [];
  tests.after.each(async () => {
    await Promise.all(open.splice(0).map((each) => each.stop()));
  });
  const opened = (...args: ConstructorParameters<typeof LookUps>) => {
    const lookUps = new LookUps(...args);
    open.push(lookUps);
    lookUps.list('evil.example/', [MALWARE]);
    lookUps.list('both.example/', [MALWARE, PHISHING]);
    lookUps.list('both.example/a', [PHISHING]);
    lookUps.list('frame.example/', [{ ...PHISHING, attributes: [2] }]);
    lookUps.list('new.both.example/', [MALWARE]);
    lookUps.list('why.example/', []);
    return lookUps;
  };
  return { opened, started: (...args: ConstructorParameters<typeof LookUps>) => opened(...args).start() };
}

/** The question of a v4 client about URLs. */
export function threatInfoOf(urls: readonly string[]) {
  return {
    threatTypes: ['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE'],
    platformTypes: ['ANY_PLATFORM'],
    threatEntryTypes: ['URL'],
    threatEntries: urls.map((url) => ({ url })),
  };
}

/** Returns the URL and the type of each match of a v4 answer. */
export const typesOf = (matches: readonly { threatType: string; threat: { url: string } }[] = []) =>
  matches.map(({ threatType, threat }) => `${threat.url} ${threatType}`);

function sent(url: URL, { method, headers, body }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const all = Buffer.concat(chunks);
        const type = response.headers['content-type'] ?? '';
        const json = type === 'application/json' && all.length > 0 ? JSON.parse(all.toString()) : undefined;
        const allowed = response.headers['access-control-allow-origin'];
        const length = Number(response.headers['content-length']);
        resolve({ status: response.statusCode!, type, allowed, body: all, length, json });
      });
    });
    asking.on('error', reject);
    asking.end(body);
  });
}
