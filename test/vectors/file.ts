import { type PublicApi, resultOf } from './results.ts';
import type { Vector, VectorFile } from './vector.ts';

/** Returns the file with what the API answers to each of its cases, and with what it depends on. */
export function answered(file: VectorFile, api: PublicApi): VectorFile {
  const cases = file.cases.map(
    (each) => ({ ...each, expect: resultOf(file.specification, each, api) }) as unknown as Vector,
  );
  return { ...file, madeWith: madeWith(file, api), cases };
}

function madeWith(
  { specification, madeWith }: VectorFile,
  { url, site, safeBrowsing }: PublicApi,
): VectorFile['madeWith'] {
  if (specification === 'url') return { profile: url.PROFILE };
  if (specification === 'site')
    return { publicSuffixList: site.PUBLIC_SUFFIX_LIST, surt: site.SURT, profile: url.PROFILE };
  if (specification !== 'safe-browsing') return madeWith;
  return { publicSuffixList: safeBrowsing.PUBLIC_SUFFIX_LIST, unicode: '17' };
}

/** The file's text: a line for each field of the head, and for each case. */
export function textOfFile({ fields, cases, ...head }: VectorFile): string {
  const heads = Object.entries(head).map(([name, value]) => `  "${name}": ${asciiJson(value)},\n`);
  const described = Object.entries(fields).map(([name, meaning]) => `    "${name}": ${asciiJson(meaning)}`);
  const lines = cases.map((each) => `    ${asciiJson(each)}`);
  return `{\n${heads.join('')}  "fields": {\n${described.join(',\n')}\n  },\n  "cases": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** Beyond ASCII all is escaped: half of these characters cannot be seen, and an editor may compose others. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
