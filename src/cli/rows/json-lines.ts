import { cutterAfter } from '../../bulk/line-blocks.ts';
import { LINE_FEED } from '../../bytes/code-points.ts';
import { isBlank } from './blank-lines.ts';
import { eachLine } from './each-line.ts';
import type { Framing } from './framing.ts';
import { JsonField } from './json-field.ts';
import { RecordRows } from './record-rows.ts';

/** JSON lines: one object per line, whose value is a string in the field that `path` names, `a.b` in an object in `a`. */
export function jsonLines(path: string, skipsBlank: boolean): Framing {
  const field = new JsonField(path.split('.'));
  return {
    cutter: () => cutterAfter(LINE_FEED),
    rows(block) {
      const rows = new RecordRows(block);
      eachLine(block, (start, end) => {
        if (skipsBlank && isBlank(block, start, end)) rows.passOver();
        else addObject(rows, field, path, { start, end, jsonStart: start });
      });
      return rows;
    },
  };
}

/** Adds a line [start, end) that has a JSON object from `jsonStart` on. */
export function addObject(
  rows: RecordRows,
  field: JsonField,
  path: string,
  { start, end, jsonStart }: { readonly start: number; readonly end: number; readonly jsonStart: number },
): void {
  if (!field.scan(rows.bytes, jsonStart, end)) return rows.addMalformed(start, end, 'not a JSON object');
  const { valueStart, valueEnd, closingBrace } = field;
  const name = JSON.stringify(path);
  if (valueStart === -1) rows.addMalformed(start, end, `the object has no string in the field ${name}`, closingBrace);
  else if (field.isEscaped) rows.addText(start, end, field.value, closingBrace);
  else rows.add(start, end, valueStart, valueEnd, closingBrace);
}
