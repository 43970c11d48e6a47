import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { openSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Writer } from 'n3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { artifactCode, make, NANOPUB, parseRdf, type Quad } from '../../../src/entries/hash-uri/rdf.ts';
import { trustyFiles } from '../../support/data.ts';
import { ENVIRONMENT } from '../../support/environment.ts';
import { folderWith } from '../../support/scratch.ts';
import { mustGive, spawned, textOf } from '../command.ts';

const tests = suite('urlsum hash-uri check');
const EMPTY = 'FA47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU';
const HELLO = 'FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk';
const RA = 'RA5AbXdpz5DcaYXCh9l3eI9ruBosiL5XDU3rxBbBaUO70';

tests('check gives a line for each file, and fails on whatever is not verified', () => {
  const good = `hello.${HELLO}.txt`;
  const folder = folderWith({ [good]: 'Hello World!', [EMPTY]: 'x', 'x.txt': '', [`${RA}.rdf`]: '' });
  const path = (name: string) => `${folder}/${name}`;
  assert.equal(textOf(['hash-uri', 'check', path(good)]), { stdout: `${path(good)}: OK\n`, stderr: '', status: 0 });
  const { stdout, status } = textOf(['hash-uri', 'check', path(EMPTY), path('x.txt'), path(`${RA}.rdf`), path(good)]);
  assert.is(
    stdout,
    `${path(EMPTY)}: FAILED\n${path('x.txt')}: NO HASH-URI\n${path(`${RA}.rdf`)}: UNSUPPORTED\n${path(good)}: OK\n`,
  );
  assert.is(status, 1);
  for (const name of [EMPTY, 'x.txt', `${RA}.rdf`])
    assert.is(textOf(['hash-uri', 'check', path(name)]).status, 1, name);
});

tests('check --uri: a download of any name, and standard input', () => {
  const folder = folderWith({ download: 'Hello World!', 'turtle.bin': '<http://a/> <http://b/> <http://c/> .' });
  const [path, turtle] = [`${folder}/download`, `${folder}/turtle.bin`];
  const uri = `http://example.org/hello.${HELLO}.txt`;
  const check = (...args: string[]) => textOf(['hash-uri', 'check', ...args], 'Hello World!');
  assert.equal(check('--uri', uri, path), { stdout: `${path}: OK\n`, stderr: '', status: 0 });
  assert.equal(check('--uri', uri, '-'), { stdout: '-: OK\n', stderr: '', status: 0 });
  assert.equal(check('--uri', `http://e/${EMPTY}`, path), { stdout: `${path}: FAILED\n`, stderr: '', status: 1 });
  for (const [args, message] of [
    [['--uri', 'http://example.org/', path], /--uri is not a hash-URI: 'http:\/\/example.org\/'/],
    [['--uri', uri], /--uri needs one file, or - for standard input, not 0/],
    [['--uri', uri, path, path], /--uri needs one file, or - for standard input, not 2/],
    [['--uri', `http://e/${RA}`, '-'], /the name of '-' does not tell its RDF format: pass --format/],
  ] as const) {
    mustGive(check(...args), { status: 2, says: message });
  }
  const made = textOf(['hash-uri', 'make', '--module', 'RA', '--format', 'turtle', 'http://e/x.', turtle]).stdout;
  assert.is(check('--uri', made.trim(), '--format', 'turtle', turtle).stdout, `${turtle}: OK\n`);
});

tests('check --uri: RDF from standard input, piped, packed or redirected, sorted in little memory', () => {
  const quads = (graph: string) =>
    Array.from({ length: 20_000 }, (_, n) => `<http://e/${n % 7}> <http://e/p> "${n}" ${graph}.\n`).join('');
  const hashOf = (module: string, text: string) => {
    const base = module === 'RB' ? ['--graph', 'http://e/g', 'http://e/g'] : ['http://e/x.'];
    return textOf(['hash-uri', 'make', '--module', module, '--format', 'nquads', ...base, '-'], text).stdout.trim();
  };
  const [uri, graph] = [hashOf('RA', quads('')), hashOf('RB', quads('<http://e/g>'))];
  const named = quads(`<${graph}>`);
  const check = (of: string) => ['hash-uri', 'check', '--uri', of, '--format', 'nquads', '--memory', '1M', '-'];
  const folder = folderWith({ quads: quads('') });
  const descriptor = openSync(`${folder}/quads`, 'r');
  const temporary = folderWith({});
  const env = { ...ENVIRONMENT, TMPDIR: temporary };
  const redirected = spawnSync(process.execPath, ['dist/esm/cli.js', ...check(uri)], { env, stdio: [descriptor] });
  assert.equal([`${redirected.stdout}`, `${redirected.stderr}`, redirected.status], ['-: OK\n', '', 0]);
  assert.equal(readdirSync(temporary), []);
  for (const [of, input, said, status] of [
    [uri, quads(''), 'OK', 0],
    [uri, gzipSync(quads('')), 'OK', 0],
    [uri, quads('').replace('"7"', '"8"'), 'FAILED', 1],
    [graph, named, 'OK', 0],
    [graph, named.replace('"7"', '"8"'), 'FAILED', 1],
  ] as const)
    assert.equal(textOf(check(of), input), { stdout: `-: ${said}\n`, stderr: '', status });
});

tests('an unreadable file has status 2, and the others are checked', () => {
  const folder = folderWith({ [EMPTY]: '' });
  const { stdout, stderr, status } = textOf(['hash-uri', 'check', `${folder}/none.${EMPTY}`, `${folder}/${EMPTY}`]);
  assert.is(stdout, `${folder}/${EMPTY}: OK\n`);
  assert.match(stderr, /^urlsum: .*none\.FA.*: no such file/);
  assert.is(status, 2);
});

tests('published files: the FA part of the trusty URI test-suite', () => {
  const [pre, verified, failed] = ['pre', 'valid', 'invalid'].map((folder) =>
    trustyFiles(`trustyuri-testsuite/FA/${folder}`),
  );
  if (pre === undefined || verified === undefined || failed === undefined) return;
  const valid = textOf(['hash-uri', 'check', ...verified]);
  assert.equal([valid.stdout.match(/: OK\n/g)?.length, valid.status], [2, 0]);
  const invalid = textOf(['hash-uri', 'check', ...failed]);
  assert.equal([invalid.stdout.match(/: FAILED\n/g)?.length, invalid.status], [2, 1]);
  const named = textOf(['hash-uri', 'name', ...pre]).stdout.replaceAll('/pre/', '/valid/');
  assert.is(named, verified.map((path) => `${path}\n`).join(''));
});

tests('check: each verdict, and RDF that cannot be hashed', () => {
  const line = '<http://e/s> <http://e/p> "a" .\n';
  const code = artifactCode(parseRdf(line, { format: 'ntriples' }), { module: 'RA' });
  const folder = folderWith({
    [`a.${code}.nt`]: line,
    [`b.${code}.nt`]: line.replace('a', 'b'),
    [`c.${code}.rdf`]: '<rdf/>',
    'd.ttl': line,
    [`e.${code}.nt`]: '<http://e/s> <http://e/p> _:b .\n',
    [`f.${code}.nt`]: `${line}<http://e/s`,
    [`g.RB${EMPTY.slice(2)}.nq`]: '',
    [`h.${EMPTY}.nq`]: '',
  });
  const rows: readonly (readonly [name: string, verdict: string, stderr?: RegExp])[] = [
    [`a.${code}.nt`, 'OK'],
    [`b.${code}.nt`, 'FAILED'],
    [`c.${code}.rdf`, 'UNSUPPORTED'],
    ['d.ttl', 'NO HASH-URI'],
    [`e.${code}.nt`, 'FAILED', /: a blank node has no name to hash; make gives it one \(blank-node\)\n$/],
    [`f.${code}.nt`, 'FAILED', /: line 2, column 1: "<http:\/\/e\/s": an IRI .* \(syntax\)\n$/],
    [`g.RB${EMPTY.slice(2)}.nq`, 'FAILED', /: module RB needs at least one quad in its graph \(graph-empty\)\n$/],
    [`h.${EMPTY}.nq`, 'OK'],
  ];
  for (const [name, verdict, message = /^$/] of rows) {
    const { stdout, stderr, status } = textOf(['hash-uri', 'check', `${folder}/${name}`]);
    assert.equal([stdout, status], [`${folder}/${name}: ${verdict}\n`, verdict === 'OK' ? 0 : 1]);
    assert.match(stderr, message);
  }
});

tests('check tells a code that only the order of UTF-16 units gives', () => {
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

tests('check takes nanopublications by their own codes, one or several in a file', () => {
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

tests('check reads a file of 300 nanopublications a few times, not once for each', () => {
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

tests('check: wrong usage', () => {
  const folder = folderWith({ x: '' });
  for (const [args, message] of [
    [[], /hash-uri check needs the names of files/],
    [['-'], /hash-uri check needs the names of files/],
    [['--graph', 'http://e/', `${folder}/x`], /does not tell its RDF format/],
    [['--memory', '1', `${folder}/x`], /--memory must be a size/],
  ] as const)
    mustGive(textOf(['hash-uri', 'check', ...args]), { status: 2, stdout: '', says: message }, args.join(' '));
});

tests.run();
