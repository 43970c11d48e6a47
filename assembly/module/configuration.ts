// Reads profiles, as src/core/url/profile.ts writes them, and what URLs are read by.

import { parseUrl } from '../../src/core/url/parser';
import { Form } from './form';

let reason: string = '';

/** Says why what was to be configured last is refused. */
export function refusal(): string { return reason; }

function refuse(why: string): Form | null {
  reason = why;
  return null;
}

/** Returns what a profile, a base and a default scheme choose, or null; '' stands for no base, and for no scheme. */
export function configured(profile: string, base: string, defaultScheme: string): Form | null {
  const form = new Form();
  const settings = profile.split(';');
  if (settings[0] == 'url/1+unicode17') form.unicode = 17;
  else if (settings[0] != 'url/1+unicode18') return refuse('other-version: the module computes url/1+unicode17 and url/1+unicode18');
  for (let index = 1; index < settings.length; ++index) {
    if (settings[index] == 'exclude-fragment' && !form.excludeFragment) form.excludeFragment = true;
    else return refuse('not-a-profile: ' + settings[index]);
  }
  if (base != '' && defaultScheme != '') return refuse('base: a base and a default scheme cannot be combined');
  if (defaultScheme != '' && defaultScheme != 'http' && defaultScheme != 'https')
    return refuse('default-scheme: it must be http or https');
  form.defaultScheme = defaultScheme;
  if (base != '') {
    const url = parseUrl(base, null, '', form.unicode, null);
    if (url.reason != '') return refuse('base: it is not a URL (' + url.reason + ')');
    form.base = url;
  }
  return form;
}
