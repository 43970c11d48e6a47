// Which proxies of the environment requests do not go through. Variables and exceptions are those of curl(1).
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unusedProxy } from '../../../src/command/commands/safe-browsing.ts';

const tests = suite('safe-browsing: proxies');

const GOOGLE = 'https://safebrowsing.googleapis.com/v5/';
const PROXY = 'http://user:SECRET@proxy.example:3128';
const host = (env: Record<string, string>, version = 'v24.1.0', execArgv: readonly string[] = []) => ({
  env,
  execArgv,
  version,
});
const SET = 'is set, but requests to safebrowsing.googleapis.com do not go through the proxy';

tests('a proxy that is set and not used is named, with what makes it used', () => {
  assert.is(unusedProxy(GOOGLE, host({ HTTPS_PROXY: PROXY })), `HTTPS_PROXY ${SET}: set NODE_USE_ENV_PROXY=1`);
  assert.is(unusedProxy(GOOGLE, host({ https_proxy: PROXY })), `https_proxy ${SET}: set NODE_USE_ENV_PROXY=1`);
  const tooOld = 'that takes Node 24 or newer, with NODE_USE_ENV_PROXY=1; this is';
  for (const version of ['v20.20.2', 'v22.20.0', 'v23.11.0'])
    for (const env of [{}, { NODE_USE_ENV_PROXY: '1' }])
      assert.is(
        unusedProxy(GOOGLE, host({ ...env, HTTPS_PROXY: PROXY }, version)),
        `HTTPS_PROXY ${SET}: ${tooOld} ${version}`,
      );
  assert.match(unusedProxy('http://lists.example/v5/', host({ http_proxy: PROXY }))!, /^http_proxy is set/);
});

tests('a proxy that is used, or meant for others, is not', () => {
  for (const [server, ...rest] of [
    [GOOGLE, host({})],
    [GOOGLE, host({ HTTPS_PROXY: '' })],
    [GOOGLE, host({ HTTP_PROXY: PROXY })],
    [GOOGLE, host({ HTTPS_PROXY: PROXY, NODE_USE_ENV_PROXY: '1' })],
    [GOOGLE, host({ HTTPS_PROXY: PROXY, NODE_USE_ENV_PROXY: '1' }, 'v22.21.0')],
    [GOOGLE, host({ HTTPS_PROXY: PROXY, NODE_OPTIONS: '--use-env-proxy' })],
    [GOOGLE, host({ HTTPS_PROXY: PROXY }, 'v26.0.0', ['--use-env-proxy'])],
    ['http://127.0.0.1:8080/v5/', host({ http_proxy: PROXY })],
    ['http://[::1]:8080/v5/', host({ http_proxy: PROXY })],
    ...['*', 'googleapis.com', 'a.example, .googleapis.com', '*.googleapis.com:443'].map(
      (exceptions) => [GOOGLE, host({ HTTPS_PROXY: PROXY, no_proxy: exceptions })] as const,
    ),
  ] as const)
    assert.is(unusedProxy(server, ...rest), undefined, JSON.stringify([server, rest]));
  assert.match(unusedProxy(GOOGLE, host({ HTTPS_PROXY: PROXY, NO_PROXY: 'apis.com,example' }))!, 'HTTPS_PROXY');
});

tests.run();
