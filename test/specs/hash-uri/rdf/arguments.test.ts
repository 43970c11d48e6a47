import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  artifactCode,
  hashedText,
  make,
  makeFile,
  nanopublicationsOf,
  parseRdf,
  parseRdfStream,
  verdictOf,
  verdictOfStream,
  verify,
  verifyFile,
  verifyStream,
} from '../../../../src/entries/hash-uri/rdf.ts';
import { errorOf, mustRefuse } from '../../../support/thrown.ts';

const test = suite('hash-uri/rdf: arguments');
const [quad] = parseRdf('<http://e/s> <http://e/p> "o" .', { format: 'turtle' });

const CODE = `RA${'A'.repeat(43)}`;

const CALLS: Readonly<Record<string, (quads: never) => unknown>> = {
  hashedText: (quads) => hashedText(quads),
  'hashedText with a code': (quads) => hashedText(quads, { code: '' }),
  artifactCode: (quads) => artifactCode(quads, { module: 'RA' }),
  nanopublicationsOf: (quads) => nanopublicationsOf(quads),
  verify: (quads) => verify(CODE, quads),
  verdictOf: (quads) => verdictOf(CODE, quads),
  make: (quads) => make('http://example.org/doc', quads, { module: 'RA' }),
};

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name}: what is not a list of quads is named`, () => {
    for (const [quads, message] of [
      [undefined, 'quads must be a list of quads, got undefined'],
      [null, 'quads must be a list of quads, got null'],
      [5n, 'quads must be a list of quads, got bigint'],
      [{}, 'quads must be a list of quads, got Object'],
      ['<s> <p> <o> .', 'quads must be a list of quads, got string'],
      [quad, 'quads must be a list of quads, got Object'],
      [[5], 'quads[0] must be a quad, got number'],
      [[quad, undefined], 'quads[1] must be a quad, got undefined'],
      [new Set([quad, { ...quad, graph: undefined }]), 'quads[1] must be a quad, got Object'],
      [[{ subject: 's', predicate: 'p', object: 'o', graph: 'g' }], 'quads[0] must be a quad, got Object'],
    ] as const) {
      const error = errorOf(() => call(quads as never));
      assert.is(error.constructor, TypeError, `${error.name}: ${error.message}`);
      assert.is(error.message, message);
    }
    call(new Set([quad]) as never);
  });
}

test('a stream of quads is not a list of them, and what is neither is named', async () => {
  const stream = parseRdfStream([], { format: 'turtle' });
  assert.is(errorOf(() => verify(CODE, stream as never)).message, 'quads must be a list of quads, got AsyncGenerator');
  for (const promised of [verifyStream, verdictOfStream]) {
    for (const [quads, message] of [
      [{}, 'quads must be a stream of quads, got Object'],
      ['<s> <p> <o> .', 'quads must be a stream of quads, got string'],
      [[quad, 5], 'quads[1] must be a quad, got number'],
    ] as const) {
      await mustRefuse([[() => promised(CODE, quads as never), `TypeError: ${message}`]]);
    }
  }
});

test('wrong arguments of what reads files are named before a file is opened', async () => {
  const any = (value: unknown) => value as never;
  const base = 'http://example.org/doc';
  await mustRefuse([
    [() => makeFile(base, 'none.nt', any(undefined)), 'TypeError: options must be an object, got undefined'],
    [() => makeFile(base, 'none.nt', any('RA')), 'TypeError: options must be an object, got string'],
    [() => makeFile(base, any(5), { module: 'RA' }), 'TypeError: path must be a path or a file: URL, got number'],
    [
      () => makeFile(base, 'none.nt', { module: 'RA', memoryBytes: any('1e7') }),
      'TypeError: memoryBytes must be a number, got string',
    ],
    [() => verifyFile(CODE, 'none.nt', any(null)), 'TypeError: options must be an object, got null'],
    [() => verifyFile(CODE, any(null)), 'TypeError: path must be a path or a file: URL, got null'],
    [() => verifyFile(CODE, 'none.nt', { memoryBytes: 1 }), 'RangeError: memoryBytes must be 1000000 or more, got 1'],
  ]);
});

test.run();
