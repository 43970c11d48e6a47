import { canonicalForm } from '../../safe-browsing/canonicalize.ts';
import { SafeBrowsingUrlError } from '../../safe-browsing/failure.ts';
import type { Reading } from '../../safe-browsing/settings.ts';
import type { Form } from './texts.ts';

/** The canonical form under one reading. */
export function safeBrowsingForm(reading: Reading): Form {
  return (value) => {
    const form = canonicalForm(value, reading);
    return typeof form === 'string' ? form : new SafeBrowsingUrlError(value, form);
  };
}
