import type { Framing } from './framing.ts';
import { JsonField } from './json-field.ts';
import { JsonScanner } from './json-scanner.ts';
import { lineRecords } from './line-records.ts';
import type { RecordRows } from './record-rows.ts';

/**
 * JSON lines: one object per line, whose value is a string in the field that `path` names, `a.b` in an object in `a`.
 */
export function jsonLines(path: string, skipsBlank: boolean): Framing {
  const names = path.split('.');
  const field = new JsonField(names);
  return lineRecords({
    scanner: JsonScanner.of(names, 0),
    skipsBlank,
    add: (rows, start, end) => addObject(rows, field, path, { start, end, jsonStart: start }),
  });
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
