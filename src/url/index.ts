// What the command imports from src/url: URLs, and their canonical forms.

// One URL:

export { canonicalForm } from './canonicalize.ts';
export { parseUrl } from './parser.ts';
export type { UrlRecord } from './record.ts';

export type { UnicodeVersion } from './unicode.ts';

// Why a text is not one:

export { quote, UrlError } from './error.ts';
export { Failure, failure } from './failure.ts';

// Which form is meant, and the name of its profile:

export { jointOrigin, mayMeet, otherVersion } from './compatible.ts';
export {
  FORM_FLAGS,
  FORM_OPTIONS,
  type FormFlag,
  FULL_FORM,
  formOf,
  type UrlForm,
} from './options.ts';
export { optionsOf, ProfileError, profileOfForm } from './profile.ts';
