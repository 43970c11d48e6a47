import { decodeLine } from '../../bytes/utf8.ts';
import { HashedUriError } from '../../hashed-uri/error.ts';
import { Failure } from '../../hashed-uri/failure.ts';
import { parseHashed } from '../../hashed-uri/parse.ts';
import type { HashedUriSet } from '../../hashed-uri/set.ts';
import { blocksOf, type Input, InputError, inputsOf } from '../input/inputs.ts';
import { eachLine } from '../rows/each-line.ts';
import type { ReportedProblem } from '../stage/report.ts';
import { BadRows } from '../terminal/bad-rows.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';

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
    eachLine(block, (start, end, number) => {
      const line = decodeLine(block.subarray(start, end));
      const hashed = parseHashed(line);
      lineCount++;
      if (!(hashed instanceof Failure)) list.add(hashed);
      else problems.push({ number, ...reported(new HashedUriError('hashed URI', line, hashed)) });
    });
    if (problems.length > 0) diagnostics.failed();
    await badRows.add(input.name, firstLine, { problems });
    firstLine += lineCount;
  }
}

function reported({ reason, message }: HashedUriError): Pick<ReportedProblem, 'reason' | 'message'> {
  return { reason, message };
}
