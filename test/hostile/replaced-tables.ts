import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as assert from 'uvu/assert';
import { parquet } from '../command/parquet.ts';
import { FOLDER } from '../support/scratch.ts';
import { urlsum } from './command.ts';

const ROWS = 3000;

/** Replaces a file every few milliseconds, until it is told to end. */
const REPLACING = `
  const { copyFileSync, renameSync } = require('node:fs');
  const { parentPort, workerData: { path, others } } = require('node:worker_threads');
  let turn = 0;
  setInterval(() => {
    copyFileSync(others[turn++ % 2], path + '.new');
    renameSync(path + '.new', path);
  }, 3);
`;

/**
 * Runs on a Parquet file that a rename replaces all the time: the column of one file is the second of the other. By the
 * column's name each run has the rows of one file; in SQL it has, or ends with status 2.
 */
export async function replacedTables(count: number): Promise<string> {
  const path = join(FOLDER, 'replaced.parquet');
  const others = [
    ['url', 'other'],
    ['other', 'url'],
  ].map((names, number) => {
    const data = (name: string) => Array.from({ length: ROWS }, (_, row) => `https://${name}.example/${number}/${row}`);
    const file = join(FOLDER, `table-${number}.parquet`);
    writeFileSync(file, parquet(names.map((name) => ({ name, data: data(name), type: 'STRING' }))));
    return file;
  });
  const runs = [(file: string) => ['-f', 'url', file], (file: string) => ['sql', `FROM read_parquet('${file}')`]];
  const whole = runs.map((args) => others.map((other) => urlsum(args(other)).stdout.toString()));
  copyFileSync(others[0]!, `${path}.new`);
  renameSync(`${path}.new`, path);
  const replacing = new Worker(REPLACING, { eval: true, workerData: { path, others } });
  const refused = [0, 0];
  try {
    for (let round = 0; round < count; round++) {
      for (const [kind, args] of runs.entries()) {
        const { status, stdout, stderr } = urlsum(args(path));
        if (status === 2) refused[kind]!++;
        else assert.ok(whole[kind]!.includes(stdout.toString()), `round ${round}: ${args(path).join(' ')} ${stderr}`);
        if (status === 2) assert.match(stderr.toString(), /it was changed while it was read|Error: /);
      }
    }
  } finally {
    await replacing.terminate();
  }
  assert.is(refused[0], 0, 'a file that is open is read to its end');
  return `${count} runs of each kind on a file that is replaced; of those in SQL ${refused[1]} were refused`;
}
