import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inputOf, type StoredCase, shown, stored } from './stored.ts';

const test = suite('vectors: hash-uri');

function bytesOf({ base64, count = 1 }: StoredCase): Buffer {
  return Buffer.concat(Array(count).fill(Buffer.from(base64, 'base64')));
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64url');
}

const WHOLE = /^([\s\S]*?)(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{25,})(\.[A-Za-z0-9_.-]{0,20})?$/;

/** All of it by regular expressions; the last run of Base64 characters counts. */
function partsOf(input: string): StoredCase {
  const [, start, run, extension] = WHOLE.exec(input) ?? [];
  const parts =
    run === undefined
      ? null
      : {
          uri: start + run,
          identifier: run.slice(0, 2),
          type: run[0],
          version: run[1],
          data: run.slice(2),
          ...(/^(?:FA|RA|RB)[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(run) ? { hash: run.slice(2) } : {}),
          ...(extension === undefined ? {} : { extension }),
        };
  return {
    potential: /[A-Za-z0-9_-]{25}$/.test(input) && !input.endsWith('\n'),
    trusty: /(?<![A-Za-z0-9_-])(?:FA|RA|RB)[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(input),
    stripped: parts?.uri ?? input,
    parts,
  };
}

function madeOf({ base, separator = '.', content }: StoredCase): object {
  const hash = hashOf(bytesOf(content));
  return { uri: `${base}${/[A-Za-z0-9_-]$/.test(base) ? separator : ''}FA${hash}`, ni: `ni:///sha-256;${hash}` };
}

function resultOf(vector: StoredCase): string {
  const { parts } = partsOf(inputOf(vector));
  if (parts === null) return 'not-a-hash-uri';
  if (parts.identifier !== 'FA') return 'unsupported';
  return parts.data === hashOf(bytesOf(vector['content'])) ? 'verified' : 'mismatch';
}

const ANSWERS: Readonly<Record<string, (vector: StoredCase) => object>> = {
  parts: (vector) => partsOf(inputOf(vector)),
  make: madeOf,
  verify: (vector) => ({ result: resultOf(vector) }),
};

test('hash-uri.json: as regular expressions and node:crypto', () => {
  const { cases } = stored('hash-uri.json');
  for (const vector of cases) assert.equal(vector['expect'], ANSWERS[vector['operation']]!(vector), shown(vector));
  const results = new Set(cases.map(({ expect }) => expect.result));
  for (const result of ['verified', 'mismatch', 'unsupported', 'not-a-hash-uri'])
    assert.ok(results.has(result), result);
});

test.run();
