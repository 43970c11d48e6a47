import { LINE_FEED } from '../../bytes/code-points.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { HashedUriError } from '../../hashed-uri/error.ts';
import { Failure } from '../../hashed-uri/failure.ts';
import { parseHashed } from '../../hashed-uri/parse.ts';
import type { HashedUriSet } from '../../hashed-uri/set.ts';
import { blocksOf, type Input, InputError, inputsOf } from '../input/inputs.ts';
import { linesEndingIn } from '../rows/lines.ts';
import type { ReportedProblem } from '../stage/stage.ts';
import { BadRows } from '../terminal/bad-rows.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';

const LINES = linesEndingIn({ lineEnd: LINE_FEED, skipsBlank: false });

/**
 * Adds the lines of files to a list of hashed URIs: a malformed one costs itself, an unreadable file the rest of it.
 */
export async function addListFiles(
  list: HashedUriSet,
  paths: readonly string[],
  diagnostics: Diagnostics,
): Promise<void> {
  const badRows = new BadRows(diagnostics, 'few');
  for (const input of paths.length === 0 ? [] : inputsOf(paths)) {
    try {
      await addLines(list, input, badRows, diagnostics);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      diagnostics.trouble(error);
    }
  }
  await badRows.end();
}

async function addLines(list: HashedUriSet, input: Input, badRows: BadRows, diagnostics: Diagnostics): Promise<void> {
  let firstLine = 1;
  for await (const block of blocksOf(input)) {
    const problems: ReportedProblem[] = [];
    let lineCount = 0;
    for (const { rows, length } of LINES.batches(block, undefined)) {
      for (let row = 0; row < length; row++) {
        const line = decodeLine(rows.bytes.subarray(rows.starts[row], rows.ends[row]));
        const hashed = parseHashed(line);
        if (!(hashed instanceof Failure)) list.add(hashed);
        else problems.push({ number: lineCount + row, ...reported(new HashedUriError('hashed URI', line, hashed)) });
      }
      lineCount += length;
    }
    if (problems.length > 0) diagnostics.failed();
    await badRows.add(input.name, firstLine, { problems });
    firstLine += lineCount;
  }
}

function reported({ reason, message }: HashedUriError): Pick<ReportedProblem, 'reason' | 'message'> {
  return { reason, message };
}
