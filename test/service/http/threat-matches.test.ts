// `threatMatches:find` and `threatLists` of version 4.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusal } from '../check/scripted-server.ts';
import { duration } from '../check/search-response.ts';
import { lookUpsOf, typesOf } from './look-ups.ts';

const tests = suite('http: version 4');
const { started } = lookUpsOf(tests);

tests('v4: one match per URL and threat type, with the URL as it was given', async () => {
  const server = await started();
  const odd = 'HTTP://www.BOTH.example:80/a/../a#f\u00fc "';
  const { status, json } = await server.v4([odd, 'http://good.example/', 'evil.example', odd]);
  assert.is(status, 200);
  assert.equal(typesOf(json.matches), [`${odd} SOCIAL_ENGINEERING`, `${odd} MALWARE`, 'evil.example MALWARE']);
  for (const { platformType, threatEntryType, cacheDuration, ...rest } of json.matches) {
    assert.equal([platformType, threatEntryType], ['ANY_PLATFORM', 'URL']);
    assert.equal(Object.keys(rest).sort(), ['threat', 'threatType']);
    assert.is(cacheDuration, '300s');
  }
});

tests('v4: no match is exactly {}', async () => {
  const server = await started();
  const { status, body, type } = await server.v4(['http://good.example/']);
  assert.equal([status, body.toString(), type], [200, '{}', 'application/json']);
});

tests('v4: only the types that were asked for, but one that v4 does not have always', async () => {
  const server = await started();
  const asked = async (threatTypes: readonly string[]) =>
    typesOf((await server.v4(['http://both.example/', 'http://why.example/'], { threatTypes })).json.matches);
  const unspecified = 'http://why.example/ THREAT_TYPE_UNSPECIFIED';
  assert.equal(await asked(['MALWARE']), ['http://both.example/ MALWARE', unspecified]);
  assert.equal(await asked(['UNWANTED_SOFTWARE', 'THREAT_TYPE_UNSPECIFIED']), [unspecified]);
});

tests('v4: the platform is ANY_PLATFORM if that was asked for, else the first', async () => {
  const server = await started();
  for (const [platformTypes, expected] of [
    [['WINDOWS', 'ANY_PLATFORM'], 'ANY_PLATFORM'],
    [['LINUX', 'WINDOWS'], 'LINUX'],
  ] as const) {
    const { json } = await server.v4(['http://evil.example/'], { platformTypes });
    assert.is(json.matches[0].platformType, expected);
  }
});

tests('v4: a type that no list here tells of is refused, and threatLists says which are', async () => {
  const server = await started({ types: ['MALWARE'] });
  const { status, json } = await server.v4(['http://evil.example/']);
  assert.equal([status, json.error.status], [400, 'INVALID_ARGUMENT']);
  assert.is(json.error.details[0].fieldViolations[0].field, 'threatInfo.threatTypes[1]');
  assert.equal((await server.send('/v4/threatLists')).json, {
    threatLists: [{ threatType: 'MALWARE', platformType: 'ANY_PLATFORM', threatEntryType: 'URL' }],
  });
});

tests('v4: the cache duration is what is left of the answer that lists the URL, in whole seconds', async () => {
  const server = await started();
  const left = async () => (await server.v4(['http://evil.example/'])).json.matches[0].cacheDuration;
  assert.is(await left(), '300s');
  server.service.time += 1;
  assert.is(await left(), '299s');
  server.service.time += 299_998;
  assert.is(await left(), '0s', 'a second that is not whole does not count');
  server.service.cacheDuration = duration(0);
  server.service.time += 2;
  assert.is(await left(), '0s');
});

tests('v4: an unsure URL is 503 for the whole request under block, and left out and counted under allow', async () => {
  for (const whenUnsure of ['block', 'allow'] as const) {
    const server = await started({ whenUnsure });
    server.service.answers.push(refusal);
    const { status, json } = await server.v4(['http://good.example/', 'http://evil.example/']);
    if (whenUnsure === 'block') {
      assert.equal([status, json.error.code, json.error.status], [503, 503, 'UNAVAILABLE']);
      assert.match(json.error.message, /^threatInfo\.threatEntries\[1\]\.url: nothing can say whether the URL is safe/);
      const [{ reason, metadata }] = json.error.details;
      assert.equal([reason, metadata.field], ['STATUS', 'threatInfo.threatEntries[1].url']);
    } else assert.equal([status, json], [200, {}]);
    const { unsureAllowed } = (await server.send('/status')).json;
    assert.is(unsureAllowed, whenUnsure === 'allow' ? 1 : 0);
  }
});

tests('v4: what is not such a request is 400 that names the field', async () => {
  const server = await started();
  const field = async (more: object) => {
    const { status, json } = await server.v4(['http://evil.example/'], more);
    assert.equal([status, json.error.code, json.error.status], [400, 400, 'INVALID_ARGUMENT']);
    return json.error.details[0].fieldViolations[0].field;
  };
  const entry = (value: unknown) => field({ threatEntries: [{ url: 'http://evil.example/' }, value] });
  assert.is(await entry({ hash: 'AAAA' }), 'threatInfo.threatEntries[1]');
  assert.is(await entry({ digest: 'AAAA', url: 'http://evil.example/' }), 'threatInfo.threatEntries[1]');
  assert.is(await entry({}), 'threatInfo.threatEntries[1].url');
  assert.is(await entry({ url: 7 }), 'threatInfo.threatEntries[1].url');
  assert.is(await entry({ uri: 'x' }), 'threatInfo.threatEntries[1]');
  assert.is(await entry(null), 'threatInfo.threatEntries[1]');
  assert.is(await field({ threatTypes: [] }), 'threatInfo.threatTypes');
  assert.is(await field({ threatTypes: undefined }), 'threatInfo.threatTypes');
  assert.is(await field({ threatTypes: ['THREAT_TYPE_UNSPECIFIED'] }), 'threatInfo.threatTypes');
  assert.is(await field({ threatTypes: ['malware'] }), 'threatInfo.threatTypes[0]');
  assert.is(await field({ platformTypes: [] }), 'threatInfo.platformTypes');
  assert.is(await field({ platformTypes: ['BEOS'] }), 'threatInfo.platformTypes[0]');
  assert.is(await field({ threatEntryTypes: ['EXECUTABLE'] }), 'threatInfo.threatEntryTypes');
  assert.is(await field({ threatEntries: [] }), 'threatInfo.threatEntries');
  assert.is(await field({ threatEntries: Array(501).fill({ url: 'http://x.example/' }) }), 'threatInfo.threatEntries');
  assert.is(await field({ threatentries: [] }), 'threatInfo');
  assert.is((await server.v4(Array(500).fill('http://good.example/'))).status, 200);
});

tests('v4: fields may be spelled as in the .proto', async () => {
  const server = await started();
  const info = { threat_types: ['MALWARE'], platform_types: ['LINUX'], threat_entry_types: ['URL'] };
  const ask = (more: object) =>
    server.post(
      JSON.stringify({ threat_info: { ...info, threat_entries: [{ url: 'http://evil.example/' }], ...more } }),
    );
  assert.is((await ask({})).json.matches.length, 1);
  assert.is((await ask({ threatTypes: ['MALWARE'] })).status, 400, 'twice');
});

tests.run();
