// What the command and the pool import from src/site: rules for sites.

export { siteRulesOfFilters } from './adblock.ts';
export { SiteRulesError } from './site-line.ts';
export { SiteRules } from './site-rules.ts';
