/**
 * The host, site and SURT of a page, to group and to sort by, and rules for sites: which parameters of their pages
 * count, and which of their addresses are one page.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../core/error.ts';
export { SiteRules, SiteRulesError } from '../core/sites/site-rules.ts';
export { PUBLIC_SUFFIX_LIST } from '../specs/safe-browsing/suffix-list.ts';
export { hostOf, SURT, siteOf, surtOf } from '../specs/sites/site.ts';
