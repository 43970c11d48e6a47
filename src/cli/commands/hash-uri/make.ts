import { makeFromStream } from '../../../hash-uri/make.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import { action } from '../command.ts';
import { sha256, writeOfEach } from './files.ts';

/** `urlsum hash-uri make`: the hash-URI of one file. */
export const MAKE = action({
  examples: [
    ['https://example.com/r1 r1.txt', 'https://example.com/r1.FA…'],
    ["'' - < r1.txt", 'the code alone, of standard input'],
  ],
  operands: 'BASE FILE',
  about: [
    'Prints the hash-URI of FILE: BASE, a dot where it needs one, and the code (module FA: SHA-256 of the bytes).',
  ],
  flags: {},
  async run(_values, [base, path, ...rest], { diagnostics }) {
    if (base === undefined || path === undefined || rest.length > 0)
      throw new UsageError('hash-uri make needs BASE and FILE');
    await writeOfEach([path], diagnostics, (_path, chunks) => makeFromStream(base, chunks, { sha256: sha256() }));
  },
});
