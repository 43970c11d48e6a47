import { LINE_FEED, NUMBER_SIGN } from '../../core/bytes/code-points.ts';
import { withoutRecordEnd } from '../../core/bytes/lines.ts';
import { decodeLine } from '../../core/bytes/text.ts';
import { bufferOf } from './framing.ts';

// Lines of logs that begin with a number sign and tell of those after them, such as the names of their columns.

/** Yields the lines of a block that begin with a number sign. */
export function* directiveLines(block: Uint8Array): Generator<string> {
  const bytes = bufferOf(block);
  const lineAt = (start: number) => {
    const feed = bytes.indexOf(LINE_FEED, start);
    return decodeLine(block.subarray(start, withoutRecordEnd(block, start, feed === -1 ? block.length : feed + 1)));
  };
  if (block[0] === NUMBER_SIGN) yield lineAt(0);
  for (let feed = -1; (feed = bytes.indexOf('\n#', feed + 1)) !== -1; ) yield lineAt(feed + 1);
}

/** Returns the names of columns in a directive: `#Fields:` of the W3C, `#fields` of Zeek; undefined for others. */
export function columnNames(line: string): readonly string[] | undefined {
  return namesAfter(/^#fields:?[ \t]/i, line);
}

/** Returns the names of columns in `#Fields:` of a log in the W3C's extended format; undefined for other lines. */
export function extendedNames(line: string): readonly string[] | undefined {
  return namesAfter(/^#Fields:/i, line);
}

function namesAfter(directive: RegExp, line: string): readonly string[] | undefined {
  const [found] = directive.exec(line) ?? [];
  return found === undefined
    ? undefined
    : line
        .slice(found.length)
        .trim()
        .split(/[ \t]+/);
}
