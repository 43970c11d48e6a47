import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Writer } from 'n3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { artifactCode, make, NANOPUB, parseRdf, type Quad, type RdfFormat } from '../../../src/entries/hash-uri/rdf.ts';
import { randomDocument } from '../../rdf/document.ts';
import { folderWith } from '../../support/scratch.ts';
import { random } from '../../support/seed.ts';
import { mustGive, spawned, textOf } from '../command.ts';

const test = suite('urlsum hash-uri on RDF');
const DOCUMENT = `@prefix : <http://example.org/r1#> . @prefix ex: <http://example.org/v/> .
<http://example.org/r1> ex:p _:b . :G { :s ex:label "b", "a"@EN, "a" ; ex:next [ ex:n 1 ] . }`;
const CODE = 'RAC8TA3xOsn2GdnD4HMVZHzBcyLrGT1y7lykLiNdg31pU';
const EMPTY = '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';

test('make prints the hash-URI, and writes the quads with it', () => {
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

test('make takes the characters of nanopublications, others, and a graph of another name', () => {
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

test('packed files stay packed, and --format takes the place of an extension', () => {
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

test('what make writes is verified, whatever the document', () => {
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

test('check: each verdict, and RDF that cannot be hashed', () => {
  const line = '<http://e/s> <http://e/p> "a" .\n';
  const code = artifactCode(parseRdf(line, { format: 'ntriples' }), { module: 'RA' });
  const folder = folderWith({
    [`a.${code}.nt`]: line,
    [`b.${code}.nt`]: line.replace('a', 'b'),
    [`c.${code}.rdf`]: '<rdf/>',
    'd.ttl': line,
    [`e.${code}.nt`]: '<http://e/s> <http://e/p> _:b .\n',
    [`f.${code}.nt`]: `${line}<http://e/s`,
    [`g.RB${EMPTY}.nq`]: '',
    [`h.FA${EMPTY}.nq`]: '',
  });
  const rows: readonly (readonly [name: string, verdict: string, stderr?: RegExp])[] = [
    [`a.${code}.nt`, 'OK'],
    [`b.${code}.nt`, 'FAILED'],
    [`c.${code}.rdf`, 'UNSUPPORTED'],
    ['d.ttl', 'NO HASH-URI'],
    [`e.${code}.nt`, 'FAILED', /: a blank node has no name to hash; make gives it one \(blank-node\)\n$/],
    [`f.${code}.nt`, 'FAILED', /: line 2, column 1: "<http:\/\/e\/s": an IRI .* \(syntax\)\n$/],
    [`g.RB${EMPTY}.nq`, 'FAILED', /: module RB needs at least one quad in its graph \(graph-empty\)\n$/],
    [`h.FA${EMPTY}.nq`, 'OK'],
  ];
  for (const [name, verdict, message = /^$/] of rows) {
    const { stdout, stderr, status } = textOf(['hash-uri', 'check', `${folder}/${name}`]);
    assert.equal([stdout, status], [`${folder}/${name}: ${verdict}\n`, verdict === 'OK' ? 0 : 1]);
    assert.match(stderr, message);
  }
});

test('check tells a code that only the order of UTF-16 units gives', () => {
  const lines = ['"\u{1f600}"', '"\uff5e"'].map((label) => `<http://e/s> <http://e/p> ${label} .\n`);
  const hashed = ['\u{1f600}', '\uff5e'].map(
    (label) => `\nhttp://e/s\nhttp://e/p\n^http://www.w3.org/2001/XMLSchema#string ${label}\n`,
  );
  const java = `RA${createHash('sha256').update(hashed.join('')).digest('base64url')}`;
  const path = `${folderWith({ [`x.${java}.nt`]: lines.join('') })}/x.${java}.nt`;
  assert.equal(textOf(['hash-uri', 'check', path]), {
    stdout: `${path}: OK (sorted by UTF-16 units)\n`,
    stderr: '',
    status: 0,
  });
});

test('check takes nanopublications by their own codes, one or several in a file', () => {
  const nanopublication = (name: string) => {
    const np = `http://e/${name}`;
    const text = `@prefix np: <http://www.nanopub.org/nschema#> .
      <${np}#h> { <${np}> a np:Nanopublication ; np:hasAssertion <${np}#a> ; np:hasProvenance <${np}#p> ;
        np:hasPublicationInfo <${np}#i> . }
      <${np}#a> { <${np}> <http://e/says> "${name}" . } <${np}#p> { <${np}#a> <http://e/by> "me" . }
      <${np}#i> { <${np}> <http://e/by> "me" . }`;
    const { uri, quads } = make(np, parseRdf(text, { format: 'trig' }), { module: 'RA', settings: NANOPUB });
    const lines = quads.map(
      ({ subject, predicate, object, graph }) =>
        `<${subject.value}> <${predicate.value}> ${object.termType === 'Literal' ? `"${object.value}"` : `<${object.value}>`} <${graph.value}> .\n`,
    );
    return { uri, text: lines.join('') };
  };
  const [one, two] = [nanopublication('one'), nanopublication('two')];
  const folder = folderWith({
    'one.nq': one.text,
    'both.nq': one.text + two.text,
    'spoiled.nq': one.text + two.text.replace('"two"', '"three"'),
  });
  assert.is(textOf(['hash-uri', 'check', `${folder}/one.nq`]).stdout, `${folder}/one.nq: OK\n`);
  assert.equal(textOf(['hash-uri', 'check', `${folder}/both.nq`]), {
    stdout: `${folder}/both.nq ${one.uri}: OK\n${folder}/both.nq ${two.uri}: OK\n`,
    stderr: '',
    status: 0,
  });
  const { stdout, status } = textOf(['hash-uri', 'check', `${folder}/spoiled.nq`]);
  assert.is(stdout, `${folder}/spoiled.nq ${one.uri}: OK\n${folder}/spoiled.nq ${two.uri}: FAILED\n`);
  assert.is(status, 1);
});

/** Preloaded: how often files of RDF were opened is told at the end. */
const COUNTED_OPENS = `
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
let count = 0;
for (const [module, name] of [[fs, 'open'], [fs, 'openSync'], [promises, 'open']]) {
  const open = module[name];
  module[name] = (path, ...rest) => {
    count += Number(String(path).endsWith('many.nq'));
    return open(path, ...rest);
  };
}
syncBuiltinESMExports();
process.on('exit', () => fs.writeSync(2, String(count)));
`;

test('check reads a file of 300 nanopublications a few times, not once for each', () => {
  const uris: string[] = [];
  const documents = Array.from({ length: 300 }, (_, index) => {
    const np = `http://e/np${index}`;
    const text = `@prefix np: <http://www.nanopub.org/nschema#> .
      <${np}#h> { <${np}> a np:Nanopublication ; np:hasAssertion <${np}#a> . } <${np}#a> { <${np}> np:p ${index} . }`;
    const { uri, quads } = make(np, parseRdf(text, { format: 'trig' }), { module: 'RA', settings: NANOPUB });
    uris.push(uri);
    const [pieces, writer] = [[] as string[], { write: (piece: string) => pieces.push(piece), end: () => undefined }];
    const lines = new Writer<Quad>(writer, { format: 'nquads', prefixes: {} });
    for (const quad of quads) lines.addQuad(quad);
    lines.end();
    return pieces.join('');
  });
  const folder = folderWith({ 'opens.mjs': COUNTED_OPENS, 'many.nq': documents.join('').replace('"177"', '"178"') });
  const path = `${folder}/many.nq`;
  const { stdout, stderr, status } = spawned(['hash-uri', 'check', path], '', {
    NODE_OPTIONS: `--import=${folder}/opens.mjs`,
  });
  assert.is(
    stdout.toString(),
    uris.map((uri, index) => `${path} ${uri}: ${index === 177 ? 'FAILED' : 'OK'}\n`).join(''),
  );
  assert.is(status, 1);
  assert.ok(Number(stderr) > 0 && Number(stderr) < 10, `it was opened ${stderr} times`);
});

test('text prints what is hashed, and --explain the first quad that differs', () => {
  const folder = folderWith({
    'a.nt': '<http://e/1> <http://e/p> "a\\n\\\\" .\n<http://e/2> <http://e/p> "b" .\n',
    'b.nt': '<http://e/2> <http://e/p> "c" .\n<http://e/1> <http://e/p> "a\\n\\\\" .\n',
    'c.nt': '<http://e/1> <http://e/p> "a\\n\\\\" .\n',
    'e.nt': '<http://e/2> <http://e/p> "b" .\n<http://e/2> <http://e/p> "c" .\n<http://e/1> <http://e/p> "a\\n\\\\" .',
    'd.trig': '<http://e/g> { <http://e/1> <http://e/p> "a" . } <http://e/1> <http://e/p> "b" .',
  });
  const string = '^http://www.w3.org/2001/XMLSchema#string';
  const first = `\nhttp://e/1\nhttp://e/p\n${string} a\\n\\\\\n`;
  assert.equal(textOf(['hash-uri', 'text', `${folder}/a.nt`]), {
    stdout: `${first}\nhttp://e/2\nhttp://e/p\n${string} b\n`,
    stderr: '',
    status: 0,
  });
  const explain = (left: string, right: string) =>
    textOf(['hash-uri', 'text', '--explain', `${folder}/${left}`, `${folder}/${right}`]);
  assert.equal(explain('a.nt', 'a.nt'), { stdout: '', stderr: '', status: 0 });
  const quad = (mark: string, label: string) =>
    `${mark}\n${mark}http://e/2\n${mark}http://e/p\n${mark}${string} ${label}\n`;
  assert.equal(explain('a.nt', 'b.nt'), {
    stdout: `--- ${folder}/a.nt\n+++ ${folder}/b.nt\n@@ -2 +2 @@\n${quad('-', 'b')}${quad('+', 'c')}`,
    stderr: '',
    status: 1,
  });
  assert.is(explain('c.nt', 'b.nt').stdout, `--- ${folder}/c.nt\n+++ ${folder}/b.nt\n@@ +2 @@\n${quad('+', 'c')}`);
  assert.is(explain('b.nt', 'c.nt').stdout, `--- ${folder}/b.nt\n+++ ${folder}/c.nt\n@@ -2 @@\n${quad('-', 'c')}`);
  assert.is(explain('e.nt', 'b.nt').stdout, `--- ${folder}/e.nt\n+++ ${folder}/b.nt\n@@ -2 @@\n${quad('-', 'b')}`);
  const graph = textOf(['hash-uri', 'text', '--graph', 'http://e/g', `${folder}/d.trig`]).stdout;
  assert.is(graph, `http://e/g\nhttp://e/1\nhttp://e/p\n${string} a\n`);
});

test('make keeps the labels of blank nodes, not the text around them: 80 MB in a heap of 40', () => {
  const comment = `# ${'x'.repeat(1 << 18)}`;
  const lines = Array.from({ length: 300 }, (_, row) => `<http://e/s> <http://e/p> _:a-label-of-its-own-${row} .\n`);
  const folder = folderWith({ 'x.nt': lines.join(`${comment}\n`) });
  const args = ['hash-uri', 'make', '--module', 'RA', 'http://f/', `${folder}/x.nt`];
  const { status, stderr } = spawned(args, '', { NODE_OPTIONS: '--max-old-space-size=40' });
  assert.is(status, 0, stderr.slice(0, 1000));
});

test('wrong usage, and trouble with files', () => {
  const folder = folderWith({ 'x.nt': '', x: '' });
  const rows: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['make', '--module', 'XX', 'http://e/', `${folder}/x.nt`], /--module must be one of FA, RA, RB, not 'XX'/],
    [['make', '--module', 'RA', 'http://e/', `${folder}/x`], /does not tell its RDF format: pass --format/],
    [['make', '--nanopub', 'http://e/', `${folder}/x.nt`], /--nanopub needs --module RA or RB/],
    [['make', '--out', folder, 'http://e/', `${folder}/x.nt`], /--out needs --module RA or RB/],
    [['make', '--module', 'RA', '--graph', 'http://e/', 'http://e/', `${folder}/x.nt`], /--graph needs --module RB/],
    [['make', '--module', 'RA', '--nanopub', '--chars', '_///', 'x', `${folder}/x.nt`], /cannot be combined/],
    [['make', '--module', 'RA', '--chars', '_a//', 'x', `${folder}/x.nt`], /--chars must be four characters/],
    [['make', '--module', 'RA', '--chars', '>.#.', 'x', `${folder}/x.nt`], /--chars must be four characters of an IRI/],
    [['make', '--module', 'RA', '--format', 'trig', '--out', folder, 'x', '-'], /--out reads FILE twice/],
    [['check', '--graph', 'http://e/', `${folder}/x`], /does not tell its RDF format/],
    [['check', '--memory', '1', `${folder}/x`], /--memory must be a size/],
    [['text'], /hash-uri text needs the name of one FILE/],
    [['text', `${folder}/x.nt`, `${folder}/x.nt`], /hash-uri text needs the name of one FILE/],
    [['text', '--explain', `${folder}/x.nt`], /hash-uri text needs FILE and OTHER/],
  ];
  for (const [args, message] of rows) {
    mustGive(textOf(['hash-uri', ...args]), { status: 2, stdout: '', says: message }, args.join(' '));
  }
  assert.is(textOf(['hash-uri', 'text', `${folder}/none.nt`]).status, 2);
  const bad = folderWith({ 'x.nt': '<http://e/s' });
  const { stderr, status } = textOf(['hash-uri', 'make', '--module', 'RA', 'http://e/', `${bad}/x.nt`]);
  assert.match(stderr, /x\.nt: cannot parse RDF: line 1, column 1: /);
  assert.is(status, 2);
  mkdirSync(`${bad}/out`);
  const spoiled = folderWith({ 'x.nt': '<http://e/s> <http://e/p> _:b .\n<http://e/' });
  textOf(['hash-uri', 'make', '--module', 'RA', '--out', `${bad}/out`, 'http://e/', `${spoiled}/x.nt`]);
  assert.equal(readdirSync(`${bad}/out`), []);
});

test.run();
