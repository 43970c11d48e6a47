import type { Cutter } from '../../bulk/line-blocks.ts';
import type { Framing } from './framing.ts';

/** Where lines are longer, no more of a text than this is looked at. */
const START_BYTES = 1 << 16;

/** An object with a first name, or an empty one: no scheme begins with a brace. */
const OBJECT_START = /^[ \t]*\{[ \t]*(?:"(?:[^"\\]|\\.)*"[ \t]*:|\})/;
const POSSIBLE_START = /^[ \t]*(?:\{|$)/;

/** Lines of URLs: JSON in their place is refused, before any row comes out. */
export function urlLines(lines: Framing): Framing {
  return { ...lines, cutter: () => refusingJson(lines.cutter()) };
}

function refusingJson(endOf: Cutter): Cutter {
  let isKnown = false;
  return (bytes, from) => {
    if (isKnown) return endOf(bytes, from);
    const isJson = isJsonLines(bytes);
    if (isJson === true) throw new JsonLinesError();
    isKnown = isJson === false;
    return isKnown ? endOf(bytes, 0) : 0;
  };
}

/**
 * Do the first two lines of a text both begin a JSON object? One may stand above a list of URLs. Undefined where more
 * of the text would tell.
 */
export function isJsonLines(start: Uint8Array): boolean | undefined {
  const text = Buffer.from(start.buffer, start.byteOffset, Math.min(start.length, START_BYTES)).toString('latin1');
  const lines = text.split('\n', 3);
  const isFirstWhole = lines.length > 1 || text.length === START_BYTES;
  if (!(isFirstWhole ? OBJECT_START : POSSIBLE_START).test(lines[0]!)) return false;
  if (lines.length < 3 && text.length < START_BYTES) return undefined;
  return lines.slice(0, 2).every((line) => OBJECT_START.test(line));
}

/** The input has objects where URLs are asked for. */
class JsonLinesError extends Error {
  constructor() {
    super('it is JSON lines, not one URL per line; try: --json FIELD');
  }
}
