import { constants } from 'node:buffer';
import { cutterAfter } from '../../bulk/index.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { withoutLineEnd } from '../../bytes/lines.ts';
import { decodeLine } from '../../bytes/utf8.ts';
import { BatchBuilder } from './batch-builder.ts';
import { JsonScanner } from './json-scanner.ts';
import { isBlank } from './lines.ts';
import type { Framing } from './row-batch.ts';
import { BLANK } from './row-batch.ts';

const SPACES = ' \t\n\r';

/**
 * JSON lines: one object per line, whose value is the string in the field at `path`; `a.b` is in an object in `a`. If a
 * name occurs twice, the last wins, as in `JSON.parse`.
 */
export function jsonLines(path: string, skipsBlank: boolean): Framing {
  const names = path.split('.');
  return recordLines(JsonScanner.of(names, 0), skipsBlank, (builder, block, start, end) =>
    addObject(builder, block, names, { start, end, jsonStart: start }),
  );
}

/** Adds the line [start, end) of a block. */
type AddLine = (builder: BatchBuilder, block: Uint8Array, start: number, end: number) => void;

/** One record per line. `scanner` finds most values in bulk if the host can run it; the other lines go to `add`. */
export function recordLines(scanner: JsonScanner | undefined, skipsBlank: boolean, add: AddLine): Framing {
  const builder = new BatchBuilder();
  return {
    cutter: () => cutterAfter(LINE_FEED),
    *batches(block) {
      builder.begin(block);
      scanner?.begin(block);
      for (let at = 0; at < block.length; ) {
        const found = scanner?.next(at);
        if (found !== undefined) {
          if (!builder.hasRoom(found.starts.length, found.values.length)) yield builder.take();
          builder.addFound(found);
          at = found.next;
        } else {
          const feed = block.indexOf(LINE_FEED, at);
          const next = feed === -1 ? block.length : feed + 1;
          const end = withoutLineEnd(block, at, next);
          if (!builder.hasRoom(1, end - at)) yield builder.take();
          if (skipsBlank && isBlank(block, at, end)) builder.addOther(at, end, BLANK);
          else add(builder, block, at, end);
          at = next;
        }
      }
      if (builder.length > 0) yield builder.take();
    },
  };
}

/** Adds a line [start, end) with a JSON object at `jsonStart`. */
export function addObject(
  builder: BatchBuilder,
  block: Uint8Array,
  names: readonly string[],
  { start, end, jsonStart }: { readonly start: number; readonly end: number; readonly jsonStart: number },
): void {
  const text = block.subarray(jsonStart, end);
  const object = objectIn(text);
  if (object === undefined) return builder.addMalformed(start, end, 'not a JSON object');
  const closingBrace = jsonStart + lastOfText(text);
  const value = stringIn(object, names);
  if (value !== undefined) return builder.addText(start, end, value, closingBrace);
  const name = JSON.stringify(names.join('.'));
  builder.addMalformed(start, end, `the object has no string in the field ${name}`, closingBrace);
}

/** Returns undefined if the text is not an object, or is longer than a string can be. */
function objectIn(text: Uint8Array): object | undefined {
  if (text.length > constants.MAX_STRING_LENGTH) return undefined;
  try {
    const value: unknown = JSON.parse(decodeLine(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function stringIn(object: object, names: readonly string[]): string | undefined {
  let value: unknown = object;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'string' ? value : undefined;
}

/** Returns the place of the last byte that is not white space (RFC 8259, section 2). */
function lastOfText(text: Uint8Array): number {
  let at = text.length - 1;
  while (SPACES.includes(String.fromCharCode(text[at]!))) at--;
  return at;
}
