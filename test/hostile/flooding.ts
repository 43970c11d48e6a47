import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FOLDER, urlsum } from './command.ts';

/**
 * URLs whose hashes begin alike, as anyone can make them: the run does as many steps on the disk as for others. A step
 * for each run that was spilled would make it 100 times slower, which `urlsum` ends after a minute.
 */
export function flooding(count: number): string {
  const lines: string[] = [];
  for (let number = 0; lines.length < count; number++) {
    const url = `https://flood.example/${number}`;
    if (createHash('sha256').update(url).digest()[7] === 0x5a) lines.push(url);
  }
  const input = join(FOLDER, 'flood.txt');
  writeFileSync(input, `${lines.join('\n')}\n`);
  const index = join(FOLDER, 'flood.idx');
  const args = ['--unseen', index, '--memory', '4M', '--format', 'bin', '--width', '8', input];
  assert.is(urlsum(args).stdout.length, 8 * count);
  assert.is(urlsum(args).stdout.length, 0);
  return `${count} lines`;
}
