import { normalized } from '../../../tools/tables/normalization.mjs';
import { CODE_POINTS, isValidKind, type VersionData } from '../../../tools/tables/unicode.mjs';

/** Counts of the code points that move from one version of Unicode to another. */
export interface Relation {
  readonly refused: number;
  readonly allowed: number;
  readonly newlyValid: number;
  readonly newlyMapped: number;
  readonly changedForms: number;
  readonly changedClasses: number;
  /** Whether the forms of URLs that are valid in both are equal. */
  readonly areFormsEqual: boolean;
}

/** The data of a version, with its new marks by combining class. */
type Version = VersionData & { readonly marks?: Readonly<Record<number, readonly (readonly number[])[]>> };

/**
 * Compares what two versions make of every code point, every class that a rule for labels reads, and normalization.
 *
 * A form differs only where a code point that both allow has another mapping, or another normalization. Classes decide
 * only which labels are valid.
 */
export function relationOf(older: Version, newer: Version): Relation {
  const counts = { refused: 0, allowed: 0, newlyValid: 0, newlyMapped: 0, changedForms: 0, changedClasses: 0 };
  for (let code = 0; code < CODE_POINTS; code++) {
    const [before, after] = [older.kinds[code]!, newer.kinds[code]!];
    if (before === 'disallowed' && after !== 'disallowed') {
      counts.allowed++;
      counts[isValidKind(after) ? 'newlyValid' : 'newlyMapped']++;
    } else if (before !== 'disallowed' && after === 'disallowed') counts.refused++;
    else if (isValidKind(before) && isValidKind(after)) counts.changedClasses += Number(before !== after);
    else if (before !== after || older.mappings.get(code) !== newer.mappings.get(code)) counts.changedForms++;
  }
  return { ...counts, areFormsEqual: counts.changedForms + changedNormalizations(older, newer) === 0 };
}

/**
 * Counts what of the newer normalization does not hold among the code points that are valid in an older version: a
 * composite that is new, or whose parts are; a class for a mark that had none. Between assigned code points Unicode's
 * stability policy forbids it.
 */
function changedNormalizations(older: Version, newer: Version): number {
  const isOld = (character: string) => isValidKind(older.kinds[character.codePointAt(0)!]!);
  let count = 0;
  for (let code = 0; code < CODE_POINTS; code++) {
    if (!isValidKind(newer.kinds[code]!)) continue;
    const character = String.fromCodePoint(code);
    const parts = Array.from(normalized(character, 'NFD'));
    if (parts.length > 1 && isOld(character) !== parts.every(isOld)) count++;
  }
  const newMarks = Object.values(newer.marks ?? {}).flat();
  return count + newMarks.filter((range) => range.some((code) => isOld(String.fromCodePoint(code)))).length;
}

/** The row of the relation in docs/conformance.md. */
export function relationRow(older: number, newer: number, relation: Relation): string {
  const number = (count: number) => count.toLocaleString('en');
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
