import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashList } from '../../../src/entries/safe-browsing/lists.ts';
import { PUBLIC_SUFFIX_LIST } from '../../../src/entries/safe-browsing.ts';
import { OwnList } from '../../../src/service/http/own-list.ts';
import { SettlingClock } from '../../store/settling-clock.ts';
import { file } from '../../support/scratch.ts';
import { rejectionOf } from '../../support/thrown.ts';
import { refusal, sha256 } from '../check/scripted-server.ts';
import { watching } from './list-files.ts';
import { lookUpsOf, typesOf } from './look-ups.ts';

const tests = suite('http: lists of one’s own');
const { started } = lookUpsOf(tests);

type Match = { threatEntryMetadata: { entries: readonly { key: string; value: string }[] } };

tests('lists of one’s own are answered as their type, named in v4, and read again when they change', async () => {
  const write = (name: string, listed: readonly string[], width = 8) => {
    const prefixes = Buffer.concat(listed.map((each) => sha256(each).subarray(0, width)));
    return file(`${name}.list`, HashList.from(prefixes, width, { name, suffixList: PUBLIC_SUFFIX_LIST }).toBytes());
  };
  const clock = new SettlingClock();
  const said: string[] = [];
  const options = watching({ ...clock.options, log: (message: string) => void said.push(message) });
  const lists = [
    new OwnList(write('ours', ['own.example/', 'evil.example/']), 'MALWARE', options),
    new OwnList(write('theirs', ['own.example/a'], 32), 'UNWANTED_SOFTWARE', options),
  ];
  for (const list of lists) await list.load();
  const server = await started({ ownLists: lists });
  const { json } = await server.v4(['http://own.example/a', 'http://evil.example/', 'http://good.example/']);
  assert.equal(typesOf(json.matches), [
    'http://own.example/a MALWARE',
    'http://own.example/a UNWANTED_SOFTWARE',
    'http://evil.example/ MALWARE',
  ]);
  const text = (base64: string) => Buffer.from(base64, 'base64').toString();
  assert.equal(
    json.matches.map((match: Match) =>
      match.threatEntryMetadata.entries.map(({ key, value }) => [text(key), text(value)]),
    ),
    [[['list', 'ours']], [['list', 'theirs']], [['list', 'ours']]],
  );
  for (const { cacheDuration } of json.matches) assert.is(cacheDuration, '300s');
  const v5 = await server.v5(['http://own.example/a', 'http://good.example/']);
  assert.equal(v5.json.threats, [{ url: 'http://own.example/a', threatTypes: ['MALWARE', 'UNWANTED_SOFTWARE'] }]);
  assert.is(v5.json.cacheDuration, '300s');
  server.service.answers.push(refusal);
  assert.is((await server.v4(['http://own.example/'], { threatTypes: ['MALWARE'] })).json.matches.length, 1);

  write('ours', ['other.example/', 'more.example/', 'yet.example/']);
  await lists[0]!.look();
  assert.is((await server.v4(['http://other.example/'])).json.matches.length, 1, 'its checksum says that it is whole');
  assert.is(clock.time, 0);
  file('ours.list', 'not a list');
  await lists[0]!.look();
  assert.equal(said, []);
  const waiting = (await server.send('/status')).json.ownLists[0];
  assert.match(waiting.waitingFor, /^nothing in it says that it is whole; .* for 60 s \(--settle\)$/);
  assert.ok(Date.parse(waiting.waitingSince) <= Date.now());
  await clock.settle(() => lists[0]!.look());
  assert.is(said.length, 1, 'it is said once');
  assert.match(said[0]!, /^ours: it stays as it was: .*ours\.list:1: not listed: "not a list": /);
  assert.is((await server.v4(['http://other.example/'])).json.matches.length, 1, 'the list stays');
  const status = async () => (await server.send('/status')).json.ownLists[0];
  assert.match((await status()).trouble, /ours\.list/);
  const since = (await status()).troubleSince;
  assert.ok(Date.parse(since) <= Date.now());
  const metric = `urlsum_own_list_trouble_since_seconds{list="ours"} ${Date.parse(since) / 1000}\n`;
  assert.ok((await server.send('/metrics')).body.includes(metric));
  for (const entries of [[], ['other.example/']]) {
    write('ours', entries);
    await clock.settle(() => lists[0]!.look());
    assert.match((await status()).trouble, /in place of 3, more than 50 % at once \(--shrink\)/);
    assert.is((await status()).troubleSince, since);
    assert.is((await server.v4(['http://more.example/'])).json.matches.length, 1, 'the list stays');
  }
  write('ours', ['other.example/', 'more.example/']);
  await clock.settle(() => lists[0]!.look());
  assert.equal([(await status()).trouble, (await status()).troubleSince], ['', null]);

  file('ours.list', 'lines.example\nmore.example/x\n# END 2 entries\n');
  await lists[0]!.look();
  assert.is((await server.v4(['http://www.lines.example/'])).json.matches.length, 1, 'lines are read, too');
  assert.equal([(await status()).name, (await status()).size], ['ours.list', 2]);
});

tests('a list of one’s own that look-ups would misread is refused', async () => {
  const loading = (width: number, options: object) => {
    const prefix = sha256('own.example/').subarray(0, width);
    const path = file('refused.list', HashList.from(prefix, width, options).toBytes());
    return rejectionOf(new OwnList(path, 'MALWARE', watching()).load());
  };
  for (const [width, options, message] of [
    [4, {}, 'its prefixes have 4 bytes; a list that is served here needs 8'],
    [7, {}, 'its prefixes have 7 bytes'],
    [8, { profile: 'web-risk' }, 'its profile is web-risk, not safe-browsing'],
    [8, { suffixList: 'psl/1' }, 'it was built with the Public Suffix List psl/1'],
  ] as const)
    assert.match((await loading(width, options)).message, message);
});

tests.run();
