import { fileNameOf } from '../../../hash-uri/file-name.ts';
import { makeFromStream } from '../../../hash-uri/make.ts';
import { action } from '../command.ts';
import { mustHaveNames, sha256, writeOfEach } from './files.ts';

/** `urlsum hash-uri name`: the name each file would have with its code in it. */
export const NAME = action({
  examples: [['report.pdf', 'report.FA….pdf']],
  operands: 'FILE…',
  about: ['Prints the name each file has with its code in it, before the last extension. Files are not renamed.'],
  flags: {},
  async run(_values, paths, { diagnostics }) {
    mustHaveNames('name', paths);
    await writeOfEach(paths, diagnostics, async (path, chunks) =>
      fileNameOf(path, await makeFromStream('', chunks, { sha256: sha256() })),
    );
  },
});
