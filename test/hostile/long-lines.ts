import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FOLDER } from '../support/scratch.ts';
import { inShell, urlsum } from './command.ts';

/** Node 20 to 26 hold at most 2^29 - 24 characters in a string. */
const LINE_BYTES = 600 << 20;

const COMMANDS: readonly (readonly string[])[] = [
  ['--format', 'hex'],
  ['-j', '2', '--format', 'hex'],
  ['--format', 'ndjson'],
  ['canon'],
  ['hashed-uri'],
];

/** A line longer than a string can be costs its own row; one without an end is refused, and the next input is read. */
export function longLines(): string {
  const path = join(FOLDER, 'long');
  inShell(`(echo http://a/; head -c ${LINE_BYTES} /dev/zero | tr '\\0' a; echo; echo http://b/) > "$2"`, path);
  for (const args of COMMANDS) {
    const { status, stdout, stderr } = urlsum([...args, path]);
    assert.is(status, 1, args.join(' '));
    assert.match(stderr.toString(), /:2: .*\(length-limit\)\n$/, args.join(' '));
    assert.ok(stdout.length < 2000, args.join(' '));
    assert.is(stdout.toString().split('\n').length, 4, args.join(' '));
  }
  return `${COMMANDS.length} commands on a line of ${LINE_BYTES >> 20} MiB${endlessLines()}`;
}

function endlessLines(): string {
  const devices = ['/dev/zero', '/dev/full'].filter((path) => existsSync(path));
  for (const path of devices) {
    const { status, stdout, stderr } = inShell(`echo http://a/ | exec "$0" "$1" --format hex ${path} -`);
    assert.is(status, 2, path);
    assert.is(stderr.toString(), `urlsum: ${path}: a line is longer than 1 GiB: is it text?\n`);
    assert.is(stdout.toString().split('\n').length, 2, `${path}: the next input is read`);
  }
  return `, and ${devices.length} lines without an end`;
}
