import { UrlHash } from '../../src/index.ts';
import { element } from '../widgets/element.ts';
import { hexGroups } from '../widgets/text.ts';
import { rows, value } from '../widgets/value.ts';

/** The hash of a URL in each of its widths and spellings. */
export function hashView(url: string): HTMLElement {
  const hash = UrlHash.of(url);
  const short = hash.short();
  const veryShort = hash.veryShort();
  return rows(
    ['SHA-256', value('SHA-256', hash.hex, hexGroups(hash.hex))],
    ['short', value('short hash', short.hex, hexGroups(short.hex))],
    ['very short', value('very short hash', veryShort.hex, hexGroups(veryShort.hex))],
    ['as words', wordList(hash, short, veryShort)],
  );
}

/** Little-endian u64 in decimal, as the specification prints them. */
function wordList(...hashes: readonly { readonly words: readonly bigint[]; toDecimal(): string }[]): HTMLElement {
  const names = ['words', 'short words', 'very short word'];
  return element('div', {}, ...hashes.map((hash, index) => value(names[index]!, hash.toDecimal(), words(hash.words))));
}

function words(list: readonly bigint[]): HTMLElement {
  return element(
    'code',
    { class: 'words' },
    ...list.flatMap((word, index) => [index === 0 ? '' : '-', element('span', {}, String(word))]),
  );
}
