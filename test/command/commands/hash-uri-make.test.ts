import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { make, NANOPUB, parseRdf, type RdfFormat } from '../../../src/entries/hash-uri/rdf.ts';
import { randomDocument } from '../../rdf/document.ts';
import { folderWith } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { mustGive, spawned, textOf } from '../command.ts';

const tests = suite('urlsum hash-uri make');
const EMPTY = 'FA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';
const HELLO = 'FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk';
const DOCUMENT = `@prefix : <http://example.org/r1#> . @prefix ex: <http://example.org/v/> .
<http://example.org/r1> ex:p _:b . :G { :s ex:label "b", "a"@EN, "a" ; ex:next [ ex:n 1 ] . }`;
const CODE = 'RAC8TA3xOsn2GdnD4HMVZHzBcyLrGT1y7lykLiNdg31pU';

tests('make prints the hash-URI of a file, or of standard input', () => {
  const folder = folderWith({ hello: 'Hello World!' });
  assert.equal(textOf(['hash-uri', 'make', 'http://e/x', `${folder}/hello`]), {
    stdout: `http://e/x.${HELLO}\n`,
    stderr: '',
    status: 0,
  });
  assert.is(textOf(['hash-uri', 'make', 'http://e/', '-'], 'Hello World!').stdout, `http://e/${HELLO}\n`);
  assert.is(textOf(['hash-uri', 'make', '', '-']).stdout, `${EMPTY}\n`);
  const chunks = Buffer.alloc(3e6, 'abc'); // of which a file is read in several
  const code = `FA${createHash('sha256').update(chunks).digest('base64url')}`;
  assert.is(textOf(['hash-uri', 'make', '', `${folderWith({ large: chunks })}/large`]).stdout, `${code}\n`);
});

tests('name prints what each file would be called', () => {
  const folder = folderWith({ 'a.tar.gz': '', 'hello.txt': 'Hello World!' });
  const { stdout, status } = textOf(['hash-uri', 'name', `${folder}/a.tar.gz`, `${folder}/hello.txt`]);
  assert.is(stdout, `${folder}/a.tar.${EMPTY}.gz\n${folder}/hello.${HELLO}.txt\n`);
  assert.is(status, 0);
});

tests('make: BASE and FILE the wrong way round, or a URL as FILE, are refused', () => {
  const path = `${folderWith({ 'swapped.txt': 'x' })}/swapped.txt`;
  for (const [args, reason] of [
    [[path, 'https://example.com/r1'], "'https://example.com/r1' is a URL where FILE is expected"],
    [['https://example.com/a', 'https://example.com/b'], "'https://example.com/b' is a URL where FILE is expected"],
    [[path, path], `'${path}' is a file where BASE is expected`],
  ] as const) {
    const { status, stdout, stderr } = textOf(['hash-uri', 'make', ...args]);
    assert.equal([status, stdout], [2, '']);
    assert.ok(stderr.startsWith(`urlsum: ${reason}: BASE`), stderr);
  }
  for (const action of ['name', 'check']) {
    const url = `https://example.com/a.${HELLO}`;
    const { status, stderr } = textOf(['hash-uri', action, url]);
    assert.equal([status, stderr], [2, `urlsum: ${url}: no such file, and a URL is not fetched\n`]);
  }
});

tests('make of RDF says that module FA hashes bytes, and names RA', () => {
  const folder = folderWith({ 'a.trig': '', 'a.nq': '', 'a.ttl': '', 'a.nt': '', 'a.txt': '' });
  for (const name of ['a.trig', 'a.nq', 'a.ttl', 'a.nt']) {
    mustGive(textOf(['hash-uri', 'make', 'https://example.com/r', `${folder}/${name}`]), {
      stdout: /^https:\/\/example\.com\/r\.FA/,
      stderr: 'urlsum: module FA: the code is that of the bytes of the file; --module RA hashes the RDF in it\n',
    });
  }
  assert.is(textOf(['hash-uri', 'make', '--module', 'FA', 'https://example.com/r', `${folder}/a.nq`]).stderr, '');
  assert.is(textOf(['hash-uri', 'make', 'https://example.com/r', `${folder}/a.txt`]).stderr, '');
});

tests('make prints the hash-URI, and writes the quads with it', () => {
  const folder = folderWith({ 'r1.trig': DOCUMENT, 'g1.nq': '<http://e/g1> <http://e/p> _:b <http://e/g1> .\n' });
  assert.equal(textOf(['hash-uri', 'make', '--module', 'RA', 'http://example.org/r1', `${folder}/r1.trig`]), {
    stdout: `http://example.org/r1.${CODE}\n`,
    stderr: '',
    status: 0,
  });
  const args = ['hash-uri', 'make', '--module', 'RA', '--out', folder, 'http://example.org/r1', `${folder}/r1.trig`];
  assert.is(textOf(args).stdout, `http://example.org/r1.${CODE}\n`);
  const path = `${folder}/r1.${CODE}.trig`;
  assert.match(readFileSync(path, 'utf8'), `@prefix this: <http://example.org/r1.${CODE}>.\n`);
  assert.match(readFileSync(path, 'utf8'), '@prefix ex: <http://example.org/v/>.\n');
  assert.not.match(readFileSync(path, 'utf8'), '@prefix : ');
  assert.equal(textOf(['hash-uri', 'check', path]), { stdout: `${path}: OK\n`, stderr: '', status: 0 });
  const rb = textOf(['hash-uri', 'make', '--module', 'RB', '--out', folder, 'http://e/g1', `${folder}/g1.nq`]).stdout;
  const graph = rb.trim();
  assert.is(
    graph,
    make('http://e/g1', parseRdf(readFileSync(`${folder}/g1.nq`), { format: 'nquads' }), { module: 'RB' }).uri,
  );
  const file = `${folder}/g1.${graph.slice(-45)}.nq`;
  assert.is(textOf(['hash-uri', 'check', file]).stdout, `${file}: OK\n`);
  assert.is(textOf(['hash-uri', 'check', '--graph', graph, file]).stdout, `${file}: OK\n`);
});

tests('make takes the characters of nanopublications, others, and a graph of another name', () => {
  const folder = folderWith({ 'r1.trig': DOCUMENT, 'g.nq': '<http://e/s> <http://e/p> "x" <http://e/g> .\n' });
  const quads = parseRdf(DOCUMENT, { format: 'trig' });
  const made = (...flags: string[]) =>
    textOf([
      'hash-uri',
      'make',
      '--module',
      'RA',
      ...flags,
      'http://example.org/r1',
      `${folder}/r1.trig`,
    ]).stdout.trim();
  assert.is(made('--nanopub'), make('http://example.org/r1', quads, { module: 'RA', settings: NANOPUB }).uri);
  assert.is(made('--chars', '_///'), made('--nanopub'));
  assert.is(
    made('--chars=-.#.'),
    make('http://example.org/r1', quads, { module: 'RA', settings: { bnodeChar: '-' } }).uri,
  );
  const rb = ['hash-uri', 'make', '--module', 'RB', '--graph', 'http://e/g', 'http://f/x', `${folder}/g.nq`];
  const graph = parseRdf('<http://e/s> <http://e/p> "x" <http://e/g> .', { format: 'nquads' });
  assert.is(textOf(rb).stdout.trim(), make('http://f/x', graph, { module: 'RB', graph: 'http://e/g' }).uri);
});

tests('packed files stay packed, and --format takes the place of an extension', () => {
  const folder = folderWith({ r1: DOCUMENT });
  writeFileSync(`${folder}/r1.trig.gz`, gzipSync(DOCUMENT));
  const args = ['hash-uri', 'make', '--module', 'RA', '--out', folder, 'http://example.org/r1'];
  assert.is(textOf([...args, `${folder}/r1.trig.gz`]).stdout, `http://example.org/r1.${CODE}\n`);
  const path = `${folder}/r1.${CODE}.trig.gz`;
  assert.is(readFileSync(path)[0], 0x1f);
  assert.is(textOf(['hash-uri', 'check', path]).stdout, `${path}: OK\n`);
  assert.is(textOf([...args, '--format', 'trig', `${folder}/r1`]).stdout, `http://example.org/r1.${CODE}\n`);
  mustGive(textOf(['hash-uri', 'make', '--module', 'RA', '--format', 'trig', 'http://example.org/r1', '-'], DOCUMENT), {
    stdout: `http://example.org/r1.${CODE}\n`,
  });
});

tests('what make writes is verified, whatever the document', () => {
  const next = random();
  const extensions: Readonly<Record<RdfFormat, string>> = { nquads: 'nq', ntriples: 'nt', trig: 'trig', turtle: 'ttl' };
  for (const [format, extension] of Object.entries(extensions)) {
    for (let index = 0; index < 4; index++) {
      const folder = folderWith({ [`x.${extension}`]: randomDocument(next, format as RdfFormat).text });
      const input = `${folder}/x.${extension}`;
      const { stdout } = textOf([
        'hash-uri',
        'make',
        '--module',
        'RA',
        '--out',
        folder,
        'http://example.org/r1',
        input,
      ]);
      const path = `${folder}/r1.${stdout.trim().slice(-45)}.${extension}`;
      assert.equal(textOf(['hash-uri', 'check', path]), { stdout: `${path}: OK\n`, stderr: '', status: 0 });
    }
  }
});

tests('make keeps the labels of blank nodes, not the text around them: 80 MB in a heap of 40', () => {
  const comment = `# ${'x'.repeat(1 << 18)}`;
  const lines = Array.from({ length: 300 }, (_, row) => `<http://e/s> <http://e/p> _:a-label-of-its-own-${row} .\n`);
  const folder = folderWith({ 'x.nt': lines.join(`${comment}\n`) });
  const args = ['hash-uri', 'make', '--module', 'RA', 'http://f/', `${folder}/x.nt`];
  const { status, stderr } = spawned(args, '', { NODE_OPTIONS: '--max-old-space-size=40' });
  assert.is(status, 0, stderr.slice(0, 1000));
});

tests('make: wrong usage, and trouble with files', () => {
  const folder = folderWith({
    'x.nt': '',
    x: '',
    'bad.nt': '<http://e/s',
    'late.nt': '<http://e/s> <http://e/p> _:b .\n<http://e/',
  });
  for (const [args, message] of [
    [[], /hash-uri make needs BASE and FILE/],
    [['x'], /hash-uri make needs BASE and FILE/],
    [['x', 'y', 'z'], /hash-uri make needs BASE and FILE/],
    [['x', folder], /it is a folder/],
    [['--module', 'XX', 'http://e/', `${folder}/x.nt`], /--module must be one of FA, RA, RB, not 'XX'/],
    [['--module', 'RA', 'http://e/', `${folder}/x`], /does not tell its RDF format: pass --format/],
    [['--nanopub', 'http://e/', `${folder}/x.nt`], /--nanopub needs --module RA or RB/],
    [['--out', folder, 'http://e/', `${folder}/x.nt`], /--out needs --module RA or RB/],
    [['--module', 'RA', '--graph', 'http://e/', 'http://e/', `${folder}/x.nt`], /--graph needs --module RB/],
    [['--module', 'RA', '--nanopub', '--chars', '_///', 'x', `${folder}/x.nt`], /cannot be combined/],
    [['--module', 'RA', '--chars', '_a//', 'x', `${folder}/x.nt`], /--chars must be four characters/],
    [['--module', 'RA', '--chars', '>.#.', 'x', `${folder}/x.nt`], /--chars must be four characters of an IRI/],
    [['--module', 'RA', '--format', 'trig', '--out', folder, 'x', '-'], /--out reads FILE twice/],
    [['--module', 'RA', 'http://e/', `${folder}/bad.nt`], /bad\.nt: cannot parse RDF: line 1, column 1: /],
    [
      ['--module', 'RA', '--out', `${folder}/out`, 'http://e/', `${folder}/late.nt`],
      /late\.nt: cannot parse RDF: line 2/,
    ],
  ] as const) {
    mkdirSync(`${folder}/out`, { recursive: true });
    mustGive(textOf(['hash-uri', 'make', ...args]), { status: 2, stdout: '', says: message }, args.join(' '));
    assert.equal(readdirSync(`${folder}/out`), []);
  }
  for (const args of [[], ['-']])
    mustGive(textOf(['hash-uri', 'name', ...args]), { status: 2, says: /name needs the names of files/ });
});

tests.run();
