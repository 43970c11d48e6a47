// What cannot work is an exception at construction, and no error quotes a key.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CheckerOptions, SafeBrowsingChecker } from '../../../src/entries/safe-browsing/check.ts';
import { errorOf } from '../../support/thrown.ts';
import { ScriptedServer } from './scripted-server.ts';

const tests = suite('safe-browsing/check: server and headers');

function opened(options: Partial<CheckerOptions>): SafeBrowsingChecker {
  const server = 'http://127.0.0.1:9/v5/';
  return new SafeBrowsingChecker({ server, procedure: 'no-storage', whenUnsure: 'block', ...options });
}

const SECRET = 'sEcReT';

tests('a server that cannot be asked is refused, without its URL in the error', () => {
  for (const [server, message] of [
    [`https://user:${SECRET}@lists.example/v5/`, 'server must not have credentials'],
    [`https://${SECRET}@lists.example/v5/`, 'server must not have credentials'],
    [`https://lists.example/v5/?key=${SECRET}`, 'server must not have a query or a fragment'],
    [`https://lists.example/v5/#${SECRET}`, 'server must not have a query or a fragment'],
    [`ftp://lists.example/${SECRET}`, 'server must be an absolute URL of http or https'],
    [`data:,${SECRET}`, 'server must be an absolute URL of http or https'],
    [`//${SECRET}/v5/`, 'server must be an absolute URL of http or https'],
    [`http://${SECRET}:x/`, 'server must be an absolute URL of http or https'],
    [SECRET, 'server must be an absolute URL of http or https'],
  ] as const) {
    const error = errorOf(() => opened({ server }));
    assert.instance(error, RangeError, server);
    assert.ok(error.message.startsWith(message), error.message);
    assert.not.match(`${error.message} ${error.stack}`, SECRET);
  }
  for (const server of [{ href: 'http://lists.example/' }, 5, null])
    assert.match(errorOf(() => opened({ server: server as never })).message, /^server must be a string or a URL, got /);
});

tests('a slash at its end does not matter', async () => {
  for (const [server, base] of [
    ['https://lists.example', 'https://lists.example/'],
    ['https://lists.example/v5', 'https://lists.example/v5/'],
    ['HTTPS://lists.example:443/v5/', 'https://lists.example/v5/'],
    [new URL('https://lists.example/v5'), 'https://lists.example/v5/'],
  ] as const) {
    const urls: string[] = [];
    const fetch: CheckerOptions['fetch'] = async (url, init) => {
      urls.push(url);
      return new ScriptedServer().fetch(url, init);
    };
    assert.is((await opened({ server, fetch }).check('http://good.example/')).verdict, 'safe');
    assert.ok(urls[0]!.startsWith(`${base}hashes:search?hashPrefixes=`), urls[0]);
  }
});

tests('names of lists and a store of the wrong kind are refused: neither one name nor its letters are lists', () => {
  const local = { procedure: 'local-list', lists: ['mw-4b'] } as const;
  for (const [options, message] of [
    [{ ...local, lists: 'mw' }, 'lists must be an array, got string'],
    [{ ...local, lists: new Set(['mw-4b']) }, 'lists must be an array, got Set'],
    [{ ...local, lists: [5] }, 'each of lists must be a string, got number'],
    [{ ...local, trustedLists: 'mw-4b' }, 'trustedLists must be an array, got string'],
    [{ ...local, procedure: 'real-time', globalCache: 5 }, 'globalCache must be a string, got number'],
    [{ ...local, store: '/var/lists' }, 'store must be an object with the functions get and set, got string'],
    [
      { ...local, store: { get: async () => undefined } },
      'store must be an object with the functions get and set, got',
    ],
  ] as const) {
    const error = errorOf(() => opened(options as never));
    assert.instance(error, TypeError);
    assert.ok(error.message.startsWith(message), error.message);
  }
});

tests('headers that no request can have are refused, without their values in the error', () => {
  for (const [headers, type, message] of [
    [{ 'X-Key': `${SECRET}\n` }, RangeError, 'headers["X-Key"] has a character that no header can have'],
    [{ 'X-Key': `${SECRET}\r\nHost: x` }, RangeError, 'headers["X-Key"] has a character'],
    [{ 'X-Key': `\u0000${SECRET}` }, RangeError, 'headers["X-Key"] has a character'],
    [{ 'X-Key': `\u0001${SECRET}` }, RangeError, 'headers["X-Key"] has a character'],
    [{ 'X-Key': `${SECRET}…` }, RangeError, 'headers["X-Key"] has a character'],
    [{ [`${SECRET} `]: 'x' }, RangeError, 'headers has a name that is not a token of HTTP'],
    [{ '': SECRET }, RangeError, 'headers has a name that is not a token of HTTP'],
    [{ Connection: SECRET }, RangeError, 'headers must not have Connection, which belongs to the connection'],
    [{ 'X-Key': undefined }, TypeError, 'headers["X-Key"] must be a string, got undefined'],
    [{ 'X-Key': [SECRET] }, TypeError, 'headers["X-Key"] must be a string, got Array'],
    [new Headers({ 'X-Key': SECRET }), TypeError, 'headers must be an object of strings by their names, got Headers'],
    [[['X-Key', SECRET]], TypeError, 'headers must be an object of strings by their names, got Array'],
    [null, TypeError, 'headers must be an object of strings by their names, got null'],
  ] as const) {
    const error = errorOf(() => opened({ headers: headers as never }));
    assert.instance(error, type, message);
    assert.ok(error.message.startsWith(message), error.message);
    assert.not.match(`${error.message} ${error.stack}`, SECRET);
  }
});

tests('what is accepted is sent by the fetch of the platform', async () => {
  // the characters of RFC 9110, 5.5, by what Node's own Headers takes
  const value = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).filter(
    (each) => each === '\t' || (each >= ' ' && each !== '\u007f'),
  );
  for (const name of ['X-Goog-Api-Key', "!#$%&'*+-.^_`|~0aZ"]) {
    opened({ headers: { [name]: value.join('') } });
    assert.is(new Headers({ [name]: value.join('') }).get(name), value.join('').trim());
  }
});

tests('options are checked', () => {
  for (const [options, message] of [
    [{ whenUnsure: undefined }, 'whenUnsure must be one of allow, block, got undefined'],
    [{ procedure: 'lookup' }, 'procedure must be one of local-list, real-time, no-storage, got "lookup"'],
    [{ server: undefined }, 'server must be a string or a URL, got undefined'],
    [{ lists: ['mw-4b'] }, 'lists must be empty for no-storage'],
    [{ procedure: 'local-list' }, 'lists must name a list for local-list'],
    [{ procedure: 'local-list', lists: ['a', 'a'] }, 'a list is named twice'],
    [{ procedure: 'local-list', lists: ['a'], trustedLists: ['b'] }, 'trustedLists must be some of lists, got "b"'],
    [
      { procedure: 'local-list', lists: ['a'], globalCache: 'gc-32b' },
      'globalCache is for real-time, not for local-list',
    ],
    [{ prefixesPerRequest: 1001 }, 'prefixesPerRequest must be a whole number from 1 to 1000, got 1001'],
    [{ timeoutMs: -1 }, 'timeoutMs must be a whole number of milliseconds from 0 to 2^31 - 1, got -1'],
    [{ timeoutMs: 1.5 }, 'timeoutMs must be a whole number of milliseconds from 0 to 2^31 - 1, got 1.5'],
    [{ maxListAgeMs: -1 }, 'maxListAgeMs must be 0 milliseconds or more, got -1'],
    [{ server: '/v5/' }, 'server must be an absolute URL'],
    [
      { backOff: { maxDelayMs: 86_400_001 } },
      'backOff.maxDelayMs must be 86400000 milliseconds, a day, or less, got 86400001',
    ],
    [{ expressions: { mode: 'both' } }, 'mode must be one of spec, browser, union, got "both"'],
    [{ fetch: 'fetch' }, 'fetch must be a function, got string'],
    [{ backOff: { first: 1 } }, 'backOff has no "first", only refusedMs, unansweredMs, maxDelayMs'],
    [{ key: 'x' }, 'options has no "key"'],
  ] as const) {
    assert.throws(
      () => opened(options as unknown as Partial<CheckerOptions>),
      (error: Error) => error.message.startsWith(message),
      message,
    );
  }
});

tests.run();
