import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HashIndex } from '../../../src/entries/hash-index.ts';
import {
  AFTER_NEXT,
  builtWithMadeUpVersions,
  CHANGED_AFTER_NEXT,
  NEW_IN_NEXT,
  NEWEST,
  NEXT,
} from '../../core/url/made-up-unicode.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { mustGive, urlsum } from '../command.ts';

const tests = suite('versions of Unicode in the command');

const at = (name: string) => join(FOLDER, name);

/** URLs that 18 allows and 17 does not, both allow, 17 alone allows, and neither does. */
const [NEW, BOTH, OLD, NONE] = ['http://a\u209db/', 'http://bücher/', 'http://\u05d0\u1b3a/', 'http://\u0378/'];
const ASCII = 'http://ascii/';
const LINES = `${[NEW, BOTH, OLD, NONE, ASCII].join('\n')}\n`;
const lines = file('lines.txt', LINES);

const info = (name: string) => urlsum(['index', '--info', at(name)]).stdout.toString();

tests('an index of 17 meets a run of 18: --against, --unseen, --merge and a run of 17 again', () => {
  for (const version of ['17', '18']) urlsum(['index', '--unicode', version, '--out', at(`${version}.idx`), lines]);
  assert.match(info('17.idx'), /^profile +url\/1\+unicode17$/m);
  assert.match(info('17.idx'), /^Unicode hosts +some$/m);

  const against = urlsum(['--format', 'hex', '--against', at('17.idx'), '--not', lines]);
  assert.match(
    against.stderr,
    /17\.idx: made with url\/1\+unicode17; a URL that is valid there and here has one hash\n/,
  );
  const hashes = urlsum(['--format', 'hex', file('new.txt', `${NEW}\n`)]).stdout.toString();
  assert.is(against.stdout.toString().replaceAll(/^\n/gm, ''), hashes, 'only what is new is not in it');

  assert.is(urlsum(['index', '--merge', '--out', at('both.idx'), at('17.idx'), at('18.idx')]).status, 0);
  assert.match(info('both.idx'), /^profile +url\/1\+unicode17\+unicode18$/m);

  const unseen = urlsum(['--unseen', at('17.idx'), '--on-error', 'skip', lines]);
  assert.match(unseen.stdout.toString(), /^[0-9a-f]{16,64} {2}http:\/\/a₝b\/\n$/);
  assert.match(info('17.idx'), /^profile +url\/1\+unicode17\+unicode18$/m);
  assert.is(urlsum(['index', '--merge', '--out', at('grown.idx'), at('17.idx')]).status, 0);
  assert.equal(readFileSync(at('grown.idx')), readFileSync(at('both.idx')));
  for (const version of ['17', '18']) {
    const again = urlsum(['--unseen', at('17.idx'), '--unicode', version, '--on-error', 'skip', lines]);
    assert.is(again.stdout.length, 0);
    assert.not(again.stderr.includes('made with'), 'it names the version of the run already');
  }
});

tests('an index without hosts beyond ASCII takes the version of the run', () => {
  const ascii = file('ascii.txt', `${ASCII}\nhttp://a/ü\n`);
  urlsum(['index', '--unicode', '17', '--out', at('ascii.idx'), ascii]);
  assert.match(info('ascii.idx'), /^Unicode hosts +none: right under every version$/m);
  assert.is(urlsum(['--unseen', at('ascii.idx'), ascii]).stderr, '');
  assert.match(info('ascii.idx'), /^profile +url\/1\+unicode17$/m, 'it has gained nothing');
  assert.is(urlsum(['--unseen', at('ascii.idx'), file('more.txt', `${ASCII}?more\n`)]).stderr, '');
  assert.match(info('ascii.idx'), /^profile +url\/1\+unicode18$/m);
});

tests('-c computes in the version of the tag of a file, also on threads', () => {
  const sums = ['17', '18'].map((version) => urlsum(['--tag', '--unicode', version, lines]).stdout.toString());
  assert.not.equal(sums[0], sums[1]);
  const many = sums.map((each, at) => file(`many-${at}.sums`, each.repeat(3000))); // blocks without a tag of their own
  for (const version of ['17', '18']) {
    for (const jobs of ['1', '2']) {
      mustGive(urlsum(['-c', '--quiet', '-j', jobs, '--unicode', version, ...many]), { status: 0, stdout: '' }, jobs);
    }
  }
  const all = file('all.sums', sums.join(''));
  const refused = urlsum(['-c', '--quiet', all]);
  assert.is(refused.status, 1);
  const line = sums[0]!.split('\n').length;
  assert.match(
    refused.stderr,
    `all.sums:${line}: from here on, the lines were made with the profile url/1+unicode18, but this run uses ` +
      'url/1+unicode17; check them as a file of their own (other-profile)\n',
  );
  const untagged = file('untagged.sums', sums[0]!.slice(sums[0]!.indexOf('\n') + 1));
  assert.is(urlsum(['-c', '--quiet', untagged]).stdout.toString(), `${NEW}: FAILED\n${OLD}: FAILED\n`);
  assert.is(urlsum(['-c', '--unicode', '17', untagged]).status, 0);
  assert.is(urlsum(['-c', many[0]!, untagged]).status, 1, 'the tag of one file says nothing of the next');
});

tests('canon --changed-since prints the lines whose form differs, as given', () => {
  mustGive(urlsum(['canon', '--changed-since', 'url/1+unicode17', lines]), { stdout: `${NEW}\n${OLD}\n` });
  assert.is(urlsum(['canon', '--changed-since', 'url/1+unicode18', lines]).stdout.length, 0);
  const back = urlsum(['canon', '--unicode', '17', '--changed-since', 'url/1+unicode18', '-j', '2', lines]);
  assert.is(back.stdout.toString(), `${NEW}\n${OLD}\n`);
  const json = file('lines.jsonl', [NEW, BOTH].map((url) => `${JSON.stringify({ url })}\n`).join(''));
  assert.is(
    urlsum(['canon', '--changed-since', 'url/1+unicode17', '--json', 'url', json]).stdout.toString(),
    '{"url":"http://a₝b/","urlsum_canonical":"http://awb/"}\n',
  );
  const fragment = file('fragment.txt', `${ASCII}\n${ASCII}#a\n${BOTH}#a\n`);
  assert.is(
    urlsum(['canon', '--changed-since', 'url/1+unicode17;exclude-fragment', fragment]).stdout.toString(),
    `${ASCII}#a\n${BOTH}#a\n`,
  );
  for (const [profile, reason] of [
    ['url/1+unicode99', /--changed-since: cannot compute .*other-version/],
    ['x', /not-a-profile/],
  ] as const) {
    mustGive(urlsum(['canon', '--changed-since', profile, lines]), { status: 2, says: reason });
  }
  assert.is(urlsum(['canon', '--profile', 'web-risk', '--changed-since', 'url/1+unicode17', lines]).status, 2);
});

tests('a relative line takes the host of its base in each version', () => {
  const relative = file('relative.txt', 'a\n//h/\n');
  const args = ['canon', '--base', NEW, '--changed-since', 'url/1+unicode17', relative];
  assert.is(urlsum(args).status, 2, 'the base is a URL in one version only');
  assert.is(urlsum(args.with(2, BOTH)).stdout.length, 0);
});

tests(
  'made-up versions: one that changes no form is met, one that does is refused, and what changed is found',
  async () => {
    const command = await builtWithMadeUpVersions('src/command/main.ts');
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = urlsum(args, '', command);
      return { status, stdout: stdout.toString(), stderr };
    };
    const sharp = `http://${CHANGED_AFTER_NEXT}/`;
    const input = file('made-up.txt', `${LINES}${sharp}\n`);
    const ascii = file('made-up-ascii.txt', `${ASCII}\n`);
    const MADE = [NEWEST, NEXT, AFTER_NEXT].map(String);
    const ALL = ['17', ...MADE];
    const forms = new Map(ALL.map((each) => [each, run('canon', '--unicode', each, input).stdout.split('\n')]));
    const canon = (version: string) => forms.get(version)!;
    assert.equal(
      MADE.map((version) => canon(version)[5]),
      ['http://xn--zca/', 'http://xn--zca/', 'http://ss/'],
    );
    assert.equal(
      MADE.map((version) => canon(version)[3]),
      ['', 'http://q/', 'http://q/'],
    );
    assert.is(NONE, `http://${NEW_IN_NEXT}/`);
    // the default stays, and what was made with released versions is the same
    assert.equal(canon(String(NEWEST)), run('canon', input).stdout.split('\n'));
    assert.equal(canon(String(NEWEST)).join('\n'), urlsum(['canon', input]).stdout.toString());
    assert.equal(canon('17').join('\n'), urlsum(['canon', '--unicode', '17', input]).stdout.toString());

    run('index', '--unicode', String(NEWEST), '--out', at('made-newest.idx'), input);
    run('index', '--unicode', String(NEWEST), '--out', at('made-ascii.idx'), ascii);
    const met = run('--unicode', String(NEXT), '--against', at('made-newest.idx'), '--on-error', 'skip', input);
    assert.match(met.stderr, new RegExp(`made with url/1\\+unicode${NEWEST}; a URL`));
    assert.is(met.stdout.split('\n').length - 1, 4, 'all but the line that is new');
    const refused = run('--unicode', String(AFTER_NEXT), '--against', at('made-newest.idx'), input);
    assert.is(refused.status, 2);
    assert.match(
      refused.stderr,
      new RegExp(
        `made-newest\\.idx: its profile is url/1\\+unicode${NEWEST}, but this run uses url/1\\+unicode${AFTER_NEXT}\n`,
      ),
    );
    assert.is(run('--unicode', String(AFTER_NEXT), '--unseen', at('made-newest.idx'), input).status, 2);
    run('index', '--unicode', String(AFTER_NEXT), '--out', at('made-after.idx'), input);
    mustGive(run('index', '--merge', '--out', at('no.idx'), at('made-newest.idx'), at('made-after.idx')), {
      says: new RegExp(`its profile is url/1\\+unicode${AFTER_NEXT}; another index has url/1\\+unicode${NEWEST}`),
    });
    assert.is(
      run('--unicode', String(AFTER_NEXT), '--against', at('made-ascii.idx'), '--on-error', 'skip', input).status,
      1,
    );

    assert.is(
      run('canon', '--unicode', String(AFTER_NEXT), '--changed-since', `url/1+unicode${NEXT}`, input).stdout,
      `${sharp}\n`,
    );
    assert.is(
      run('canon', '--unicode', String(AFTER_NEXT), '--changed-since', `url/1+unicode${NEWEST}`, input).stdout,
      `${NONE}\n${sharp}\n`,
    );
    assert.is(
      run('canon', '--unicode', String(NEXT), '--changed-since', `url/1+unicode${NEWEST}`, input).stdout,
      `${NONE}\n`,
    );
    // -c computes in the version of the tag, whatever it changed
    const sums = ALL.map((each) => file(`made-up-${each}.sums`, run('--tag', '--unicode', each, input).stdout));
    assert.equal(run('-c', '--quiet', ...sums), { status: 0, stdout: '', stderr: '' });

    // what the released command makes of it: a version that it does not know
    run('index', '--unicode', String(NEXT), '--out', at('made-next.idx'), input);
    assert.match(
      urlsum(['--against', at('made-next.idx'), input]).stderr,
      new RegExp(`its profile is url/1\\+unicode${NEXT}, but this run uses`),
    );
    const index = HashIndex.open(at('made-next.idx'));
    assert.equal([index.profile, index.hasUnicodeHosts], [`url/1+unicode${NEXT}`, true]);
    index.close();
  },
);

tests.run();
