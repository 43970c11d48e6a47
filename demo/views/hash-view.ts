import { UrlHash } from '../../src/index.ts';
import { element } from '../widgets/element.ts';
import { hexGroups } from '../widgets/text.ts';
import { rows, value } from '../widgets/value.ts';

/** The hash of a URL in each of its widths, in hex and as little-endian u64 in decimal, as the specification prints it. */
export function hashView(url: string): HTMLElement {
  const hash = UrlHash.of(url);
  const widths = [hash, hash.short(), hash.veryShort()].map((each): [string, ...HTMLElement[]] => {
    const name = `${each.hex.length / 2} bytes`;
    return [
      name,
      value(`${name} in hex`, each.hex, hexGroups(each.hex)),
      value(`${name} in decimal`, each.toDecimal(), words(each.words)),
    ];
  });
  return rows(...widths);
}

function words(list: readonly bigint[]): HTMLElement {
  return element(
    'code',
    { class: 'words' },
    ...list.flatMap((word, index) => [index === 0 ? '' : '-', element('span', {}, String(word))]),
  );
}
