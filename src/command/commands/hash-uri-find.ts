import { decodeLine } from '../../core/bytes/text.ts';
import { HashUriError } from '../../specs/hash-uri/failure.ts';
import { findCodes, partsOf } from '../../specs/hash-uri/hash-uri.ts';
import { addedName } from '../read/framing.ts';
import { addTo } from '../work/results.ts';
import { type Form, LINES, openTextFormat, textStage } from '../work/texts.ts';
import { lineCommand } from './command.ts';
import { ALL_LINE_FLAGS, COMPLAINT_FLAGS, ORIGIN_FLAGS, ROW_FLAGS, RUN_FLAGS } from './line-flags.ts';
import { linePlan } from './line-plan.ts';

/** `urlsum hash-uri find`: each code in each line, with the line. */
export const FIND = lineCommand({
  examples: [
    ['page.html', 'each code, two spaces, its line'],
    ['-f text posts.csv', 'add a column with the codes'],
  ],
  operands: '[FILE…]',
  about: ['Prints each code of a hash-URI in each line, before the line. It exits with 1 if it finds none.'],
  flags: { ...ROW_FLAGS, ...ORIGIN_FLAGS, ...COMPLAINT_FLAGS, ...RUN_FLAGS },
  async plan(values, inputs) {
    const lines = await linePlan(values, inputs, { isText: true, added: [addedName('codes')] });
    const isTable = lines.records !== undefined;
    const lineEnd = String.fromCharCode(lines.lineEnd);
    const codesIn: Form = (value, counts) => {
      const line = decodeLine(value);
      const codes = findCodes(line).map(({ code }) => code);
      addTo(counts, 'codes', codes.length);
      return isTable ? codes.join(' ') : codes.map((code) => `${code}  ${line}${lineEnd}`).join('');
    };
    return {
      ...lines,
      stage: textStage(codesIn),
      openFormat: () => (isTable ? openTextFormat(lines) : LINES),
      conclude({ codes = 0 }, diagnostics) {
        if (codes === 0) diagnostics.failed();
      },
    };
  },
});

/** `urlsum hash-uri parse`: the parts of each line as JSON, or null where the line is not a hash-URI. */
export const PARSE = lineCommand({
  examples: [
    ['uris.txt', 'a JSON object for each line, or null'],
    ['--on-error skip uris.txt', 'only for lines that are hash-URIs'],
  ],
  operands: '[FILE…]',
  about: ['Prints the parts of each hash-URI as JSON: uri, identifier, type, version, data, hash, extension.'],
  flags: { ...ALL_LINE_FLAGS, ...ORIGIN_FLAGS },
  async plan(values, inputs) {
    const lines = await linePlan(values, inputs, { added: [addedName('hash-uri')] });
    return { ...lines, stage: textStage(partsForm), openFormat: () => openTextFormat(lines, 'null') };
  },
});

const partsForm: Form = (value) => {
  const line = decodeLine(value);
  const parts = partsOf(line);
  return parts === undefined ? new HashUriError('hash-URI', line, 'not-a-hash-uri') : JSON.stringify(parts);
};
