import { type PlaceName, placeOf } from '../../specs/sites/site.ts';
import type { AddedName } from '../read/names.ts';
import type { AddedText, CanonicalForms } from './row-text.ts';

/**
 * Returns the texts that rows gain, by their names: perhaps the canonical form, and then the `places`, each of the
 * canonical form.
 */
export function addedTexts(
  names: readonly AddedName[],
  places: readonly PlaceName[],
  forms: CanonicalForms,
): AddedText[] {
  const form = ofLast((url) => formOrNone(forms, url));
  return names.map((name, index) => {
    const place = places[index - (names.length - places.length)];
    return { name, place, of: place === undefined ? form : (url) => placeOrNone(place, form(url)) };
  });
}

function formOrNone({ formOf }: CanonicalForms, url: string): string | undefined {
  const form = formOf(url);
  return typeof form === 'string' ? form : undefined;
}

function placeOrNone(place: PlaceName, form: string | undefined): string | undefined {
  return form === undefined ? undefined : (placeOf(place, form) ?? undefined);
}

/** Keeps the last result: several texts of a row need its form. */
function ofLast<T>(compute: (url: string) => T): (url: string) => T {
  let last: { readonly url: string; readonly result: T } | undefined;
  return (url) => {
    if (last?.url !== url) last = { url, result: compute(url) };
    return last.result;
  };
}
