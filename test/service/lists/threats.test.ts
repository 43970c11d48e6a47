import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  GLOBAL_CACHE,
  isGlobalCache,
  THREAT_LISTS,
  threatTypeOf,
  threatTypesOf,
} from '../../../src/service/lists/threats.ts';

const test = suite('safe-browsing: lists and their threats');

// https://developers.google.com/safe-browsing/reference/Local.Database, and Chromium's real time allowlist
const LISTS = {
  'mw-4b': 'MALWARE',
  'se-4b': 'SOCIAL_ENGINEERING',
  'uws-4b': 'UNWANTED_SOFTWARE',
  'uwsa-4b': 'UNWANTED_SOFTWARE',
  'pha-4b': 'POTENTIALLY_HARMFUL_APPLICATION',
  'gc-32b': undefined,
  'gca-32b': undefined,
};

test('the lists that Google and Chromium name', () => {
  for (const [name, type] of Object.entries(LISTS)) {
    assert.is(threatTypeOf(name), type, name);
    assert.is(isGlobalCache(name), type === undefined, name);
  }
  assert.equal([...THREAT_LISTS, GLOBAL_CACHE, 'gca-32b'], Object.keys(LISTS));
});

test('a list that is not known may tell of every type, and is no cache of safe sites', () => {
  for (const name of ['ours-8b', 'constructor-4b', '']) {
    assert.is(threatTypeOf(name), undefined);
    assert.not.ok(isGlobalCache(name));
    assert.is(threatTypesOf(['mw-4b', name]).length, 4);
  }
  assert.equal(threatTypesOf(['uwsa-4b', 'mw-4b']), ['MALWARE', 'UNWANTED_SOFTWARE']);
});

test.run();
