import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ScriptedServer } from './scripted-server.ts';

const tests = suite('safe-browsing/check: faults in words');

const EVIL = 'http://evil.example/';
const KEY = 'a-secret-KEY-0123456789';

/** The words of a cause in Deno 2.9, for servers that do not answer, and the kind of it. */
const DENO_SAYS = [
  [
    `for url (http://h/?key=${KEY}): client error (Connect): tcp connect error: Connection refused (os error 111)`,
    'ECONNREFUSED',
  ],
  [
    `for url (https://h/?key=${KEY}): client error (Connect): dns error: failed to lookup address information: refused`,
    'ENOTFOUND',
  ],
  [
    `from [::1]:9 for http://h/?key=${KEY} ([::1]:8): client error (SendRequest): connection closed before message completed`,
    'ECONNRESET',
  ],
  [
    `for url (https://${KEY}.h/): client error (Connect): invalid peer certificate: UnknownIssuer`,
    'an invalid certificate',
  ],
  [`for url (https://h/?key=${KEY}): client error (Connect): received corrupt message of type ${KEY}`, 'TypeError'],
  [`for url (https://h/?key=${KEY}&reset=refused): error in ${KEY}`, 'TypeError'],
] as const;

tests('no message quotes what a fetch or a store says: it may hold a key', async () => {
  const errors = [
    new TypeError(`error sending request for url (https://h/?key=${KEY})`),
    Object.assign(new Error(KEY), { code: KEY, name: KEY }),
    Object.assign(new Error(KEY), { cause: Object.assign(new Error(KEY), { code: 'ECONNREFUSED' }) }),
    KEY,
    { message: KEY, toString: () => KEY },
    undefined,
    Object.defineProperty(new Error(KEY), 'code', {
      get: () => {
        throw new Error(KEY);
      },
    }),
    ...DENO_SAYS.map(([said]) => new TypeError('fetch failed', { cause: new Error(`error sending request ${said}`) })),
  ];
  const details: string[] = [];
  for (const error of errors) {
    const refuse = () => Promise.reject(error);
    const server = new ScriptedServer();
    server.lists.set('mw-4b', ['evil.example/']);
    const checker = server.checker({ store: { get: refuse, set: refuse } });
    const [kept] = await checker.update();
    server.answers.push(refuse);
    const { detail } = await checker.check(EVIL);
    const [report] = await server.checker({ fetch: refuse }).update();
    for (const text of [detail, report!.detail, kept!.detail]) assert.not.match(text!, KEY);
    details.push(detail!.replace('the connection failed: ', ''));
    assert.match(kept!.detail!, /^the store did not keep the list: /);
  }
  assert.equal(details, [
    ...['TypeError', 'an error', 'ECONNREFUSED', 'an error', 'an error', 'an error', 'an error'],
    ...DENO_SAYS.map(([, kind]) => kind),
  ]);
});

tests.run();
