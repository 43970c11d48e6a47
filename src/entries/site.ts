/**
 * Rules for sites: which parameters of their pages count, and which of their addresses are one page.
 *
 * @packageDocumentation
 */

export { UrlsumError } from '../error.ts';
export { SiteRulesError } from '../site/site-line.ts';
export { SiteRules } from '../site/site-rules.ts';
