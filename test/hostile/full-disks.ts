import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FOLDER } from '../support/scratch.ts';
import { inShell } from './command.ts';

const FORMATS = ['text', 'hex', 'u64', 'tsv', 'ndjson', 'bin'] as const;
const DISK_BYTES = 1 << 20;

/** Every format and thread count on a disk that is too small: status 2, a sentence, and nothing under the name. */
export function fullDisks(): string {
  const input = join(FOLDER, 'larger');
  writeFileSync(input, Array.from({ length: 200_000 }, (_, row) => `http://example.com/${row}\n`).join(''));
  const { folder, limit, unmount } = smallDisk();
  let count = 0;
  try {
    for (const format of FORMATS) {
      for (const threads of ['1', '2']) {
        const command = `${limit} exec "$0" "$1" --format ${format} -j ${threads} "$2"`;
        const named = inShell(`${command} --out "$3/out"`, input, folder);
        assert.is(named.status, 2, `${command} --out`);
        assert.match(named.stderr.toString(), /^urlsum: .*out: (?:ENOSPC|EFBIG): /m);
        assert.equal(readdirSync(folder), [], `${command} --out`);
        const redirected = inShell(`${command} > "$3/redirected"`, input, folder);
        assert.is(redirected.status, 2, `${command} >`);
        assert.match(redirected.stderr.toString(), /^urlsum: standard output: (?:ENOSPC|EFBIG): /m);
        rmSync(join(folder, 'redirected'));
        count += 2;
      }
    }
    count += fullDevices(input);
  } finally {
    unmount();
  }
  return `${count} runs on ${limit === '' ? 'a mounted disk of 1 MiB' : 'files of at most 1 MiB'}`;
}

/** A disk of its own where this process may mount one, else a limit on the size of files. */
export function smallDisk(): { readonly folder: string; readonly limit: string; unmount(): void } {
  const folder = mkdtempSync(join(FOLDER, 'disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder]);
  if (mounted.status === 0) return { folder, limit: '', unmount: () => void spawnSync('umount', [folder]) };
  return { folder, limit: `trap '' XFSZ; ulimit -f ${DISK_BYTES >> 10};`, unmount: () => undefined };
}

function fullDevices(input: string): number {
  if (!existsSync('/dev/full')) return 0;
  for (const place of ['> /dev/full', '--out /dev/full']) {
    const { status, stderr } = inShell(`exec "$0" "$1" "$2" ${place}`, input);
    assert.is(status, 2, place);
    assert.match(stderr.toString(), /ENOSPC/);
  }
  return 2;
}
