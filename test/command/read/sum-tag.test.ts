import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Checked, openAnswerFormat, SumStage } from '../../../src/command/commands/sum-lines.ts';
import { linesEndingIn } from '../../../src/command/read/lines.ts';
import { profileProblem, taggedLines, tagLine, tagOf } from '../../../src/command/read/sum-tag.ts';
import { LINE_FEED } from '../../../src/core/bytes/code-points.ts';
import { openKernel } from '../../../src/core/kernel/open.ts';
import { FULL_FORM } from '../../../src/core/url/options.ts';
import { PROFILE, profileOf, UrlHasher } from '../../../src/index.ts';
import { file } from '../../support/scratch.ts';
import { textOf } from '../command.ts';
import { written } from '../rows.ts';

const tests = suite('urlsum --tag');

const WITHOUT_FRAGMENT = profileOf({ excludeFragment: true });
const URL_TEXT = 'https://example.com/#a';
const hexOf = (url: string, excludeFragment: boolean) => new UrlHasher({ excludeFragment }).hashMany([url]).hex(0);
const sumOf = (url: string, excludeFragment = false) => `${hexOf(url, excludeFragment)}  ${url}\n`;

function checked(text: string) {
  const kernel = openKernel();
  const stage = new SumStage({ kernel, width: 32, form: FULL_FORM, base: undefined }).run;
  const framing = linesEndingIn({ lineEnd: LINE_FEED, skipsBlank: false, kernel });
  let results: Checked | undefined;
  const keeping: typeof stage = (rows, rowsBefore) => (results = stage(rows, rowsBefore));
  const format = openAnswerFormat({ kernel, lineEnd: LINE_FEED }, 'all');
  const answers = written({ framing, stage: keeping, format }, [Buffer.from(text)]).toString();
  return { ...results!, text: answers };
}

tests('a tag is read back, and nothing else is one', () => {
  const tag = { profile: WITHOUT_FRAGMENT, width: 8 };
  const line = Buffer.from(tagLine(tag, LINE_FEED)).toString();
  assert.is(line, `# urlsum profile=${WITHOUT_FRAGMENT} width=8\n`);
  assert.equal(tagOf(Buffer.from(line.trimEnd())), tag);
  assert.equal(tagOf(Buffer.from(`${line.trimEnd()}\r`)), tag);
  for (const other of ['', '#', '# urlsum', '# a comment', sumOf(URL_TEXT), `${line.trimEnd()} x`])
    assert.is(tagOf(Buffer.from(other)), undefined, other);
});

tests('tags of one profile may stand anywhere, as joined outputs have them', () => {
  const tag = Buffer.from(tagLine({ profile: PROFILE, width: 32 }, LINE_FEED)).toString();
  const sums = sumOf(URL_TEXT) + sumOf('https://example.org/');
  const plain = checked(sums);
  for (const text of [tag + sums, sums + tag, tag + sumOf(URL_TEXT) + tag + sumOf('https://example.org/')]) {
    const results = checked(text);
    assert.is(results.text, plain.text);
    assert.equal([results.counts, results.problems.length], [{ checked: 2, mismatched: 0, malformed: 0 }, 0]);
  }
  assert.is(checked('# a comment\n').counts!['malformed'], 1);
});

const OTHER = profileProblem(WITHOUT_FRAGMENT, PROFILE);

tests('the tag has the default scheme, by which a text has another hash, and a run with another is refused', () => {
  const line = Buffer.from(tagLine({ profile: PROFILE, width: 32, defaultScheme: 'https' }, LINE_FEED)).toString();
  assert.is(line, `# urlsum profile=${PROFILE} width=32 default-scheme=https\n`);
  assert.equal(tagOf(Buffer.from(line.trimEnd())), { profile: PROFILE, width: 32, defaultScheme: 'https' });
  const made = textOf(['--tag', '--default-scheme', 'https'], 'h.example/x\n').stdout;
  assert.is(made, `${line}${new UrlHasher().hash('https://h.example/x').hex}  h.example/x\n`);
  const check = (text: string, ...flags: string[]) => textOf(['--check', ...flags], text);
  assert.equal(
    [check(made, '--default-scheme=https').stdout, check(made, '--default-scheme=https').status],
    ['h.example/x: OK\n', 0],
  );
  const [without, other] = [check(made), check(made, '--default-scheme=http')];
  assert.equal([without.stdout, without.status, other.stdout, other.status], ['', 2, '', 2]);
  assert.match(without.stderr, 'made with --default-scheme https, but this run is without --default-scheme');
  assert.match(other.stderr, 'made with --default-scheme https, but this run is with --default-scheme http');
  const joined = check(`${sumOf(URL_TEXT)}${made}`);
  assert.match(joined.stderr, 'from here on, the lines were made with --default-scheme https');
  assert.is(joined.status, 1);
  const plain = textOf(['--tag'], 'http://h/\n').stdout;
  assert.match(check(plain, '--default-scheme=http').stderr, 'made without --default-scheme, but this run is with');
});

tests('a profile of a former spelling is refused with the spelling of this build', () => {
  const [made, spelling] = ['params,except(id)', 'except(id)'].map((value) => `${PROFILE};no-vary-search=${value}`);
  const problem = `made with the profile ${made} (now ${spelling}), but this run uses ${PROFILE}`;
  assert.is(profileProblem(made!, PROFILE), problem);
  assert.is(profileProblem(spelling!, PROFILE), problem.replace(` ${made} (now ${spelling})`, ` ${spelling}`));
});

tests('a tag of another profile: refused at the start, a problem within', () => {
  const tag = Buffer.from(tagLine({ profile: WITHOUT_FRAGMENT, width: 32 }, LINE_FEED));
  const framing = taggedLines(
    linesEndingIn({ lineEnd: LINE_FEED, skipsBlank: false, kernel: openKernel() }),
    LINE_FEED,
    { profile: PROFILE, base: undefined },
  );
  assert.throws(() => framing.cutter()(tag, 0), OTHER);
  for (let length = 0; length < tag.length; length++) assert.is(framing.cutter()(tag.subarray(0, length), 0), 0);
  const { problems, counts } = checked(sumOf(URL_TEXT) + tag.toString() + sumOf(URL_TEXT, true));
  assert.equal(counts, { checked: 2, mismatched: 1, malformed: 0 });
  assert.match(problems[0]!.message, `from here on, the lines were ${OTHER}`);
});

tests('urlsum --tag --exclude-fragment, then -c with and without the option, on one thread and on two', () => {
  const { stdout } = textOf(['--tag', '--exclude-fragment'], `${URL_TEXT}\n`.repeat(3));
  assert.is(stdout, `# urlsum profile=${WITHOUT_FRAGMENT} width=32\n${sumOf(URL_TEXT, true).repeat(3)}`);
  const path = file('tagged.sums', stdout);
  for (const threads of ['1', '2']) {
    const good = textOf(['-c', '--exclude-fragment', '-j', threads, path]);
    assert.equal(good, { stdout: `${URL_TEXT}: OK\n`.repeat(3), stderr: '', status: 0 });
    const other = textOf(['-c', '-j', threads, path]);
    assert.equal([other.stdout, other.status], ['', 2]);
    assert.ok(other.stderr.startsWith(`urlsum: ${path}: ${OTHER}\n`));
  }
  const { status, stderr } = textOf(['--tag', '--format', 'hex'], '');
  assert.equal([status, stderr.split('\n')[0]], [2, 'urlsum: --tag needs --format text and plain lines']);
});

tests('-c on a list of another tool says so', () => {
  for (const tool of ['sha256sum', 'md5sum', 'sha1sum', 'sha512sum']) {
    const { error, stdout } = spawnSync(tool, [file('x', 'x')], { encoding: 'utf8' });
    if (error !== undefined) continue;
    const { status, stderr } = textOf(['-c', '--quiet'], stdout);
    assert.is(status, 1);
    assert.match(stderr, /a list of another tool, as of sha256sum, is checked by that tool\n$/, tool);
  }
  const mixed = textOf(['-c'], `${sumOf(URL_TEXT)}${'0'.repeat(64)}  x\n`);
  assert.not.match(mixed.stderr, /another tool/);
});

tests.run();
