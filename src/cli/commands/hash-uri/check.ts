import { verifyStream } from '../../../hash-uri/verify.ts';
import { visible } from '../../terminal/visible.ts';
import { action } from '../command.ts';
import { mustHaveNames, sha256, writeOfEach } from './files.ts';

const VERDICTS = {
  verified: 'OK',
  mismatch: 'FAILED',
  unsupported: 'UNSUPPORTED',
  'not-a-hash-uri': 'NO HASH-URI',
} as const;

/** `urlsum hash-uri check`: whether each file is the content of the hash-URI its name ends in. */
export const CHECK_FILES = action({
  examples: [['*.FA*', 'a line for each file: OK or FAILED']],
  operands: 'FILE…',
  about: ['Prints OK where FILE is the content that its name says; a run fails unless all files are verified.'],
  flags: {},
  async run(_values, paths, { diagnostics }) {
    mustHaveNames('check', paths);
    await writeOfEach(paths, diagnostics, async (path, chunks) => {
      const result = await verifyStream(path, chunks, { sha256: sha256() });
      if (result !== 'verified') diagnostics.failed();
      return `${visible(path)}: ${VERDICTS[result]}`;
    });
  },
});
