import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import webpack from 'webpack';

export async function bundle(entry, outfile) {
  const output = { path: dirname(outfile), filename: basename(outfile) };
  const run = promisify(webpack);
  const statistics = await run({
    mode: 'production',
    target: 'web',
    context: dirname(entry),
    entry,
    output,
    performance: false,
  });
  if (statistics.hasErrors()) throw new Error(statistics.toString('errors-only'));
}
