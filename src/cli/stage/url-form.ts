import { decodeLine } from '../../bytes/utf8.ts';
import { UrlError } from '../../url/error.ts';
import type { Failure } from '../../url/failure.ts';
import type { Form } from './texts.ts';

/** The canonical form of a URL, as `formOf` gives it. */
export function urlForm(formOf: (url: string) => string | Failure): Form {
  return (value) => {
    const url = decodeLine(value);
    const form = formOf(url);
    return typeof form === 'string' ? form : UrlError.from(url, form);
  };
}
