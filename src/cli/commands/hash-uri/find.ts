import { decodeLine } from '../../../bytes/utf8.ts';
import { findCodes } from '../../../hash-uri/code.ts';
import { Lines, openTextFormat } from '../../format/texts.ts';
import { type Form, textStage } from '../../stage/texts.ts';
import { lineCommand } from '../command.ts';
import { COMPLAINT_FLAGS, linePlan, ROW_FLAGS, RUN_FLAGS } from '../line-flags.ts';

/** `urlsum hash-uri find`: each code in each line, and the line. */
export const FIND = lineCommand({
  examples: [
    ['page.html', 'each code, two spaces, its line'],
    ['-f text posts.csv', 'add a column with the codes'],
  ],
  operands: '[FILE…]',
  about: ['Prints each code of a hash-URI in each line, before the line. A run that finds none fails.'],
  flags: { ...ROW_FLAGS, ...COMPLAINT_FLAGS, ...RUN_FLAGS },
  async plan(values, operands) {
    const lines = await linePlan(values, operands, { isText: true });
    const isTable = lines.records !== undefined;
    const lineEnd = String.fromCharCode(lines.lineEnd);
    return {
      ...lines,
      stage: textStage(isTable ? codesForm : codeLinesForm(lineEnd)),
      openFormat: () => (isTable ? openTextFormat(lines, 'codes') : new Lines()),
      facts: () => ({}),
      conclude({ codes = 0 }, diagnostics) {
        if (codes === 0) diagnostics.failed();
      },
    };
  },
});

function codeLinesForm(lineEnd: string): Form {
  return (value, counts) => {
    const line = decodeLine(value);
    return counted(line, counts)
      .map((code) => `${code}  ${line}${lineEnd}`)
      .join('');
  };
}

const codesForm: Form = (value, counts) => counted(decodeLine(value), counts).join(' ');

function counted(line: string, counts: Record<string, number>): string[] {
  const codes = findCodes(line).map(({ code }) => code);
  counts['codes'] = (counts['codes'] ?? 0) + codes.length;
  return codes;
}
