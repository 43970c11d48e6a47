import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../src/url/failure.ts';
import { unicodeToAscii as hostToAscii } from '../../src/url/host-idna.ts';
import { unicodeToAscii } from '../../src/url/idna.ts';

const tests = suite('UTS #46 by the host, for urlsum/slim');

/** Old characters, on which all versions of Unicode agree. */
const DOMAINS = [
  'bücher.example',
  'Bücher.Example',
  'ουτοπία.gr',
  '日本語。jp',
  'a\u00adb.ü',
  'faß.de',
  'पुणे.भारत',
  'ＡＢＣ.com',
  'ü.xn--bcher-kva',
];
const NO_DOMAINS = ['\u00ad', 'a\u0300\u200db.c', '\u{1f4a9}\u202e.x', 'xn--a-ü.com', 'ü.xn--a'];
const ESCAPING = ['ü/../x', 'ü@x.y', 'ü:80', 'ü?x', 'ü#x', 'ü\\x', 'ü x', 'ü[', 'ü%41', 'ü\tx', 'ü\nx', '\0ü'];

tests('agrees with the tables on what is a domain and what is not', () => {
  for (const domain of DOMAINS) {
    const ascii = unicodeToAscii(domain);
    assert.type(ascii, 'string', domain);
    assert.is(hostToAscii(domain), ascii, domain);
  }
  for (const domain of NO_DOMAINS) {
    assert.instance(unicodeToAscii(domain), Failure, domain);
    assert.instance(hostToAscii(domain), Failure, domain);
  }
});

tests('no forbidden code point makes the host read less or more than the domain', () => {
  for (const domain of ESCAPING) assert.instance(hostToAscii(domain), Failure, JSON.stringify(domain));
});

tests.run();
