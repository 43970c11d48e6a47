import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { outputOf } from '../support/programs.ts';
import { folderWith } from '../support/scratch.ts';

const COMMAND = join(process.cwd(), 'dist/esm/cli.js');
const PYPI = 'nanopub==2.0.1';
const MAVEN = 'org.nanopub:nanopub:1.34';
const INDEX = 'http://purl.org/np/RAzPytdERsBd378zHGvwgRbat1MCiS7QrxNrPxe9yDu6E';

/** Files that are published although they are not verified, by the end of what `check` prints, and why. */
const NOT_VERIFIED: Readonly<Record<string, string>> = {
  'invalid/trusty/trusty1.trig': 'it is there to be refused',
  [INDEX]: 'a second signature was added to it, with a nanopublication of its own, which is verified',
};

/**
 * Returns the nanopublications that two packages have as examples and test data: each has the code that it names itself
 * by.
 */
export function publishedNanopublications(): string {
  const verdicts = [...checked('PyPI', fetchPypi()), ...checked('Maven', fetchMaven())];
  const refused = verdicts.filter(({ verdict }) => verdict !== 'OK').map(({ name }) => name);
  const isExpected = (name: string) => Object.keys(NOT_VERIFIED).find((end) => name.endsWith(end));
  assert.equal(refused.map(isExpected).sort(), Object.keys(NOT_VERIFIED).sort());
  assert.ok(verdicts.length > 50, `${verdicts.length} nanopublications`);
  const lines = verdicts.map(({ name, verdict }) => `\n  ${verdict} ${name}`);
  return `${verdicts.length - refused.length} of ${verdicts.length} are verified, the others should not be${lines.join('')}\n `;
}

interface Verdict {
  readonly name: string;
  readonly verdict: string;
}

/** Checks all that have a code: files before their transformation have none. */
function checked(origin: string, folder: string): Verdict[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(trig|nq)$/.test(name));
  const { stdout } = spawnSync(process.execPath, [COMMAND, 'hash-uri', 'check', ...names.sort()], {
    cwd: folder,
    encoding: 'utf8',
  });
  const lines = stdout.trimEnd().split('\n');
  return lines.flatMap((line) => {
    const [, name, verdict] = /^(.*): ([^:]+)$/.exec(line)!;
    return verdict === 'NO HASH-URI' ? [] : [{ name: `${origin} ${name}`, verdict: verdict! }];
  });
}

function fetchPypi(): string {
  const folder = folderWith({});
  outputOf('pip', ['download', '-q', '--no-deps', '--no-binary', ':all:', '-d', folder, PYPI]);
  const [archive] = readdirSync(folder);
  outputOf('tar', ['-xzf', join(folder, archive!), '-C', folder]);
  return folder;
}

function fetchMaven(): string {
  const folder = folderWith({});
  outputOf('mvn', ['-q', 'dependency:copy', `-Dartifact=${MAVEN}`, `-DoutputDirectory=${folder}`]);
  const [archive] = readdirSync(folder);
  outputOf('jar', ['-xf', archive!], { cwd: folder });
  return folder;
}
