import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { urlsum } from '../command.ts';

const tests = suite('urlsum canon');

tests('canon: the canonical form, one line out per line in', () => {
  const { status, stdout, stderr } = urlsum(
    ['canon'],
    'https://example.com/\nHTTP://Example.com:80\nno url\nhttps://bücher.example/\tx\n\n',
  );
  assert.is(stdout.toString(), 'https://example.com/\nhttp://example.com/\n\nhttps://xn--bcher-kva.example/x\n\n');
  assert.is(status, 1);
  assert.match(stderr, /-:3: /);
  assert.is(urlsum(['canon', '--profile', 'url', '--on-error', 'keep'], 'x\n').stdout.toString(), 'x\n');
  assert.is(urlsum(['canon', '--on-error', 'skip'], 'x\n').stdout.toString(), '');
  assert.is(urlsum(['canon', '--on-error', 'fail'], 'x\nhttp://a/\n').stdout.toString(), '');
});

tests('canon --profile web-risk and safe-browsing', () => {
  const line = Buffer.from('http://[::FFFF:1.2.3.4]/%2541\n', 'latin1');
  assert.is(urlsum(['canon', '--profile', 'web-risk'], line).stdout.toString(), 'http://[::ffff:1.2.3.4]/A\n');
  assert.is(urlsum(['canon', '--profile', 'safe-browsing'], line).stdout.toString(), 'http://1.2.3.4/A\n');
  assert.is(
    urlsum(['canon', '--profile', 'web-risk'], Buffer.from('http://\x01\x80.com', 'latin1')).stdout.toString(),
    'http://%01%80.com/\n',
  );
  assert.is(
    urlsum(
      ['canon', '--profile', 'safe-browsing', '--mode', 'browser'],
      'http://evil.com\\@good.com/',
    ).stdout.toString(),
    'http://evil.com/@good.com/\n',
  );
  assert.is(
    urlsum(['canon', '--profile', 'safe-browsing'], 'http://a.com\nmailto:x\n').stdout.toString(),
    'http://a.com/\n\n',
  );
  assert.is(urlsum(['canon', '--mode', 'browser'], '').status, 2);
  assert.is(
    urlsum(['canon', '--profile', 'v5'], line).stdout.toString(),
    'http://1.2.3.4/A\n',
    'as the library calls it',
  );
  assert.is(urlsum(['canon', '--profile', 'v4'], '').status, 2);
});

tests.run();
