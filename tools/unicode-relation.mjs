// What moves from one version of Unicode to another: whether the forms of URLs that are valid in both are equal.

import { normalized } from './normalization.mjs';
import { CODE_POINTS, isValidKind, meaningOf } from './unicode-data.mjs';

/**
 * Compares what two versions make of every code point, every class that a rule for labels reads, and normalization.
 *
 * A form differs only where a code point that both allow has another mapping, or another normalization. Classes decide
 * only which labels are valid.
 */
export function relationOf(older, newer) {
  const counts = { refused: 0, allowed: 0, newlyValid: 0, newlyMapped: 0, changedForms: 0, changedClasses: 0 };
  for (let code = 0; code < CODE_POINTS; code++) {
    const [before, after] = [older.kinds[code], newer.kinds[code]];
    if (before === 'disallowed' && after !== 'disallowed') {
      counts.allowed++;
      counts[isValidKind(after) ? 'newlyValid' : 'newlyMapped']++;
    } else if (before !== 'disallowed' && after === 'disallowed') counts.refused++;
    else if (isValidKind(before) && isValidKind(after)) counts.changedClasses += Number(before !== after);
    else if (meaningOf(code, older) !== meaningOf(code, newer)) counts.changedForms++;
  }
  const changedNormalizations = changedNormalization(older, newer);
  return { ...counts, changedNormalizations, areFormsEqual: counts.changedForms + changedNormalizations === 0 };
}

/**
 * Counts what of the newer normalization does not hold among the code points that are valid in an older version: a
 * composite that is new, or whose parts are; a class for a mark that had none. Between assigned code points Unicode's
 * stability policy forbids it.
 */
function changedNormalization(older, newer) {
  const isOld = (character) => isValidKind(older.kinds[character.codePointAt(0)]);
  let count = 0;
  for (let code = 0; code < CODE_POINTS; code++) {
    if (!isValidKind(newer.kinds[code])) continue;
    const character = String.fromCodePoint(code);
    const parts = Array.from(normalized(character, 'NFD'));
    if (parts.length > 1 && isOld(character) !== parts.every(isOld)) count++;
  }
  const newMarks = Object.values(newer.marks ?? {}).flat();
  return count + newMarks.filter((range) => range.some((code) => isOld(String.fromCodePoint(code)))).length;
}

/** The row of the relation in docs/conformance.md. */
export function relationRow(older, newer, relation) {
  const number = (count) => count.toLocaleString('en');
  const { allowed, newlyValid, newlyMapped, refused, changedClasses, changedForms, areFormsEqual } = relation;
  const cells = [
    `${older} → ${newer}`,
    `${number(allowed)}: ${number(newlyValid)} valid, ${number(newlyMapped)} mapped`,
    number(refused),
    number(changedClasses),
    number(changedForms),
    areFormsEqual ? 'equal' : 'not equal',
  ];
  return `| ${cells.join(' | ')} |`;
}
