import { decodeLine } from '../../../bytes/utf8.ts';
import { HashUriError } from '../../../hash-uri/error.ts';
import { partsOf } from '../../../hash-uri/hash-uri.ts';
import { openTextFormat } from '../../format/texts.ts';
import { type Form, textStage } from '../../stage/texts.ts';
import { lineCommand } from '../command.ts';
import { ALL_LINE_FLAGS, EXPLAIN_FLAG, linePlan } from '../line-flags.ts';

/** `urlsum hash-uri parse`: the parts of each line as JSON, null for what is not a hash-URI. */
export const PARSE = lineCommand({
  examples: [
    ['uris.txt', 'a JSON object for each line, or null'],
    ['--on-error skip uris.txt', 'only for lines that are hash-URIs'],
  ],
  operands: '[FILE…]',
  about: ['Prints the parts of each hash-URI as JSON: uri, identifier, type, version, data, hash, extension.'],
  flags: { ...ALL_LINE_FLAGS, ...EXPLAIN_FLAG },
  async plan(values, operands) {
    const lines = await linePlan(values, operands);
    return {
      ...lines,
      stage: textStage(partsForm),
      openFormat: () => openTextFormat(lines, 'hash-uri', 'null'),
      facts: () => ({}),
    };
  },
  explain: async (uri) => (await import('../explain.ts')).explainUrl(uri, { specification: 'hash-uri' }),
});

const partsForm: Form = (value) => {
  const line = decodeLine(value);
  const parts = partsOf(line);
  return parts === undefined ? new HashUriError('hash-URI', line, 'not-a-hash-uri') : JSON.stringify(parts);
};
