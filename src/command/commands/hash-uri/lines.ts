import { decodeLine } from '../../../core/bytes/text.ts';
import { HashUriError } from '../../../specs/hash-uri/error.ts';
import { findCodes, partsOf } from '../../../specs/hash-uri/hash-uri.ts';
import { addedName } from '../../read/framing.ts';
import { addTo } from '../../work/results.ts';
import { type Form, Lines, openTextFormat, textStage } from '../../work/texts.ts';
import { lineCommand } from '../command.ts';
import { ALL_LINE_FLAGS, COMPLAINT_FLAGS, EXPLAIN_FLAG, linePlan, ROW_FLAGS, RUN_FLAGS } from '../line-flags.ts';

/** `urlsum hash-uri find`: each code in each line, with the line. */
export const FIND = lineCommand({
  examples: [
    ['page.html', 'each code, two spaces, its line'],
    ['-f text posts.csv', 'add a column with the codes'],
  ],
  operands: '[FILE…]',
  about: ['Prints each code of a hash-URI in each line, before the line. It exits with 1 if it finds none.'],
  flags: { ...ROW_FLAGS, ...COMPLAINT_FLAGS, ...RUN_FLAGS },
  async plan(values, operands) {
    const lines = await linePlan(values, operands, { isText: true, added: [addedName('codes')] });
    const isTable = lines.records !== undefined;
    const lineEnd = String.fromCharCode(lines.lineEnd);
    return {
      ...lines,
      stage: textStage(isTable ? codesForm : codeLinesForm(lineEnd)),
      openFormat: () => (isTable ? openTextFormat(lines) : new Lines()),
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
  addTo(counts, 'codes', codes.length);
  return codes;
}

/** `urlsum hash-uri parse`: the parts of each line as JSON, or null where the line is not a hash-URI. */
export const PARSE = lineCommand({
  examples: [
    ['uris.txt', 'a JSON object for each line, or null'],
    ['--on-error skip uris.txt', 'only for lines that are hash-URIs'],
  ],
  operands: '[FILE…]',
  about: ['Prints the parts of each hash-URI as JSON: uri, identifier, type, version, data, hash, extension.'],
  flags: { ...ALL_LINE_FLAGS, ...EXPLAIN_FLAG },
  async plan(values, operands) {
    const lines = await linePlan(values, operands, { added: [addedName('hash-uri')] });
    return {
      ...lines,
      stage: textStage(partsForm),
      openFormat: () => openTextFormat(lines, 'null'),
    };
  },
  explain: async (uri) => (await import('../explain.ts')).explainUrl(uri, { specification: 'hash-uri' }),
});

const partsForm: Form = (value) => {
  const line = decodeLine(value);
  const parts = partsOf(line);
  return parts === undefined ? new HashUriError('hash-URI', line, 'not-a-hash-uri') : JSON.stringify(parts);
};
