// The base is an option of every function that takes a URL; a string or a URL in the place of options is refused.
import { equal, throws } from 'node:assert/strict';
import { canonicalize, type Options, profileOf, tryCanonicalize, UrlHash, UrlHasher, UrlShortHash } from 'urlsum';
import { explain } from 'urlsum/explain';
import * as hashedUri from 'urlsum/hashed-uri';

const options: Options = { base: new URL('https://example.com/a/c'), excludeFragment: true };
const form = 'https://example.com/a/b';

equal(canonicalize('b#top', options), form);
equal(tryCanonicalize('b#top', options), form);
equal(UrlHash.of('b#top', options).hex, UrlHash.of(form).hex);
equal(UrlShortHash.tryOf('b#top', options)?.hex, UrlShortHash.of(form).hex);
equal(new UrlHasher(options).hash('b#top').hex, UrlHash.of(form).hex);
equal(explain('b#top', options).canonical, form);
equal(hashedUri.canonicalize('b', { variant: 'N', base: new URL(form) }), form);
equal(UrlHash.tryOf('b', { base: 'no base' }), null);
equal(profileOf(options), profileOf({ excludeFragment: true }));

// @ts-expect-error a base is not options
throws(() => UrlHash.of('b', 'https://example.com/'), /^TypeError: options must be an object, such as \{ base: … \}/);
// @ts-expect-error nor is a URL, and no key is lost without a word
throws(() => UrlHash.tryOf('b', new URL('https://example.com/')), TypeError);
for (const base of ['https://example.com/', new URL('https://example.com/')] as never[]) {
  throws(() => explain('b', base), /^TypeError: options must be an object, such as \{ base: … \}/);
  throws(() => hashedUri.canonicalize('b', base), /^TypeError: options must be an object, such as \{ base: … \}/);
}
// @ts-expect-error the arguments of before
throws(() => canonicalize('b', undefined, options).at(0) ?? canonicalize('b'), TypeError);
