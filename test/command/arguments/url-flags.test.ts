import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SiteRules } from '../../../src/entries/site.ts';
import { type FormOptions, profileOf, tryCanonicalize, UrlHash } from '../../../src/index.ts';
import { FOLDER, file } from '../../support/scratch.ts';
import { SCALE } from '../../support/seed.ts';
import { mustGive, textOf, urlsum } from '../command.ts';

const tests = suite('flags that choose the canonical form');
const BASE = 'https://base.example/folder/page?utm_id=1&q=2';

const LINES = [
  'https://a.example/?utm_source=x&id=1',
  'https://a.example/?id=1',
  'HTTPS://A.example:443?b=2&UTM_id=1&gclid=3#f?sid=1',
  'https://a.example/?%73id=1&s%69d=2&a+b=3&%C3%A4=4&%E4=5&',
  'https://a.example/?sid&&ä=1&=sid',
  'https://a.example/?',
  'https://a.example/#?sid=1',
  'mailto:x@a.example?sid=1&b=2',
  'web+app:/p?z&sid=1&a',
  ...['page?sid=1', '../up#f', '?q', '#only', '//host/path#x', 'https:relative', 'http:absolute', 'ü#ü'],
  '',
  'http://[',
  'https://a.example/?"quoted"&sid=\\',
  `https://a.example/?${'b=1&utm_id=2&'.repeat(11_000)}a`,
  ...readFileSync('bench/sample/urls.txt', 'utf8').split('\n').slice(0, 120),
];
/** Without its `?`; undefined where there is none. An opaque path has none, and no parameters. */
const queryOf = (form: string) => /^[^:]*:\/[^?#]*\?([^#]*)/.exec(form)?.[1];
const joined = (lines: readonly string[], end = '\n') => lines.map((line) => `${line}${end}`).join('');
const TEXT = joined(LINES);

const RULES = 'a.example drop sid utm_*; fold https slash\nwww.b.example/a* keep q; sort\n';

const MANY = Array.from({ length: 60 }, (_, index) => `parameter-${index}`);
const FORMS: readonly {
  readonly form: string;
  readonly flags: readonly string[];
  readonly options: FormOptions;
}[] = [
  { form: 'no fragment', flags: ['--exclude-fragment'], options: { excludeFragment: true } },
  { form: 'a list', flags: ['--drop-list', 'tracking-2026'], options: { dropList: 'tracking-2026' } },
  {
    form: 'names and no fragment',
    flags: ['--drop-param', 'sid', '--exclude-fragment', '--drop-param=utm_*', '--drop-param', 'ä'],
    options: { dropParams: ['utm_*', 'ä', 'sid'], excludeFragment: true },
  },
  {
    form: 'sorted',
    flags: ['--sort-params', '--drop-param', 'a b'],
    options: { sortParams: true, dropParams: ['a b'] },
  },
  {
    form: 'many names',
    flags: [...MANY.flatMap((name) => ['--drop-param', name]), '--drop-param', 'sid'],
    options: { dropParams: [...MANY, 'sid'] }, // a profile longer than the template of a line
  },
  {
    form: 'kept parameters and folds',
    flags: ['--keep-param', 'id', '--keep-param=q*', '--fold', 'slash', '--fold', 'www'],
    options: { keepParams: ['q*', 'id'], fold: ['www', 'slash'] },
  },
  {
    form: 'rules of sites',
    flags: ['--site-rules', file('rules.txt', RULES), '--fold', 'https', '--exclude-fragment'],
    options: { siteRules: SiteRules.parse(RULES), fold: ['https'], excludeFragment: true },
  },
];

for (const [number, { form: title, flags, options }] of FORMS.entries()) {
  // A form goes to each thread as its flags, whichever they are; -j 2 takes 150 ms more, of hex lines it is tried on all.
  const threadCounts = number === 0 || SCALE >= 10 ? ['1', '2'] : ['1'];
  for (const base of [undefined, BASE]) {
    const all = [...flags, ...(base === undefined ? [] : ['--base', base])];
    const name = `${title}${base === undefined ? '' : ', with a base'}`;
    const forms = LINES.map((line) => tryCanonicalize(line, { ...options, base }));
    const hashes = forms.map((form) => (form === null ? null : UrlHash.of(form)));
    const profile = profileOf(options);
    const output = (...args: string[]) => urlsum([...args, ...all], TEXT).stdout;
    const hexLines = joined(hashes.map((hash) => hash?.hex ?? ''));

    tests(`${name}: what the library gives, in every format of a line`, () => {
      assert.is(output().toString(), joined(LINES.map((line, row) => `${hashes[row]?.hex ?? ''}  ${line}`)));
      for (const more of [['-j', '1'], ...(base === undefined ? [['-j', '2']] : []), ['--kernel', 'js']])
        assert.is(output('--format', 'hex', ...more).toString(), hexLines, more.join(' '));
      assert.is(output('--format', 'u64').toString(), joined(hashes.map((hash) => hash?.toDecimal() ?? '')));
      assert.is(
        output('--format', 'bin', '--width', '8').toString('hex'),
        hashes.map((hash) => hash?.hex.slice(0, 16) ?? '0'.repeat(16)).join(''),
      );
      for (const threads of threadCounts) {
        assert.is(output('canon', '-j', threads).toString(), joined(forms.map((form) => form ?? '')));
        const records = output('--format', 'ndjson', '-j', threads).toString().trimEnd().split('\n');
        assert.equal(
          records.map((record) => {
            const { url, canonical, hash, u64, profile: named, error } = JSON.parse(record) as Record<string, unknown>;
            return [url, canonical, hash, u64, named, error === undefined];
          }),
          LINES.map((line, row) => {
            const hash = hashes[row];
            return [line, forms[row], hash?.hex ?? null, hash?.words.map(String) ?? null, profile, hash !== null];
          }),
        );
        assert.equal(
          output('--format', 'tsv', '-j', threads).toString().trimEnd().split('\n'),
          LINES.map((line, row) =>
            [escapedTsv(line), escapedTsv(forms[row] ?? ''), hashes[row]?.hex ?? '', profile].join('\t'),
          ),
        );
      }
      mustGive(urlsum(['-z', ...all], joined(LINES, '\0')), {
        stdout: joined(
          LINES.map((line, row) => `${hashes[row]?.hex ?? ''}  ${line}`),
          '\0',
        ),
      });
      assert.is(
        urlsum(['canon', '-z', ...all], joined(LINES, '\0')).stdout.toString(),
        joined(
          forms.map((form) => form ?? ''),
          '\0',
        ),
      );
    });

    if (base !== undefined) continue; // the rest is the same with one

    tests(`${name}: fields of JSON lines and of tables`, () => {
      const objects = joined(LINES.map((url) => JSON.stringify({ url })));
      const added = urlsum(['--json', 'url', '--canonical', ...all], objects)
        .stdout.toString()
        .trimEnd()
        .split('\n');
      assert.equal(
        added.map((line) => {
          const { urlsum: hash, urlsum_canonical: canonical } = JSON.parse(line) as Record<string, string>;
          return [hash ?? '', canonical ?? ''];
        }),
        LINES.map((_, row) => [hashes[row]?.hex ?? '', forms[row] ?? '']),
      );
      const words = urlsum(['--json', 'url', '--format', 'u64', ...all], objects)
        .stdout.toString()
        .trimEnd()
        .split('\n');
      assert.equal(
        words.map((line) => (JSON.parse(line) as { readonly urlsum: string | null }).urlsum),
        hashes.map((hash) => hash?.toDecimal() ?? null),
      );
      const cells = LINES.map((line) => `"${line.replaceAll('"', '""')}"`);
      for (const threads of threadCounts) {
        const { stdout } = urlsum(['--csv', '-f', 'u', '-j', threads, ...all], `u\n${joined(cells)}`);
        const written = stdout.toString().trimEnd().split('\n').slice(1);
        assert.equal(
          written.map((line) => line.slice(line.lastIndexOf(',') + 1)),
          hexLines.trimEnd().split('\n'),
        );
      }
    });

    tests(`${name}: each hash once, those of an index, and those that are new to one`, () => {
      const valid = LINES.filter((_, row) => hashes[row] !== null);
      const hexOf = (line: string) => hashes[LINES.indexOf(line)]!.hex;
      const first = valid.filter((line, row) => valid.findIndex((other) => hexOf(other) === hexOf(line)) === row);
      const linesOf = (args: readonly string[]) =>
        urlsum([...args, ...all, '--on-error', 'skip'], TEXT)
          .stdout.toString()
          .split('\n')
          .slice(0, -1)
          .map((line) => line.slice(66));
      assert.equal(linesOf(['--dedup']), first);
      const path = join(FOLDER, `${number}-${base === undefined}.idx`);
      assert.is(urlsum(['index', '--out', path, ...all], joined(valid.slice(0, 9))).status, 0);
      const known = new Set(valid.slice(0, 9).map(hexOf));
      assert.equal(
        linesOf(['--against', path]),
        valid.filter((line) => known.has(hexOf(line))),
      );
      assert.equal(
        linesOf(['--against', path, '--not', '-j', threadCounts.at(-1)!]),
        valid.filter((line) => !known.has(hexOf(line))),
      );
      assert.equal(
        linesOf(['--unseen', path]),
        first.filter((line) => !known.has(hexOf(line))),
      );
      assert.equal(linesOf(['--unseen', path]), [], 'the index has gained them all');
      assert.match(
        urlsum(['index', '--info', path]).stdout.toString(),
        new RegExp(`^profile +${escaped(profile)}$`, 'm'),
      );
      for (const other of [[], ['--sort-params', '--drop-param', 'other']]) {
        for (const args of [
          ['--against', path],
          ['--unseen', path],
          ['--against', path, '-j', threadCounts.at(-1)!],
        ]) {
          const { status, stdout, stderr } = textOf([...args, ...other], TEXT);
          assert.equal([status, stdout], [2, '']);
          assert.ok(
            stderr.includes(
              `its profile is ${profile}, but this run uses ${profileOf(other.length === 0 ? {} : { sortParams: true, dropParams: ['other'] })}`,
            ),
            stderr,
          );
        }
      }
    });

    tests(`${name}: -c of what was written with the same flags, and not with others`, () => {
      const sums = file('tagged', output('--tag'));
      assert.is(readFileSync(sums, 'latin1').split('\n')[0], `# urlsum profile=${profile} width=32`);
      for (const threads of threadCounts) {
        mustGive(textOf(['-c', '--quiet', '-j', threads, ...all, sums]), { stdout: '', stderr: '' });
        const other = textOf(['-c', '-j', threads, sums]);
        assert.equal([other.stdout, other.status], ['', 2]);
        assert.ok(other.stderr.includes(`: made with the profile ${profile}, but this run uses ${profileOf()}\n`));
      }
    });

    tests(`${name}: --stats counts the lines that lost a parameter, on one thread and two`, () => {
      const { sortParams: _, ...unsorted } = options;
      const count = LINES.filter((line) => {
        const { excludeFragment = false } = options;
        // folds leave the query as it is
        const [form, full] = [
          tryCanonicalize(line, { ...unsorted, base }),
          tryCanonicalize(line, { base, excludeFragment }),
        ];
        return form !== null && queryOf(form)?.length !== queryOf(full!)?.length;
      }).length;
      assert.is(count > 0, title !== 'no fragment');
      for (const args of [
        [],
        ['canon'],
        ['--format', 'ndjson'],
        ['--dedup'],
        ['index', '--out', join(FOLDER, 'stats.idx')],
      ]) {
        // what counts on a thread is the hashing of a line, or its canonical form
        for (const threads of SCALE >= 10 || args.length < 2 ? threadCounts : ['1']) {
          const { stderr } = textOf([...args, ...all, '--quiet', '--stats=json', '-j', threads], TEXT);
          assert.is(JSON.parse(stderr.trimEnd().split('\n').at(-1)!).stripped ?? 0, count, `${args} ${threads}`);
        }
      }
      if (count === 0) return;
      assert.match(textOf([...all, '--stats'], TEXT).stderr, new RegExp(`^with parameters dropped +${count} \\(`, 'm'));
    });
  }
}

function escapedTsv(text: string): string {
  return text.replaceAll('\\', '\\\\');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

tests('a profile that does not fit where it must be stored is refused before anything is read or written', () => {
  const long = ['--drop-param', 'x'.repeat(4000 - profileOf({ dropParams: ['x'] }).length + 1)];
  const longer = ['--drop-param', `x${long[1]}`];
  const path = join(FOLDER, 'long.idx');
  assert.is(urlsum(['index', '--out', path, ...long], 'http://a/\n').status, 0);
  assert.is(textOf(['--against', path, '--format', 'hex', ...long], 'http://a/\n').status, 0);
  const none = join(FOLDER, 'none.idx');
  const message =
    /^urlsum: the profile of these parameters has 4001 bytes, but the first page of an index has room for 4000\n/;
  for (const args of [
    ['index', '--out', none],
    ['--unseen', none],
  ]) {
    const { status, stdout, stderr } = textOf([...args, ...longer, 'no-such-file'], 'http://a/\n');
    assert.equal([status, stdout, existsSync(none)], [2, '', false]);
    assert.match(stderr, message);
  }
  const longest = ['--drop-param', 'x'.repeat(1 << 14)];
  mustGive(textOf(['--tag', ...longest, 'no-such-file']), {
    status: 2,
    stdout: '',
    says: /^urlsum: the profile of these parameters has 16412 bytes, but the comment of --tag has room /,
  });
  const ndjson = textOf(['--format', 'ndjson', ...longest], 'http://a/?b\n').stdout;
  assert.is(JSON.parse(ndjson).profile, profileOf({ dropParams: [longest[1]!] }), 'a format of lines has room');
});

tests('what cannot be a name or a list, and what belongs to another profile, is wrong usage', () => {
  for (const [args, reason] of [
    [['--drop-param', ''], /^urlsum: --drop-param must be a name, with '\*' only at its end, got ""\n/],
    [['--drop-param', 'a*b'], /^urlsum: --drop-param must be a name/],
    [['--drop-list', 'tracking-2025'], /^urlsum: --drop-list must be one of tracking-2026, got "tracking-2025"\n/],
    [['canon', '--profile', 'web-risk', '--drop-param', 'a'], /^urlsum: --drop-param belongs to the profile url\n/],
    [
      ['canon', '--profile', 'safe-browsing', '--drop-list', 'tracking-2026'],
      /--drop-list belongs to the profile url\n/,
    ],
    [['canon', '--profile', 'hashed-uri-n', '--sort-params'], /--sort-params belongs to the profile url\n/],
    [['expressions', '--drop-param', 'a'], /unknown option '--drop-param'/],
    [['hashed-uri', '--drop-list', 'tracking-2026'], /unknown option '--drop-list'/],
    [['hash-uri', 'parse', '--sort-params'], /unknown option '--sort-params'/],
    [['serve', '--output', 'expressions', '--drop-param', 'a'], /--drop-param needs --profile url/],
    [['--base', 'no'], /^urlsum: --base: the base is not a URL: "no": .*\nTry 'urlsum --help'/],
    [['canon', '--profile', 'web-risk', '--base', 'http://a/'], /--base belongs to the profiles url and hashed-uri\n/],
    [['canon', '--profile', 'hashed-uri-n', '--exclude-fragment'], /--exclude-fragment belongs to the profile url\n/],
    [['expressions', '--base', 'http://a/'], /--base needs --log, --log-format or --links\n/],
  ] as const) {
    mustGive(textOf(args, 'http://a/\n'), { status: 2, stdout: '', says: reason }, args.join(' '));
  }
});

tests('site rules: a wrong line has its number, and what only one thread could read is refused', () => {
  const wrong = file('wrong.rules', 'a.example sort\nA.example sort\n');
  const { status, stderr } = textOf(['canon', '--site-rules', wrong], TEXT);
  assert.is(status, 2);
  assert.match(stderr, `--site-rules: ${wrong}: line 2 of the site rules: HOST must be a canonical host in ASCII`);
  assert.match(textOf(['canon', '--site-rules', `${wrong}.none`], TEXT).stderr, '.none: no such file');
  const pipe = spawnSync('bash', [
    '-c',
    `echo http://a/ | ${process.execPath} dist/esm/cli.js --site-rules <(cat ${wrong})`,
  ]);
  assert.is(pipe.status, 2);
  assert.match(pipe.stderr.toString(), /--site-rules: '\/dev\/fd\/.*' is not a file/);
});

tests('rules of --fold may stand in one list; a list of names is refused, since it would be one name', () => {
  const URLS = 'http://www.a.example/index.html\n';
  assert.is(textOf(['canon', '--fold', 'https,www', '--fold', 'index'], URLS).stdout, 'https://a.example/\n');
  for (const flag of ['--drop-param', '--keep-param'])
    assert.match(
      textOf(['canon', flag, 'sid,foo'], URLS).stderr,
      `${flag} takes one name: give it once for each of 'sid,foo'`,
    );
});

tests('--skip-blank with a base, to which a blank line is a URL', () => {
  assert.is(textOf(['canon', '--base', BASE], '\n').stdout, `${BASE}\n`);
  assert.is(textOf(['canon', '--base', BASE, '--skip-blank'], '\n \nx\n').stdout, 'https://base.example/folder/x\n');
});

tests('a malformed record has no hash, even with a base', () => {
  const { stdout, status } = textOf(['--base', BASE, '--csv', '-f', 'u', '--width', '8'], 'u,v\nx,1\nx\n,2\n');
  const [, ...records] = stdout.split('\n');
  assert.is(records[1], 'x,');
  assert.match(records[2]!, /^,2,[0-9a-f]{16}$/);
  assert.is(status, 1);
});

tests('a flag that takes one value is not given two', () => {
  for (const [flag, one, other] of [
    ['--preset', 'page-2026', 'page-2027'],
    ['--site-rules', 'one.txt', 'other.txt'],
    ['--no-vary-search', 'key-order', 'except=()'],
    ['--base', 'http://a/', 'http://b/'],
    ['--format', 'hex', 'u64'],
    ['--exclude-fragment', 'all', 'but-routes'],
    ['--unicode', '17', '18'],
    ['--jobs', '1', '2'],
  ]) {
    const { stderr, status } = textOf([`${flag}=${one}`, `${flag}=${other}`], 'http://h/\n');
    assert.is(status, 2, stderr);
    assert.match(stderr, `${flag} takes one value, but is given '${one}' and '${other}'`);
  }
  const twice = textOf(['canon', '--preset', 'page-2026', '--preset=page-2026'], 'http://h/?b&a\n');
  assert.equal([twice.stdout, twice.status], ['http://h/?a&b\n', 0]);
});

tests('--exclude-fragment takes a value after =, and no other', () => {
  const given = 'http://h/#!/a\nhttp://h/#top\n';
  for (const [flag, stdout] of [
    ['--exclude-fragment', 'http://h/\nhttp://h/\n'],
    ['--exclude-fragment=all', 'http://h/\nhttp://h/\n'],
    ['--exclude-fragment=but-routes', 'http://h/#!/a\nhttp://h/\n'],
    ['--preset=page-2026', 'http://h/#!/a\nhttp://h/\n'],
  ] as const)
    assert.is(textOf(['canon', flag], given).stdout, stdout, flag);
  assert.is(textOf(['canon', '--preset=page-2026', '--exclude-fragment'], given).stdout, 'http://h/\nhttp://h/\n');
  assert.match(textOf(['--exclude-fragment=routes'], given).stderr, 'must be one of all, but-routes');
});

tests.run();
