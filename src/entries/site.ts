/**
 * Where a page is, to group and to sort by, and rules for sites: which parameters of their pages count, and which of
 * their addresses are one page.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { hostOf, siteOf, surtOf } from '../place/of-url.ts';
export { SURT } from '../place/place.ts';
export { PUBLIC_SUFFIX_LIST } from '../safe-browsing/suffix-list.ts';
export { SiteRulesError } from '../site/site-line.ts';
export { SiteRules } from '../site/site-rules.ts';
